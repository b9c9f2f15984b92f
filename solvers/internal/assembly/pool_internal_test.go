package assembly

import (
	"errors"
	"testing"

	"metalab/solvers"
)

// Each pool is twice as large as the one before, within bounds; one that was dropped for another
// number is followed by a first one.
func TestPoolSizes(t *testing.T) {
	t.Parallel()
	var p Plan
	for i, c := range []struct {
		first, least, cities int
		anew                 bool
		want                 int64
	}{
		{10, 2, 1000, false, 10},
		{10, 2, 1000, false, 20},
		{10, 30, 1000, false, 40},
		{10, 90, 1000, true, 90}, // at least
		{10, 2, 1000, false, 10}, // dropped before
		{700, 2, 1000, false, 700},
		{10, 2, 1000, false, 1000},  // not 1400
		{10, 2, 1 << 20, false, 10}, // no more than 1 << 22 cities
	} {
		p.Begin(c.first, c.least, c.cities)
		if p.Want != c.want || p.Stage != Filling {
			t.Errorf("pool %d: %+v, want %d tours", i, p, c.want)
		}
		p.End(c.anew)
		if p.Stage != NoPool || p.Want != 0 {
			t.Errorf("pool %d ends as %+v", i, p)
		}
	}
}

// A stage ends after ten generations in turn without a better tour, or a tenth of all; then the
// next one, or none, begins at 0.
func TestStagesEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ better, want int }{{0, 10}, {50, 60}, {200, 222}} {
		p := Plan{Stage: ByCycles}
		for stage := ByCycles; stage <= ByBlocks; stage++ {
			over, made := false, 0
			for p.Stage == stage {
				over = p.generation(made < c.better)
				made++
			}
			if made != c.want || over != (stage == ByBlocks) || p.bred != 0 || p.idle != 0 {
				t.Errorf("%d better: stage %d ended after %d generations, want %d, over %v, %+v", c.better,
					stage, made, c.want, over, p)
			}
		}
	}
}

// A state whose pool cannot be is refused, one that can be is taken.
func TestPoolsThatCannotBe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		head []int64 // stage, wanted, of the pool before, generations, idle, tours
		ok   bool
	}{
		{[]int64{NoPool, 0, 10, 0, 0, 0}, true},
		{[]int64{Filling, 10, 0, 0, 0, 0}, true},
		{[]int64{Filling, 10, 0, 0, 0, 2}, true},
		{[]int64{ByBlocks, 10, 0, 4, 1, 2}, true},
		{[]int64{NoPool, 0, 0, 0, 0, 1}, false},
		{[]int64{ByCycles, 10, 0, 0, 0, 0}, false},
		{[]int64{stages, 10, 0, 0, 0, 2}, false},
		{[]int64{-1, 10, 0, 0, 0, 0}, false},
		{[]int64{Filling, -1, 0, 0, 0, 2}, false},
		{[]int64{ByCycles, 10, -1, 0, 0, 2}, false},
		{[]int64{ByCycles, 10, 0, -1, 0, 2}, false},
		{[]int64{ByCycles, 10, 0, 0, -1, 2}, false},
		{[]int64{Filling, 10, 0, 0, 0, -1}, false},
	} {
		_, err := PlanOf(c.head)
		if c.ok != (err == nil) || err != nil && !errors.Is(err, solvers.ErrState) {
			t.Errorf("%v: error %v, want one: %v", c.head, err, !c.ok)
		}
	}
}
