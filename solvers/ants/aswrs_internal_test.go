package ants

import (
	"math"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// TestShares holds shares to what their comment promises.
func TestShares(t *testing.T) {
	t.Parallel()
	for _, least := range []int64{1, 2, 3, 426, 15780, 1 << 31, 1<<47 - 1} {
		if s := Shares(least, least); s != 1<<shareBits {
			t.Errorf("the shortest tour, of length %d, deposits %d shares, want 2^%d", least, s, shareBits)
		}
		for _, times := range []float64{1, 1.0001, 1.3, 2, 17.7, 3000, 1 << 16} {
			length := int64(float64(least) * times)
			got := float64(Shares(length, least)) * shareUnit(least) * float64(length)
			if most := 0x1p-31 + 0x1p-50; math.Abs(got-1) > most {
				t.Errorf("a tour of length %d, the shortest being %d, deposits %v / length: off by more than %v", length, least, got, most)
			}
		}
	}
	if s := Shares(0, 1); s != 1<<shareBits {
		t.Errorf("a tour of length 0 deposits %d shares, want 2^%d", s, shareBits)
	}
	if s := Shares(math.MaxInt64, 1); s != 1 {
		t.Errorf("the longest tour deposits %d shares, want 1", s)
	}
	// 65536 ants that go both ways over one edge.
	if sum := 2 * uint64(1<<16); sum*(1<<shareBits)/sum != 1<<shareBits {
		t.Error("a slot overflows")
	}
}

// TestSystemRaceRewards compares trails with sums of 1 / L in float64, and with those that other
// numbers of workers make.
func TestSystemRaceRewards(t *testing.T) {
	t.Parallel()
	inst, err := datasets.DIMACS(true, 110, 5)
	if err != nil {
		t.Fatal(err)
	}
	var first []float32
	for _, workers := range []int{1, 2, 7} {
		v, err := SystemVariant("cpu", nil).New(inst)
		if err != nil {
			t.Fatal(err)
		}
		a := v.(*systemRace)
		a.candidates, a.ants, a.rho = 6, 70, 0.8
		if err := a.Init(&solvers.Env{Seed: 5, Pool: solvers.NewPool(workers)}); err != nil {
			t.Fatal(err)
		}
		want := make([]float64, len(a.t.tau))
		for i, v := range a.t.tau {
			want[i] = float64(v)
		}
		p := record.Point{Measures: make([]float64, 2)}
		for it := int64(1); it <= 3; it++ {
			if err := a.Iterate(t.Context(), it, &p); err != nil {
				t.Fatal(err)
			}
			for i := range want {
				want[i] *= 0.8
			}
			for k, l := range a.lengths {
				tour := a.tour(k)
				for i, c := range tour {
					next := tour[(i+1)%a.n]
					for _, s := range []int32{a.t.find(c, next), a.t.find(next, c)} {
						if s >= 0 {
							want[s] += 1 / float64(l)
						}
					}
				}
			}
		}
		for i, v := range a.t.tau {
			if i%a.t.stride >= a.t.k {
				continue
			}
			if math.Abs(float64(v)/want[i]-1) > 1e-6 {
				t.Fatalf("slot %d has the trail %v, want %v", i, v, want[i])
			}
			if m := a.t.mirror[i]; m >= 0 && a.t.tau[m] != v {
				t.Fatalf("slot %d has the trail %v, its mirror %v", i, v, a.t.tau[m])
			}
		}
		if first == nil {
			first = a.t.tau
		} else if !slices.Equal(first, a.t.tau) {
			t.Errorf("%d workers make other trails than 1", workers)
		}
	}
}
