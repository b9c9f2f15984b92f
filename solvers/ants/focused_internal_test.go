package ants

import (
	"context"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/conform"
	"metalab/solvers/internal/assembly"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// bareFocused makes the algorithm without a run round it.
func bareFocused(tb testing.TB, n int, pool *solvers.Pool) *focused {
	tb.Helper()
	inst, err := datasets.DIMACS(false, n, 5)
	if err != nil {
		tb.Fatal(err)
	}
	alg, err := newFocused(inst)
	if err != nil {
		tb.Fatal(err)
	}
	f := alg.(*focused)
	f.ants, f.temperature, f.cycle, f.poolTours = 40, 0.5, 9, 7
	if err := f.Init(&solvers.Env{Seed: 5, Pool: pool, Progress: new(atomic.Uint32)}); err != nil {
		tb.Fatal(err)
	}
	return f
}

// TestFocusedWorkers makes the same run with pools of several sizes, also of sizes that change.
func TestFocusedWorkers(t *testing.T) {
	conform.Brief(t, "many runs side by side")
	t.Parallel()
	var want []uint64
	for _, size := range []int{1, 2, 3, 7} {
		pool := solvers.NewPool(size)
		defer pool.Close()
		f := bareFocused(t, 900, pool)
		p := record.Point{Measures: make([]float64, len(f.Measures()))}
		for it := range int64(70) {
			if it == 30 {
				pool.Resize(1 + size%5)
			}
			if err := f.Iterate(context.Background(), it+1, &p); err != nil {
				t.Fatal(err)
			}
			if size == 1 {
				want = append(want, p.Digest)
			}
			if p.Digest != want[it] {
				t.Fatalf("with %d workers iteration %d has digest %x, with 1 worker %x", size, it+1, p.Digest,
					want[it])
			}
		}
		if l := f.sp.Length(f.champion()); l != f.held.bestLength {
			t.Errorf("the best tour has length %d, said to be %d", l, f.held.bestLength)
		}
	}
}

// TestFocusedCut ends iterations at every look that is taken at the context: the state is as
// before.
func TestFocusedCut(t *testing.T) {
	t.Parallel()
	pool := solvers.NewPool(1)
	defer pool.Close()
	a, b := bareFocused(t, 300, pool), bareFocused(t, 300, pool)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	p := record.Point{Measures: make([]float64, measurePool+1)}
	q := record.Point{Measures: make([]float64, measurePool+1)}
	for it := range int64(20) {
		if err := a.Iterate(ended, it+1, &p); err == nil {
			t.Fatal("an iteration was made under an ended context")
		}
		for _, f := range []*focused{a, b} {
			r := &p
			if f == b {
				r = &q
			}
			if err := f.Iterate(context.Background(), it+1, r); err != nil {
				t.Fatal(err)
			}
		}
		if p.Digest != q.Digest {
			t.Fatalf("iteration %d: after one that was given up the digest is %x, want %x", it+1, p.Digest,
				q.Digest)
		}
	}
}

// Ants that build tours take edges of the tour that ants change more often than visibility alone
// would, and still others too.
func TestFocusedBuildsByTrails(t *testing.T) {
	t.Parallel()
	pool := solvers.NewPool(1)
	defer pool.Close()
	f := bareFocused(t, 1000, pool)
	p := record.Point{Measures: make([]float64, measurePool+1)}
	for it := range int64(8) {
		if err := f.Iterate(context.Background(), it+1, &p); err != nil {
			t.Fatal(err)
		}
	}
	f.prepare()
	shared := func(weight []float32) (n int) {
		r := arith.NewStream(4, 0, 0, 0)
		next := following(f.held.tour)
		for range 10 {
			for c, d := range following(f.sp.DrawnBoruvka(f.near, weight, &r)) {
				if next[c] == d || next[d] == int32(c) {
					n++
				}
			}
		}
		return n
	}
	if by, without := shared(f.pool.weight), shared(f.pool.eta); by < without+100 || by > 9500 {
		t.Errorf("of 10,000 edges %d are of the tour, %d without trails", by, without)
	}
}

// A tour from elsewhere that is shorter is the one that ants change, at every stage of a pool, and
// while tours are crossed it is one of them.
func TestFocusedAdmits(t *testing.T) {
	t.Parallel()
	pool := solvers.NewPool(1)
	defer pool.Close()
	for _, stage := range []int64{assembly.NoPool, assembly.Filling, assembly.ByCycles} {
		f := bareFocused(t, 300, pool)
		f.op = tours.TwoOpt // which leaves something to find
		p := record.Point{Measures: make([]float64, measurePool+1)}
		it := int64(1)
		step := func() {
			if err := f.Iterate(context.Background(), it, &p); err != nil {
				t.Fatal(err)
			}
			it++
		}
		for step(); f.pool.plan.Stage != stage || it < 5; step() {
		}
		better := bareFocused(t, 300, pool)
		for better.Best() >= f.Best() {
			better.env.Seed++
			for range 40 {
				q := record.Point{Measures: make([]float64, measurePool+1)}
				if err := better.Iterate(context.Background(), better.held.done+1, &q); err != nil {
					t.Fatal(err)
				}
			}
		}
		changed, err := f.Admit(it-1, better.Solution(), better.Best())
		if err != nil || !changed || f.Best() != better.Best() || f.held.length != int64(f.Best()) {
			t.Errorf("stage %d: changed %v, error %v, best %v and length %d, want %v", stage, changed, err,
				f.Best(), f.held.length, better.Best())
		}
		if is := stage > assembly.Filling; is != (len(f.pool.Members) > 0 &&
			float64(f.pool.Best().Length) == better.Best()) {
			t.Errorf("stage %d: the tour is of the pool: %v, want %v", stage, !is, is)
		}
		for i, c := range f.held.tour { // trails are those of its edges
			if at := f.t.slot(c, f.held.tour[(i+1)%f.n]); at >= 0 && f.t.since[at] >= 0 {
				t.Fatalf("stage %d: edge %d of the tour is noted as none of it", stage, i)
			}
		}
		step()
		if f.Best() > better.Best() {
			t.Errorf("stage %d: best %v after %v", stage, f.Best(), better.Best())
		}
	}
}

// TestTraces compares trails that are worked out when they are asked for with trails that are
// brought up to date in every iteration.
func TestTraces(t *testing.T) {
	t.Parallel()
	pool := solvers.NewPool(1)
	defer pool.Close()
	f := bareFocused(t, 60, pool)
	x := f.t
	plain := make([]float64, len(x.value))
	on := make([]bool, len(plain))
	rho := 0.9
	x.rule(1, 2, rho, 0.05, 0)
	x.begin()
	for at := range plain {
		plain[at] = float64(x.least)
	}
	for it := int64(1); it < 600; it++ {
		at := int(it*7919) % len(plain)
		c := int32(at / x.k)
		back := x.slot(x.near.ID[at], c)
		for s, v := range plain { // it's evaporation and deposit
			v *= rho
			if on[s] {
				v += 1 - rho
			}
			plain[s] = max(v, float64(x.least))
		}
		both := []int{at}
		if back >= 0 {
			both = append(both, back)
		}
		switch it % 3 {
		case 0:
			x.on(c, x.near.ID[at], it)
		case 1:
			x.off(c, x.near.ID[at], it)
		default:
			x.add(c, x.near.ID[at], it, 0.25)
		}
		for _, s := range both {
			switch it % 3 {
			case 0:
				on[s] = true
			case 1:
				on[s] = false
			default:
				if !on[s] {
					plain[s] = min(1, plain[s]+0.25)
				}
			}
		}
		if it == 300 {
			rho = 0.5
			x.rule(1, 2, rho, 0.05, it)
		}
		for s, v := range plain {
			if got := float64(x.now(s, it)); math.Abs(got-v) > 1e-4*v {
				t.Fatalf("iteration %d: trail of slot %d is %v, step by step %v", it, s, got, v)
			}
		}
	}
}

// TestNet: edges that went and came again are in neither list.
func TestNet(t *testing.T) {
	t.Parallel()
	pool := solvers.NewPool(1)
	defer pool.Close()
	f := bareFocused(t, 200, pool)
	p := record.Point{Measures: make([]float64, measurePool+1)}
	for it := range int64(10) {
		if err := f.Iterate(context.Background(), it+1, &p); err != nil {
			t.Fatal(err)
		}
	}
	seen := 0
	if ls := f.Lengths(); len(ls) != f.ants || slices.Min(ls) > p.Mean || slices.Max(ls) < p.Mean {
		t.Errorf("%d lengths of %d ants, %v to %v with the mean %v", len(ls), f.ants, slices.Min(ls),
			slices.Max(ls), p.Mean)
	}
	for k := range f.results[:f.ants] {
		r := &f.results[k]
		var change int64
		for _, e := range r.came {
			change += int64(f.sp.D(int32(e>>32), int32(uint32(e))))
		}
		for _, e := range r.gone {
			change -= int64(f.sp.D(int32(e>>32), int32(uint32(e))))
		}
		if len(r.log) == 0 {
			continue
		}
		seen++
		if change != r.change || len(r.came) != len(r.gone) {
			t.Errorf("ant %d: %d edges came, %d went, which changes the length by %d; it says %d", k,
				len(r.came), len(r.gone), change, r.change)
		}
	}
	if seen == 0 {
		t.Error("no ant's changes were seen")
	}
}
