// All is the prompt with all that it can do: what a session of [metalab/repl] goes on as when a
// verb is asked for that the core lacks, and what one builds for a machine without Go:
//
//	go build -o repl ./repl/all
//
// It takes the same words and flags.
package main

import (
	"os"

	"metalab/kernel/host/machines"
	_ "metalab/kernel/host/rooms" // all of them
	"metalab/kernel/host/serve"
	"metalab/repl/prompt"
)

func main() {
	serve.Main() // does not return in the process that becomes the host
	prompt.Worker = machines.Worker
	os.Exit(prompt.Main(os.Args[1:]))
}
