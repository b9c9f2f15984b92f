// Package host is the process that owns runs: prompts, notebook cells and pages are its
// clients, by package kernel/wire.
//
// A front end starts one by executing itself again:
//
//	func main() {
//		host.Main() // serves and exits when this process was started as a host
//		…
//		p, err := host.Start(ctx, host.Options{Session: "s1"}, "prompt")
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
// # Pages
//
// When a page is first asked for, by the verb dashboard or for the output of a notebook's cell, the
// host begins to listen on a port of 127.0.0.1 as well. There it serves the dashboard (package
// kernel/page) to everybody, and the verbs that the table marks for browsers, figures as SVG and
// records to pages that were let in. Of experiments pages get what there is of them, and can change
// nothing. The dashboard has a ticket that a client on the socket got; a
// page in a cell has a secret that it made itself and that the notebook's kernel, a client too,
// passed on to the host. The page exchanges it for a token that is bound to its origin, and every
// request has the token in its header. The comments of page.go and pass.go say what is refused, and
// why the output of a cell gives access to nobody else.
//
// # What is saved
//
// Every run is autosaved from open on, every two seconds, into the user's folder of state. A host
// that ends leaves the autosaves of runs that were not saved since, for thirty days, and the verb
// recover opens them. A state of over 256 MiB, as of a population of millions of cities, is not
// written: recover makes the iterations again. Autosaves of runs that were closed are kept apart,
// the last twenty for a day.
// Where an autosave cannot be written, as on a full disk, the run goes on, all clients are told
// once, and what is missing is written as soon as that is possible.
// Damaged autosaves are listed with what can still be opened of them, and stay until a user drops
// them. An index beside the files makes listing fast; opening reads the record itself.
//
// # Pages that replay
//
// The verb export writes a run or a record as a page too, in which a browser makes the run again
// without a host: export_page.go draws its figures, package kernel/browser/bundle writes it and
// compiles the engine, once for the sources, into the user's cache.
//
// # Experiments
//
// All experiments of the user are in one file of SQLite in that folder, which several hosts may use
// at a time; each experiment is made by one of them at a time. Units on the CPU are made on
// all cores, those on GPUs beside them, one at a time on each GPU; without a GPU these wait. A host
// that ends, however it does, leaves what was made, and any other goes on with the rest.
//
// # Rooms
//
// What is no business of sessions and runs is a room: a package below this folder with verbs of its
// own, which it binds by [Handle] when it is linked. A room asks the host for what it needs by
// [Call], and states it in a small interface; the host knows no room. There are papers (bench,
// paper, glance, claim), machines (workers, worker, over=) and others. Package rooms links all of
// them, and the algorithms; every program that becomes a host imports it. So a new verb goes into a
// room if it needs nothing of runs but what Call has, else into a file here.
//
// # When a GPU fails
//
// After a kernel's illegal address and the like, nothing works any more on the GPU in that process.
// The host then saves its runs, executes itself again in place, with the same process id, socket
// and lifeline, and loads them in the state that they had: those on the GPU from record and last
// snapshot. Runs that were going on go on, except those that failed. Requests without an answer
// reach the next process, which knows how much of them was done; streams of events continue with a
// notice that says what happened. Experiments and tunings in the background go on; the unit that
// the GPU failed in is a failure with its error.
//
// # Runs and clients
//
// The semantics of several clients on one run are the engine's: steps queue, each gets exactly its
// iterations, go is a standing order behind them. A client that disconnects withdraws the steps for
// which it waits, and nothing else. The host adds names, calls that are sent twice but carried out
// once, and events.
package host
