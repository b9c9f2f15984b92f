package pages_test

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"go.uber.org/goleak"

	"metalab/kernel/host"
	_ "metalab/kernel/host/rooms" // its verbs and algorithms
	"metalab/kernel/host/serve"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
	"metalab/notebooks/internal/browser"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(browser.Tests{M: m}, goleak.Cleanup(func(code int) {
		if enginesIn != "" {
			os.RemoveAll(enginesIn)
		}
		os.Exit(code)
	}), goleak.IgnoreTopFunction( // as in solvers/experiment/stream's chaos_test.go
		"github.com/nats-io/nats.go/jetstream.(*jetStream).resetPendingAcksOnReconnect"))
}

// session is a host in this process, and the prompt that is its client.
type session struct {
	testing.TB
	c     *wire.Client
	state string // its folder
}

func start(t testing.TB) *session {
	t.Helper()
	dir, err := os.MkdirTemp("", "ml") // a short path: it is a socket's
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan struct{}), make(chan error, 1)
	o := host.Options{
		Session: "s", Socket: dir + "/r/s.sock", StateDir: dir + "/state",
		Ready: func() { close(ready) },
	}
	go func() { done <- serve.Serve(ctx, o) }()
	select {
	case <-ready:
	case err := <-done:
		cancel()
		t.Fatal(err)
	}
	c, err := wire.Dial(t.Context(), o.Socket, "prompt")
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return &session{t, c, o.StateDir}
}

// do carries out lines as they are typed and returns the last reply.
func (s *session) do(lines string) reply.Reply {
	s.Helper()
	var r reply.Reply
	for _, line := range words.Split(lines) {
		call, err := words.Parse(line, words.Scope{Dir: "/nowhere"})
		if err == nil {
			a := words.Ask(context.Background(), s.c, s.c.NewCall(), call)[0]
			if r, err = a.Reply, a.Err; err == nil && !json.Valid(a.Raw) {
				s.Fatalf("%s: no JSON: %s", line, a.Raw)
			}
		}
		if err != nil {
			s.Fatalf("%s: %v", line, err)
		}
	}
	return r
}

// url is an address of the dashboard.
func (s *session) url() string { s.Helper(); return s.do("dashboard").(*reply.DashboardReply).URL }

func (s *session) param(run, name string) string {
	s.Helper()
	for _, p := range s.do("params " + run).(*reply.ParamsReply).Params {
		if p.Name == name {
			return p.Value.String()
		}
	}
	s.Fatalf("%s has no parameter %s", run, name)
	return ""
}
