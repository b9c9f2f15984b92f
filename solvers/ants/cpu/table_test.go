package cpu

import (
	"math"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
)

// TestSharesAreDeposited compares trails of as/wrs with sums of 1 / L in float64, and with those
// that other numbers of workers make.
func TestSharesAreDeposited(t *testing.T) {
	t.Parallel()
	inst, err := datasets.DIMACS(true, 110, 5)
	if err != nil {
		t.Fatal(err)
	}
	var first []float32
	for _, workers := range []int{1, 2, 7} {
		c := opened(t, inst, SystemWRS, trail.Listed, 6, 70,
			func(s *crew.Setup) { s.Env.Pool = solvers.NewPool(workers) })
		l := c.t.Lists
		want := make([]float64, len(c.t.Tau))
		c.t.Fill(1e-6)
		for i, v := range c.t.Tau {
			want[i] = float64(v)
		}
		for it := int64(1); it <= 3; it++ {
			out := construct(t, c, it)
			c.Update(crew.Update{
				Tour: crew.All, Least: slices.Min(out.Lengths), Evaporate: true, Rate: 0.8, Low: trail.Min,
				High: math.MaxFloat32, Inv: 1,
			})
			for i := range want {
				want[i] *= float64(float32(0.8))
			}
			for k, length := range out.Lengths {
				tour := c.tour(k)
				for i, city := range tour {
					next := tour[(i+1)%c.n]
					for _, s := range []int32{l.Find(city, next), l.Find(next, city)} {
						if s >= 0 {
							want[s] += 1 / float64(length)
						}
					}
				}
			}
		}
		for i, v := range c.t.Tau {
			if i%l.Stride >= l.K {
				continue
			}
			if math.Abs(float64(v)/want[i]-1) > 1e-6 {
				t.Fatalf("slot %d has the trail %v, want %v", i, v, want[i])
			}
			if m := l.Mirror[i]; m >= 0 && c.t.Tau[m] != v {
				t.Fatalf("slot %d has the trail %v, its mirror %v", i, v, c.t.Tau[m])
			}
		}
		if first == nil {
			first = c.t.Tau
		} else if !slices.Equal(first, c.t.Tau) {
			t.Errorf("%d workers make other trails than 1", workers)
		}
	}
}

// TestRaisedBeforeDeposit: a trail that evaporates below the lower limit is raised to it before a
// tour's edges get their deposit (R. Skinderowicz, 2020, section 2.1).
func TestRaisedBeforeDeposit(t *testing.T) {
	t.Parallel()
	inst, err := datasets.DIMACS(true, 110, 6)
	if err != nil {
		t.Fatal(err)
	}
	for storage, form := range map[trail.Storage]Form{
		trail.Candidates: Scan, trail.Listed: WRS, trail.Matrix: Scan,
	} {
		c := opened(t, inst, form, storage, 6, 1, nil)
		construct(t, c, 1)
		c.Update(crew.Update{
			Tour: 0, Evaporate: true, Rate: 0.5, Add: 0.25, Low: 0.75, High: 2, Inv: 1,
		})
		tour := c.tour(0)
		for i, city := range tour {
			next := tour[(i+1)%c.n]
			at := c.t.Place(city, next)
			if got := c.t.Read(city, next, at); got != 1 && (storage != trail.Listed || at != trail.None) {
				t.Errorf("%s: a rewarded trail is %v, want 0.75 + 0.25", storage, got)
			}
		}
		if c.t.Off != 0.75 || slices.Min(c.t.Tau) < 0.75 {
			t.Errorf("%s: other trails are %v, want 0.75", storage, c.t.Off)
		}
	}
}
