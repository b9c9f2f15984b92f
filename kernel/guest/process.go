package guest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"metalab/kernel/wire"
)

// process is a worker: the program of a code, serving its solver.
type process struct {
	cmd     *exec.Cmd
	in      *os.File // what we say
	answers chan answer
	said    *tail
	ended   chan struct{}
	Hello   wire.WorkerHello

	pending bool        // a request has no answer yet that wait returned
	due     atomic.Bool // the worker has not sent the whole answer yet
	alone   *time.Timer // ends the worker when nobody waits for the answer; see leave
	late    atomic.Bool // it did
	once    sync.Once
}

// answer is the result of a request.
type answer struct {
	op   byte
	body []byte
	err  error
}

// startLimit is the time limit for a worker's WorkerHello.
const startLimit = 30 * time.Second

// start starts a worker and reads its hello. said is called with each line that the program
// prints.
func start(ctx context.Context, program, solver string,
	said func(line string),
) (_ *process, err error) {
	inRead, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, outWrite, err := os.Pipe()
	if err != nil {
		inRead.Close()
		in.Close()
		return nil, err
	}
	p := &process{
		in: in, answers: make(chan answer, 1), said: &tail{line: said},
		ended: make(chan struct{}),
	}
	p.cmd = exec.Command(program)
	p.cmd.Env = append(clean(os.Environ()), wire.EnvWorker+"="+solver, "GOTRACEBACK=single")
	p.cmd.Dir = "/"
	p.cmd.ExtraFiles = []*os.File{inRead, outWrite}
	p.cmd.Stdout, p.cmd.Stderr = p.said, p.said
	p.cmd.SysProcAttr = inGroup()
	p.cmd.WaitDelay = time.Second // for children of the worker's that hold its output
	// Another process that is being started at this moment may hold the program, which was
	// just written, open for writing.
	for range 50 {
		c := *p.cmd
		if err = c.Start(); !errors.Is(err, errBusy) {
			p.cmd = &c
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	inRead.Close() // or its end would not be seen
	outWrite.Close()
	if err != nil {
		in.Close()
		out.Close()
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait() // what it was is in what it said, and in the state of the process
		close(p.ended)
	}()
	p.pending = true
	p.due.Store(true)
	go p.read(out)
	a, err := p.wait(ctx, startLimit)
	if err == nil && a.op != wire.OpHello {
		err = p.failure(a)
	}
	if err == nil {
		err = json.Unmarshal(a.body, &p.Hello)
	}
	switch {
	case err == nil && p.Hello.Refused != "":
		err = errors.New(p.Hello.Refused)
	case err == nil && p.Hello.Protocol != wire.WorkerProtocol:
		err = fmt.Errorf("its worker speaks protocol %d and this host %d: declare it anew with "+
			"the same metalab", p.Hello.Protocol, wire.WorkerProtocol)
	}
	if err != nil {
		p.kill()
		return nil, err
	}
	return p, nil
}

// clean is an environment without what would make a worker something else.
func clean(env []string) []string {
	var out []string
	for _, e := range env {
		name, _, _ := strings.Cut(e, "=")
		switch name {
		case "GONB_PIPE", "GONB_PIPE_BACK", wire.EnvSession, "METALAB_HOST", "METALAB_HANDOFF",
			"GOTRACEBACK":
		default:
			out = append(out, e)
		}
	}
	return out
}

// read turns what the worker writes into answers.
func (p *process) read(out *os.File) {
	defer out.Close()
	defer close(p.answers)
	for {
		op, body, err := wire.ReadFrame(out)
		if op != wire.OpStep || !wire.MoreFollows(body) {
			p.due.Store(false)
		}
		p.answers <- answer{op, body, err}
		if err != nil {
			return
		}
	}
}

var (
	// errSilent says that a worker did not answer in time.
	errSilent = errors.New("the worker does not answer")
	// errEnded says that it was ended, for nobody waited for its answer any more; see leave.
	errEnded = errors.New("the worker was ended")
)

// leave ends the worker if the pending answer has not come within a time and nobody waits for it
// again, so that an iteration without an end does not go on when nobody wants it any more; told is
// called when it was ended, from another goroutine, with where it was.
func (p *process) leave(after time.Duration, told func(function string, line int)) {
	p.alone = time.AfterFunc(after, func() { p.left(told) })
}

// left ends a worker that nobody waits for, unless it has answered: its answer waits until somebody
// asks, since it may come long after the run was paused.
func (p *process) left(told func(function string, line int)) {
	if !p.due.Load() {
		return
	}
	p.late.Store(true)
	var function string
	var line int
	if told != nil {
		function, line = p.where()
	}
	p.kill()
	if told != nil {
		told(function, line)
	}
}

// wait waits for the answer to the last request; limit 0 means for ever. When ctx ends the
// request stays pending.
func (p *process) wait(ctx context.Context, limit time.Duration) (answer, error) {
	if p.alone != nil {
		p.alone.Stop()
		p.alone = nil
	}
	var late <-chan time.Time
	if limit > 0 {
		t := time.NewTimer(limit)
		defer t.Stop()
		late = t.C
	}
	select {
	case a, ok := <-p.answers:
		p.pending = false
		if !ok || a.err != nil {
			return a, p.gone()
		}
		return a, nil
	case <-ctx.Done():
		return answer{}, ctx.Err()
	case <-late:
		return answer{}, p.silent(limit)
	}
}

// ask sends a request.
func (p *process) ask(op byte, parts ...[]byte) error {
	if p.pending {
		return errors.New("guest: a request before the answer to the last one")
	}
	p.pending = true
	p.due.Store(true)
	if err := wire.WriteFrame(p.in, op, parts...); err != nil {
		return p.gone()
	}
	return nil
}

// goneError is the end of a worker.
type goneError struct{ text string }

// Error says how it ended.
func (e *goneError) Error() string { return e.text }

// gone says how the worker ended, from what Go's runtime printed.
func (p *process) gone() error {
	select {
	case <-p.ended:
	case <-time.After(3 * time.Second):
		p.kill()
	}
	if p.late.Load() {
		return errEnded
	}
	if s := p.said.last(); s != "" {
		return &goneError{s}
	}
	how := "its worker ended"
	if st := p.cmd.ProcessState; st != nil {
		how += " (" + st.String() + ")"
		if ws, ok := st.Sys().(syscall.WaitStatus); ok && ws.Signaled() &&
			ws.Signal() == syscall.SIGKILL {
			how = "its worker was killed, perhaps for want of memory"
		}
	}
	return &goneError{how}
}

// failure is an answer that is an error.
func (p *process) failure(a answer) error {
	if a.op != wire.OpError {
		return fmt.Errorf("guest: answer %q, which nobody asked for", a.op)
	}
	e := &solverError{}
	if err := json.Unmarshal(a.body, &e.WorkerError); err != nil {
		return err
	}
	return e
}

// solverError is an error or panic of the solver's own code, or tells where a worker is that does
// not answer.
type solverError struct {
	wire.WorkerError
	quiet bool
}

// Is makes errors.Is(err, errSilent) true for a worker that does not answer.
func (e *solverError) Is(target error) bool { return e.quiet && target == errSilent }

// Error is the error less its place in the source, which code knows.
func (e *solverError) Error() string {
	if e.Where == "" {
		return e.Text
	}
	return e.Text + ", in " + e.Where
}

// kill ends the worker. Any goroutine may call it.
func (p *process) kill() {
	p.once.Do(func() {
		p.in.Close()
		// The whole group: children of the solver's own too.
		killGroup(p.cmd.Process.Pid)
		go func() { // the reader may be about to tell something
			for range p.answers {
			}
		}()
	})
	<-p.ended
}

// tail keeps the end of what a program prints.
type tail struct {
	mu    sync.Mutex
	part  []byte
	fatal string      // the line of a fatal error or panic
	at    chan string // the next place goes there; see expect
	line  func(string)
}

// Write stores output.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.part = append(t.part, b...)
	for {
		i := bytes.IndexByte(t.part, '\n')
		if i < 0 {
			if len(t.part) > 1<<16 {
				t.part = t.part[:0]
			}
			return len(b), nil
		}
		line := string(t.part[:i])
		t.part = append(t.part[:0], t.part[i+1:]...)
		t.take(line)
	}
}

func (t *tail) take(line string) {
	switch {
	case t.place(line):
	case t.fatal == "" && (strings.HasPrefix(line, "panic: ") ||
		strings.HasPrefix(line, "fatal error: ") ||
		strings.HasPrefix(line, "runtime: goroutine stack exceeds")):
		t.fatal = line
	case t.fatal != "":
		// The first function of the program's own on the stack below.
		if fn, _, ok := strings.Cut(line, "("); ok && strings.HasPrefix(line, "main.") &&
			!strings.Contains(t.fatal, ", in ") {
			if strings.HasPrefix(line, "main.(") {
				rest := line[len("main."):]
				if i := strings.LastIndexByte(rest, '('); i > 0 {
					fn = "main." + rest[:i]
				}
			}
			t.fatal += ", in " + strings.TrimPrefix(fn, "main.")
		}
	case t.line != nil && strings.TrimSpace(line) != "":
		t.line(line)
	}
}

// last is the fatal error, empty when there was none.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.fatal
}

var _ io.Writer = (*tail)(nil)
