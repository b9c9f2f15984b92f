package ants

import (
	"cmp"
	"slices"

	"metalab/solvers"
)

// Trace returns the tours of the last iteration by ant, in the instance's numbers;
// nil before the first one and after one that was given up.
func (c *colony) Trace() [][]int32 {
	if c.traced == 0 {
		return nil
	}
	out := make([][]int32, c.traced)
	for k := range out {
		out[k] = c.sp.ToInstance(c.tour(k))
	}
	return out
}

// Lengths returns the lengths of the tours that Trace returns.
func (c *colony) Lengths() []float64 {
	out := make([]float64, c.traced)
	for k := range out {
		out[k] = float64(c.lengths[k])
	}
	return out
}

// Counts implements solvers.Counter: each ant builds a tour in an iteration. What a local
// search tries is not counted.
func (c *colony) Counts() string { return "tours built" }

// Trails returns the strongest trails, at most limit, and how many there are. Edges that have
// no trail of their own are left out.
func (c *colony) Trails(limit int) ([]solvers.Trail, int) {
	if limit < 1 {
		return nil, 0
	}
	top := topTrails{limit: limit}
	t := c.t
	for i := range int32(c.n) {
		if t.full != nil {
			for j := range int32(c.n) {
				if i != j && (t.mirror == nil || i < j) {
					top.offer(i, j, t.full.tau[int(i)*c.n+int(j)])
				}
			}
			continue
		}
		for s := range t.k {
			at := int(i)*t.stride + s
			if t.mirror == nil || t.mirror[at] < 0 || i < t.id[at] {
				top.offer(i, t.id[at], t.tau[at])
			}
		}
	}
	if t.extra != nil {
		for _, g := range t.extra.list {
			if t.mirror == nil || g.from < g.to {
				top.offer(g.from, g.to, g.tau)
			}
		}
	}
	top.cut()
	for k := range top.list {
		e := &top.list[k]
		e.From, e.To = c.sp.Orig[e.From], c.sp.Orig[e.To]
	}
	return top.list, top.all
}

// topTrails keeps the strongest of what it is offered: it throws the others away when it holds
// twice as many as are wanted.
type topTrails struct {
	limit int
	list  []solvers.Trail
	all   int // that were offered
	least float32
}

func (t *topTrails) offer(i, j int32, v float32) {
	t.all++
	if v < t.least {
		return
	}
	t.list = append(t.list, solvers.Trail{From: i, To: j, Strength: v})
	if len(t.list) >= 2*t.limit+1024 {
		selectTop(t.list, t.limit)
		t.list = t.list[:t.limit]
		t.least = t.list[t.limit-1].Strength
	}
}

// cut sorts and shortens the list.
func (t *topTrails) cut() {
	if len(t.list) > t.limit {
		selectTop(t.list, t.limit)
		t.list = t.list[:t.limit]
	}
	slices.SortFunc(t.list, stronger)
}

// stronger orders trails, the strongest first. Equal ones come in an order that has nothing to
// do with where they lie, so that the first of them are from everywhere.
func stronger(a, b solvers.Trail) int {
	if a.Strength != b.Strength {
		return cmp.Compare(b.Strength, a.Strength)
	}
	return cmp.Or(cmp.Compare(scatter(a), scatter(b)), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
}

// scatter is a number that looks random, the same for a trail each time.
func scatter(t solvers.Trail) uint64 {
	h := (uint64(uint32(t.From))<<32 | uint64(uint32(t.To))) * 0x9e3779b97f4a7c15
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}

// selectTop moves the k strongest of more than k trails to the front, the weakest of them last
// of these.
func selectTop(list []solvers.Trail, k int) {
	lo, hi := 0, len(list)-1
	for at := k - 1; lo < hi; {
		mid := list[lo+(hi-lo)/2]
		i, j := lo, hi
		for i <= j {
			for stronger(list[i], mid) < 0 {
				i++
			}
			for stronger(mid, list[j]) < 0 {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case at <= j:
			hi = j
		case at >= i:
			lo = i
		default:
			return
		}
	}
}
