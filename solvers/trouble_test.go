package solvers_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/internal/toy"
	"metalab/solvers/record"
)

// liar is a toy whose best is from an iteration on better than its tour.
type liar struct {
	*toy.Search
	inst *datasets.TSP
	lies bool
}

func (l *liar) Best() float64 {
	if v := l.Search.Best(); !l.lies {
		return v
	}
	return l.Search.Best() / 2
}

func (l *liar) Verify() error {
	got, err := solvers.Cost(l.inst, l.Solution())
	return solvers.Claimed(record.Minimise, l.Best(), got, err)
}

// falseDevice is a toy on a device whose values are from an iteration on wrong.
type falseDevice struct {
	*toy.Search
	from  int64 // the iteration, 1 or more
	at    int64
	claim func(true float64) float64
	none  bool         // its solution is none
	slow  bool         // it takes long to give its solution, so that few are looked at
	heir  *falseDevice // what a fork goes on by
}

func (d *falseDevice) Iterate(ctx context.Context, it int64, p *record.Point) error {
	d.at = it
	return d.Search.Iterate(ctx, it, p)
}

func (d *falseDevice) Best() float64 {
	if v := d.Search.Best(); d.at < d.from {
		return v
	}
	return d.claim(d.Search.Best())
}

func (d *falseDevice) Solution() record.Solution {
	s := d.Search.Solution()
	if d.slow {
		time.Sleep(20 * time.Millisecond)
	}
	if d.none && d.at >= d.from {
		s.Perm[0] = s.Perm[1]
	}
	return s
}

// onFalseDevice opens a run by d, whose toy is made here, on a backend of a device.
func onFalseDevice(t *testing.T, backend string, inst *datasets.TSP, d *falseDevice) *solvers.Run {
	t.Helper()
	v := solvers.Variant{
		Solver: "false " + t.Name(), Name: "x", Backend: backend, Revision: 1, Default: true,
		Kinds: []datasets.Kind{datasets.KindTSP}, Deterministic: true, Title: "computes wrongly",
	}
	made := false
	v.New = func(datasets.Instance) (solvers.Algorithm, error) {
		d := d
		if made {
			d = d.heir
		}
		made = true
		d.Search = toy.New(inst)
		return d, nil
	}
	solvers.Register(v)
	t.Cleanup(func() { solvers.Remove(v.Solver, v.Name, backend) })
	r, err := solvers.Open(solvers.Config{
		Name: "a", Solver: v.Solver, Backend: backend, Instance: inst,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// A wrong value of a device is noticed in the iteration that claims it; nobody is shown it, and the
// record is as it was before, with the best that was right.
func TestNoFalseBestOfADevice(t *testing.T) {
	lower := func(v float64) float64 { return v - 1 }
	type falsehood struct {
		falseDevice
		says string
	}
	cases := map[string]falsehood{}
	for _, on := range []string{"device", "cpu"} {
		cases["value on "+on] = falsehood{falseDevice{from: 7, claim: lower}, "it claims "}
		cases["at once on "+on] = falsehood{falseDevice{from: 1, claim: lower}, "it claims "}
		cases["no solution on "+on] = falsehood{
			falseDevice{from: 7, claim: lower, none: true}, "its solution is not one",
		}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := c.falseDevice
			on := name[strings.LastIndex(name, " ")+1:]
			r := onFalseDevice(t, on, grid(t, 20), &d)
			var seen []record.Point
			var err error
			for p, e := range r.Steps(t.Context(), 30) {
				if err = e; e == nil {
					seen = append(seen, p)
				}
			}
			if !errors.Is(err, solvers.ErrWrongBest) || !errors.Is(err, solvers.ErrFailed) ||
				!strings.Contains(err.Error(), c.says) ||
				!strings.Contains(err.Error(), "x on "+on) {
				t.Fatalf("the step says %v, want %q", err, c.says)
			}
			before := c.from - 1
			if r.State() != solvers.Failed || r.Last().Iter != before || len(seen) != int(before) ||
				!strings.Contains(r.Trouble(), "the best is not what it says") {
				t.Errorf("%s at iteration %d, %d points shown, trouble %q", r.State(), r.Last().Iter,
					len(seen), r.Trouble())
			}
			best, err := r.Best(t.Context())
			if before == 0 {
				if err != nil || best.Value < math.Inf(1) {
					t.Errorf("before the first iteration the best is %+v, %v", best, err)
				}
				return
			}
			if cost, cerr := solvers.Cost(r.Instance(), best.Solution); err != nil || cerr != nil ||
				cost != best.Value || best.Value != seen[before-1].Best {
				t.Errorf("the best is %v of a solution with %v, %v, %v; last seen %v", best.Value, cost,
					err, cerr, seen[before-1].Best)
			}
			path := t.TempDir() + "/a.run"
			if err := r.Save(t.Context(), path); err != nil {
				t.Fatal(err)
			}
			rec, err := record.ReadFile(path)
			if err != nil || rec.End != before || rec.Best.Value != best.Value {
				t.Errorf("the record: %v, %d iterations, best %v", err, rec.End, rec.Best.Value)
			}
		})
	}
}

// Where proofs take long, points wait for them, and none is seen that was not proven: neither the
// history nor what is right depends on it.
func TestProofsThatTakeLong(t *testing.T) {
	inst := grid(t, 20)
	lower := func(v float64) float64 { return v - 1 }
	right := onFalseDevice(t, "cpu", inst, &falseDevice{from: 1 << 60})
	mustStep(t, right, 40)
	solvers.Remove(right.Variant().Solver, "x", "cpu")
	slow := onFalseDevice(t, "device", inst, &falseDevice{from: 1 << 60, slow: true})
	mustStep(t, slow, 15)
	mustStep(t, slow, 25)
	same := func(a, b record.Point) bool {
		return a.Iter == b.Iter && a.Best == b.Best && a.Digest == b.Digest && a.Evals == b.Evals
	}
	if !slices.EqualFunc(slow.History(), right.History(), same) || !same(slow.Last(), right.Last()) {
		t.Errorf("history\n%+v\nwant\n%+v", slow.History(), right.History())
	}
	best, err := slow.Best(t.Context())
	if want, _ := right.Best(t.Context()); err != nil || best.Iter != want.Iter {
		t.Errorf("the best is of iteration %d, %v, want %d", best.Iter, err, want.Iter)
	}
	solvers.Remove(slow.Variant().Solver, "x", "device")

	d := &falseDevice{from: 1 << 60, slow: true, claim: lower}
	r := onFalseDevice(t, "device", inst, d)
	mustStep(t, r, 3)
	if err := r.View(t.Context(), func(solvers.Algorithm) { d.from = 5 }); err != nil {
		t.Fatal(err)
	}
	if err := r.Step(t.Context(), 40); !errors.Is(err, solvers.ErrWrongBest) {
		t.Fatalf("the step says %v", err)
	}
	last := r.Last()
	best, err = r.Best(t.Context())
	if err != nil || best.Value != last.Best || last.Iter < 3 || last.Iter > 4 {
		t.Errorf("iteration %d with %v is shown, and the best is %+v, %v", last.Iter, last.Best, best,
			err)
	}
	for _, p := range r.History() {
		if p.Iter > last.Iter {
			t.Errorf("iteration %d is in the history of %d", p.Iter, last.Iter)
		}
	}
}

// What a run on a device goes on from is looked at, too.
func TestNoFalseBestFromAState(t *testing.T) {
	lower := func(v float64) float64 { return v - 1 }
	r := onFalseDevice(t, "device", grid(t, 20), &falseDevice{
		from: 100, claim: lower, heir: &falseDevice{claim: lower},
	})
	mustStep(t, r, 3)
	f, err := r.Fork(t.Context(), solvers.Fork{Name: "b"})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Step(t.Context(), 1); !errors.Is(err, solvers.ErrWrongBest) || f.Last().Iter != 3 {
		t.Errorf("after a wrong state: %v, iteration %d", err, f.Last().Iter)
	}
}

// solved is an instance whose optimum is known.
type solved struct {
	*datasets.TSP
	optimum float64
}

func (s solved) BestKnown() (datasets.BestKnown, bool) {
	return datasets.BestKnown{Value: s.optimum, Proven: true, Source: "a proof"}, true
}

// Nothing is better than a proven optimum, whatever computed it.
func TestNothingIsBelowAProvenOptimum(t *testing.T) {
	inst := grid(t, 20)
	for _, backend := range []string{"cpu", "device"} {
		d := &falseDevice{from: 100}
		r := onFalseDevice(t, backend, inst, d)
		mustStep(t, r, 2)
		if _, err := r.Best(t.Context()); err != nil {
			t.Fatal(err)
		}
		v := r.Variant()
		optimum := r.Last().Best
		d.heir = &falseDevice{from: 100}
		low, err := solvers.Open(solvers.Config{
			Solver: v.Solver, Backend: backend, Instance: solved{inst, optimum + 1},
		})
		if err == nil {
			defer low.Close()
			err = low.Step(t.Context(), 2)
		}
		says := "below the optimum " + strconv.FormatFloat(optimum+1, 'f', -1, 64)
		if !errors.Is(err, solvers.ErrWrongBest) || !strings.Contains(err.Error(), says) {
			t.Errorf("on %s: %v", backend, err)
		}
		solvers.Remove(v.Solver, v.Name, backend)
	}
}

func openLiar(t *testing.T) (*solvers.Run, *liar) {
	t.Helper()
	inst := grid(t, 20)
	l := &liar{Search: toy.New(inst), inst: inst}
	v := solvers.Variant{
		Solver: "liar " + t.Name(), Name: "x", Backend: "cpu", Revision: 1, Default: true,
		Kinds: []datasets.Kind{datasets.KindTSP}, Deterministic: true, Title: "claims too much",
		New: func(datasets.Instance) (solvers.Algorithm, error) { return l, nil },
	}
	solvers.Register(v)
	r, err := solvers.Open(solvers.Config{Name: "a", Solver: v.Solver, Instance: inst})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r, l
}

// lie makes the best a wrong one, or right again.
func (l *liar) lie(t *testing.T, r *solvers.Run, lies bool) {
	t.Helper()
	if err := r.View(t.Context(), func(solvers.Algorithm) { l.lies = lies }); err != nil {
		t.Fatal(err)
	}
}

// At the end of a step a wrong best is said at once, and the run has none.
func TestWrongBestIsSaidAtTheEndOfAStep(t *testing.T) {
	r, l := openLiar(t)
	mustStep(t, r, 10)
	l.lie(t, r, true)
	err := r.Step(t.Context(), 5)
	const says = "iteration 15: the best is not what it says: it claims "
	if !errors.Is(err, solvers.ErrWrongBest) || !strings.Contains(err.Error(), says) {
		t.Errorf("the step says %v, want %q", err, says)
	}
	if sound, doubt := r.Doubt(); sound != 10 || doubt == nil ||
		!strings.Contains(r.Trouble(), "it claims") || r.State() != solvers.Paused {
		t.Errorf("%s, %v from iteration %d on, trouble %q", r.State(), doubt, sound, r.Trouble())
	}
	if j := r.Journal(); len(j) != 1 || !strings.Contains(j[0].Name, says) {
		t.Errorf("the journal says %v", j)
	}
	l.lie(t, r, false)
	mustStep(t, r, 5)
	if sound, doubt := r.Doubt(); sound != 20 || doubt != nil || r.Trouble() != "" {
		t.Errorf("once it is right: %v from iteration %d on, %q", doubt, sound, r.Trouble())
	}
}

func TestWrongBestIsSaidAtAPause(t *testing.T) {
	r, l := openLiar(t)
	if err := r.Go(); err != nil {
		t.Fatal(err)
	}
	l.lie(t, r, true)
	if err := r.Pause("ann"); err != nil {
		t.Fatal(err)
	}
	if _, doubt := r.Doubt(); doubt == nil || !strings.Contains(r.Trouble(), "it claims") {
		t.Errorf("in doubt for %v, trouble %q", doubt, r.Trouble())
	}
}

// A limit of time ends a step whose iteration goes on, and says so.
func TestLateEndsAStepWithoutAnError(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	r := open(t, nil)
	once := func(record.Point) func(*record.Point) string {
		return func(*record.Point) string {
			cancel(&solvers.TimeLimit{Why: "after 2s"})
			return ""
		}
	}
	why, err := r.StepUntil(ctx, -1, once)
	if why != "after 2s" || err != nil || r.State() != solvers.Paused {
		t.Errorf("%q, %v, %s", why, err, r.State())
	}
	if j := r.Journal(); len(j) != 1 || j[0].Name != "after 2s" || r.Trouble() != "after 2s" {
		t.Errorf("the journal says %v, trouble %q", j, r.Trouble())
	}
}
