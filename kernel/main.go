package main

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
var commands = map[string]func(ctx context.Context, args []string) error{
	"install": install.Command, "uninstall": install.Uninstall, "doctor": install.Doctor,
	"exec": execute.Command, "run": session.Run, "host": session.Host, "gpu": install.GPU,
	"guard": session.Guard,
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	switch os.Args[1] {
	case "-h", "-help", "--help", "help":
		fmt.Print(usage)
		return
	case "worker":
		os.Exit(machines.Worker(os.Args[2:], os.Stdout, os.Stderr))
	case "-version", "--version", "version":
		fmt.Println(wire.Build())
		return
	}
	f := commands[os.Args[1]]
	if f == nil {
		fmt.Fprintf(os.Stderr, "kernel: there is no command %q\n\n%s", os.Args[1], usage)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := f(ctx, os.Args[2:])
	stop()
	var told command.Told
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
	case errors.Is(err, command.ErrUsage):
		os.Exit(2)
	case errors.As(err, &told):
		os.Exit(1)
	default:
		fmt.Fprintf(os.Stderr, "kernel %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}
