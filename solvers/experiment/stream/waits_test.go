package stream_test

import (
	"context"
	"net"
	"strings"
	"testing"

	"metalab/solvers/experiment/stream"
)

// A worker whose broker is not there says so once, and what it waits for.
func TestWorkerSaysThatItWaits(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0") // a port that nobody else has
	if err != nil {
		t.Fatal(err)
	}
	where := "nats://" + l.Addr().String()
	_ = l.Close()
	ctx, end := context.WithCancel(t.Context())
	said := make(chan string, 10)
	done := make(chan error)
	w := &stream.Worker{
		Address: stream.Address{URL: where, Token: secret}, Name: "early", Cores: 1,
		Say: func(s string) { said <- s },
	}
	go func() { done <- w.Run(ctx) }()
	got := <-said
	end()
	if err := <-done; err == nil {
		t.Error("a worker without a broker ended well")
	}
	if want := "no broker at " + where + " yet: nothing listens there: this worker joins when there " +
		"is one"; !strings.HasPrefix(got, want) || len(said) > 0 {
		t.Errorf("it says %q and %d lines more, want %q", got, len(said), want)
	}
}
