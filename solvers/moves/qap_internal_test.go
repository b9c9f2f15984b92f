package moves

import (
	"fmt"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"

	"pgregory.net/rapid"
)

// randomQAP has matrices of the given sort: symmetric or not, with a diagonal or not.
func randomQAP(
	tb testing.TB, n int, symA, symB, diagonal bool, top int, seed uint64,
) *datasets.QAP {
	tb.Helper()
	draws := arith.NewStream(seed, 0, 0, 9)
	matrix := func(symmetric bool) []int32 {
		m := make([]int32, n*n)
		for i := range n {
			for j := range n {
				if i == j && !diagonal {
					continue
				}
				m[i*n+j] = int32(draws.IntN(2*top+1) - top)
				if symmetric && j < i {
					m[i*n+j] = m[j*n+i]
				}
			}
		}
		return m
	}
	q, err := datasets.NewQAP(fmt.Sprintf("random%d", n), n, matrix(symA), matrix(symB))
	if err != nil {
		tb.Fatal(err)
	}
	return q
}

func TestQAPWalks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(rt, "n")
		symA, symB := rapid.Bool().Draw(rt, "a is symmetric"), rapid.Bool().Draw(rt, "b is symmetric")
		diagonal := rapid.Bool().Draw(rt, "diagonals")
		seed := rapid.Uint64Range(0, 99).Draw(rt, "seed")
		q := randomQAP(t, n, symA, symB, diagonal, 99, seed)
		form := newQAPForm(q)
		if !form.small {
			rt.Fatal("not small")
		}
		if want := symA && symB && !diagonal; n > 3 && want != (form.factor == 2) {
			rt.Fatalf("factor %d", form.factor)
		}
		for name, kernel := range map[string]qapKernel{"packed": newPacked(form), "wide": newWide(form)} {
			w, err := makeQAPWalk(q, form, kernel)
			if err != nil {
				rt.Fatal(name, err)
			}
			checkWalk(t, q, w, seed, 12)
		}
	})
}

// Numbers beyond 32 bits go to the wide kernel.
// The published evaluation gives the same, also where the walk changes between the two.
func TestQAPWalksLinear(t *testing.T) {
	t.Parallel()
	for i := range 12 {
		n := 1 + i
		q := randomQAP(t, n, i%2 == 0, i%3 == 0, i%5 == 0, 9, uint64(i))
		w, err := newQAPWalk(q)
		if err != nil {
			t.Fatal(err)
		}
		for j := range 4 {
			w.evaluate(j%2 == 0)
			checkWalk(t, q, w, uint64(j), 6)
		}
	}
}

func TestQAPWalkOnLargeNumbers(t *testing.T) {
	t.Parallel()
	q := randomQAP(t, 9, false, true, true, 1<<21, 3)
	w, err := On(q)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := w.(*qapWalk).kernel.(*wide); !ok {
		t.Error("the packed kernel took numbers of 42 bits")
	}
	checkWalk(t, q, w, 1, 20)
	big := randomQAP(t, 9, false, true, true, 1<<24, 3)
	if _, err := On(big); err == nil {
		t.Error("costs beyond 2^53 are accepted")
	}
}

// The packed kernel is exact up to the bound that it claims.
func TestPackedAtItsBound(t *testing.T) {
	t.Parallel()
	last := 0
	for top := 1; top < 1<<16; top += top/8 + 1 {
		if newQAPForm(randomQAP(t, 11, false, false, true, top, 5)).small {
			last = top
		}
	}
	if last < 100 {
		t.Fatalf("entries up to %d only are small", last)
	}
	q := randomQAP(t, 11, false, false, true, last, 5)
	form := newQAPForm(q)
	w, err := makeQAPWalk(q, form, newPacked(form))
	if err != nil {
		t.Fatal(err)
	}
	checkWalk(t, q, w, 1, 24)
}
