package prompt

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"metalab/kernel/host"
	"metalab/kernel/host/serve"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

const serveUsage = `repl serve -session NAME keeps a session until ^C, for programs, notebooks of
other kernels, and prompts: its runs live in it, and are autosaved when it ends.

  -session NAME   what it is called
`

// serveSession keeps a session of its own, without a prompt.
func serveSession(args []string, out io.Writer) int {
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	name := fs.String("session", "", "")
	err := fs.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(out, withName(serveUsage))
		return 0
	case err == nil && *name == "":
		err = errors.New("what is the session called? as in: " + record.Program + " serve -session lab")
	case err == nil && fs.NArg() > 0:
		err = fmt.Errorf("%q: want nothing behind the name", fs.Arg(0))
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s serve: %v\n", record.Program, err)
		return 2
	}
	if err := become(); err != nil { // the session is there all the same
		complain("serve: the session goes without experiments, pages and workers: %v", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM,
		syscall.SIGHUP)
	defer stop()
	err = serve.Serve(ctx, host.Options{Session: *name, Ready: func() {
		fmt.Fprintf(out, "session %s is there until ^C; %s=%s leads programs and notebooks to it, and "+
			"%s -attach %s a prompt\n", *name, wire.EnvSession, *name, record.Program, *name)
	}})
	if errors.Is(err, serve.ErrTaken) {
		err = fmt.Errorf("there is a session %s already: %s -attach %s joins it", *name,
			record.Program, *name)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s serve: %v\n", record.Program, err)
		return 1
	}
	return 0
}
