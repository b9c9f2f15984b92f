package guest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"metalab/kernel/wire"
)

// whereLimit is how long a worker may take to say where it is.
const whereLimit = 2 * time.Second

// where asks a worker in which function of somebody's code it is; empty if it does not say.
func (p *process) where() (function string, line int) {
	at := p.said.expect()
	if at == nil || askWhere(p.cmd.Process.Pid) != nil {
		return "", 0
	}
	select {
	case said := <-at:
		function, number, _ := strings.Cut(said, "\t")
		line, _ = strconv.Atoi(number)
		return function, line
	case <-p.ended:
	case <-time.After(whereLimit):
	}
	return "", 0
}

// silent is the error of a worker that has not answered within a time.
func (p *process) silent(limit time.Duration) error {
	e := &solverError{quiet: true}
	e.Text = fmt.Sprintf("no answer came within %v", limit)
	if e.Where, e.Line = p.where(); e.Where != "" {
		e.Text += ": a method may not end"
	}
	return e
}

// place returns ", in FUNCTION: LINE" for where a worker is, empty if it is in no function of
// somebody's code.
func (c *Code) place(function string, line int) string {
	if function == "" {
		return ""
	}
	if text := c.line(function, line); text != "" {
		return ", in " + function + ": " + text
	}
	return ", in " + function
}

// await waits for iterations as long as they take, and says once for a run when one takes long, and
// where it is.
func (a *algorithm) await(ctx context.Context) (answer, error) {
	if a.told {
		return a.w.wait(ctx, 0)
	}
	ans, err := a.w.wait(ctx, longIteration)
	var slow *solverError
	if !errors.As(err, &slow) || !slow.quiet {
		return ans, err
	}
	a.told = true
	a.of.session.notice(fmt.Sprintf("%s: iteration %d has taken %v%s; pause %s, or ^C, gives it up",
		a.env.Run, a.first, longIteration, a.runs.place(slow.Where, slow.Line), a.env.Run))
	return a.w.wait(ctx, 0)
}

// expect has the next place that the program says sent to the channel that it returns; nil while
// another one is expected.
func (t *tail) expect() <-chan string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.at != nil {
		return nil
	}
	t.at = make(chan string, 1)
	return t.at
}

// place takes a line that says where the program is.
func (t *tail) place(line string) bool {
	said, ok := strings.CutPrefix(line, wire.WorkerAt)
	if ok && t.at != nil {
		t.at <- said
		t.at = nil
	}
	return ok
}

// placeOf is the place of a worker in an error.
func (a *algorithm) placeOf(err error) string {
	var slow *solverError
	if !errors.As(err, &slow) {
		return ""
	}
	return a.runs.place(slow.Where, slow.Line)
}
