package moves

import (
	"fmt"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// cutWalk is a vector of bits with the change of the cost by the flip of each, so that a flip costs
// a look-up, and two flips a search among the neighbours more. A move updates the entries of the
// neighbours of the vertices that it flips.
type cutWalk struct {
	inst *datasets.Cut
	x    []int8  // 0 and 1
	loss []int32 // by how much a flip makes the cost grow
	step int32   // of a coupling of 1, on the entries of a flipped vertex's neighbours
	cost int64
	nbs  []Neighbourhood

	first, near, weight []int32

	ban ban // of the next scan; see ownWalk
}

func newCutWalk(c *datasets.Cut) (*cutWalk, error) {
	nbs, err := neighbourhoods(c)
	if err != nil {
		return nil, err
	}
	t := &cutWalk{
		inst: c, x: make([]int8, c.N), loss: make([]int32, c.N), step: c.Step(), nbs: nbs,
	}
	t.first, t.near, t.weight = c.Rows()
	return t, nil
}

func (t *cutWalk) Neighbourhoods() []Neighbourhood { return t.nbs }
func (t *cutWalk) Cost() float64                   { return float64(t.cost) }
func (t *cutWalk) Solution() record.Solution {
	return record.Solution{Bits: append([]int8(nil), t.x...)}
}
func (t *cutWalk) Hash() uint64         { return hashBits(t.x) }
func (t *cutWalk) entry(at int32) int32 { return int32(t.x[at]) }
func (t *cutWalk) prepare(int, wave)    {}
func (t *cutWalk) steps(k int) int64    { return int64(1 + 8*k) }

func (t *cutWalk) Load(s record.Solution) error {
	cost, err := t.inst.Cost(s.Bits)
	if err != nil {
		return fmt.Errorf("moves: %w", err)
	}
	copy(t.x, s.Bits)
	t.set(cost)
	return nil
}

func (t *cutWalk) Random(draws *arith.Stream) {
	var word uint32
	for v := range t.x {
		if v%32 == 0 {
			word = draws.Uint32()
		}
		t.x[v] = int8(word & 1)
		word >>= 1
	}
	cost, _ := t.inst.Cost(t.x) // cannot fail: bits
	t.set(cost)
}

func (t *cutWalk) set(cost int64) {
	t.cost = cost
	for v := range t.x {
		t.loss[v] = int32(t.inst.Loss(t.x, v))
	}
}

// pair is by how much the flips of u and v together make the cost grow more than each alone.
func (t *cutWalk) pair(u, v int32) int64 {
	w := int64(t.step) * int64(t.inst.Coupling(int(u), int(v)))
	if t.x[u] == t.x[v] {
		return w
	}
	return -w
}

func (t *cutWalk) delta(m Move) int64 {
	i, j, k := m.At[0], m.At[1], m.At[2]
	d := int64(t.loss[i])
	if j == none {
		return d
	}
	d += int64(t.loss[j]) + t.pair(i, j)
	if k == none {
		return d
	}
	return d + int64(t.loss[k]) + t.pair(i, k) + t.pair(j, k)
}

func (t *cutWalk) Delta(m Move) float64 { return float64(t.delta(m)) }

func (t *cutWalk) value(_ int, _ int64, m Move) float64 { return float64(t.delta(m)) }

func (t *cutWalk) Apply(m Move) {
	for _, v := range m.At[:m.arity()] {
		t.flip(v)
	}
}

func (t *cutWalk) flip(v int32) {
	t.cost += int64(t.loss[v])
	t.loss[v] = -t.loss[v]
	is := 1 - t.x[v]
	t.x[v] = is
	lo, hi := t.first[v], t.first[v+1]
	near, weight := t.near[lo:hi], t.weight[lo:hi]
	weight = weight[:len(near)]
	for i, u := range near {
		// -1 where u is now as v is, else 1.
		sign := 2*int32(is^t.x[u]) - 1
		t.loss[u] += sign * t.step * weight[i]
	}
}

func (t *cutWalk) scan(k int, w wave, allow func(Move, float64) bool) (choice, error) {
	if k > 0 {
		return scanAll(k, t, w, allow)
	}
	return w.run(int64(len(t.loss)), 1, t.steps(0), func(lo, hi int64) choice {
		if t.ban.until != nil {
			return t.banned(lo, hi)
		}
		best, limit := noChoice, int32(0)
		for i, d := range t.loss[lo:hi] {
			if d >= limit && best.index >= 0 {
				continue
			}
			v := lo + int64(i)
			if allow == nil || allow(Move{At: [3]int32{int32(v), none, none}}, float64(d)) {
				best, limit = choice{float64(d), v}, d
			}
		}
		return best
	})
}

// banned is a scan of flips by the rule of t.ban.
func (t *cutWalk) banned(lo, hi int64) choice {
	at, limit := int64(-1), int64(1<<31)
	until, clock, hope := t.ban.until[lo:hi], t.ban.clock, t.ban.hope
	for i, d := range t.loss[lo:hi] {
		if d := int64(d); d < limit && (until[i] < clock || float64(d) < hope) {
			at, limit = lo+int64(i), d
		}
	}
	if at < 0 {
		return noChoice
	}
	return choice{float64(limit), at}
}
