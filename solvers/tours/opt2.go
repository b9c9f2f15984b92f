package tours

// twoOpt looks for an exchange of two edges, or a move of the path of one to three cities that
// begins at t1 to a place between two other neighbours, that shortens the tour, and makes the first
// it finds, or the best if the settings say so.
//
// Both begin with the removal of an edge (a, t1) and the addition of (t1, c), c a neighbour: as
// the lists are sorted, the scan ends at the first c that is too far: from where on (t1, c) is not
// shorter than (a, t1) or, in the search for the best move that may also move paths, no longer
// shorter by more than the best gain so far.
func (s *Search) twoOpt(t1 int32) bool {
	r := s.ring
	near := s.arcs(t1, s.k)
	best, found := 0, move{}
	pairs := s.set.Pairs
	for dir, i := s.lead(t1), 0; i < 2; dir, i = -dir, i+1 {
		a := r.step(t1, dir)
		d1 := s.d(t1, a)
		for i := range near {
			g := d1 - int(near[i].dist)
			if g <= 0 || g <= best && !pairs {
				break
			}
			c := near[i].to
			x := r.step(c, dir)
			if g += s.d(c, x) - s.d(a, x); g > best {
				best, found = g, move{kind: exchange2, t1: a, t2: t1, t3: c, t4: x}
				if !s.set.Best {
					return s.do(best, &found)
				}
			}
		}
		if pairs {
			continue
		}
		// The path t1 .. e leads away from a; z is the next city after it.
		e := t1
		for l := 1; l <= 3; l++ {
			z := r.step(e, -dir)
			if z == a {
				break
			}
			loose := d1 + s.d(e, z) - s.d(a, z)
			for i := range near {
				g := loose - int(near[i].dist)
				if g <= best {
					break
				}
				c := near[i].to
				if c == a || s.onPath(t1, -dir, l, c) {
					continue
				}
				// t1 next to c; e next to x, on either side of c.
				x := r.step(c, dir)
				if h := g + s.d(c, x) - s.d(e, x); h > best && x != e {
					best, found = h, move{kind: exchange3, t1: a, t2: t1, t3: c, t4: x, t5: e, t6: z}
				}
				x = r.step(c, -dir)
				if h := g + s.d(c, x) - s.d(e, x); h > best && x != t1 {
					best, found = h, move{kind: swapParts, t1: a, t2: t1, t3: c, t4: x, t5: e, t6: z}
				}
				if best > 0 && !s.set.Best {
					return s.do(best, &found)
				}
			}
			e = z
		}
	}
	return best > 0 && s.do(best, &found)
}

// onPath tells whether c is one of the l cities from t on in the direction dir.
func (s *Search) onPath(t, dir int32, l int, c int32) bool {
	for range l {
		if t == c {
			return true
		}
		t = s.ring.step(t, dir)
	}
	return false
}

// do makes a move that shortens the tour by gain.
func (s *Search) do(gain int, m *move) bool {
	s.apply(m)
	s.gain += int64(gain)
	return true
}
