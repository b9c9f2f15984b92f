package cpu

import (
	"math"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants/trail"
	"metalab/solvers/arith"

	"pgregory.net/rapid"
)

// apportioned are a table's shares.
func apportioned(t *trail.Table) *shares {
	s := &shares{
		c: &Crew{t: t, n: t.N}, short: make([]uint16, len(t.ID)),
		share: make([]uint32, len(t.ID)),
	}
	for i, id := range t.ID {
		s.short[i] = uint16(id)
	}
	s.apportion(0, t.N)
	return s
}

// TestPickMeasure compares the share of the draws that lead to each slot with its
// probability.
func TestPickMeasure(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, 40)
		shares := apportioned(w.t)
		c := w.city
		want := w.exact(c)
		var seen [1 << 16]uint8
		copy(seen[:], w.seen)
		var cum [mostShares]uint32
		const grid = 1 << 12
		count := make([]int, len(want))
		for i := range uint32(grid) {
			s := shares.pick(c, &seen, &cum, i<<20|1<<19)
			if s < 0 {
				for _, p := range want {
					if p > 0 {
						t.Fatal("no slot, though one is unvisited")
					}
				}
				return
			}
			at := s - int(c)*w.t.Stride
			if at >= len(want) || seen[w.t.ID[s]] != 0 {
				t.Fatalf("slot %d of %d, visited %d", at, len(want), seen[w.t.ID[s]])
			}
			count[at]++
		}
		// Shares are whole numbers, and none is 0: where the unvisited weigh little beside
		// the greatest weight of the list, this shows.
		least, top := uint32(math.MaxUint32), uint32(0)
		for s := range want {
			x := shares.share[int(c)*w.t.Stride+s]
			if want[s] > 0 {
				least = min(least, x)
				top = max(top, x)
			}
		}
		coarse := float64(len(want)) / float64(top)
		for s, p := range want {
			if got := float64(count[s]) / grid; math.Abs(got-p) > 2.0/grid+2*coarse {
				t.Fatalf("slot %d: share %v, want %v", s, got, p)
			}
		}
	})
}

// TestPickChiSquare draws as the ants do and compares counts with the exact probabilities,
// for lists of several lengths and with visited cities.
func TestPickChiSquare(t *testing.T) {
	t.Parallel()
	const draws = 40000
	for seed, k := range []int{3, 4, 11, 20, 33, 64} {
		inst, err := datasets.DIMACS(false, 90, seed+1)
		if err != nil {
			t.Fatal(err)
		}
		s := arith.NewStream(uint64(seed), 0, 0, 9)
		w := &world{t: tableOf(t, inst, k), seen: make([]uint8, inst.N)}
		w.t.Fill(0.5)
		for at := range w.t.Tau {
			w.t.Tau[at] += float32(s.Float64())
		}
		w.t.Limit(solvers.NewPool(1), 0, 10)
		shares := apportioned(w.t)
		c := int32(s.IntN(inst.N))
		w.seen[c], w.seen[w.t.ID[int(c)*w.t.Stride+2]] = 1, 1
		var seen [1 << 16]uint8
		copy(seen[:], w.seen)
		want := w.exact(c)
		count := make([]float64, len(want))
		var cum [mostShares]uint32
		draw := words{seed: uint64(seed), ctr: [4]uint32{1, 2, 3, 0}}
		for p := range draws {
			if p%len(draw.buf) == 0 {
				draw.fill(p)
			}
			count[shares.pick(c, &seen, &cum, draw.buf[p%len(draw.buf)])-int(c)*w.t.Stride]++
		}
		var chi float64
		free := -1
		for i, p := range want {
			if p > 0 {
				e := p * draws
				chi += (count[i] - e) * (count[i] - e) / e
				free++
			} else if count[i] > 0 {
				t.Errorf("%d candidates: slot %d is visited and was drawn", k, i)
			}
		}
		// The 0.9999 quantile by Wilson and Hilferty.
		f := float64(free)
		limit := f * math.Pow(1-2/(9*f)+3.719*math.Sqrt(2/(9*f)), 3)
		if free != k-2 || chi > limit {
			t.Errorf("%d candidates: chi-square is %v with %d degrees of freedom, limit %v", k, chi, free,
				limit)
		}
	}
}

// TestWords: draws made in advance are those of the layout.
func TestWords(t *testing.T) {
	t.Parallel()
	a := newDraws(7, 1<<33+5, 9)
	b := words{seed: 7, ctr: [4]uint32{5, 2, 9, 0}}
	for p := range 300 {
		if p%len(b.buf) == 0 {
			b.fill(p)
		}
		if x, y := a.word(p), b.buf[p%len(b.buf)]; x != y {
			t.Fatalf("draw %d is %x, want %x", p, y, x)
		}
	}
}
