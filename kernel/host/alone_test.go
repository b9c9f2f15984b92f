package host_test

import (
	"encoding/json"
	"testing"

	"metalab/kernel/host"
	"metalab/kernel/host/hosttest"
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
