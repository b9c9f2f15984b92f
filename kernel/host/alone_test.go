package host_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"metalab/kernel/host"
	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A host needs no process and no socket: who has it calls it. It answers verbs, tells what happens,
// carries out once what is sent twice, and leaves its runs to the next one.
func TestHostWithoutServer(t *testing.T) {
	t.Parallel()
	o := hosttest.Options(t)
	h, err := host.New(t.Context(), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	h.Begin()
	do := func(id, verb string, q, into any) *wire.Error {
		t.Helper()
		body, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		raw, werr := h.Do(t.Context(), host.Request{Verb: verb, Body: body, ID: id, Who: "test"})
		if werr == nil {
			if err := json.Unmarshal(raw, into); err != nil {
				t.Fatalf("%s: %v", raw, err)
			}
		}
		return werr
	}
	last := h.Latest()
	var opened reply.OpenReply
	if werr := do("1", "open", wire.OpenRequest{Solver: "walk", Instance: "rand-20-1", As: "a"},
		&opened); werr != nil || opened.Run != "a" {
		t.Fatalf("%v, %+v", werr, opened)
	}
	if evs, lost, _, more := h.Since(last); len(evs) == 0 || evs[0].Kind != wire.EventOpened ||
		lost != 0 || !more {
		t.Errorf("%+v, %d lost, %v", evs, lost, more)
	}
	for range 2 {
		var made reply.StepReply
		if werr := do("2", "step", wire.StepRequest{Run: "a", N: 7}, &made); werr != nil ||
			made.Iteration != 7 {
			t.Fatalf("%v, %+v", werr, made)
		}
	}
	if typ, shape, data, err := h.Array(t.Context(), "a", "tour"); err != nil || typ != "int32" ||
		len(shape) != 1 || shape[0] != 20 || len(data) != 80 {
		t.Errorf("%s %v, %d bytes, %v", typ, shape, len(data), err)
	}
	if werr := do("", "fly", nil, nil); werr == nil || werr.Code != wire.CodeVerb {
		t.Errorf("a verb that there is not: %v", werr)
	}
	if werr := do("", "show", wire.RunRequest{Run: "z"}, nil); werr == nil ||
		werr.Code != wire.CodeRun {
		t.Errorf("a run that there is not: %v", werr)
	}
	h.Close(nil)
	if err := h.Go(func() {}); err == nil {
		t.Error("a host that has ended does work")
	}
	if h, err = host.New(t.Context(), o, nil); err != nil {
		t.Fatal(err)
	}
	h.Begin()
	var saved reply.RecoverReply
	if werr := do("", "recover", wire.RecoverRequest{}, &saved); werr != nil ||
		len(saved.Autosaves) != 1 || saved.Autosaves[0].Iteration != 7 {
		t.Errorf("%v, %+v", werr, saved)
	}
	h.Close(nil)
}

// A host in memory writes no file: neither of a run, nor when it is closed, put back or at its end;
// and it does not say that anything can be recovered.
func TestHostInMemory(t *testing.T) {
	t.Parallel()
	o := hosttest.Options(t)
	o.InMemory = true
	h, err := host.New(t.Context(), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	h.Begin()
	for _, c := range []struct{ verb, body, want string }{
		{"open", `{"solver":"walk","instance":"rand-20-1","as":"a"}`, `"run":"a"`},
		{"step", `{"run":"a","n":9}`, `"iteration":9`},
		{"set", `{"run":"a","params":{"moves":3}}`, `"moves"`},
		{"step", `{"run":"a","n":9}`, `"iteration":18`},
		{"undo", `{"run":"a"}`, `"dropped":9`},
		{"fork", `{"run":"a","as":"b","at":5}`, `"iteration":5`},
		{"runs", `{"all":true}`, `"run":"b"`},
		{"recover", ``, `"autosaves":[]`},
		{"close", `{"run":"a"}`, `"state":"closed"`},
		{"show", `{"run":"b"}`, `"iteration":5`},
		{"shutdown", ``, `"autosaved":[]`},
	} {
		raw, werr := h.Do(t.Context(), host.Request{Verb: c.verb, Body: []byte(c.body)})
		if werr != nil || !strings.Contains(string(raw), c.want) ||
			strings.Contains(string(raw), "recover b") || strings.Contains(string(raw), "recover a") {
			t.Errorf("%s %s: %s, %v", c.verb, c.body, raw, werr)
		}
	}
	h.Close(nil)
	if _, err := os.Stat(o.StateDir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of state: %v", err)
	}
}

// Nobody is told that the runs of a host in memory were autosaved.
func TestHostInMemoryIsGone(t *testing.T) {
	t.Parallel()
	o := hosttest.Options(t)
	o.InMemory = true
	l := start(t, o)
	l.Do("open walk rand-20-1 as a; step a 9; shutdown")
	if err := <-l.Done; err != nil {
		t.Fatal(err)
	}
	l.Done <- nil // for the cleanup
	_, err := hosttest.Try(t.Context(), l.C, "show a")
	if err == nil || strings.Contains(err.Error(), "autosaved") ||
		!strings.Contains(err.Error(), wire.NothingKept) {
		t.Errorf("a call to a host in memory that has ended: %v", err)
	}
}
