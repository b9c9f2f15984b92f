package moves

import (
	"fmt"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// tspWalk is a closed tour whose cities change places. Its neighbourhoods look at more
// moves than local search on tours does, for less: they are here to compare with.
type tspWalk struct {
	inst *datasets.TSP
	tour []int32
	cost int64
	nbs  []Neighbourhood
}

func newTSPWalk(t *datasets.TSP) (*tspWalk, error) {
	swap, err := Swaps(t.N)
	if err != nil {
		return nil, err
	}
	cycle, err := Cycles(t.N)
	if err != nil {
		return nil, err
	}
	return &tspWalk{inst: t, tour: make([]int32, t.N), nbs: []Neighbourhood{swap, cycle}}, nil
}

func (t *tspWalk) Neighbourhoods() []Neighbourhood { return t.nbs }
func (t *tspWalk) Cost() float64                   { return float64(t.cost) }
func (t *tspWalk) Solution() record.Solution {
	return record.Solution{Perm: append([]int32(nil), t.tour...)}
}
func (t *tspWalk) hash() uint64         { return arith.HashPerm(t.tour) }
func (t *tspWalk) entry(at int32) int32 { return t.tour[at] }
func (t *tspWalk) prepare(int, wave)    {}

func (t *tspWalk) Load(s record.Solution) error {
	l, err := t.inst.Length(s.Perm)
	if err != nil {
		return fmt.Errorf("moves: %w", err)
	}
	copy(t.tour, s.Perm)
	t.cost = l
	return nil
}

func (t *tspWalk) random(draws *arith.Stream) {
	for i := range t.tour {
		t.tour[i] = int32(i)
	}
	draws.Shuffle(t.tour)
	t.cost, _ = t.inst.Length(t.tour) // a permutation has a length
}

func (t *tspWalk) Delta(m Move) float64 {
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
	to := [3]int32{j, k, i} // whose entries come to i, j and k
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
		d += int64(t.inst.Dist(int(after(a)), int(after(b)))) - int64(
			t.inst.Dist(int(t.tour[a]), int(t.tour[b])),
		)
	}
	return float64(d)
}

func (t *tspWalk) Apply(m Move) {
	t.cost += int64(t.Delta(m))
	permute(t.tour, m)
}

func (t *tspWalk) value(_ int, _ int64, m Move) float64 { return t.Delta(m) }

func (t *tspWalk) scan(k int, w wave, allow func(Move, float64) bool) (choice, error) {
	return scanAll(k, t, w, allow)
}
