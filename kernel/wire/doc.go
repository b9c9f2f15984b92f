// Package wire is the protocol between a host of runs and its clients. May change: api.txt does not
// promise its declarations.
//
// A host is a process that owns runs (package kernel/host). Prompts, notebook cells and pages are
// its clients. They speak HTTP/1.1 with JSON over a unix socket:
//
//	POST /v1/do/<verb>            arguments as a JSON object; the reply is one too
//	GET  /v1/hello                who the host is, and which protocol it speaks
//	GET  /v1/events               what happens to runs, as server-sent events
//	GET  /v1/array/<run>/<name>   a large array in binary, its shape in the header
//	POST /v1/page                 a script that makes a live page of a cell's output
//	POST /v1/page/<id>/admit      the secret by which that page may enter
//
// curl can serve as a debugger:
//
//	curl --unix-socket $XDG_RUNTIME_DIR/metalab/s.sock -H 'X-Metalab-Protocol: 1' \
//	    -d '{"run":"a","n":100}' http://s/v1/do/step
//
// # Words
//
// A verb is a command to the host, such as step; [Verbs] is the one table of them. The parser of
// lines, completion and help (package kernel/words), the host's handlers and the methods of
// kernel/lab use it. An argument has a [Kind], which determines its parsing and completion. A
// request is the struct of a verb's arguments, a reply the struct of its answer; package
// kernel/reply has the replies and their text and HTML.
//
// [Dial] connects to a session by name; [Sessions] lists the live ones. A cancelled call closes its
// connection, and the host then withdraws that call and nothing else. Every call carries an id, so
// that the host does not execute it twice if the client repeats it after a lost connection.
//
// # What it may import
//
// Every run of a notebook cell compiles it, and it links this package, kernel/reply and
// kernel/words. So these use neither net/http nor package net (a unix socket needs no more than a
// few system calls), nor gonum, nor anything of the engine. Imports run from words over wire to
// reply, never back.
//
// # Adding a verb
//
//  1. Here: the verb in the file of its group (verbs_look.go, say), with its request. Parsing,
//     completion and help follow from it.
//  2. In kernel/reply: a file with the reply, its String and its HTML.
//  3. In kernel/host, or a room below it: a file with the handler, and handle beside it.
//
// Tests compare the table with the requests, the replies, the handlers and help. Add a method to
// kernel/lab only if Go code should use the reply: lab.Do accepts any line.
package wire
