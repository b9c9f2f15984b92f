// Repl is the prompt of metalab: a laboratory for metaheuristics in a terminal.
//
//	go run ./repl                       # type commands and Go
//	go run ./repl script.lab            # run a script, and end at its first error
//	go run ./repl -c 'open acs E1k.0 as a; step a 100; best a'
//	go run ./repl -json -c '…'          # one JSON object a line for every command
//	go run ./repl -attach NAME          # join the runs of another session
//
// The runs live in a process of their own, the host, which the prompt starts and talks
// to over a socket; see package kernel/host. What is typed is either a command (help
// lists them) or Go, with package lab in scope; see packages words and eval.
package main
