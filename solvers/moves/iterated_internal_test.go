package moves

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// A double-bridge keeps a permutation, changes it, and cuts it at three places at most.
func TestBridge(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 30).Draw(t, "n")
		draws := arith.NewStream(rapid.Uint64().Draw(t, "seed"), 0, 0, 0)
		p := make([]int32, n)
		for i := range p {
			p[i] = int32(i)
		}
		bridge(p, &draws)
		cuts, moved := 0, false
		for i, v := range p {
			moved = moved || int(v) != i
			if i > 0 && v != p[i-1]+1 {
				cuts++
			}
		}
		sorted := slices.Sorted(slices.Values(p))
		for i, v := range sorted {
			if int(v) != i {
				t.Fatalf("%v", p)
			}
		}
		if !moved || cuts > 3 {
			t.Fatalf("%d cuts: %v", cuts, p)
		}
	})
}

// Entries that are drawn anew are of the form, side by side, and no more than the kick says.
func TestRedraw(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tai12a", "ppp-13x15-1", "queen5_5", "weierstrass-9"} {
		inst, _, err := datasets.Generate(name)
		if err != nil {
			t.Fatal(err)
		}
		alg, err := newIterated(inst)
		if err != nil {
			t.Fatal(err)
		}
		s, n := alg.(*iterated), inst.Size()
		w, err := On(inst)
		if err != nil {
			t.Fatal(err)
		}
		changed := 0
		for seed := range uint64(60) {
			draws := arith.NewStream(seed, 0, 0, 0)
			w.Random(&draws)
			x, y := w.Solution(), w.Solution()
			s.kick = 3
			s.redraw(&y, &draws, n)
			if _, err := solvers.Cost(inst, y); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var at []int
			for i := range n {
				if s.form.Kind == record.FormBits && x.Bits[i] != y.Bits[i] ||
					s.form.Kind == record.FormReals && x.Real[i] != y.Real[i] ||
					len(x.Perm) > 0 && x.Perm[i] != y.Perm[i] {
					at = append(at, i)
				}
			}
			if changed += len(at); len(at) > 0 {
				if d := at[len(at)-1] - at[0]; d > 2 && d < n-2 {
					t.Fatalf("%s: entries %v are drawn anew", name, at)
				}
			}
		}
		if changed < 60 {
			t.Errorf("%s: %d entries changed in 60 kicks", name, changed)
		}
	}
}

// The next kick goes out from where accept says: of a worse optimum with the probability of
// Metropolis.
func TestAccept(t *testing.T) {
	t.Parallel()
	s := &iterated{temperature: 10}
	s.env = &solvers.Env{Seed: 5}
	for _, c := range []struct {
		accept string
		d      float64
		share  float64
	}{
		{acceptBetter, -1, 1},
		{acceptBetter, 0, 1},
		{acceptBetter, 1, 0},
		{acceptAlways, 1e9, 1},
		{acceptMetropolis, -1, 1},
		{acceptMetropolis, 10, math.Exp(-1)},
		{acceptMetropolis, 20, math.Exp(-2)},
	} {
		s.accept = c.accept
		const n = 20000
		yes := 0
		for clock := range int64(n) {
			if s.accepts(c.d, 2, clock) {
				yes++
			}
		}
		if got := float64(yes) / n; math.Abs(got-c.share) > 0.02 {
			t.Errorf("%s of %v: a share of %v, want %v", c.accept, c.d, got, c.share)
		}
	}
}
