package moves

import (
	"fmt"
	"sync"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// tspWalk is a closed tour whose cities change places, which is here for comparison, for it
// improves less than what exchanges edges: 2-opt and Or-opt, on symmetric instances.
type tspWalk struct {
	inst *datasets.TSP
	dist *distances
	tour []int32
	cost int64
	nbs  []Neighbourhood

	long  *stretches // of Sampled: tour is its array, which is true after settle; nil: none
	asked Move       // long: the move whose delta told is; the zero Move: none
	told  int64

	ring      ring
	published bool       // each swap is evaluated by its own distances
	tabled    bool       // the table is allowed
	table     *swapTable // nil until a scan needs it
}

// maxTables is the largest number of deltas of swaps that all walks of a search may store: 1 GiB of
// them.
const maxTables = 1 << 28

func newTSPWalk(t *datasets.TSP) (*tspWalk, error) {
	nbs, err := neighbourhoods(t)
	if err != nil {
		return nil, err
	}
	return &tspWalk{
		inst: t, dist: &distances{inst: t, n: t.N}, tour: make([]int32, t.N),
		nbs: nbs, tabled: nbs[0].Size() <= maxTables,
	}, nil
}

// share tells t how many walks there are on the instance, and lets it use the distances of another
// walk.
func (t *tspWalk) share(walks int, other *tspWalk) {
	if t.dist != other.dist { // walks are shaped at the same time, other too
		t.dist = other.dist
	}
	t.tabled = t.nbs[0].Size()*int64(walks) <= maxTables
	if !t.tabled {
		t.table = nil
	}
}

// evaluate makes scans evaluate each swap by its own distances, or by the table if that is allowed.
func (t *tspWalk) evaluate(published bool) {
	if t.published = published; published {
		t.tabled, t.table = false, nil
	}
}

func (t *tspWalk) Neighbourhoods() []Neighbourhood { return t.nbs }
func (t *tspWalk) Cost() float64                   { return float64(t.cost) }
func (t *tspWalk) Solution() record.Solution {
	t.settle()
	return record.Solution{Perm: append([]int32(nil), t.tour...)}
}
func (t *tspWalk) prepare(int, wave) { t.settle(); t.dist.made.Do(t.dist.make) }

func (t *tspWalk) Hash() uint64 {
	t.settle()
	return arith.HashPerm(t.tour)
}

func (t *tspWalk) entry(at int32) int32 {
	if t.long != nil {
		return t.long.entry(at)
	}
	return t.tour[at]
}

// lengthen makes the walk suit reversals of long parts.
func (t *tspWalk) lengthen() { t.long = newStretches(t.tour) }

// settle writes the tour, and makes it the walk's own, if it is held otherwise.
func (t *tspWalk) settle() {
	if t.long != nil {
		t.tour = t.long.own()
	}
}

// Mark and Marked are those of Marker; long is there.
func (t *tspWalk) Mark()                   { t.long.mark() }
func (t *tspWalk) Marked() record.Solution { return record.Solution{Perm: t.long.marked()} }

func (t *tspWalk) Load(s record.Solution) error {
	l, err := t.inst.Length(s.Perm)
	if err != nil {
		return fmt.Errorf("moves: %w", err)
	}
	t.settle()
	copy(t.tour, s.Perm)
	t.cost = l
	t.moved()
	return nil
}

func (t *tspWalk) Random(draws *arith.Stream) {
	t.settle()
	for i := range t.tour {
		t.tour[i] = int32(i)
	}
	draws.Shuffle(t.tour)
	t.cost, _ = t.inst.Length(t.tour) // cannot fail for a permutation
	t.moved()
}

// moved tells the table that the tour was replaced.
func (t *tspWalk) moved() {
	t.asked = Move{}
	if t.table != nil {
		t.table.reset()
	}
}

func (t *tspWalk) Delta(m Move) float64 {
	if t.long != nil && (m.insertion() || m.reversal()) {
		return float64(t.longDelta(m))
	}
	t.settle()
	if m.insertion() {
		return float64(t.jumped(m))
	}
	if m.reversal() {
		return float64(t.reversed(int(m.At[0]), int(m.At[1])))
	}
	if m.arity() == 2 {
		return float64(t.inst.SwapDelta(t.tour, int(m.At[0]), int(m.At[1])))
	}
	n := int32(len(t.tour))
	i, j, k := m.At[0], m.At[1], m.At[2]
	// The edges that a cycle touches begin at these positions.
	from := [6]int32{i - 1, i, j - 1, j, k - 1, k}
	if from[0] < 0 {
		from[0] = n - 1
	}
	to := [3]int32{j, k, i} // the positions whose entries go to i, j and k
	if m.Back {
		to = [3]int32{k, i, j}
	}
	after := func(at int32) int32 {
		switch at {
		case i:
			at = to[0]
		case j:
			at = to[1]
		case k:
			at = to[2]
		}
		return t.tour[at]
	}
	var d int64
	for x, a := range from {
		twice := false
		for _, b := range from[:x] {
			twice = twice || a == b
		}
		if twice {
			continue
		}
		b := a + 1
		if b == n {
			b = 0
		}
		d += t.dist.of(after(a), after(b)) - t.dist.of(t.tour[a], t.tour[b])
	}
	return float64(d)
}

// longDelta is Delta of a reversal or a move of Or-opt where long holds the tour. Apply asks again
// for what a search has asked before.
func (t *tspWalk) longDelta(m Move) int64 {
	if m != t.asked {
		if m.insertion() {
			t.told = t.jumped(m)
		} else {
			t.told = t.reversed(int(m.At[0]), int(m.At[1]))
		}
		t.asked = m
	}
	return t.told
}

// reversed returns the delta of turning round the part of a symmetric instance's tour between the
// positions i and j, i < j.
func (t *tspWalk) reversed(i, j int) int64 {
	n := len(t.tour)
	if j-i == n-1 {
		return 0 // the whole tour
	}
	before, after := i-1, j+1
	if before < 0 {
		before = n - 1
	}
	if after == n {
		after = 0
	}
	var p, a, b, s int32
	if t.long != nil {
		p, a = t.long.pair(int32(before))
		b, s = t.long.pair(int32(j))
	} else {
		p, a, b, s = t.tour[before], t.tour[i], t.tour[j], t.tour[after]
	}
	return t.dist.of(p, b) + t.dist.of(a, s) - t.dist.of(p, a) - t.dist.of(b, s)
}

func (t *tspWalk) Apply(m Move) {
	t.cost += int64(t.Delta(m))
	switch {
	case m.insertion() && t.long != nil:
		t.long.jump(m)
	case m.insertion():
		jump(t.tour, m)
	case m.reversal() && t.long != nil:
		t.long.reverse(int(m.At[0]), int(m.At[1]))
	case m.reversal():
		reverse(t.tour, int(m.At[0]), int(m.At[1]))
	}
	if m.insertion() || m.reversal() {
		t.moved()
		return
	}
	permute(t.tour, m)
	t.asked = Move{}
	if t.table != nil {
		for _, at := range m.At[:m.arity()] {
			t.table.touch(at)
		}
	}
}

func (t *tspWalk) steps(k int) int64 {
	if t.dist.from == nil {
		return int64(80 + 60*k)
	}
	return int64(10 + 20*k)
}

func (t *tspWalk) value(k int, _ int64, m Move) float64 {
	if k > 0 || t.dist.from == nil || len(t.tour) < 5 {
		return t.Delta(m)
	}
	return float64(t.swap(int(m.At[0]), int(m.At[1])))
}

// swap returns the delta of the swap of the positions x and y, x < y, in a tour of at least five
// cities whose distances are stored.
func (t *tspWalk) swap(x, y int) int64 {
	n := len(t.tour)
	if y == x+1 || x == 0 && y == n-1 {
		return t.inst.SwapDelta(t.tour, x, y)
	}
	px, ny := x-1, y+1
	if px < 0 {
		px = n - 1
	}
	if ny == n {
		ny = 0
	}
	d, tour := t.dist, t.tour
	a, b := tour[x], tour[y]
	p, q, r, s := tour[px], tour[x+1], tour[y-1], tour[ny]
	return d.of(p, b) + d.of(b, q) + d.of(r, a) + d.of(a, s) -
		d.of(p, a) - d.of(a, q) - d.of(r, b) - d.of(b, s)
}

func (t *tspWalk) scan(k int, w wave, allow func(Move, float64) bool) (choice, error) {
	t.prepare(k, w)
	if t.byRows(k) {
		return t.scanEdges(k, w, allow)
	}
	if !t.quick(k) {
		if k == 0 && !t.published {
			return t.scanRows(w, allow)
		}
		return scanAll(k, t, w, allow)
	}
	if t.table == nil {
		t.table = newSwapTable(len(t.tour))
	}
	if err := t.table.refresh(w, t.dist, t.tour); err != nil {
		return noChoice, err
	}
	if t.table.wide {
		return t.scanRows(w, allow)
	}
	n := int64(len(t.tour))
	return w.run(t.nbs[0].Size(), 1, 1, func(lo, hi int64) choice {
		return t.table.best(n, lo, hi, allow)
	})
}

// scanRows is the scan of swaps without a table: row by row, for rows share distances.
func (t *tspWalk) scanRows(w wave, allow func(Move, float64) bool) (choice, error) {
	n := len(t.tour)
	edge := make([]int64, n)
	t.dist.edges(t.tour, edge)
	scratch := sync.Pool{New: func() any { return newTourRows(t.dist, t.tour, edge) }}
	return w.run(t.nbs[0].Size(), 1, 6, func(lo, hi int64) choice {
		r := scratch.Get().(*tourRows)
		defer scratch.Put(r)
		best := noChoice
		x, y := PairAt(int64(n), lo)
		for lo < hi {
			deltas := r.swaps(int(x), int(y))
			deltas = deltas[:min(int64(len(deltas)), hi-lo)]
			for i, v := range deltas {
				d := float64(v)
				if d >= best.delta {
					continue
				}
				if m := (Move{At: [3]int32{int32(x), int32(y) + int32(i), none}}); allow == nil ||
					allow(m, d) {
					best = choice{d, lo + int64(i)}
				}
			}
			lo += int64(len(deltas))
			x, y = x+1, x+2
		}
		return best
	})
}

// quick tells whether a scan of the neighbourhood with number k only reads the table.
func (t *tspWalk) quick(k int) bool {
	return k == 0 && t.tabled && (t.table == nil || !t.table.wide)
}
