package moves

import (
	"context"
	"fmt"
	"math"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"

	"pgregory.net/rapid"
)

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
func checkWalk(t rapid.TB, inst datasets.Instance, walk Walk, seed uint64, steps int) {
	t.Helper()
	pool := solvers.NewPool(3)
	pool.Worth = 1 // every loop is dealt out
	defer pool.Close()
	alone := wave{ctx: context.Background(), block: 1 << 20}
	crew := wave{ctx: context.Background(), pool: pool, block: 7}
	draws := arith.NewStream(seed, 1, 0, 9)
	walk.Random(&draws)
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
					t.Fatalf(
						"step %d, %s %d %v: delta %v, the cost goes from %v to %v, the walk says %v", step, nb.Name(),
						x, m, d, walk.Cost(), c, other.Cost(),
					)
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
			t.Fatalf(
				"step %d, %s from %d: first improving is %d after %d, want %d after %d", step, nb.Name(), start,
				first.index, looked, exp, seen,
			)
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

// spinWalks are small instances with all objectives, with and without fields.
func spinWalks(tb testing.TB) (all []*datasets.Cut) {
	tb.Helper()
	draws := arith.NewStream(2, 0, 0, 9)
	for i, n := range []int{1, 2, 3, 9, 16} {
		var edges []datasets.Edge
		fields := make([]int64, n)
		for u := range n {
			fields[u] = int64(draws.IntN(9)) - 4
			for v := range u {
				if draws.IntN(2) == 0 {
					edges = append(edges, datasets.Edge{
						U: int32(u), V: int32(v), Weight: int64(draws.IntN(7)) - 3,
					})
				}
			}
		}
		add := func(c *datasets.Cut, err error) {
			if err != nil {
				tb.Fatal(err)
			}
			all = append(all, c)
		}
		add(datasets.NewCut(fmt.Sprint("cut", n), n, edges))
		add(datasets.NewIsing(fmt.Sprint("ising", n), n, fields, edges, 5))
		add(datasets.NewQUBO(fmt.Sprint("qubo", n), n, fields, edges, -7, i%2 == 0))
	}
	return all
}

func TestCutWalks(t *testing.T) {
	t.Parallel()
	for _, c := range spinWalks(t) {
		w, err := On(c)
		if err != nil {
			t.Fatal(err)
		}
		checkWalk(t, c, w, 2, 15)
	}
}

// The scan by the times of a tabu search chooses what the rule itself does.
func TestBannedFlips(t *testing.T) {
	t.Parallel()
	pool := solvers.NewPool(3)
	pool.Worth = 1
	defer pool.Close()
	draws := arith.NewStream(3, 0, 0, 9)
	for _, c := range spinWalks(t) {
		w, err := newCutWalk(c)
		if err != nil {
			t.Fatal(err)
		}
		w.Random(&draws)
		for range 40 {
			until := make([]int64, c.N)
			for v := range until {
				until[v] = int64(draws.IntN(4))
			}
			clock, hope := int64(draws.IntN(5)), float64(draws.IntN(20)-10)
			crew := wave{ctx: t.Context(), pool: pool, block: 3}
			want, err := w.scan(0, crew, func(m Move, d float64) bool {
				return d < hope || until[m.At[0]] < clock
			})
			if err != nil {
				t.Fatal(err)
			}
			w.ban = ban{until: until, clock: clock, hope: hope}
			got, err := w.scan(0, crew, nil)
			if w.ban = (ban{}); err != nil || got != want {
				t.Fatalf("%s: %+v (%v), want %+v", c.Name(), got, err, want)
			}
			if got.index >= 0 {
				w.Apply(w.nbs[0].Move(got.index))
			}
		}
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

// The table of swaps is right after any moves, by a matrix or a formula, one way or both ways, and
// is not used where it is too narrow for the numbers.
func TestTSPSwapTable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 20).Draw(rt, "n")
		inst := uniformTSP(t, n)
		if rapid.Bool().Draw(rt, "matrix") {
			asymmetric := rapid.Bool().Draw(rt, "asymmetric")
			top := rapid.SampledFrom([]int{5, 1000, math.MaxInt32}).Draw(rt, "top")
			draws := arith.NewStream(rapid.Uint64().Draw(rt, "numbers"), 0, 0, 9)
			m := make([]int32, n*n)
			for a := range n {
				for b := range n {
					if m[a*n+b] = int32(draws.IntN(top)); b < a && !asymmetric {
						m[a*n+b] = m[b*n+a]
					}
				}
			}
			var err error
			if inst, err = datasets.NewMatrixTSP("random", n, m, asymmetric); err != nil {
				rt.Fatal(err)
			}
		}
		w, err := newTSPWalk(inst)
		if err != nil {
			rt.Fatal(err)
		}
		if rapid.Bool().Draw(rt, "no rows") {
			w.dist.made.Do(func() {})
		}
		checkWalk(rt, inst, w, rapid.Uint64().Draw(rt, "seed"), 12)
	})
}

// A refresh that its context ends leaves nothing behind that is taken for right.
func TestTSPSwapTableEnds(t *testing.T) {
	t.Parallel()
	inst := uniformTSP(t, 40)
	w, err := newTSPWalk(inst)
	if err != nil {
		t.Fatal(err)
	}
	draws := arith.NewStream(1, 0, 0, 9)
	w.Random(&draws)
	alone := wave{ctx: t.Context(), block: 1 << 20}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for step := range 6 {
		if step%2 == 1 {
			if _, err := w.scan(0, wave{ctx: gone, block: 1 << 20}, nil); err == nil {
				t.Fatal("a scan whose context has ended has no error")
			}
		}
		got, err := w.scan(0, alone, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want, _ := scanAll(0, w, alone, nil); got != want {
			t.Errorf("step %d: %+v, want %+v", step, got, want)
		}
		w.Apply(w.nbs[0].Move(int64(100 * step)))
	}
}

func TestColourWalks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(rt, "n")
		g, err := datasets.RandomGraph(
			n, rapid.IntRange(0, 100).Draw(rt, "percent"), 7, rapid.IntRange(1, n).Draw(rt, "k"),
		)
		if err != nil {
			rt.Fatal(err)
		}
		w, err := On(g)
		if err != nil {
			rt.Fatal(err)
		}
		checkWalk(t, g, w, rapid.Uint64Range(0, 99).Draw(rt, "seed"), 8)
	})
}

// Passing over the vertices without a conflict changes nothing as long as a move makes the
// cost less.
func TestCriticalChanges(t *testing.T) {
	t.Parallel()
	g, err := datasets.RandomGraph(40, 50, 1, 5)
	if err != nil {
		t.Fatal(err)
	}
	w, err := newColourWalk(g)
	if err != nil {
		t.Fatal(err)
	}
	draws := arith.NewStream(1, 0, 0, 9)
	w.Random(&draws)
	for range 200 {
		all, err1 := w.scan(0, wave{ctx: context.Background(), block: 1 << 20}, nil)
		w.critical = true
		some, err2 := w.scan(0, wave{ctx: context.Background(), block: 9}, nil)
		w.critical = false
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if all != some && all.delta < 0 {
			t.Fatalf("all: %+v, those in conflict: %+v", all, some)
		}
		if at := w.nbs[0].Move(some.index).At[0]; w.around[int(at)*w.k+int(w.c[at])] == 0 {
			t.Fatalf("vertex %d has no conflict", at)
		}
		w.Apply(w.nbs[0].Move(int64(draws.IntN(int(w.nbs[0].Size())))))
	}
}

// Random vectors of signs have products with the remainders by 4 that the instance's have, so
// that pairs of flips can reach a solution.
func TestPPPStartsAreReachable(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		p, secret, err := datasets.NewPPP(9, 11, seed)
		if err != nil {
			t.Fatal(err)
		}
		w, err := newPPPWalk(p)
		if err != nil {
			t.Fatal(err)
		}
		draws := arith.NewStream(seed, 0, 0, 9)
		w.Random(&draws)
		if cost, err := p.Cost(w.v); err != nil || float64(cost) != w.Cost() {
			t.Fatalf("the walk says %v, the instance %v (%v)", w.Cost(), cost, err)
		}
		flips := 0
		for k, x := range w.v {
			if x != secret[k] {
				flips++
			}
		}
		if flips%2 != 0 {
			t.Errorf("seed %d: %d flips from a solution", seed, flips)
		}
	}
}

// The walks of single moves say what the instance says, with every neighbourhood that they have,
// also by distances that are not kept in rows.
func TestSampledWalks(t *testing.T) {
	t.Parallel()
	ppp, _, err := datasets.NewPPP(9, 11, 1)
	if err != nil {
		t.Fatal(err)
	}
	instances := []datasets.Instance{randomQAP(t, 7, false, true, true, 9, 3), ppp}
	for _, n := range []int{1, 2, 3, 4, 5, 6, 12, 13} {
		instances = append(instances, uniformTSP(t, n))
	}
	for _, inst := range instances {
		walks, err := Sampled(inst, 2)
		if err != nil {
			t.Fatal(err)
		}
		nbs, err := SampledNeighbourhoods(inst)
		if err != nil || len(nbs) != len(walks[0].Neighbourhoods()) {
			t.Fatalf("%s: %d neighbourhoods, the walk has %d; %v", inst.Name(), len(nbs),
				len(walks[0].Neighbourhoods()), err)
		}
		for i, w := range walks {
			checkMoves(t, inst, w, uint64(i))
		}
	}
}

// checkMoves makes moves of each neighbourhood and compares what the walk says of them with the
// instance's own cost.
func checkMoves(t *testing.T, inst datasets.Instance, w Walk, seed uint64) {
	t.Helper()
	draws := arith.NewStream(seed, 1, 0, 9)
	w.Random(&draws)
	for k, nb := range w.Neighbourhoods() {
		for x := range min(nb.Size(), 200) {
			m := nb.Move(x)
			if got := nb.Index(m); got != x {
				t.Fatalf("%s: move %d has the index %d", nb.Name(), x, got)
			}
			if x > 0 && nb.Next(nb.Move(x-1)) != m {
				t.Fatalf("%s: after move %d comes %v, want %v", nb.Name(), x-1, nb.Next(nb.Move(x-1)), m)
			}
			before := w.Cost()
			d := w.Delta(m)
			if v := w.value(k, x, m); v != d {
				t.Fatalf("%s: %s %v: value %v, delta %v", inst.Name(), nb.Name(), m, v, d)
			}
			w.Apply(m)
			c, err := solvers.Cost(inst, w.Solution())
			if err != nil {
				t.Fatalf("%s: %s %v: %v", inst.Name(), nb.Name(), m, err)
			}
			if c != w.Cost() || c-before != d {
				t.Fatalf("%s: %s %v: the cost goes from %v to %v, the walk says %v and a change of %v",
					inst.Name(), nb.Name(), m, before, c, w.Cost(), d)
			}
		}
	}
}
