// Package wire is the protocol between a host of runs and its clients.
//
// A host is a process that owns runs (package kernel/host). Prompts, notebook cells
// and pages are its clients. They speak HTTP/1.1 with JSON over a unix socket:
//
//	POST /v1/do/<verb>            arguments as a JSON object; the reply is one too
//	GET  /v1/hello                who the host is, and which protocol it speaks
//	GET  /v1/events               what happens to runs, as server-sent events
//	GET  /v1/array/<run>/<name>   a large array in binary, its shape in the header
//	POST /v1/page                 a script that makes a live page of a cell's output
//	POST /v1/page/<id>/admit      the secret by which that page may enter
//
// so that curl is a debugger:
//
//	curl --unix-socket $XDG_RUNTIME_DIR/metalab/s.sock -H 'X-Metalab-Protocol: 1' \
//	    -d '{"run":"a","n":100}' http://s/v1/do/step
//
// # Words
//
// A verb is something that can be asked, as step; [Verbs] is the one table of them. It feeds
// the parser of lines, completion and help (package kernel/words), the host's handlers and the
// methods of kernel/lab. An argument has a [Kind], which says how it is read and completed. A
// request is the struct of a verb's arguments, a reply the struct of its answer; replies, and
// how they are shown, are in package kernel/reply.
//
// [Dial] connects to a session by name; [Sessions] lists those that are alive. A call
// that is cancelled closes its connection, and the host then withdraws what that call
// asked for and nothing else. Every call carries an id, so that a call which was sent
// again after a lost connection is not carried out twice.
//
// # What it may import
//
// Notebook cells are compiled each time they run, and they link this package, kernel/reply and
// kernel/words. So these use neither net/http nor package net (a unix socket needs no more than
// a few system calls), nor gonum, nor anything of the engine. Imports run from words over wire
// to reply, never back.
//
// # Adding a verb
//
//  1. Here: the verb in the file of its group (verbs_look.go, say), with its request. What is
//     typed, completed and told by help follows from it.
//  2. In kernel/reply: a file with the reply, its String and its HTML.
//  3. In kernel/host, or a room below it: a file with the handler, and handle beside it.
//
// Tests compare the table with the requests, the replies, the handlers and help. A method in
// kernel/lab is wanted only where Go code should use the reply: lab.Do takes any line.
package wire
