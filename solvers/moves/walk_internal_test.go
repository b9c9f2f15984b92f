package moves

import (
	"context"
	"fmt"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"

	"pgregory.net/rapid"
)

// randomQAP has matrices of the given sort: symmetric or not, with a diagonal or not.
func randomQAP(tb testing.TB, n int, symA, symB, diagonal bool, top int, seed uint64) *datasets.QAP {
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

func uniformTSP(tb testing.TB, n int) *datasets.TSP {
	tb.Helper()
	draws := arith.NewStream(1, 0, 0, 9)
	var x, y []float64
	for range n {
		x, y = append(x, float64(draws.IntN(1000))), append(y, float64(draws.IntN(1000)))
	}
	t, err := datasets.NewTSP(fmt.Sprintf("u%d", n), datasets.Euc2D, x, y)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// checkWalk compares everything that a walk says with the instance's own cost function,
// over some moves of each neighbourhood.
func checkWalk(t testing.TB, inst datasets.Instance, walk Walk, seed uint64, steps int) {
	t.Helper()
	pool := solvers.NewPool(3)
	defer pool.Close()
	alone := wave{ctx: context.Background(), block: 1 << 20}
	crew := wave{ctx: context.Background(), pool: pool, block: 7}
	draws := arith.NewStream(seed, 1, 0, 9)
	walk.random(&draws)
	other, err := On(inst)
	if err != nil {
		t.Fatal(err)
	}
	cost := func(w Walk) float64 {
		c, err := solvers.Cost(inst, w.Solution())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for step := range steps {
		k := step % len(walk.Neighbourhoods())
		nb := walk.Neighbourhoods()[k]
		if nb.Size() == 0 {
			continue
		}
		if got := cost(walk); got != walk.Cost() {
			t.Fatalf("step %d: the cost is %v, the walk says %v", step, got, walk.Cost())
		}
		w := alone
		if step%2 == 1 {
			w = crew
		}
		// Every third move is veiled, so that the best one is not always taken.
		veil := int64(step % 3)
		allow := func(m Move, d float64) bool { return veil == 0 || nb.Index(m)%3 != veil }
		got, err := walk.scan(k, w, allow)
		if err != nil {
			t.Fatal(err)
		}
		walk.prepare(k, w)
		want := noChoice
		m := nb.Move(0)
		for x := range nb.Size() {
			if err := other.Load(walk.Solution()); err != nil {
				t.Fatal(err)
			}
			d := other.Delta(m)
			if v := walk.value(k, x, m); v != d {
				t.Fatalf("step %d, %s %d %v: value %v, delta %v", step, nb.Name(), x, m, v, d)
			}
			if x%17 == 0 {
				other.Apply(m)
				if c := cost(other); c-walk.Cost() != d || c != other.Cost() {
					t.Fatalf("step %d, %s %d %v: delta %v, the cost goes from %v to %v, the walk says %v", step, nb.Name(), x, m, d, walk.Cost(), c, other.Cost())
				}
			}
			if c := (choice{d, x}); allow(m, d) && c.before(want) {
				want = c
			}
			m = nb.Next(m)
		}
		if got != want {
			t.Fatalf("step %d, %s: the scan chose %+v, want %+v", step, nb.Name(), got, want)
		}
		start := int64(draws.IntN(int(nb.Size())))
		first, looked, err := firstFrom(k, walk, w, start)
		if err != nil {
			t.Fatal(err)
		}
		exp, seen := int64(-1), nb.Size()
		for x := range nb.Size() {
			if at := (start + x) % nb.Size(); walk.value(k, at, nb.Move(at)) < 0 {
				exp, seen = at, x+1
				break
			}
		}
		if first.index != exp || looked != seen {
			t.Fatalf("step %d, %s from %d: first improving is %d after %d, want %d after %d", step, nb.Name(), start, first.index, looked, exp, seen)
		}
		if got.index < 0 {
			got.index = 0
		}
		walk.Apply(nb.Move(got.index))
		if step%5 == 0 { // two in a row
			walk.Apply(nb.Move(int64(draws.IntN(int(nb.Size())))))
		}
	}
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

func TestPPPWalks(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{1, 1}, {5, 3}, {9, 11}, {150, 13}, {1, 15}, {400, 5}} {
		p, _, err := datasets.NewPPP(size[0], size[1], 4)
		if err != nil {
			t.Fatal(err)
		}
		w, err := On(p)
		if err != nil {
			t.Fatal(err)
		}
		checkWalk(t, p, w, 2, 15)
	}
}

func TestTSPWalks(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 12} {
		p := uniformTSP(t, n)
		w, err := On(p)
		if err != nil {
			t.Fatal(err)
		}
		checkWalk(t, p, w, 2, 12)
	}
}
