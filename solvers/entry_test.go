package solvers_test

import (
	"testing"

	"metalab/solvers"
	"metalab/solvers/record"
)

// Each entry of a best solution is compared, the last as well as the first, and so is its length.
func TestEachEntryIsCompared(t *testing.T) {
	t.Parallel()
	const n = 9
	perm := func() record.Solution { return record.Solution{Perm: make([]int32, n)} }
	bits := func() record.Solution { return record.Solution{Bits: make([]int8, n)} }
	real := func() record.Solution { return record.Solution{Real: make([]float64, n)} }
	for _, kind := range []func() record.Solution{perm, bits, real} {
		if i, _, _ := solvers.FirstEntry(kind(), kind()); i != -1 {
			t.Errorf("%+v: equal ones differ at %d", kind(), i)
		}
		for at := range n {
			other, shorter := kind(), kind()
			switch {
			case other.Perm != nil:
				other.Perm[at], shorter.Perm = 1, shorter.Perm[:at]
			case other.Bits != nil:
				other.Bits[at], shorter.Bits = 1, shorter.Bits[:at]
			default:
				other.Real[at], shorter.Real = 1, shorter.Real[:at]
			}
			for _, pair := range [][2]record.Solution{
				{kind(), other}, {other, kind()}, {kind(), shorter}, {shorter, kind()},
			} {
				if i, x, y := solvers.FirstEntry(pair[0], pair[1]); i != at || x == y {
					t.Errorf("%+v and %+v: at %d, %v and %v, want at %d", pair[0], pair[1], i, x, y, at)
				}
			}
		}
	}
}
