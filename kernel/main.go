package main

import (
	"os"

	"metalab/kernel/program"
)

func main() { os.Exit(program.Main(os.Args[1:])) }
