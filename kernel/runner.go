package main

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
)

// A runner is a kernel that this process started and is the only client of.
type runner struct {
	*peer
	iopub, control zmq4.Socket
	news           chan message // from iopub
	cmd            *exec.Cmd
	dead           chan struct{}      // closed when the kernel's process has ended
	dir            string             // of connection file and log
	name           string             // of the session
	anew           map[string]output4 // displays that show something else since their cell ended
	cancel         context.CancelFunc
}

// errDead is the error of a kernel that ended when it should not have.
var errDead = errors.New("the kernel has ended")

// startKernel starts the kernel of a kernelspec for the notebook at path, as Jupyter does,
// and waits until it answers.
func startKernel(ctx context.Context, spec kernelSpec, path string,
	extra ...string,
) (_ *runner, err error) {
	dir, err := os.MkdirTemp("", "metalab-exec-")
	if err != nil {
		return nil, err
	}
	sctx, cancel := context.WithCancel(context.Background())
	r := &runner{
		news: make(chan message, 256), dead: make(chan struct{}), dir: dir, cancel: cancel,
		anew: map[string]output4{},
	}
	defer func() {
		if err != nil {
			r.stop()
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
	r.cmd = exec.Command(argv[0], argv[1:]...)
	r.cmd.Dir = filepath.Dir(path)
	r.cmd.Stdout, r.cmd.Stderr = log, log
	r.cmd.Env = append(os.Environ(), "JPY_PARENT_PID="+strconv.Itoa(os.Getpid()),
		"JPY_SESSION_NAME="+path)
	for k, v := range spec.Env {
		r.cmd.Env = append(r.cmd.Env, k+"="+v)
	}
	r.cmd.Env = append(r.cmd.Env, extra...)
	if err := r.cmd.Start(); err != nil {
		r.cmd = nil
		return nil, fmt.Errorf("%w; put the kernel together anew: go run ./kernel install", err)
	}
	r.name = sessionName(path, r.cmd.Process.Pid)
	go func() {
		_ = r.cmd.Wait()
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

func (r *runner) connect(ctx context.Context, c connection) error {
	r.iopub = zmq4.NewSub(ctx, dialOptions()...)
	if err := r.iopub.Dial(c.address(c.IOPub)); err != nil {
		return err
	}
	if err := r.iopub.SetOption(zmq4.OptionSubscribe, ""); err != nil {
		return err
	}
	r.control = zmq4.NewDealer(ctx, dialOptions()...)
	if err := r.control.Dial(c.address(c.Control)); err != nil {
		return err
	}
	p, err := dialKernel(ctx, c)
	if err != nil {
		return err
	}
	r.peer = p
	go func() {
		for {
			m, err := r.receive(r.iopub)
			if err != nil {
				return
			}
			select {
			case r.news <- m:
			case <-ctx.Done():
				return
			}
		}
	}()
	return nil
}

// ready asks who the kernel is until that is also told on iopub, for the subscription
// takes effect some time after it was asked for.
func (r *runner) ready(ctx context.Context) error {
	for {
		id, err := r.send(r.shell, "kernel_info_request", map[string]any{})
		if err != nil {
			return err
		}
		if _, err := r.reply(id); err != nil {
			return err
		}
		late := time.After(200 * time.Millisecond)
		for waiting := true; waiting; {
			select {
			case m := <-r.news:
				if m.parent.ID == id && m.header.Type == "status" {
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
	count   int
	outputs outputs
	failed  string // how it failed, in a line; empty when it did not
	took    time.Duration
}

// do executes code and waits for its end. When ctx ends the cell is interrupted.
func (r *runner) do(ctx context.Context, code string) (result, error) {
	var res result
	t0 := time.Now()
	id, err := r.send(r.shell, "execute_request", execute{
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
		case m := <-r.news:
			if m.parent.ID != id {
				r.note(m)
				continue
			}
			if idle, err = res.outputs.add(m.header.Type, m.content); err != nil {
				return res, err
			}
		case <-stopped:
			stopped, giveUp = nil, time.After(10*time.Second)
			if err := r.interrupt(); err != nil {
				return res, r.explain(err)
			}
		case <-giveUp:
			return res, context.Cause(ctx)
		case <-r.dead:
			return res, r.explain(errDead)
		}
	}
	m, err := r.reply(id)
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
	if err := json.Unmarshal(m.content, &c); err != nil {
		return res, fmt.Errorf("jupyter: execute_reply: %w", err)
	}
	res.count, res.took = c.Count, time.Since(t0)
	if c.Status != "ok" {
		res.failed = strings.TrimSpace(c.Name + ": " + lastLine(plain(c.Value)))
		told := false
		for _, o := range res.outputs {
			told = told || o.kind == "error"
		}
		if !told {
			res.outputs = append(res.outputs, output4{
				kind: "error", name: c.Name, text: c.Value,
				trace: append([]string{}, c.Trace...),
			})
		}
	}
	if ctx.Err() != nil {
		return res, context.Cause(ctx)
	}
	return res, nil
}

// plain is a text without the sequences that colour it.
func plain(s string) string { return colours.ReplaceAllString(s, "") }

var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// interrupt asks the kernel to interrupt what it does.
func (r *runner) interrupt() error {
	_, err := r.send(r.control, "interrupt_request", map[string]any{})
	return err
}

// explain adds to an error what a kernel that has ended printed last.
func (r *runner) explain(err error) error {
	select {
	case <-r.dead:
	case <-time.After(100 * time.Millisecond):
		return err
	}
	b, rerr := os.ReadFile(filepath.Join(r.dir, "log"))
	if s := lastLine(string(b)); rerr == nil && s != "" {
		return fmt.Errorf("%w: %s", errDead, s)
	}
	return errDead
}

// stop ends the kernel: it is asked to, and killed when it does not follow.
func (r *runner) stop() {
	if r.cmd != nil {
		if r.peer != nil {
			_, _ = r.send(r.control, "shutdown_request", map[string]any{"restart": false})
		} else {
			_ = r.cmd.Process.Signal(os.Interrupt)
		}
		select {
		case <-r.dead:
		case <-time.After(5 * time.Second):
			_ = r.cmd.Process.Kill()
			<-r.dead
		}
	}
	r.cancel()
	for _, s := range []zmq4.Socket{r.iopub, r.control} {
		if s != nil {
			s.Close()
		}
	}
	if r.peer != nil {
		r.peer.close()
	}
	os.RemoveAll(r.dir)
}

// maxSocket is the longest path of a socket's file that all systems take.
const maxSocket = 100

// newConnection says where a kernel's sockets are to be: files in a folder that only the user can
// enter, so that nobody else of the machine reads what cells show; where its path is too long
// for that, ports.
func newConnection(dir string) (connection, error) {
	c := connection{Key: newID(), Scheme: "hmac-sha256", Kernel: kernelName}
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
