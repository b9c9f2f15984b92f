package solvers_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc64"
	"path/filepath"
	"regexp"
	"testing"

	"metalab/solvers"
	"metalab/solvers/record"
)

var evals = regexp.MustCompile(`,"evals":\d+`)

// oldState is a state as it was before evaluations were counted.
func oldState(t *testing.T, state []byte) []byte {
	t.Helper()
	const head = 16 // of magic, before the length of the head
	n := int(binary.LittleEndian.Uint32(state[head:]))
	json := evals.ReplaceAll(state[head+4:head+4+n], nil)
	if len(json) == n {
		t.Fatal("the state has no evaluations")
	}
	out := binary.LittleEndian.AppendUint32(bytes.Clone(state[:head]), uint32(len(json)))
	out = append(append(out, json...), state[head+4+n:len(state)-8]...)
	return binary.LittleEndian.AppendUint64(out, crc64.Checksum(out, crc64.MakeTable(crc64.ECMA)))
}

// Evaluations add up over changes of parameters, forks, saves and loads, also at an iteration
// whose point is not kept. They are in the record; one of before they were counted is compared
// without them.
func TestEvaluationsAddUp(t *testing.T) {
	r := open(t, nil) // 4 agents, 8 moves each
	if r.Counts() != "exchanges tried" {
		t.Errorf("it counts %q", r.Counts())
	}
	mustStep(t, r, 1500)
	if _, err := r.Set(t.Context(), record.Values{"moves": record.Num(3)}, ""); err != nil {
		t.Fatal(err)
	}
	mustStep(t, r, 501)
	const want = 1500*32 + 501*12
	if got := r.Last().Evals; got != want || solvers.Kept(r.Last().Iter) {
		t.Fatalf(
			"iteration %d: %d evaluations, want %d, of a point that is not kept", r.Last().Iter, got, want,
		)
	}
	check := func(what string, r *solvers.Run) {
		t.Helper()
		if got := r.Last().Evals; got != want {
			t.Errorf("%s: %d evaluations, want %d", what, got, want)
		}
		mustStep(t, r, 1)
		if got := r.Last().Evals; got != want+12 {
			t.Errorf("%s and a step: %d evaluations, want %d", what, got, want+12)
		}
	}
	path := filepath.Join(t.TempDir(), "a.run")
	if err := r.Save(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	f, err := r.Fork(t.Context(), solvers.Fork{Name: "b"})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	check("fork", f)
	l, err := solvers.Load(t.Context(), path, r.Instance(), "c")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	check("load", l)

	// A record from before they were counted is the same record, and goes on without them.
	rec := paper(t, r)
	state, err := r.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := rec.Encode(&b); err != nil {
		t.Fatal(err)
	}
	old, err := record.Decode(bytes.NewReader(evals.ReplaceAll(b.Bytes(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	if d, err := solvers.Replay(t.Context(), old, r.Instance(), solvers.ReplayOptions{}); d != nil ||
		err != nil {
		t.Errorf("replay of the old record: %v, %v", d, err)
	}
	if d, err := solvers.Diff(t.Context(), rec, old, r.Instance()); err != nil || !d.Identical() {
		t.Errorf("diff of both: %+v, %v", d, err)
	}
	if n := old.Points[len(old.Points)-1].Evals; n != 0 {
		t.Fatalf("the old record has %d evaluations", n)
	}
	o, err := solvers.Revive(t.Context(), old, oldState(t, state), r.Instance(), "o")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	mustStep(t, o, 1)
	if n := o.Last().Evals; n != 0 {
		t.Errorf("%d evaluations after a step of the old record", n)
	}
}
