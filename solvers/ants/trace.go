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

// Trails returns the strongest trails, at most limit. Edges that have no trail of
// their own are left out.
func (c *colony) Trails(limit int) []solvers.Trail {
	if limit < 1 {
		return nil
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
	return top.list
}

// topTrails keeps the strongest of what it is offered: it sorts when it holds twice as
// many as are wanted.
type topTrails struct {
	limit int
	list  []solvers.Trail
	least float32
}

func (t *topTrails) offer(i, j int32, v float32) {
	if v < t.least {
		return
	}
	t.list = append(t.list, solvers.Trail{From: i, To: j, Strength: v})
	if len(t.list) >= 2*t.limit+1024 {
		t.cut()
		t.least = t.list[len(t.list)-1].Strength
	}
}

// cut sorts and shortens the list.
func (t *topTrails) cut() {
	slices.SortFunc(t.list, func(a, b solvers.Trail) int {
		return cmp.Or(cmp.Compare(b.Strength, a.Strength), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	t.list = t.list[:min(len(t.list), t.limit)]
}
