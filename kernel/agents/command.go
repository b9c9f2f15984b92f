package agents

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"metalab/kernel/host"
	"metalab/kernel/host/serve"
	"metalab/kernel/wire"
)

const usage = `mcp serves a session of metalab to an agent, over standard input and output, by the
Model Context Protocol. A client of agents starts it; its settings name the program and
these flags:

  -dir FOLDER     where the agent reads and writes files; without it, nowhere
  -iterations N   at most so many iterations in the session (1000000; 0: any)
  -cpu SECONDS    at most so many CPU seconds in the session (3600; 0: any)
  -name NAME      what journals call the agent; without it, as its client calls itself
  -session NAME   join that session; without it, the agent has one of its own
  -code           run the source that a record holds where the agent says so; it may do
                  all that you may
`

// Main is the command mcp: it serves the agent at the other end of standard input and output.
func Main(args []string) int {
	o, session, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Print(usage)
		return 0
	case err != nil:
		fmt.Fprintf(os.Stderr, "mcp: %v; mcp -h tells what there is\n", err)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM,
		syscall.SIGHUP)
	defer stop()
	var process *serve.Process
	o.Connect = func(ctx context.Context, who string) (*wire.Client, error) {
		if session != "" {
			return join(ctx, session, who)
		}
		p, err := serve.Start(ctx, host.Options{
			Session:  fmt.Sprintf("mcp-%d", os.Getpid()),
			StateDir: filepath.Join(host.DefaultStateDir(), "agents"),
		}, who)
		if err != nil {
			return nil, err
		}
		process = p
		return p.Client, nil
	}
	err = Serve(ctx, &mcp.StdioTransport{}, o)
	if process != nil {
		process.Close()
	}
	if err != nil && !errors.Is(err, io.EOF) {
		fmt.Fprintf(os.Stderr, "mcp: %v\n", err)
		return 1
	}
	return 0
}

// join connects to a session that is there.
func join(ctx context.Context, session, who string) (*wire.Client, error) {
	name, err := wire.FindSession(ctx, session)
	if err != nil {
		return nil, err
	}
	return wire.Dial(ctx, name, who)
}

// parse reads the command line.
func parse(args []string) (o Options, session string, err error) {
	fs := flag.NewFlagSet("mcp", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&o.Folder, "dir", "", "")
	fs.Int64Var(&o.Iterations, "iterations", 1_000_000, "")
	fs.Float64Var(&o.CPU, "cpu", 3600, "")
	fs.StringVar(&o.Name, "name", "", "")
	fs.StringVar(&session, "session", "", "")
	fs.BoolVar(&o.Code, "code", false, "")
	if err := fs.Parse(args); err != nil {
		return o, "", err
	}
	switch {
	case fs.NArg() > 0:
		return o, "", fmt.Errorf("%q: want flags alone", fs.Arg(0))
	case o.Iterations < 0:
		return o, "", fmt.Errorf("-iterations is %d, want 0 or more", o.Iterations)
	case math.IsNaN(o.CPU) || math.IsInf(o.CPU, 0) || o.CPU < 0:
		return o, "", fmt.Errorf("-cpu is %g, want 0 or more seconds", o.CPU)
	}
	_, err = newFolder(o.Folder)
	return o, session, err
}
