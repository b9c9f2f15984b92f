package host_test

import (
	"context"
	"os"
	"testing"

	"metalab/kernel/host"
	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/host/serve"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

func bench(b *testing.B) (*wire.Client, string) {
	b.Helper()
	dir, err := os.MkdirTemp("", "ml")
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan struct{}), make(chan error, 1)
	o := host.Options{
		Session: "s", Socket: dir + "/r/s.sock", StateDir: dir + "/state",
		Ready: func() { close(ready) },
	}
	go func() { done <- serve.Serve(ctx, o) }()
	<-ready
	c, err := wire.Dial(ctx, o.Socket, "bench")
	if err != nil {
		b.Fatal(err)
	}
	if _, err := hosttest.Try(ctx, c, "open walk rand-20-1 as a"); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		c.Close()
		cancel()
		<-done
		os.RemoveAll(dir)
	})
	return c, o.Socket
}

// BenchmarkCall is a call from a client to the host and back.
func BenchmarkCall(b *testing.B) {
	c, _ := bench(b)
	for b.Loop() {
		err := c.Do(b.Context(), "step", wire.StepRequest{Run: "a", N: 1}, &reply.StepReply{})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAttach is what a cell does: connect, one call, and leave.
func BenchmarkAttach(b *testing.B) {
	_, path := bench(b)
	for b.Loop() {
		c, err := wire.Dial(b.Context(), path, "bench")
		if err != nil {
			b.Fatal(err)
		}
		if err := c.Do(b.Context(), "step", wire.StepRequest{Run: "a", N: 1},
			&reply.StepReply{}); err != nil {
			b.Fatal(err)
		}
		c.Close()
	}
}

// BenchmarkWatched is an iteration of a run that a client listens to.
func BenchmarkWatched(b *testing.B) {
	c, _ := bench(b)
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	events := c.Events(ctx, 0)
	go func() {
		for range events {
		}
	}()
	if err := c.Do(b.Context(), "step", wire.StepRequest{Run: "a", N: int64(b.N)}, nil); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkStart is the start of a host's process up to the first call.
func BenchmarkStart(b *testing.B) {
	dir, err := os.MkdirTemp("", "ml")
	if err != nil {
		b.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for b.Loop() {
		p, err := serve.Start(b.Context(), host.Options{
			Session: "s", Socket: dir + "/r/s.sock",
			StateDir: dir + "/state",
		}, "bench")
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		p.Close()
		b.StartTimer()
	}
}
