package ants

import (
	"math"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// TestThinChiSquare compares the choices of mmas/thin with the exact probabilities: with
// near cities and without, from uniform and from converged trails, and where an edge to a visited
// city has most of the weight, so that nearly all arrivals are in vain. Seeds are fixed; cities
// that are expected less than 10 times are one cell.
func TestThinChiSquare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		near      int     // unvisited cities of those with clocks
		converged float32 // what the edge to one unvisited city has more, a near one if there is one
		trap      float32 // what an edge to a visited far city has more
	}{
		{"uniform", 9, 0, 0},
		{"one near", 1, 0, 0},
		{"none near", 0, 0, 0},
		{"converged", 9, 0.02, 0},
		{"converged, none near", 0, 1, 0},
		{"trap", 2, 0, 1},
		{"trap, none near", 0, 0, 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			const n, draws, ant, city = 400, 25_000, 3, 200
			inst, err := datasets.DIMACS(true, n, 3)
			if err != nil {
				t.Fatal(err)
			}
			h := &thin{reservoir: reservoir{maxmin: maxmin{colony: colony{inst: inst}}}}
			h.Preset("best")
			if err := h.Init(&solvers.Env{Seed: 23, Pool: solvers.NewPool(1)}); err != nil {
				t.Fatal(err)
			}
			if err := h.Iterate(t.Context(), 1, point(h)); err != nil {
				t.Fatal(err)
			}
			h.t.fill(1e-3)
			seen := h.work[0].seen
			clear(seen)
			seen[city] = 1
			s := arith.NewStream(9, 0, 0, 0)
			for range n / 3 {
				seen[s.IntN(n)] = 1
			}
			for i, j := range h.t.id[city*h.t.stride : city*h.t.stride+h.t.k] {
				seen[j] = 1
				if i%3 == 2 && i/3 < c.near {
					seen[j] = 0
				}
			}
			if c.converged > 0 {
				to := int32(-1)
				for j := range int32(n) {
					if seen[j] == 0 && (h.t.find(city, j) >= 0 || to < 0 && c.near == 0) {
						to = j
					}
				}
				h.t.add(city, to, c.converged)
			}
			if c.trap > 0 {
				for j := range int32(n) {
					if seen[j] != 0 && j != city && h.t.find(city, j) < 0 {
						h.t.add(city, j, c.trap)
						break
					}
				}
			}
			h.t.limit(h.env.Pool, 0, 1000)
			for i, w := range h.t.weight {
				h.recip[i] = 1 / w
			}
			h.table(city, 0)
			want, sum := make([]float64, n), 0.0
			for j := range int32(n) {
				if seen[j] == 0 {
					want[j] = float64(h.t.at(city, j)) * math.Pow(1/(float64(h.sp.D(city, j))+0.1), 2)
					sum += want[j]
				}
			}
			count := make([]float64, n)
			for it := range int64(draws) {
				h.it = it
				h.lanes[0].start(h.env.Seed, it, ant)
				h.tail[0].start(h.env.Seed, it, ant)
				h.tail[0].ctr[1] ^= purposeArrive
				j := h.step(city, 6, ant, 0)
				if seen[j] != 0 {
					t.Fatalf("draw %d gives city %d, which is visited", it, j)
				}
				count[j]++
			}
			checkCounts(t, count, want, sum)
		})
	}
}

// checkCounts holds counts to probabilities want / sum by chi-square, at 1 in 10000.
func checkCounts(t *testing.T, count, want []float64, sum float64) {
	t.Helper()
	var chi, rest, counted, draws float64
	for _, k := range count {
		draws += k
	}
	free := -1
	cell := func(got, expected float64) {
		chi += (got - expected) * (got - expected) / expected
		free++
	}
	for j, p := range want {
		if e := p / sum * draws; e >= 10 {
			cell(count[j], e)
		} else {
			rest += e
			counted += count[j]
		}
	}
	if rest >= 10 {
		cell(counted, rest)
	}
	// The 0.9999 quantile, by Wilson and Hilferty's cube.
	f := float64(free)
	limit := f * math.Pow(1-2/(9*f)+3.719*math.Sqrt(2/(9*f)), 3)
	t.Logf("chi-square %.1f with %d degrees of freedom, limit %.1f", chi, free, limit)
	if free < 2 || chi > limit {
		t.Errorf("chi-square %.1f with %d degrees of freedom, want at least 2 and at most %.1f", chi, free, limit)
	}
}

// TestThinProposes compares a sweep over [0, 1) with the shares of the tail.
func TestThinProposes(t *testing.T) {
	t.Parallel()
	for _, n := range []int{34, 150, 333} {
		inst, err := datasets.DIMACS(false, n, 3)
		if err != nil {
			t.Fatal(err)
		}
		h := &thin{reservoir: reservoir{maxmin: maxmin{colony: colony{inst: inst}}}}
		h.Preset("best")
		if err := h.Init(&solvers.Env{Seed: 23, Pool: solvers.NewPool(1)}); err != nil {
			t.Fatal(err)
		}
		if err := h.Iterate(t.Context(), 1, point(h)); err != nil {
			t.Fatal(err)
		}
		const c, grid = 7, 1 << 15
		h.table(c, 0)
		want, sum, count := make([]float64, n), 0.0, make([]float64, n)
		for j := range int32(n) {
			if j != c && h.t.find(c, j) < 0 {
				want[j] = float64(h.t.full.weight[c*n+int(j)])
				sum += want[j]
			}
		}
		for i := range grid {
			count[h.propose(c, (float32(i)+0.5)/grid)]++
		}
		for j, w := range want {
			if got := count[j] / grid; math.Abs(got-w/sum) > 2.0/grid {
				t.Errorf("%d cities: city %d has the share %v, want %v", n, j, got, w/sum)
			}
		}
	}
}

// point has room for an algorithm's measures.
func point(a solvers.Algorithm) *record.Point {
	return &record.Point{Measures: make([]float64, len(a.Measures()))}
}
