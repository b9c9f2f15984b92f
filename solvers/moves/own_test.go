package moves_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"metalab/solvers"
	_ "metalab/solvers/anneal"
	"metalab/solvers/arith"
	"metalab/solvers/conform"
	"metalab/solvers/moves"
	"metalab/solvers/own"
	"metalab/solvers/record"
)

// knapsack is a problem of somebody's own on bits, which keeps the weight of the present solution.
type knapsack struct {
	weight, value []int64
	capacity      int64
	held          int64
}

func newKnapsack(n int) *knapsack {
	k := &knapsack{weight: make([]int64, n), value: make([]int64, n)}
	draws := arith.NewStream(7, 0, 0, 0)
	for i := range n {
		k.weight[i], k.value[i] = 1+int64(draws.IntN(100)), 1+int64(draws.IntN(100))
		k.capacity += k.weight[i]
	}
	k.capacity /= 3
	return k
}

const knapsackPenalty = 10

func (k *knapsack) over(held int64) int64 { return knapsackPenalty * max(held-k.capacity, 0) }

func (k *knapsack) Cost(x []uint8) int64 {
	var held, value int64
	for i, b := range x {
		held += int64(b) * k.weight[i]
		value += int64(b) * k.value[i]
	}
	return value - k.over(held)
}

func (k *knapsack) Load(x []uint8) {
	k.held = 0
	for i, b := range x {
		k.held += int64(b) * k.weight[i]
	}
}

func (k *knapsack) change(x []uint8, i int) (weight, value int64) {
	if x[i] == 1 {
		return -k.weight[i], -k.value[i]
	}
	return k.weight[i], k.value[i]
}

func (k *knapsack) Delta(x []uint8, i int) int64 {
	w, v := k.change(x, i)
	return v - k.over(k.held+w) + k.over(k.held)
}

func (k *knapsack) Delta2(x []uint8, i, j int) int64 {
	w, v := k.change(x, i)
	w2, v2 := k.change(x, j)
	return v + v2 - k.over(k.held+w+w2) + k.over(k.held)
}

func (k *knapsack) Apply(x []uint8, i int) {
	w, _ := k.change(x, i)
	k.held += w
}

// onemax has a delta of single bits that depends on nothing else.
type onemax struct{}

func (onemax) Cost(x []uint8) int64 {
	var n int64
	for i, b := range x {
		n += int64(b) * int64(i%5-1)
	}
	return n
}

func (onemax) Delta(x []uint8, i int) int64 { return int64(i%5-1) * (1 - 2*int64(x[i])) }

// path is an open tour of points on a line, in random order, with all deltas that there are.
type path struct{ at []int64 }

func newPath(n int) *path {
	p := &path{at: make([]int64, n)}
	draws := arith.NewStream(8, 0, 0, 0)
	for i := range n {
		p.at[i] = int64(draws.IntN(1000))
	}
	return p
}

func (p *path) d(a, b int32) int64 { return max(p.at[a]-p.at[b], p.at[b]-p.at[a]) }

func (p *path) Cost(x []int32) int64 {
	var sum int64
	for i := 1; i < len(x); i++ {
		sum += p.d(x[i-1], x[i])
	}
	return sum
}

func (p *path) edge(x []int32, i int, b int32) int64 {
	if i < 0 || i >= len(x) {
		return 0
	}
	return p.d(x[i], b)
}

func (p *path) DeltaReverse(x []int32, i, j int) int64 {
	return p.edge(x, i-1, x[j]) + p.edge(x, j+1, x[i]) - p.edge(x, i-1, x[i]) - p.edge(x, j+1, x[j])
}

func (p *path) again(x []int32, f func(y []int32)) int64 {
	y := append([]int32(nil), x...)
	f(y)
	return p.Cost(y) - p.Cost(x)
}

func (p *path) DeltaSwap(x []int32, i, j int) int64 {
	return p.again(x, func(y []int32) { y[i], y[j] = y[j], y[i] })
}

func (p *path) DeltaCycle(x []int32, i, j, k int) int64 {
	return p.again(x, func(y []int32) { y[i], y[j], y[k] = y[j], y[k], y[i] })
}

func (p *path) DeltaInsert(x []int32, i, j int) int64 {
	return p.again(x, func(y []int32) {
		v := y[i]
		z := append(append([]int32(nil), y[:i]...), y[i+1:]...)
		copy(y, z[:j])
		y[j] = v
		copy(y[j+1:], z[j:])
	})
}

// blocks turns parts of three entries round and moves the first to the end: a neighbourhood of its
// own, with a delta and without.
type blocks struct{ *path }

func (b blocks) Moves() int { return len(b.at) - 1 }

func (b blocks) Move(x []int32, k int) {
	if k == len(b.at)-2 {
		x[0], x[len(x)-1] = x[len(x)-1], x[0]
		return
	}
	x[k], x[k+2] = x[k+2], x[k]
}

type fastBlocks struct{ blocks }

func (b fastBlocks) DeltaMove(x []int32, k int) int64 {
	return b.again(x, func(y []int32) { b.Move(y, k) })
}

// runs flips a run of four bits.
type runs struct{ *knapsack }

func (r runs) Moves() int { return len(r.weight) - 3 }

func (r runs) Move(x []uint8, k int) {
	for i := range 4 {
		x[k+i] ^= 1
	}
}

// plain is the same with Cost alone, as a real number.
type plain struct{ p *path }

func (p plain) Cost(x []int32) float64 { return float64(p.p.Cost(x)) / 3 }

// ring wants neighbours of a ring to differ, by values with a delta of a change.
type ring struct{}

func (ring) pair(a, b int32) int64 {
	if a == b {
		return 10
	}
	return int64(max(a-b, b-a))
}

func (r ring) Cost(x []int32) int64 {
	var sum int64
	for i, a := range x {
		sum += r.pair(a, x[(i+1)%len(x)])
	}
	return sum
}

func (r ring) Delta(x []int32, i int, v int32) int64 {
	n := len(x)
	before, after := x[(i+n-1)%n], x[(i+1)%n]
	return r.pair(before, v) + r.pair(v, after) - r.pair(before, x[i]) - r.pair(x[i], after)
}

// bowl is a sum of squares.
type bowl struct{}

func (bowl) Cost(x []float64) float64 {
	var sum float64
	for i, v := range x {
		sum += float64((v - float64(i)) * (v - float64(i)))
	}
	return sum
}

// owns are problems of every form.
func owns(t testing.TB) map[string]*own.Problem {
	t.Helper()
	out := map[string]*own.Problem{}
	add := func(name string, form record.Form, make func() any) {
		p, err := own.New(name, form, make)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = p
	}
	add("knapsack", record.Form{Kind: record.FormBits, N: 25, Maximise: true},
		func() any { return newKnapsack(25) })
	add("onemax", record.Form{Kind: record.FormBits, N: 20}, func() any { return onemax{} })
	add("path", record.Form{Kind: record.FormPermutation, N: 12}, func() any { return newPath(12) })
	add("blocks", record.Form{Kind: record.FormPermutation, N: 10},
		func() any { return blocks{newPath(10)} })
	add("fast", record.Form{Kind: record.FormPermutation, N: 10},
		func() any { return fastBlocks{blocks{newPath(10)}} })
	add("runs", record.Form{Kind: record.FormBits, N: 16, Maximise: true},
		func() any { return runs{newKnapsack(16)} })
	add("plain", record.Form{Kind: record.FormPermutation, N: 11, Maximise: true},
		func() any { return plain{newPath(11)} })
	add("ring", record.Form{Kind: record.FormValues, N: 15, K: 4}, func() any { return ring{} })
	add("bowl", record.Form{Kind: record.FormReals, N: 4, Low: -3, High: 5},
		func() any { return bowl{} })
	return out
}

// Searches on problems of somebody's own keep the laws, as on others.
func TestOwnConform(t *testing.T) {
	all := owns(t)
	for i, name := range slices.Sorted(maps.Keys(all)) {
		p := all[name]
		for j, solver := range []string{"tabu", "hill", "vnd", "anneal", "ils/moves"} {
			t.Run(name+"/"+solver, func(t *testing.T) {
				t.Parallel()
				iterations, trials := 12, 12
				if i%5 != j {
					conform.Brief(t, "each problem by one search, each search on a problem")
				}
				if testing.Short() || i%5 != j && !conform.IsLong() {
					iterations, trials = 5, 2 // all of them take minutes
				}
				of, variant, _ := strings.Cut(solver, "/")
				conform.Check(t, conform.Case{
					Solver: of, Variant: variant, Instance: p, Seed: 3, Iterations: iterations,
					Trials: trials,
					Ranges: map[string][2]float64{
						"walks": {1, 5}, "scans": {1, 20}, "neighbours": {1, 60}, "moves": {1, 300},
						"kick": {1, 20}, "restarts": {0, 30}, "workers": {0, 4}, "wave": {0, 1024},
						"trials": {0, 5},
					},
				})
			})
		}
	}
}

// Deltas, moves and solutions of the walks agree with Cost, in all neighbourhoods, from any
// goroutine's follower.
func TestOwnWalks(t *testing.T) {
	for name, p := range owns(t) {
		w, err := moves.On(p)
		if err != nil {
			t.Fatal(err)
		}
		draws := arith.NewStream(5, 0, 0, 0)
		w.Random(&draws)
		seen := w.Hash()
		for i := range 400 {
			nb := w.Neighbourhoods()[i%len(w.Neighbourhoods())]
			if r, ok := w.(moves.Renewer); ok {
				r.Renew(9, int64(i), 0)
			}
			m := nb.Move(int64(draws.IntN(int(nb.Size()))))
			if nb.Move(nb.Index(m)) != m {
				t.Fatalf("%s: %s: move %v has the index %d of %v", name, nb.Name(), m, nb.Index(m),
					nb.Move(nb.Index(m)))
			}
			before, d := w.Cost(), w.Delta(m)
			w.Apply(m)
			after, err := solvers.Cost(p, w.Solution())
			if err != nil {
				t.Fatalf("%s: %s: %v", name, nb.Name(), err)
			}
			if after != w.Cost() || before+d-after > 1e-9 || after-before-d > 1e-9 {
				t.Fatalf("%s: move %d, %v of %s: cost %v and delta %v give %v, want %v", name, i, m,
					nb.Name(), before, d, w.Cost(), after)
			}
			if h := w.Hash(); d != 0 && h == seen {
				t.Fatalf("%s: the hash stays after %v", name, m)
			} else {
				seen = h
			}
		}
	}
}

// Searches use a neighbourhood of somebody's own, which may leave no solution: that is told.
func TestOwnNeighbourhood(t *testing.T) {
	t.Parallel()
	p := owns(t)["fast"]
	for _, solver := range []string{"tabu", "hill", "anneal", "ils/moves"} {
		of, variant, _ := strings.Cut(solver, "/")
		r, err := solvers.Open(solvers.Config{
			Solver: of, Variant: variant, Instance: p, Seed: 1,
			Params: record.Of("neighbourhood", "own"),
		})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if err := r.Step(t.Context(), 30); err != nil {
			t.Errorf("%s: %v", solver, err)
		}
	}
	form := record.Form{Kind: record.FormPermutation, N: 5}
	bad, err := own.New("bad", form, func() any { return twice{} })
	if err != nil {
		t.Fatal(err)
	}
	w, err := moves.On(bad)
	if err != nil {
		t.Fatal(err)
	}
	draws := arith.NewStream(1, 0, 0, 0)
	w.Random(&draws)
	err = bad.Guard(func() { w.Apply(w.Neighbourhoods()[4].Move(2)) })
	if err == nil || !strings.Contains(err.Error(), "Move makes no solution by move 2: ") ||
		!strings.Contains(err.Error(), " is there twice") {
		t.Errorf("a move that makes no permutation: %v", err)
	}
	done, wrong, err := moves.CheckOwn(p, 1, 50, nil)
	if err != nil || wrong != "" || done[4].Name != "own" || done[4].Delta != "DeltaMove" ||
		done[4].Moves != 50 {
		t.Errorf("check: %+v, %s, %v", done, wrong, err)
	}
}

// twice moves an entry over another one.
type twice struct{}

func (twice) Cost(x []int32) int64  { return int64(x[0]) }
func (twice) Moves() int            { return 3 }
func (twice) Move(x []int32, k int) { x[0] = x[1] }

// Faults of somebody's code are told with the function and its line.
func TestOwnFaults(t *testing.T) {
	for _, c := range []struct {
		form record.Form
		v    any
		want string
	}{
		{record.Form{Kind: record.FormBits, N: 3}, bowl{}, "has no method Cost(x []uint8) int64"},
		{record.Form{Kind: record.FormBits, N: 3}, struct{ onemax }{}, ""},
		{record.Form{Kind: record.FormBits, N: 0}, onemax{}, "solutions of 0 entries"},
		{record.Form{Kind: record.FormBits, N: 3}, oddDelta{}, "the method Delta of " +
			"moves_test.oddDelta is func([]uint8, int32) int64, want func([]uint8, int) int64, as Cost"},
		{record.Form{Kind: record.FormBits, N: 3}, oddMoves{}, "moves_test.oddMoves has a " +
			"method Moves, and no Move(x, k int), which makes move k on x"},
		{record.Form{Kind: record.FormBits, N: 3}, struct {
			onemaxCost
			oddMove
		}{}, "and no Moves() int, which says how many"},
		{record.Form{Kind: record.FormBits, N: 3}, struct {
			oddMoves
			oddMove
		}{}, "Moves says 0, want 1 to 1048576"},
		{record.Form{Kind: record.FormReals, N: 3, High: 1}, struct {
			bowl
			oddMove
		}{}, "has a method Move, which nothing calls on"},
		{record.Form{Kind: record.FormBits, N: 3}, oddPlot{}, "the method Plot of " +
			"moves_test.oddPlot is func([]int32) *record.Drawing, want func([]uint8) *lab.Drawing"},
		{record.Form{Kind: record.FormReals, N: 3, High: 1}, bowl{}, ""},
		{record.Form{Kind: record.FormReals, N: 3}, bowl{}, "real numbers from 0 to 0"},
		{record.Form{Kind: record.FormValues, N: 3, K: 1}, ring{}, "1 values of an entry"},
		{record.Form{Kind: record.FormPermutation, N: 3}, ring{}, "has a method Delta, which nothing " +
			"calls on permutations of 3"},
		{record.Form{Kind: "tree", N: 3}, ring{}, `no form of solutions is called "tree"`},
	} {
		_, err := own.New("odd", c.form, func() any { return c.v })
		if c.want == "" && err != nil || c.want != "" && (err == nil ||
			!strings.Contains(err.Error(), c.want)) {
			t.Errorf("%T on %v: %v, want %q", c.v, c.form, err, c.want)
		}
	}
}

type oddDelta struct{ onemaxCost }

type oddPlot struct{ onemaxCost }

func (oddPlot) Plot(x []int32) *record.Drawing { return nil }

type oddMoves struct{ onemaxCost }

func (oddMoves) Moves() int { return 0 }

type oddMove struct{}

func (oddMove) Move(x []uint8, k int) {}

type onemaxCost struct{}

func (onemaxCost) Cost(x []uint8) int64         { return 0 }
func (oddDelta) Delta(x []uint8, i int32) int64 { return 0 }
