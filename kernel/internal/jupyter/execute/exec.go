package execute

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"metalab/kernel/internal/jupyter"
	"metalab/kernel/internal/jupyter/command"
	"metalab/kernel/internal/jupyter/process"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// Command is kernel exec.
func Command(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("exec", flag.ContinueOnError)
	where := jupyter.PlaceFlags(fs)
	out := fs.String("o", "",
		"write the executed notebook to this `file`, not into the notebook itself")
	limit := fs.Duration("timeout", 10*time.Minute, "the longest `time` a cell may take")
	quiet := fs.Bool("q", false, "print only what fails")
	if err := command.Parse(fs, args, 1); err != nil {
		return err
	}
	if fs.NArg() != 1 {
		return errors.New("which notebook? as in: kernel exec notebooks/00_first_steps.ipynb")
	}
	p, err := where()
	if err != nil {
		return err
	}
	if !jupyter.Named(fs) {
		p = jupyter.Elsewhere(ctx, p)
	}
	spec, err := jupyter.ReadSpec(p.SpecFile())
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("the kernel is not installed in %s; first: go run ./kernel install; or, if "+
			"it was installed with another -prefix: go run ./kernel exec -prefix D", p.Dir)
	}
	if err != nil {
		return err
	}
	path, err := filepath.Abs(fs.Arg(0))
	if err != nil {
		return err
	}
	var w io.Writer = os.Stdout
	if *quiet {
		w = io.Discard
	}
	to := path
	if *out != "" {
		to = *out
	}
	return execNotebook(ctx, w, spec, path, to, *limit)
}

// execNotebook executes the notebook at path in a kernel of its own and writes it with the
// outputs to another path, which may be the same. It stops at the first cell that fails;
// the notebook then holds the outputs up to there.
func execNotebook(ctx context.Context, w io.Writer, spec jupyter.Spec, path, to string,
	limit time.Duration,
) error {
	nb, err := readNotebook(path)
	if err != nil {
		return err
	}
	if err := nb.setKernel(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	t0 := time.Now()
	r, err := Start(ctx, spec, path)
	if err != nil {
		return err
	}
	host := closed // until the session's host has ended: it removes autosaves as it does
	defer func() {
		r.Stop()
		select {
		case <-host:
		case <-time.After(10 * time.Second):
		}
	}()
	fmt.Fprintf(w, "kernel ready after %.2f s\n", time.Since(t0).Seconds())
	failed := r.hasWidgets()
	if failed == nil {
		failed = nb.execute(ctx, w, r, limit)
	}
	left := ""
	if left, host = r.endSession(failed == nil); failed != nil && left != "" {
		failed = fmt.Errorf("%w\n%s", failed, left)
	}
	if err := nb.write(to); err != nil {
		return errors.Join(failed, err)
	}
	return failed
}

// endSession ends the host of the kernel. A notebook whose cells all ran leaves no autosaves, but
// of what it had recovered; of another one it says what is left. The channel is closed when the
// host's process has ended.
func (r *Runner) endSession(well bool) (left string, host <-chan struct{}) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	c, err := wire.Dial(ctx, r.name, "exec")
	if err != nil {
		return "", closed // it has ended already
	}
	defer c.Close()
	host = process.Watch(c.Hello().PID, false)
	var rep reply.ShutdownReply
	err = c.Do(ctx, "shutdown", wire.ShutdownRequest{Discard: well, Recovered: well}, &rep)
	if err != nil || len(rep.Autosaved) == 0 {
		return "", host
	}
	left = rep.String() + fmt.Sprintf("; in the notebook: lab.Recover(%q)", rep.Autosaved[0].Run)
	return left, host
}

// closed is a channel that is closed.
var closed = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// execute executes the code cells in turn, up to the first that fails. As with Jupyter's own
// programs a cell with the tag skip-execution is left as it is, and one with the tag
// raises-exception may fail.
func (n *notebook) execute(ctx context.Context, w io.Writer, r *Runner, limit time.Duration) error {
	var failed error
	all := map[int]result{}
	for i := range n.cells {
		if !n.isCode(i) || n.tagged(i, "skip-execution") {
			continue
		}
		if failed != nil {
			if err := n.setResult(i, 0, nil); err != nil {
				return err
			}
			continue
		}
		cctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("it took longer than %v", limit))
		res, err := r.Do(cctx, n.source(i))
		cancel()
		wanted := err == nil && res.Failed != "" && n.tagged(i, "raises-exception")
		if err == nil && res.Failed != "" && !wanted {
			err = errors.New(res.Failed)
		}
		if serr := n.setResult(i, res.Count, res.Outputs); serr != nil {
			return serr
		}
		all[i] = res
		if err != nil {
			failed = fmt.Errorf("cell %d (%s): %w%s", i+1, firstWords(n.source(i)), err,
				res.Outputs.Stderr())
			continue
		}
		said := ""
		if wanted {
			said = ", fails as it may: " + res.Failed
		}
		fmt.Fprintf(w, "cell %d: %.2f s, %d outputs%s\n", i+1, res.took.Seconds(), len(res.Outputs), said)
	}
	if failed != nil && ctx.Err() != nil {
		return failed
	}
	return errors.Join(failed, n.keepWidgets(ctx, r, all))
}

// Stderr is what a cell printed to standard error, on lines of its own.
func (o Outputs) Stderr() string {
	s := ""
	for _, x := range o {
		if x.Kind == "stream" && x.name == "stderr" {
			s += "\n" + x.Text
		}
	}
	return s
}

// firstWords is the beginning of a cell, to know it by.
func firstWords(code string) string {
	code = strings.TrimSpace(code)
	if rest, ok := strings.CutPrefix(code, "%%\n"); ok {
		code = rest
	}
	for i, c := range code {
		if c == '\n' || i >= 50 {
			return code[:i] + " …"
		}
	}
	return code
}
