// Package program is what the program kernel does: it puts metalab into Jupyter, takes it out,
// tells what is missing, executes notebooks, and is what Jupyter starts.
package program

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"metalab/kernel/host/machines"
	"metalab/kernel/internal/jupyter/command"
	"metalab/kernel/internal/jupyter/execute"
	"metalab/kernel/internal/jupyter/install"
	"metalab/kernel/internal/jupyter/session"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

const usage = `kernel puts the Jupyter kernel "metalab (Go)" on this machine.

  go run ./kernel install     build it and put it into Jupyter's launcher; safe to repeat
  go run ./kernel uninstall   take it out again
  go run ./kernel doctor      say what is there, what is missing, and what mends it
  go run ./kernel exec nb.ipynb
                              execute a notebook without Jupyter; its outputs are written
                              into it, and the exit status is 1 at the first cell that fails
  go run ./kernel worker ADDRESS
                              make units of experiments for a broker, as repl worker does
  go run ./kernel version     the version of metalab, and of Go

Each has its own flags: go run ./kernel install -h.
`

// commands are what can be asked, by name. run is asked by Jupyter, host by
// run, guard by host, and gpu by the doctor.
var commands = map[string]func(context.Context, []string) error{
	"install": install.Command, "uninstall": install.Uninstall, "doctor": install.Doctor,
	"exec": execute.Command, "run": session.Run, "host": session.Host, "gpu": install.GPU,
	"guard": session.Guard,
}

// Main carries out the words of a command line, and returns the exit status.
func Main(args []string) int {
	if len(args) == 0 {
		fmt.Fprint(os.Stderr, usage)
		return 2
	}
	switch args[0] {
	case "-h", "-help", "--help", "help":
		fmt.Print(usage)
		return 0
	case "worker":
		return machines.Worker(args[1:], os.Stdout, os.Stderr)
	case "-version", "--version", "version":
		fmt.Println(record.Made())
		return 0
	}
	f := commands[args[0]]
	if f == nil {
		fmt.Fprintf(os.Stderr, "kernel: there is no command %q\n\n%s", args[0], usage)
		return 2
	}
	return carryOut("kernel", f, args)
}

// carryOut carries out a command of a program and returns the exit status; the first of args is its
// name.
func carryOut(program string, f func(context.Context, []string) error, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := f(ctx, args[1:])
	var told command.Told
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, command.ErrUsage):
		return 2
	case errors.As(err, &told):
		return 1
	}
	fmt.Fprintf(os.Stderr, "%s %s: %s\n", program, args[0], wire.FileText(err))
	return 1
}
