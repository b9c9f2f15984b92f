// Metalab is all of metalab in one program, as releases have it: the prompt, the kernel of
// notebooks, a worker of experiments.
//
//	metalab                  the prompt; metalab -h lists what it takes
//	metalab kernel FILE      the kernel of a notebook, which Jupyter starts
//	metalab worker ADDRESS   makes units of experiments for a broker
//	metalab mcp              a session for an agent, by the Model Context Protocol
//	metalab doctor           says what is there, what is missing, and what mends it
//	metalab install          tells a Jupyter elsewhere of the kernel
//
// It needs nothing beside itself, but for what lies in share/metalab: the source that solvers of
// one's own are compiled with, by Go, and the engine of pages.
package main

import (
	"fmt"
	"os"
	"slices"

	"metalab/kernel/agents"
	"metalab/kernel/host/machines"
	_ "metalab/kernel/host/rooms" // all verbs and algorithms
	"metalab/kernel/host/serve"
	"metalab/kernel/program"
	"metalab/repl/prompt"
	"metalab/solvers/record"
)

const usage = `metalab is a laboratory for metaheuristics.

  metalab                  the prompt; more of its words and flags below
  metalab doctor           say what is there, what is missing, and what mends it
  metalab install          tell Jupyters of other environments, and editors, of the kernel
  metalab kernel FILE      be the kernel of a notebook: Jupyter starts it
  metalab worker ADDRESS   make units of experiments for a broker
  metalab mcp              serve a session to an agent; metalab mcp -h tells more
  metalab version          the version of metalab, and of Go

`

// commands are what can be asked by a first word. All else is the prompt's.
var commands = map[string]func(args []string) int{
	"worker":  func(args []string) int { return machines.Worker(args, os.Stdout, os.Stderr) },
	"mcp":     agents.Main,
	"version": func([]string) int { return prompt.Main([]string{"-version"}) },
}

// released are those of the kernel; host and guard are asked by it.
var released = []string{"kernel", "host", "guard", "install", "doctor"}

// In the process that becomes the host, too, and before it does.
func init() { record.Program = "metalab" }

func main() {
	serve.Main() // does not return in the process that becomes the host
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	if len(args) > 0 {
		switch args[0] {
		case "-h", "-help", "--help", "help":
			fmt.Print(usage)
			return prompt.Main([]string{"-h"})
		}
		if f := commands[args[0]]; f != nil {
			return f(args[1:])
		}
		if slices.Contains(released, args[0]) {
			return program.Release(args)
		}
	}
	return prompt.Main(args)
}
