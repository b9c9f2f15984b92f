package stream

import (
	"errors"
	"strings"
	"testing"

	"metalab/solvers/record"
)

// What a broker keeps of units that take long is bounded in sum: with more there is no room for the
// next, and what was kept before stays. When some is forgotten there is room again.
func TestKeptInSum(t *testing.T) {
	s := newScene(t, unitsOf(t, 1))
	_, p := s.hostile()
	run := make([]byte, 4000)
	most := uint64(10_000)
	var shas []string
	for i, unit := range []string{"a", "b", "c"} {
		run[0] = byte(i)
		sha, err := p.keepRun(t.Context(), unit, savedRun{int64(i + 1), run}, "", most)
		if got := errors.Is(err, errNoRoom); got != (i == 2) || !got && err != nil {
			t.Fatalf("unit %d: %v", i+1, err)
		}
		shas = append(shas, sha)
	}
	if got, _, err := p.kept(t.Context(), "b"); err != nil || len(got) != len(run) || got[0] != 1 {
		t.Errorf("the second: %d bytes, %v", len(got), err)
	}
	if got, sha, err := p.kept(t.Context(), "c"); err != nil || got != nil || sha+shas[2] != "" {
		t.Errorf("the third: %d bytes as %q, %v", len(got), sha, err)
	}
	p.dropKept(t.Context(), "a")
	if _, err := p.keepRun(t.Context(), "c", savedRun{3, run}, "", most); err != nil {
		t.Errorf("after one was forgotten: %v", err)
	}
}

// A worker for which the broker has no room makes the unit, and says so once.
func TestNoRoomToKeep(t *testing.T) {
	units := unitsOf(t, 1)
	units[0].Budget = record.Budget{Iterations: 4000}
	units[0].Key, _ = units[0].MakeKey()
	s := newScene(t, units)
	said := make(chan string, 1000)
	s.setUp = func(w *Worker) { // it is kept as often as that goes
		w.Keep, w.KeepMost, w.Say = 1, 1, func(line string) { said <- line }
	}
	s.join("w")
	s.ask()
	if err := s.result(); err != nil {
		t.Fatal(err)
	}
	n := 0
	for len(said) > 0 {
		if strings.Contains(<-said, errNoRoom.Error()) {
			n++
		}
	}
	if n != 1 {
		t.Errorf("it was said %d times", n)
	}
	info, err := s.store.Info(t.Context(), "e")
	if err != nil || info.Done != 1 {
		t.Errorf("%+v: %v", info, err)
	}
}
