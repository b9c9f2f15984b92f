package hosttest

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"metalab/kernel/host"
	"metalab/kernel/host/serve"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// Patience is how long something that must happen may take: it only ends tests that fail.
const Patience = 5 * time.Minute

// A Lab is a host in this process and a client of it.
type Lab struct {
	*testing.T
	C    *wire.Client
	O    host.Options
	End  func()     // ends the host
	Done chan error // gets what Serve returns
}

// Folder returns a folder with a short name, for paths of sockets must be short.
func Folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ml")
	if err != nil {
		t.Fatal(err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// Options are those of a host of the session s in a folder of its own.
func Options(t *testing.T) host.Options {
	dir := Folder(t)
	return host.Options{
		Session: "s", Socket: dir + "/r/s.sock", StateDir: dir + "/state",
		AutosaveEvery: 20 * time.Millisecond,
	}
}

// Start starts a host in this process; its end is awaited by the test.
func Start(t *testing.T, o host.Options) *Lab {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready := make(chan struct{})
	o.Ready = func() { close(ready) }
	l := &Lab{T: t, O: o, Done: make(chan error, 1)}
	go func() { l.Done <- serve.Serve(ctx, o) }()
	select {
	case <-ready:
	case err := <-l.Done:
		cancel()
		t.Fatal(err)
	}
	l.C = Dial(t, o.Socket)
	ended := false
	l.End = func() {
		if !ended {
			ended = true
			l.C.Close()
			cancel()
			if err := <-l.Done; err != nil {
				t.Errorf("the host ended with %v", err)
			}
		}
	}
	t.Cleanup(l.End)
	return l
}

// Dial connects to a host.
func Dial(t *testing.T, socket string) *wire.Client {
	t.Helper()
	c, err := wire.Dial(t.Context(), socket, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// Do carries out lines and returns the last reply.
func (l *Lab) Do(lines string) reply.Reply {
	l.Helper()
	r, err := Try(l.Context(), l.C, lines)
	if err != nil {
		l.Fatal(err)
	}
	return r
}

// Fails carries out lines, the last of which must fail with all of the words in one line.
func (l *Lab) Fails(lines string, code wire.Code, words ...string) {
	l.Helper()
	_, err := Try(l.Context(), l.C, lines)
	if err == nil {
		l.Fatalf("%s: no error", lines)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			l.Errorf("%s: %v\nlacks %q", lines, err, w)
		}
	}
	if wire.CodeOf(err) != code || strings.Contains(err.Error(), "\n") {
		l.Errorf("%s: code %q, want %q, and one line: %v", lines, wire.CodeOf(err), code, err)
	}
}

// Try carries out lines and returns the last reply.
func Try(ctx context.Context, c *wire.Client, lines string) (r reply.Reply, err error) {
	for _, line := range words.Split(lines) {
		var call words.Call
		if call, err = words.Parse(line, words.Scope{Dir: "/nowhere"}); err != nil {
			return nil, err
		}
		a := words.Ask(ctx, c, c.NewCall(), call)[0]
		if a.Err != nil {
			return nil, a.Err
		}
		if r = a.Reply; !json.Valid(a.Raw) {
			return nil, errors.New("not JSON: " + string(a.Raw))
		}
	}
	return r, nil
}

// Show is the answer of show.
func (l *Lab) Show(run string) *reply.ShowReply {
	l.Helper()
	var r reply.ShowReply
	if err := l.C.Do(l.Context(), "show", wire.RunRequest{Run: run}, &r); err != nil {
		l.Fatal(err)
	}
	return &r
}

// Until waits for something that must happen.
func (l *Lab) Until(what string, f func() bool) {
	l.Helper()
	for end := time.Now().Add(Patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if f() {
			return
		}
	}
	l.Fatalf("waited in vain for %s", what)
}

// Process starts a host in a process of its own. The test's TestMain must call serve.Main.
func Process(t *testing.T, o host.Options) (*Lab, *serve.Process) {
	t.Helper()
	p, err := serve.Start(t.Context(), o, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// most have ended
		_ = p.Client.Do(t.Context(), "shutdown", wire.ShutdownRequest{Discard: true}, nil)
		p.Close()
	})
	return &Lab{T: t, C: p.Client, O: o}, p
}

// Gone waits for the end of a host's process.
func (l *Lab) Gone(p *serve.Process) {
	l.Helper()
	l.Until("the end of the host", func() bool {
		select {
		case <-p.Ended():
			return true
		default:
			return false
		}
	})
}

// losing are GPUs that ErrLost is an error of, after which only a new process can use them.
type losing struct{ host.GPUs }

func (g losing) Sticky(err error) bool { return errors.Is(err, ErrLost) || g.GPUs.Sticky(err) }

// Lose lets hosts of this program take ErrLost for the loss of a GPU.
func Lose() { host.UseGPUs(func(g host.GPUs) host.GPUs { return losing{g} }) }

// Notice waits for the notice that a host started anew.
func (l *Lab) Notice() <-chan string {
	ctx, cancel := context.WithTimeout(l.Context(), Patience)
	out := make(chan string, 1)
	events := l.C.Events(ctx, 0)
	go func() {
		defer cancel()
		defer close(out)
		for e, err := range events {
			if err != nil {
				out <- "an error: " + err.Error()
				return
			}
			if e.Kind == wire.EventClosed {
				out <- "a run was closed: " + e.Status.Run
				return
			}
			if e.Kind == wire.EventNotice {
				out <- e.Note
				return
			}
		}
	}()
	return out
}

// Listed is what recover lists, by run.
func (l *Lab) Listed() map[string]reply.Autosave {
	l.Helper()
	out := map[string]reply.Autosave{}
	for _, a := range l.Do("recover").(*reply.RecoverReply).Autosaves {
		out[a.Run] = a
	}
	return out
}

// Next ends the host and starts another one on the same folder of state.
func (l *Lab) Next() *Lab {
	l.Helper()
	l.End()
	return l.Other()
}

// Other starts another host on the same folder of state.
func (l *Lab) Other() *Lab {
	l.Helper()
	o := Options(l.T)
	o.StateDir, o.Notebook = l.O.StateDir, l.O.Notebook
	return Start(l.T, o)
}

// Notices are the sentences for everybody from now on.
func (l *Lab) Notices() <-chan string {
	l.Helper()
	out := make(chan string, 64)
	events := l.C.Events(l.Context(), 0)
	go func() {
		defer close(out)
		for e, err := range events {
			if err != nil {
				return
			}
			if e.Kind == wire.EventNotice {
				out <- e.Note
			}
		}
	}()
	return out
}
