package spins

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"metalab/solvers"
	"metalab/solvers/arith"
)

// A walk has as many copies as its weight says, rounded down or up, and parents are in order.
func TestResamplingIsSystematic(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "walks")
		costs := make([]int64, n)
		for i := range costs {
			costs[i] = rapid.Int64Range(-50, 50).Draw(t, "cost")
		}
		rise := rapid.SampledFrom([]float64{0, 1e-3, 0.1, 1, 1e6}).Draw(t, "rise")
		u := arith.Unit64(rapid.Uint32().Draw(t, "u"))
		var r resampling
		const first = 64
		r.choose(first, costs, rise, u)
		if len(r.parents) != n || !slices.IsSorted(r.parents) {
			t.Fatalf("the parents are %v of %d walks", r.parents, n)
		}
		var sum float64
		for _, c := range costs {
			sum += math.Exp2(-rise * float64(c-slices.Min(costs)))
		}
		for i, c := range costs {
			copies := 0
			for _, p := range r.parents {
				if int(p) == first+i {
					copies++
				}
			}
			want := float64(n) * math.Exp2(-rise*float64(c-slices.Min(costs))) / sum
			if math.Abs(float64(copies)-want) > 1+1e-9 {
				t.Fatalf("walk %d of cost %d has %d copies, want about %v", i, c, copies, want)
			}
		}
	})
}

// Choose moves the sides of all walks, and nothing else.
func TestChoose(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		walks := rapid.IntRange(1, 200).Draw(t, "walks")
		pool := solvers.NewPool(2)
		defer pool.Close()
		p := &Problem{
			Net: NewNet(random(t)), Walks: walks, Seed: 5, Env: &solvers.Env{Pool: pool}, Resampled: true,
		}
		e, before := newCores(p), p.start()
		if err := e.Load(before); err != nil {
			t.Fatal(err)
		}
		parents := make([]int32, walks)
		for w := range parents {
			parents[w] = int32(rapid.IntRange(0, walks-1).Draw(t, "parent"))
		}
		if err := e.Choose(parents); err != nil {
			t.Fatal(err)
		}
		words := make([]uint32, p.Net.N)
		for w, from := range parents {
			if err := e.Words(w/32, words); err != nil {
				t.Fatal(err)
			}
			for i, x := range words {
				if x>>(w%32)&1 != before[from/32][i]>>(from%32)&1 {
					t.Fatalf("walk %d has not the sides of walk %d", w, from)
				}
			}
		}
		if e.now[0][p.Net.N] != all {
			t.Fatal("the side of fields has changed")
		}
	})
}
