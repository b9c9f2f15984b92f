package papers_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"metalab/kernel/host"
	_ "metalab/kernel/host/rooms" // the room and the algorithms, as programs have them
	"metalab/kernel/host/serve"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// desk is a host in this process and a client of it.
type desk struct {
	*testing.T
	c *wire.Client
}

func start(t *testing.T) *desk {
	t.Helper()
	dir, err := os.MkdirTemp("", "ml") // short, for the socket's path
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan struct{}), make(chan error, 1)
	o := host.Options{
		Session: "s", Socket: dir + "/r/s.sock", StateDir: dir + "/state", Ready: func() { close(ready) },
	}
	go func() { done <- serve.Serve(ctx, o) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("the host ended with %v", err)
		}
		os.RemoveAll(dir)
	})
	select {
	case <-ready:
	case err := <-done:
		done <- err
		t.Fatal(err)
	}
	c, err := wire.Dial(t.Context(), o.Socket, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return &desk{t, c}
}

func (d *desk) try(line string) (reply.Reply, error) {
	call, err := words.Parse(line, words.Scope{Dir: "/nowhere"})
	if err != nil {
		return nil, err
	}
	a := words.Ask(d.Context(), d.c, d.c.NewCall(), call)[0]
	if a.Err != nil {
		return nil, a.Err
	}
	return a.Reply, nil
}

// do carries out a line.
func (d *desk) do(line string) reply.Reply {
	d.Helper()
	r, err := d.try(line)
	if err != nil {
		d.Fatal(err)
	}
	return r
}

// fails carries out a line, which must fail with all of the words in one line.
func (d *desk) fails(line string, code wire.Code, words ...string) {
	d.Helper()
	_, err := d.try(line)
	if err == nil {
		d.Fatalf("%s: no error", line)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			d.Errorf("%s: %v\nlacks %q", line, err, w)
		}
	}
	if wire.CodeOf(err) != code || strings.Contains(err.Error(), "\n") {
		d.Errorf("%s: code %q, want %q, and one line: %v", line, wire.CodeOf(err), code, err)
	}
}
