package ants

import (
	"slices"

	"metalab/solvers/arith"
)

// purposeFocus is the purpose of the draws of focused ants.
const purposeFocus = 3

// leastChanged is the smallest number of cities whose tour ants change.
const leastChanged = 8

// walk makes the changes of one ant to the worker's copy of the tour, records them, and undoes
// them.
func (f *focused) walk(ant, worker int) {
	if f.now.cut.Load() {
		return
	}
	if ant%16 == 0 && f.now.ctx.Err() != nil {
		f.now.cut.Store(true)
		return
	}
	r := &f.results[ant]
	r.change, r.accepted, r.log, r.came, r.gone = 0, false, r.log[:0], r.came[:0], r.gone[:0]
	r.hash = 0
	if f.n < leastChanged {
		return
	}
	w := f.work[worker]
	s := w.local
	draws := arith.NewStream(f.env.Seed, uint64(f.now.it), uint32(ant), purposeFocus)
	// This spreads the ants evenly over the instance, for cities are numbered along a curve.
	lo, hi := ant*f.n/f.ants, (ant+1)*f.n/f.ants
	at := int32(lo + draws.IntN(max(1, hi-lo)))
	limit := int64(0)
	if f.now.scale > 0 {
		limit = int64(-f.now.scale * arith.Log2(draws.Float64()))
	}
	s.Begin()
	for made, tries := 0, 0; made < f.minNew && tries < 8; tries++ {
		if f.change == changeRelocate {
			made += f.relocate(w, &at, &draws)
		} else {
			made += f.bridge(w, &at, &draws)
		}
	}
	r.change = s.Repair(f.op)
	r.hash = uint64(r.change)
	if r.change > max(limit, f.now.nearly) {
		s.Undo()
		return
	}
	r.accepted = r.change <= limit
	r.log = s.Notes(r.log)
	s.Undo()
	r.net()
	if len(r.came) == 0 {
		r.accepted = false
	}
	for _, e := range r.log {
		r.hash = arith.Chain(r.hash, uint64(e.A)<<32|uint64(e.B))
		r.hash = arith.Chain(r.hash, uint64(e.C)<<32|uint64(e.D))
	}
}

// net works out which edges the logged exchanges remove and add in all.
func (r *outcome) net() {
	for _, e := range r.log {
		r.gone = append(r.gone, pair(e.A, e.B), pair(e.C, e.D))
		r.came = append(r.came, pair(e.B, e.C), pair(e.D, e.A))
	}
	slices.Sort(r.gone)
	slices.Sort(r.came)
	i, j, a, b := 0, 0, 0, 0
	for i < len(r.gone) || j < len(r.came) {
		switch {
		case j == len(r.came) || i < len(r.gone) && r.gone[i] < r.came[j]:
			r.gone[a] = r.gone[i]
			a, i = a+1, i+1
		case i == len(r.gone) || r.came[j] < r.gone[i]:
			r.came[b] = r.came[j]
			b, j = b+1, j+1
		default:
			i, j = i+1, j+1
		}
	}
	r.gone, r.came = r.gone[:a], r.came[:b]
}

// pair is an edge as a number.
func pair(a, b int32) uint64 { return uint64(min(a, b))<<32 | uint64(max(a, b)) }

// draw draws, by weight, one of the neighbours of c that are not next to it on the tour and that ok
// allows; -1 if there is none.
func (f *focused) draw(w *changer, c int32, draws *arith.Stream, ok func(j int32) bool) int32 {
	s, t := w.local, f.t
	before, after := s.Step(c, -1), s.Step(c, 1)
	at := int(c) * t.k
	var sum float32
	ids := t.near.ID[at : at+t.k]
	for i, j := range ids {
		w.w[i] = 0
		if j != before && j != after && (ok == nil || ok(j)) {
			w.w[i] = t.weigh(at+i, f.now.it)
			sum += w.w[i]
		}
	}
	u := float32(arith.Unit32(draws.Uint32()) * sum)
	last := int32(-1)
	for i, x := range w.w[:len(ids)] {
		if x == 0 {
			continue
		}
		last = ids[i]
		if u -= x; u < 0 {
			break
		}
	}
	return last
}

// bridge makes a double bridge whose pieces begin at a city and end where trails lead.
func (f *focused) bridge(w *changer, at *int32, draws *arith.Stream) int {
	s := w.local
	a := *at
	dir := int32(1)
	if s.Step(a, -1) < s.Step(a, 1) {
		dir = -1
	}
	if draws.Uint32()&1 == 0 {
		dir = -dir
	}
	g := f.draw(w, a, draws, nil)
	if g < 0 {
		*at = s.Step(a, dir)
		return 0
	}
	// On the path from a: a b .. d e .. f g .. h i.
	b, e6 := s.Step(a, dir), s.Step(g, -dir)
	rf := s.Rank(a, e6, dir)
	rb := s.Rank(a, b, dir)
	h := g
	steps := 1 + draws.IntN(f.reach)
	for range steps {
		next := s.Step(h, dir)
		if next == a {
			break
		}
		h = next
		i := s.Step(h, dir)
		if i == a {
			break
		}
	}
	for range 8 {
		i := s.Step(h, dir)
		if i == a || h == a {
			break
		}
		e := f.draw(w, h, draws, func(j int32) bool {
			r := s.Rank(a, j, dir)
			return r > rb && r <= rf
		})
		if e >= 0 {
			d := s.Step(e, -dir)
			f6 := e6
			s.Exchange(a, b, i, h)
			s.Exchange(a, h, f6, g)
			s.Exchange(h, f6, d, e)
			s.Exchange(f6, d, i, b)
			*at = h
			return 4
		}
		h = i
	}
	*at = g
	return 0
}

// relocate puts a neighbour next to the city.
func (f *focused) relocate(w *changer, at *int32, draws *arith.Stream) int {
	s := w.local
	c := *at
	j := f.draw(w, c, draws, nil)
	dir := int32(1)
	if s.Step(c, -1) < s.Step(c, 1) {
		dir = -1
	}
	if draws.Uint32()&1 == 0 {
		dir = -dir
	}
	if j < 0 {
		*at = s.Step(c, dir)
		return 0
	}
	x, p, q := s.Step(c, dir), s.Step(j, -dir), s.Step(j, dir)
	*at = j
	if x == p || q == c {
		return 0
	}
	s.Exchange(c, x, q, j)
	s.Exchange(j, p, q, x)
	return 3
}
