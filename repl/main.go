package main

import (
	"os"

	"metalab/kernel/grow"
	_ "metalab/kernel/host/rooms/core" // the algorithms, and verbs that bring no large package
	"metalab/kernel/host/serve"
	"metalab/repl/prompt"
)

func main() {
	grow.Into("metalab/repl/all")
	serve.Main()  // does not return in the process that becomes the host
	grow.Become() // does not return if the whole program was compiled before
	os.Exit(prompt.Main(os.Args[1:]))
}
