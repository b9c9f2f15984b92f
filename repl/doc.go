// Repl is the prompt of metalab: a laboratory for metaheuristics in a terminal.
//
//	go run ./repl                       # type commands and Go
//	go run ./repl script.lab            # run a script, and end at its first error
//	go run ./repl -c 'open acs E1k.0 as a; step a 100; best a'
//	go run ./repl -json -c '…'          # one JSON object a line for every command
//	go run ./repl -attach NAME          # join the runs of another session
//
// What is compiled for it is the core of metalab. The rest, for experiments, pages and machines, is
// compiled in the background after the first prompt, or when a verb needs it, and the session goes
// on with it, see package [metalab/kernel/grow]; from then on it is started directly. Package all
// is the prompt with everything, for where there is no Go:
//
//	go build -o repl ./repl/all
//
// The runs are in a separate process, the host, which the prompt starts and connects to by a
// socket; see package kernel/host. A line is either a command (help lists them) or Go, with package
// lab in scope, and stat and floats of gonum; see packages words and eval.
//
// Go is interpreted here, except for your own solvers: the argument of lab.Declare, with the types,
// functions and constants that it uses, becomes a program that the Go toolchain compiles and the
// host runs. So they are as fast as in a notebook, have the same name of their code, and continue
// after the prompt has ended. Of the prompt's variables that program has those of numbers and
// strings, and slices, arrays and maps of these, to 64 KiB, with their values at that time.
// Problems of your own, of lab.DeclareProblem, become such a program together with the searches,
// which the host compiles.
package main
