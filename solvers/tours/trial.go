package tours

import "metalab/solvers/arith"

// Trial applies one kick near the city at, repairs the tour with the operator from the ends of the
// edges that the kick changed, and undoes everything if the tour has become longer by more than
// limit (0: it accepts ties; below 0: only a gain of at least -limit). It returns the change of the
// tour's length, 0 if everything was undone, and whether it accepted the repaired tour. The queue
// is empty before and after.
//
// Its cost does not grow with the number of cities, except for the exchanges: O(sqrt n) each in a
// two-level list. A tour of fewer than eight cities is not changed.
func (s *Search) Trial(
	op Operator, k Kick, at int32, size int, limit int64, r *arith.Stream,
) (change int64, kept bool) {
	if s.sp.N < 8 {
		return 0, false
	}
	s.ring.keep = true
	before := s.gain
	s.gain += int64(s.kick(k, at, size, r))
	s.repair(op, before)
	s.ring.keep = false
	change = (before - s.gain) / s.scale
	lost := s.sp.partners != nil && change > fixedGain/2 // a fixed edge
	if change > limit || lost || s.mate != nil && !s.ring.restored() && !s.paired() {
		s.ring.undo(0)
		s.gain = before
		return 0, false
	}
	s.ring.forget()
	return change, true
}

// repair is Run, but ends as soon as the tour is again the one that had the gain before. Most kicks
// end in this way. The cities that are still dirty were looked at in this tour earlier, and looking
// again would be most of such a kick's cost.
func (s *Search) repair(op Operator, before int64) {
	for s.head != s.tail {
		c := s.pop()
		if s.ended() {
			continue // the queue is empty afterwards
		}
		for s.improve(op, c) {
			if s.gain == before && s.ring.restored() {
				for s.head != s.tail {
					s.pop()
				}
				return
			}
			if s.set.Once {
				break
			}
		}
	}
}

// Hunt draws so many cities, at least one, and returns the one whose tour edge onwards costs most
// above its cheapest listed edge, of equal ones the first: kicks there find most, as long as long
// edges are left. (Concorde's linkern of D. Applegate, R. Bixby, V. Chvatal and W. Cook hunts so.)
func (s *Search) Hunt(draws int, r *arith.Stream) int32 {
	return s.HuntIn(0, int32(s.sp.N), draws, r)
}

// HuntIn is Hunt among the cities from lo to hi-1.
func (s *Search) HuntIn(lo, hi int32, draws int, r *arith.Stream) int32 {
	draw := func() int32 { return lo + int32(r.IntN(int(hi-lo))) }
	at, most := draw(), minGain
	if draws <= 1 || s.k == 0 {
		return at
	}
	for c := at; ; c = draw() {
		next := s.ring.step(c, 1)
		over := s.d(c, next) - int(s.arc[int(c)*s.k].dist)
		if s.sp.partners != nil && s.arc[int(c)*s.k].dist < 0 {
			over = s.d(c, next) // its nearest is at a fixed edge, which costs next to nothing
		}
		if over > most && !s.fixed(c, next) {
			at, most = c, over
		}
		if draws--; draws == 0 {
			return at
		}
	}
}
