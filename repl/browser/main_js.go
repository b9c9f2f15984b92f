package main

import (
	"os"
	"slices"

	"metalab/kernel/browser/metalab"
	"metalab/repl/browser/interpreter"
)

func main() {
	if slices.Contains(os.Args[1:], "go") {
		interpreter.Serve()
	}
	metalab.Serve()
}
