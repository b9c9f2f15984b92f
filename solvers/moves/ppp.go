package moves

import (
	"fmt"
	"sync"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// pppWalk is a vector of signs with its products.
type pppWalk struct {
	inst *datasets.PPP
	cols []int8 // the matrix by columns
	v    []int8
	y    []int32 // A v
	cost int64
	nbs  []Neighbourhood
	sets classes
	made bool // sets belong to v

	linear  bool      // moves are evaluated by all products, without sets
	scratch sync.Pool // of []int32: see published
}

func newPPPWalk(p *datasets.PPP) (*pppWalk, error) {
	t := &pppWalk{inst: p, cols: make([]int8, p.M*p.N), v: make([]int8, p.N), y: make([]int32, p.M)}
	for j := range p.M {
		for k := range p.N {
			t.cols[k*p.M+j] = p.A[j*p.N+k]
		}
	}
	for k := 1; k <= 3; k++ {
		f, err := Flips(p.N, k)
		if err != nil {
			return nil, err
		}
		t.nbs = append(t.nbs, f)
	}
	return t, nil
}

func (t *pppWalk) Neighbourhoods() []Neighbourhood { return t.nbs }
func (t *pppWalk) Cost() float64                   { return float64(t.cost) }
func (t *pppWalk) Solution() record.Solution {
	return record.Solution{Bits: append([]int8(nil), t.v...)}
}
func (t *pppWalk) entry(at int32) int32 { return int32(t.v[at]) }

func (t *pppWalk) Hash() uint64 {
	return hashBits(t.v)
}

// hashBits is a hash of bits, of which 1 stands for a set one, and 0 or -1 for another: a sum over
// words of 64.
func hashBits(x []int8) (h uint64) {
	var word uint64
	for k, b := range x {
		word = word<<1 | uint64(b+1)>>1
		if k%64 == 63 || k == len(x)-1 {
			h += arith.Mix64(arith.Mix64(word) + uint64(k))
			word = 0
		}
	}
	return h
}

func (t *pppWalk) Load(s record.Solution) error {
	if _, err := t.inst.Cost(s.Bits); err != nil {
		return fmt.Errorf("moves: %w", err)
	}
	copy(t.v, s.Bits)
	t.multiply()
	return nil
}

func (t *pppWalk) Random(draws *arith.Stream) {
	var word uint32
	for k := range t.v {
		if k%32 == 0 {
			word = draws.Uint32()
		}
		t.v[k] = int8(word&1)*2 - 1
		word >>= 1
	}
	t.multiply()
	// A flip moves every product by 2. So the number of products that leave a remainder of 1 when
	// divided by 4 has only two possible values, and pairs of flips never change it: if S requires
	// the other value, pairs of flips could reach no solution.
	if len(t.v) > 0 && 2*t.ones() != t.inst.M && t.ones() != t.wanted() {
		t.flip(t.y, 0)
		t.v[0] = -t.v[0]
		t.cost = t.energy(t.y)
	}
}

// ones counts the products that leave a remainder of 1 when divided by 4.
func (t *pppWalk) ones() int {
	n := 0
	for _, y := range t.y {
		if y&3 == 1 {
			n++
		}
	}
	return n
}

// wanted counts the numbers in S that leave a remainder of 1 when divided by 4.
func (t *pppWalk) wanted() int {
	n := 0
	for i := 1; i < len(t.inst.H); i += 4 {
		n += int(t.inst.H[i])
	}
	return n
}

func (t *pppWalk) multiply() {
	m := t.inst.M
	clear(t.y)
	for k, x := range t.v {
		for j, a := range t.cols[k*m:][:m] {
			t.y[j] += int32(a) * int32(x)
		}
	}
	t.cost = t.energy(t.y)
	t.made = false
}

// energy returns the cost of a vector with the products y.
func (t *pppWalk) energy(y []int32) int64 {
	return energyOf(y, append([]int32(nil), t.inst.H...))
}

// energyOf is the same with a copy of the numbers of rows that are wanted, which it changes.
func energyOf(y, left []int32) int64 {
	var f int64
	for _, x := range y {
		if x > 0 {
			left[x]--
		} else {
			f += -60 * int64(x)
		}
	}
	for _, d := range left {
		f += int64(max(d, -d))
	}
	return f
}

func (t *pppWalk) flip(y []int32, at int32) {
	m, w := t.inst.M, 2*int32(t.v[at])
	for j, a := range t.cols[int(at)*m:][:m] {
		y[j] -= w * int32(a)
	}
}

func (t *pppWalk) Delta(m Move) float64 {
	return float64(t.published(m) - t.cost)
}

func (t *pppWalk) Apply(m Move) {
	for _, at := range m.At[:m.arity()] {
		t.flip(t.y, at)
		t.v[at] = -t.v[at]
	}
	t.cost = t.energy(t.y)
	t.made = false
}

// evaluate sets how scans evaluate moves.
func (t *pppWalk) evaluate(linear bool) { t.linear = linear }

// published returns the energy after m, in m + n steps, by a histogram of the products.
func (t *pppWalk) published(m Move) int64 {
	s, ok := t.scratch.Get().(*[]int32)
	if !ok {
		s = &[]int32{}
	}
	defer t.scratch.Put(s)
	*s = append((*s)[:0], t.y...)
	for _, at := range m.At[:m.arity()] {
		t.flip(*s, at)
	}
	*s = append(*s, t.inst.H...)
	return energyOf((*s)[:len(t.y)], (*s)[len(t.y):])
}

func (t *pppWalk) prepare(_ int, w wave) {
	if !t.made && !t.linear {
		t.sets.sort(t, w)
		t.made = true
	}
}

func (t *pppWalk) steps(k int) int64 {
	if t.linear {
		return int64((k + 3) * t.inst.M)
	}
	if k == 0 {
		return int64(2 * t.sets.n)
	}
	return int64(k * (t.sets.row + 3*t.sets.n))
}

func (t *pppWalk) value(k int, _ int64, m Move) float64 {
	if t.linear {
		return float64(t.published(m) - t.cost)
	}
	c := &t.sets
	switch k {
	case 0:
		return float64(c.one(int(m.At[0])) - t.cost)
	case 1:
		return float64(c.two(int(m.At[0]), int(m.At[1])) - t.cost)
	}
	var p prefix
	p.make(c, int(m.At[0]), int(m.At[1]))
	return float64(c.three(&p, int(m.At[2]), make([]int32, c.n+6)) - t.cost)
}

func (t *pppWalk) scan(k int, w wave, allow func(Move, float64) bool) (choice, error) {
	if t.linear {
		return scanAll(k, t, w, allow)
	}
	t.prepare(k, w)
	c, nb, n := &t.sets, t.nbs[k], int64(t.inst.N)
	admit := func(best *choice, f int64, m Move) {
		if d := float64(f - t.cost); allow == nil || allow(m, d) {
			*best = choice{d, nb.Index(m)}
		}
	}
	least := func(best choice) int64 {
		if best.index < 0 {
			return 1<<63 - 1
		}
		return int64(best.delta) + t.cost
	}
	switch k {
	case 0:
		return w.run(n, 1, t.steps(k), func(lo, hi int64) choice {
			best := noChoice
			for i := lo; i < hi; i++ {
				if f := c.one(int(i)); f < least(best) {
					admit(&best, f, Move{At: [3]int32{int32(i), none, none}})
				}
			}
			return best
		})
	case 1:
		return w.run(n, n/2, n/2*t.steps(k), func(lo, hi int64) choice {
			best, limit := noChoice, int64(1<<63-1)
			for i := int(lo); i < int(hi); i++ {
				for j := i + 1; j < int(n); j++ {
					if f := c.two(i, j); f < limit {
						admit(&best, f, Move{At: [3]int32{int32(i), int32(j), none}})
						limit = least(best)
					}
				}
			}
			return best
		})
	}
	// Pair by pair: what depends on the first two flips is computed once.
	pairs := Pairs(n)
	return w.run(pairs, n/3, n/3*t.steps(k), func(lo, hi int64) choice {
		best, limit := noChoice, int64(1<<63-1)
		var p prefix
		h := make([]int32, c.n+6)
		m := pairMove(n, lo)
		for range hi - lo {
			i, j := m.At[0], m.At[1]
			p.make(c, int(i), int(j))
			for l := j + 1; l < int32(n); l++ {
				if f := c.three(&p, int(l), h); f < limit {
					admit(&best, f, Move{At: [3]int32{i, j, l}})
					limit = least(best)
				}
			}
			m = nextPair(int32(n), m)
		}
		return best
	})
}
