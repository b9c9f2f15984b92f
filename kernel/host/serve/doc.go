// Package serve makes a host of package host a process that clients reach: it listens on the
// session's socket, answers HTTP there, starts the process and ends it. May change: api.txt does
// not promise its declarations.
//
// A front end starts one by executing itself again:
//
//	func main() {
//		serve.Main() // serves and exits when this process was started as a host
//		…
//		p, err := serve.Start(ctx, host.Options{Session: "s1"}, "prompt")
//		p.Client.Do(ctx, "open", …)
//	}
//
// The host runs in a session of its own of the operating system (so that ^C at the prompt does not
// reach it). It ends when the pipe that its starter holds is closed, however the starter ended,
// unless it was detached. A detached host ends when no run has been stepping and no client has been
// attached for a while. A host can also run in the program's own process, with [Serve].
//
// # Who may talk to it
//
// The socket is in a folder of mode 0700, has mode 0600, and connections of other users are closed
// before a byte is read. Clients (package wire) check the user of the host before they write a
// byte, and show control characters in its answers as visible text. A lock beside the socket
// decides which of two hosts has a session. The system frees it however its holder ends, so a
// socket whose lock is free is stale and is replaced.
//
// # When a GPU fails
//
// The host executes itself again in place, with the same process id, socket and lifeline; see
// package host for what becomes of the runs. Requests without an answer reach the next process,
// which knows how much of them was done; streams of events continue with a notice that says what
// happened.
//
// # Routes
//
// The verbs are at /v1/do/VERB for every room. A room that sends or takes what is no JSON adds
// routes of its own by [Mount], as gpus and pages do.
package serve
