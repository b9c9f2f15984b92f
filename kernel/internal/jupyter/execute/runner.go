package execute

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/go-zeromq/zmq4"

	"metalab/kernel/internal/jupyter"
	"metalab/kernel/internal/jupyter/messages"
	"metalab/kernel/internal/jupyter/process"
)

// A Runner is a kernel that this process started and is the only client of.
type Runner struct {
	*messages.Peer
	iopub, control zmq4.Socket
	News           chan messages.Message // from iopub
	Cmd            *exec.Cmd
	dead           chan struct{}     // closed when the kernel's process has ended
	dir            string            // of connection file and log
	name           string            // of the session
	anew           map[string]Output // displays that show something else since their cell ended
	cancel         context.CancelFunc
}

// errDead is the error of a kernel that ended when it should not have.
var errDead = errors.New("the kernel has ended")

// Start starts the kernel of a kernelspec for the notebook at path, as Jupyter does,
// and waits until it answers.
func Start(ctx context.Context, spec jupyter.Spec, path string,
	extra ...string,
) (_ *Runner, err error) {
	dir, err := os.MkdirTemp("", "metalab-exec-")
	if err != nil {
		return nil, err
	}
	sctx, cancel := context.WithCancel(context.Background())
	r := &Runner{
		News: make(chan messages.Message, 256), dead: make(chan struct{}), dir: dir,
		cancel: cancel, anew: map[string]Output{},
	}
	defer func() {
		if err != nil {
			r.Stop()
		}
	}()
	c, err := newConnection(dir)
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "kernel.json")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	argv := append([]string{}, spec.Argv...)
	for i, a := range argv {
		argv[i] = strings.ReplaceAll(a, "{connection_file}", file)
	}
	if len(argv) == 0 {
		return nil, errors.New("the kernelspec names no program; go run ./kernel install writes it anew")
	}
	r.Cmd = exec.Command(argv[0], argv[1:]...)
	r.Cmd.Dir = filepath.Dir(path)
	r.Cmd.Stdout, r.Cmd.Stderr = log, log
	r.Cmd.Env = append(os.Environ(), "JPY_PARENT_PID="+strconv.Itoa(os.Getpid()),
		"JPY_SESSION_NAME="+path)
	for k, v := range spec.Env {
		r.Cmd.Env = append(r.Cmd.Env, k+"="+v)
	}
	r.Cmd.Env = append(r.Cmd.Env, extra...)
	if err := r.Cmd.Start(); err != nil {
		r.Cmd = nil
		return nil, fmt.Errorf("%w; put the kernel together anew: go run ./kernel install", err)
	}
	r.name = jupyter.SessionName(path, r.Cmd.Process.Pid)
	go func() {
		_ = r.Cmd.Wait()
		close(r.dead)
		cancel() // nobody answers any more
	}()
	if err := r.connect(sctx, c); err != nil {
		return nil, r.explain(err)
	}
	if err := r.ready(ctx); err != nil {
		return nil, r.explain(err)
	}
	return r, nil
}

func (r *Runner) connect(ctx context.Context, c messages.Connection) error {
	r.iopub = zmq4.NewSub(ctx, messages.DialOptions()...)
	if err := r.iopub.Dial(c.Address(c.IOPub)); err != nil {
		return err
	}
	if err := r.iopub.SetOption(zmq4.OptionSubscribe, ""); err != nil {
		return err
	}
	r.control = zmq4.NewDealer(ctx, messages.DialOptions()...)
	if err := r.control.Dial(c.Address(c.Control)); err != nil {
		return err
	}
	p, err := messages.Dial(ctx, c)
	if err != nil {
		return err
	}
	r.Peer = p
	go func() {
		for {
			m, err := r.Receive(r.iopub)
			if err != nil {
				return
			}
			select {
			case r.News <- m:
			case <-ctx.Done():
				return
			}
		}
	}()
	return nil
}

// ready asks who the kernel is until that is also told on iopub, for the subscription
// takes effect some time after it was asked for.
func (r *Runner) ready(ctx context.Context) error {
	for {
		id, err := r.Send(r.Socket, "kernel_info_request", map[string]any{})
		if err != nil {
			return err
		}
		if _, err := r.Reply(id); err != nil {
			return err
		}
		late := time.After(200 * time.Millisecond)
		for waiting := true; waiting; {
			select {
			case m := <-r.News:
				if m.Parent.ID == id && m.Header.Type == "status" {
					return nil
				}
			case <-late:
				waiting = false
			case <-r.dead:
				return errDead
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
}

// A result is what became of a cell.
type result struct {
	Count   int
	Outputs Outputs
	Failed  string // how it failed, in a line; empty when it did not
	took    time.Duration
}

// Do executes code and waits for its end. When ctx ends the cell is interrupted.
func (r *Runner) Do(ctx context.Context, code string) (result, error) {
	var res result
	t0 := time.Now()
	id, err := r.Send(r.Socket, "execute_request", messages.Execute{
		Code: code, Store: true, StopErr: true,
		Exprs: map[string]any{},
	})
	if err != nil {
		return res, r.explain(err)
	}
	stopped := ctx.Done()
	var giveUp <-chan time.Time
	for idle := false; !idle; {
		select {
		case m := <-r.News:
			if m.Parent.ID != id {
				r.note(m)
				continue
			}
			if idle, err = res.Outputs.add(m.Header.Type, m.Content); err != nil {
				return res, err
			}
		case <-stopped:
			stopped, giveUp = nil, time.After(10*time.Second)
			if err := r.Interrupt(); err != nil {
				return res, r.explain(err)
			}
		case <-giveUp:
			return res, context.Cause(ctx)
		case <-r.dead:
			return res, r.explain(errDead)
		}
	}
	m, err := r.Reply(id)
	if err != nil {
		return res, r.explain(err)
	}
	var c struct {
		Status string   `json:"status"`
		Count  int      `json:"execution_count"`
		Name   string   `json:"ename"`
		Value  string   `json:"evalue"`
		Trace  []string `json:"traceback"`
	}
	if err := json.Unmarshal(m.Content, &c); err != nil {
		return res, fmt.Errorf("jupyter: execute_reply: %w", err)
	}
	res.Count, res.took = c.Count, time.Since(t0)
	if c.Status != "ok" {
		res.Failed = strings.TrimSpace(c.Name + ": " + process.LastLine(Plain(c.Value)))
		told := false
		for _, o := range res.Outputs {
			told = told || o.Kind == "error"
		}
		if !told {
			res.Outputs = append(res.Outputs, Output{
				Kind: "error", name: c.Name, Text: c.Value,
				Trace: append([]string{}, c.Trace...),
			})
		}
	}
	if ctx.Err() != nil {
		return res, context.Cause(ctx)
	}
	return res, nil
}

// Plain is a text without the sequences that colour it.
func Plain(s string) string { return colours.ReplaceAllString(s, "") }

var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Interrupt asks the kernel to interrupt what it does.
func (r *Runner) Interrupt() error {
	_, err := r.Send(r.control, "interrupt_request", map[string]any{})
	return err
}

// explain adds to an error what a kernel that has ended printed last.
func (r *Runner) explain(err error) error {
	select {
	case <-r.dead:
	case <-time.After(100 * time.Millisecond):
		return err
	}
	if s := process.LastLine(r.Printed()); s != "" {
		return fmt.Errorf("%w: %s", errDead, s)
	}
	return errDead
}

// Printed returns what the kernel has printed.
func (r *Runner) Printed() string {
	b, _ := os.ReadFile(filepath.Join(r.dir, "log"))
	return string(b)
}

// Stop ends the kernel: it is asked to, and killed when it does not follow.
func (r *Runner) Stop() {
	if r.Cmd != nil {
		if r.Peer != nil {
			_, _ = r.Send(r.control, "shutdown_request", map[string]any{"restart": false})
		} else {
			_ = r.Cmd.Process.Signal(os.Interrupt)
		}
		select {
		case <-r.dead:
		case <-time.After(5 * time.Second):
			_ = r.Cmd.Process.Kill()
			<-r.dead
		}
	}
	r.cancel()
	for _, s := range []zmq4.Socket{r.iopub, r.control} {
		if s != nil {
			s.Close()
		}
	}
	if r.Peer != nil {
		r.Peer.Close()
	}
	os.RemoveAll(r.dir)
}

// maxSocket is the longest path of a socket's file that all systems take.
const maxSocket = 100

// newConnection says where a kernel's sockets are to be: files in a folder that only the user can
// enter, so that nobody else of the machine reads what cells show; where its path is too long
// for that, ports.
func newConnection(dir string) (messages.Connection, error) {
	c := messages.Connection{Key: messages.NewID(), Scheme: "hmac-sha256", Kernel: jupyter.KernelName}
	if c.IP = filepath.Join(dir, "s"); len(c.IP)+len("-5") <= maxSocket {
		c.Transport = "ipc"
		c.Shell, c.IOPub, c.Stdin, c.Control, c.Heartbeat = 1, 2, 3, 4, 5
		return c, nil
	}
	c.IP, c.Transport = "127.0.0.1", "tcp"
	return c, freePorts(&c.Shell, &c.IOPub, &c.Stdin, &c.Control, &c.Heartbeat)
}

// freePorts finds ports that nobody listens on.
func freePorts(ports ...*int) error {
	for _, p := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		defer l.Close() // all at the end, so that no two are the same
		*p = l.Addr().(*net.TCPAddr).Port
	}
	return nil
}
