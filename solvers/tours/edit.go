package tours

// An Exchange is a change of two edges of a tour: (A, B) and (C, D) went, (B, C) and (D, A)
// came. B follows A in the direction in which C follows D.
type Exchange struct{ A, B, C, D int32 }

// Canonical makes all later work of the Search depend on the circle of cities alone: not on the
// direction in which the tour is stored, nor on which side of a move was reversed. It then tries
// the smaller of a city's two tour neighbours first. So workspaces that reached the same tour in
// different ways continue in the same way. This lets goroutines keep a copy of the tour each, and
// update it by [Search.Redo].
func (s *Search) Canonical() { s.canonical = true }

// lead is the direction in which moves from c are looked for first.
func (s *Search) lead(c int32) int32 {
	if s.canonical && s.ring.step(c, -1) < s.ring.step(c, 1) {
		return -1
	}
	return 1
}

// Step is the neighbour of city c on the tour in the direction dir, 1 or -1.
func (s *Search) Step(c, dir int32) int32 { return s.ring.step(c, dir) }

// Rank orders the cities along the tour from the city from on in the direction dir: that
// of from is 0, and of two others the one that comes first has the smaller rank. Ranks
// are not numbers of steps.
func (s *Search) Rank(from, c, dir int32) int32 {
	r := (s.ring.key(c) - s.ring.key(from)) * dir
	if r < 0 {
		r += s.ring.span
	}
	return r
}

// Begin starts to record changes, for Undo and Notes. Earlier changes cannot be undone.
func (s *Search) Begin() {
	s.ring.forget()
	s.ring.keep = true
	s.mark = s.gain
}

// Exchange makes a change, whether it is a gain or not, and marks the ends of its edges.
// The edges (a, b) and (c, d) must be there, and as [Exchange] says.
func (s *Search) Exchange(a, b, c, d int32) {
	s.gain += int64(s.d(a, b) + s.d(c, d) - s.d(b, c) - s.d(d, a))
	s.ring.exchange(a, b, c, d)
	s.Push(a)
	s.Push(b)
	s.Push(c)
	s.Push(d)
}

// Repair improves the tour from the marked cities, as Run does, but ends as soon as it is
// again the tour at Begin. It returns by how much the tour became longer since Begin.
func (s *Search) Repair(op Operator) int64 {
	s.repair(op, s.mark)
	return (s.mark - s.gain) / s.scale
}

// Undo undoes all changes since Begin, and ends the recording. No city is marked afterwards.
func (s *Search) Undo() {
	for s.head != s.tail {
		s.pop()
	}
	s.ring.keep = false
	s.ring.undo(0)
	s.gain = s.mark
}

// Notes appends the changes since Begin to log, in their order.
func (s *Search) Notes(log []Exchange) []Exchange {
	for _, e := range s.ring.log {
		log = append(log, Exchange{e.a, e.b, e.c, e.d})
	}
	return log
}

// End ends the recording; the changes stay.
func (s *Search) End() {
	s.ring.keep = false
	s.ring.forget()
}

// Gain is by how much the tour has become shorter since Load.
func (s *Search) Gain() int64 { return s.gain / s.scale }

// Redo makes changes that were recorded on another tour, all or none. It returns false, and leaves
// the tour as it was, if one does not fit: its edges are not in the tour, or are in an order that
// would break it into two circles. The changes gain the same on every tour.
func (s *Search) Redo(log []Exchange) bool {
	r := s.ring
	for i, e := range log {
		dir := int32(1)
		if r.step(e.A, 1) != e.B {
			dir = -1
		}
		if r.step(e.A, dir) != e.B || r.step(e.D, dir) != e.C {
			for i--; i >= 0; i-- {
				e = log[i]
				r.turn(e.B, e.C, e.D, e.A)
			}
			return false
		}
		r.turn(e.A, e.B, e.C, e.D)
	}
	return true
}
