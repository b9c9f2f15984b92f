package moves

import (
	"fmt"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// colourWalk is a colouring with the number of neighbours that each vertex has in each colour, so
// that a change costs two look-ups and a swap four. A move updates the entries of the neighbours of
// the vertices that it touches.
type colourWalk struct {
	inst   *datasets.Colouring
	k      int
	c      []int32
	around []int32 // around[v*k+x] counts the neighbours of v with colour x
	cost   int64
	nbs    []Neighbourhood

	critical bool // scans skip changes of vertices without a conflict
	clashes  int  // vertices in conflict, as last counted
}

func newColourWalk(g *datasets.Colouring) (*colourWalk, error) {
	if float64(g.N)*float64(g.K) > 1<<28 {
		return nil, fmt.Errorf(
			"moves: %s: a table of %d vertices by %d colours, want at most 2^28 entries", g.Title, g.N, g.K,
		)
	}
	nbs, err := neighbourhoods(g)
	if err != nil {
		return nil, err
	}
	return &colourWalk{
		inst: g, k: g.K, c: make([]int32, g.N), around: make([]int32, g.N*g.K), nbs: nbs,
	}, nil
}

func (t *colourWalk) Neighbourhoods() []Neighbourhood { return t.nbs }
func (t *colourWalk) Cost() float64                   { return float64(t.cost) }
func (t *colourWalk) Solution() record.Solution {
	return record.Solution{Perm: append([]int32(nil), t.c...)}
}
func (t *colourWalk) Hash() uint64         { return arith.HashPerm(t.c) }
func (t *colourWalk) entry(at int32) int32 { return t.c[at] }
func (t *colourWalk) prepare(int, wave)    {}
func (t *colourWalk) steps(k int) int64    { return int64(4 + 8*k) }

func (t *colourWalk) Load(s record.Solution) error {
	cost, err := t.inst.Cost(s.Perm)
	if err != nil {
		return fmt.Errorf("moves: %w", err)
	}
	copy(t.c, s.Perm)
	t.set(cost)
	return nil
}

func (t *colourWalk) set(cost int64) {
	t.cost = cost
	clear(t.around)
	for v := range t.c {
		for _, u := range t.inst.Neighbours(v) {
			t.around[v*t.k+int(t.c[u])]++
		}
	}
}

func (t *colourWalk) Random(draws *arith.Stream) {
	for v := range t.c {
		t.c[v] = int32(draws.IntN(t.k))
	}
	cost, _ := t.inst.Cost(t.c) // cannot fail: its colours exist
	t.set(cost)
}

// plus returns the colour of v after By was added to it.
func (t *colourWalk) plus(m Move) int32 {
	x := t.c[m.At[0]] + m.By
	if x >= int32(t.k) {
		x -= int32(t.k)
	}
	return x
}

func (t *colourWalk) delta(m Move) int64 {
	v := int(m.At[0])
	row := t.around[v*t.k:][:t.k]
	if m.At[1] == none {
		return int64(row[t.plus(m)] - row[t.c[v]])
	}
	u := int(m.At[1])
	x, y := t.c[v], t.c[u]
	if x == y {
		return 0
	}
	other := t.around[u*t.k:][:t.k]
	d := int64(row[y]-row[x]) + int64(other[x]-other[y])
	if t.inst.Adjacent(v, u) {
		d -= 2 // each was counted as the other's neighbour in its new colour
	}
	return d
}

func (t *colourWalk) Delta(m Move) float64 { return float64(t.delta(m)) }

func (t *colourWalk) Apply(m Move) {
	if m.At[1] == none {
		t.paint(int(m.At[0]), t.plus(m))
		return
	}
	v, u := int(m.At[0]), int(m.At[1])
	x, y := t.c[v], t.c[u]
	t.paint(v, y)
	t.paint(u, x)
}

func (t *colourWalk) paint(v int, x int32) {
	old := t.c[v]
	if old == x {
		return
	}
	row := t.around[v*t.k:][:t.k]
	t.cost += int64(row[x] - row[old])
	t.c[v] = x
	for _, u := range t.inst.Neighbours(v) {
		near := t.around[int(u)*t.k:][:t.k]
		near[old]--
		near[x]++
	}
}

func (t *colourWalk) value(_ int, _ int64, m Move) float64 { return float64(t.delta(m)) }

// vertex estimates the time of a vertex's changes in a scan, in steps of about a nanosecond.
func (t *colourWalk) vertex() int64 {
	steps := int64(t.k + 4)
	if t.critical { // most are skipped
		steps = steps*int64(t.clashes)/int64(max(t.inst.N, 1)) + 1
	}
	return steps
}

func (t *colourWalk) scan(k int, w wave, allow func(Move, float64) bool) (choice, error) {
	if k > 0 {
		return scanAll(k, t, w, allow)
	}
	colours := int32(t.k)
	return w.run(int64(t.inst.N), int64(t.k-1), t.vertex(), func(lo, hi int64) choice {
		best, limit := noChoice, int32(1<<31-1)
		for v := lo; v < hi; v++ {
			row := t.around[v*int64(colours):][:colours]
			own := t.c[v]
			here := row[own]
			if here == 0 && t.critical {
				continue
			}
			// In the order of the moves: the colours after the vertex's own, and then those before.
			try := func(x, by int32) {
				m := Move{At: [3]int32{int32(v), none, none}, By: by}
				if d := float64(row[x] - here); allow == nil || allow(m, d) {
					limit = row[x] - here
					best = choice{d, v*int64(colours-1) + int64(by) - 1}
				}
			}
			for x := own + 1; x < colours; x++ {
				if row[x]-here < limit {
					try(x, x-own)
				}
			}
			for x := range own {
				if row[x]-here < limit {
					try(x, x-own+colours)
				}
			}
		}
		return best
	})
}

// conflicted counts how many vertices are in conflict.
func (t *colourWalk) conflicted() int {
	n := 0
	for v, x := range t.c {
		if t.around[v*t.k+int(x)] > 0 {
			n++
		}
	}
	t.clashes = n
	return n
}

// repaints stores for every vertex which colours it had, and until when it may not take them again.
// A move is tabu if all colours that it sets are.
type repaints struct {
	t     *colourWalk
	until []int64
}

func newRepaints(t *colourWalk) *repaints {
	r := &repaints{t: t, until: make([]int64, t.inst.N*t.k)}
	for i := range r.until {
		r.until[i] = -1
	}
	return r
}

func (r *repaints) tabu(_ Walk, m Move, clock int64) bool {
	k, v := r.t.k, int(m.At[0])
	if m.At[1] == none {
		return r.until[v*k+int(r.t.plus(m))] >= clock
	}
	u := int(m.At[1])
	return min(r.until[v*k+int(r.t.c[u])], r.until[u*k+int(r.t.c[v])]) >= clock
}

func (r *repaints) note(_ Walk, m Move, clock int64, wait func() int64) {
	for _, v := range m.At[:m.arity()] {
		r.until[int(v)*r.t.k+int(r.t.c[v])] = clock + wait()
	}
}

func (r *repaints) overdue(Walk, Move, int64) bool { return false }
func (r *repaints) any(Walk, int64) bool           { return false }
func (r *repaints) jumped()                        {}
func (r *repaints) times() []int64                 { return r.until }
