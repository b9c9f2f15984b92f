package cpu

import (
	"math"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants/trail"
	"metalab/solvers/arith"
	"metalab/solvers/tours"

	"pgregory.net/rapid"
)

// fatal is a test or a property of one.
type fatal interface{ Fatal(args ...any) }

// world is a random instance with random trails and a random part of it visited.
type world struct {
	t    *trail.Table
	seen []uint8
	city int32 // a visited one
}

// tableOf is a table of an instance, with lists of k.
func tableOf(t fatal, inst *datasets.TSP, k int) *trail.Table {
	sp, err := tours.NewSpace(inst)
	if err != nil {
		t.Fatal(err)
	}
	l, err := trail.NewLists(sp, k)
	if err != nil {
		t.Fatal(err)
	}
	w, err := trail.NewTable(sp, l, trail.Candidates, trail.Tenth, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func drawWorld(t *rapid.T, most int) *world {
	n := rapid.IntRange(2, most).Draw(t, "n")
	s := arith.NewStream(rapid.Uint64().Draw(t, "seed"), 1, 0, 0)
	alpha := rapid.SampledFrom([]float64{0, 1, 2.5}).Draw(t, "alpha")
	beta := rapid.SampledFrom([]float64{0, 1, 2, 3.3}).Draw(t, "beta")
	k := rapid.IntRange(1, min(n, 9)).Draw(t, "k")
	x, y := make([]float64, n), make([]float64, n)
	wide := rapid.Bool().Draw(t, "wide") // else a small grid, which has many ties
	for i := range n {
		if x[i], y[i] = float64(s.IntN(12)), float64(s.IntN(12)); wide {
			x[i], y[i] = float64(s.IntN(100000)), float64(s.IntN(100000))
		}
	}
	inst, err := datasets.NewTSP("p", datasets.Euc2D, x, y)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: tableOf(t, inst, k), seen: make([]uint8, n)}
	w.t.Alpha = alpha
	w.t.SetBeta(beta)
	w.t.Fill(0.25)
	for at := range w.t.Tau {
		if s.IntN(3) == 0 {
			w.t.Tau[at] += float32(s.IntN(8)) / 4
		}
	}
	w.t.Limit(solvers.NewPool(1), 0, 100)
	tour := make([]int32, n)
	for i := range tour {
		tour[i] = int32(i)
	}
	s.Shuffle(tour)
	w.city = tour[0]
	for _, c := range tour[:rapid.IntRange(1, n-1).Draw(t, "visited")] {
		w.seen[c] = 1
	}
	return w
}

func TestGreatest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, 60)
		for c := range int32(w.t.N) {
			want := int32(-1)
			if w.seen[c] == 0 {
				continue // an ant stands on a visited city
			}
			for s := range w.t.K {
				at := c*int32(w.t.Stride) + int32(s)
				if w.seen[w.t.ID[at]] == 0 && (want < 0 || w.t.Weight[at] > w.t.Weight[want]) {
					want = at
				}
			}
			if got := greatest(w.t, c, w.seen); got != want {
				t.Fatalf("city %d: slot %d, want %d", c, got, want)
			}
		}
	})
}

// exact are the probabilities of the slots of c, in double precision.
func (w *world) exact(c int32) []float64 {
	p := make([]float64, w.t.K)
	var sum float64
	for s := range p {
		at := int(c)*w.t.Stride + s
		if w.seen[w.t.ID[at]] == 0 {
			tau := float64(w.t.Tau[at])
			p[s] = math.Pow(tau, w.t.Alpha) * math.Pow(1/(float64(w.t.Dist[at])+0.1), w.t.Beta)
			sum += p[s]
		}
	}
	for s := range p {
		p[s] /= sum
	}
	return p
}

// TestRouletteMeasure compares the share of [0, 1) that leads to each slot with its
// probability: a grid of draws is as good as a great many of them.
func TestRouletteMeasure(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, 40)
		c := w.city
		want := w.exact(c)
		const grid = 1 << 12
		count := make([]int, len(want))
		cum := make([]float32, w.t.Stride/4)
		for i := range grid {
			s := roulette(w.t, c, w.seen, cum, (float32(i)+0.5)/grid)
			if s < 0 {
				for _, p := range want {
					if p > 0 {
						t.Fatal("no slot, though one is unvisited")
					}
				}
				return
			}
			at := int(s) - int(c)*w.t.Stride
			if at >= len(want) || w.seen[w.t.ID[s]] != 0 {
				t.Fatalf("slot %d of %d, visited %d", at, len(want), w.seen[w.t.ID[s]])
			}
			count[at]++
		}
		for s, p := range want {
			if got := float64(count[s]) / grid; math.Abs(got-p) > 2.0/grid {
				t.Fatalf("slot %d: share %v, want %v", s, got, p)
			}
		}
	})
}

// TestChoicesChiSquare draws as the ants do and compares counts with the exact
// probabilities.
func TestChoicesChiSquare(t *testing.T) {
	t.Parallel()
	const draws = 40000
	for seed := range uint64(5) {
		inst, err := datasets.DIMACS(false, 60, int(seed)+1)
		if err != nil {
			t.Fatal(err)
		}
		s := arith.NewStream(seed, 0, 0, 9)
		w := &world{t: tableOf(t, inst, 11), seen: make([]uint8, inst.N)}
		w.t.Fill(0.5)
		for at := range w.t.Tau {
			w.t.Tau[at] += float32(s.Float64())
		}
		w.t.Limit(solvers.NewPool(1), 0, 10)
		c := int32(s.IntN(inst.N))
		w.seen[c] = 1
		w.seen[w.t.ID[int(c)*w.t.Stride+2]] = 1
		want := w.exact(c)
		count := make([]float64, len(want))
		cum := make([]float32, w.t.Stride/4)
		for it := range int64(draws) {
			d := newDraws(seed, it, 3)
			_ = d.word(4)
			slot := roulette(w.t, c, w.seen, cum, arith.Unit32(d.word(5)))
			count[slot-c*int32(w.t.Stride)]++
		}
		var chi float64
		free := -1
		for i, p := range want {
			if p > 0 {
				e := p * draws
				chi += (count[i] - e) * (count[i] - e) / e
				free++
			} else if count[i] > 0 {
				t.Errorf("seed %d: slot %d is visited and was drawn", seed, i)
			}
		}
		// 0.9999 quantile of chi-square with 9 degrees of freedom is 33.7.
		if free != 9 || chi > 33.7 {
			t.Errorf("seed %d: chi-square is %v with %d degrees of freedom", seed, chi, free)
		}
	}
}
