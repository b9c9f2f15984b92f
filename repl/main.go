package main

import (
	"os"

	"metalab/kernel/host/serve"
	"metalab/repl/prompt"
)

func main() {
	serve.Main() // does not return in the process that becomes the host
	os.Exit(prompt.Main(os.Args[1:]))
}
