// Package wire is what a host of runs and its clients say to each other.
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
// [Verbs] is the one table of what can be asked: it feeds the parser of lines ([Parse]),
// completion, help, the host's handlers and the methods of kernel/lab. The requests and
// replies of the verbs are plain structs; a reply prints itself ([Reply]).
//
// [Dial] connects to a session by name; [Sessions] lists those that are alive. A call
// that is cancelled closes its connection, upon which the host withdraws what that call
// asked for and nothing else. Every call carries an id, so that a call which was sent
// again after a lost connection is not carried out twice.
//
// Notebook cells are compiled each time they run, and they link this package. So it uses
// neither net/http nor package net: a unix socket needs no more than a few system calls.
package wire
