package ils

import (
	"errors"
	"testing"

	"metalab/solvers"
)

// A state whose pool cannot be is refused, one that can be is taken.
func TestPoolsThatCannotBe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		head []int64 // stage, wanted, of the pool before, generations, idle, tours
		ok   bool
	}{
		{[]int64{noPool, 0, 10, 0, 0, 0}, true},
		{[]int64{stageFilling, 10, 0, 0, 0, 0}, true},
		{[]int64{stageFilling, 10, 0, 0, 0, 2}, true},
		{[]int64{byBlocks, 10, 0, 4, 1, 2}, true},
		{[]int64{noPool, 0, 0, 0, 0, 1}, false},
		{[]int64{byCycles, 10, 0, 0, 0, 0}, false},
		{[]int64{poolStages, 10, 0, 0, 0, 2}, false},
		{[]int64{-1, 10, 0, 0, 0, 0}, false},
		{[]int64{stageFilling, -1, 0, 0, 0, 2}, false},
		{[]int64{byCycles, 10, -1, 0, 0, 2}, false},
		{[]int64{byCycles, 10, 0, -1, 0, 2}, false},
		{[]int64{byCycles, 10, 0, 0, -1, 2}, false},
		{[]int64{stageFilling, 10, 0, 0, 0, -1}, false},
	} {
		_, err := poolOf(c.head)
		if c.ok != (err == nil) || err != nil && !errors.Is(err, solvers.ErrState) {
			t.Errorf("%v: error %v, want one: %v", c.head, err, !c.ok)
		}
	}
}
