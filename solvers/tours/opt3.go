package tours

// threeOpt looks for the best exchange of two or three edges that removes the tour edge from t1 in
// one direction, or else in the other, and makes it; without Settings.Best, it takes the best for
// the first t3 that has one.
//
// When (t1, t2) and (t3, t4) are removed, there are these cases by the positions on the path t2 ..
// t1: with t4 before t3 the tour can be closed at once, or continue from any t5 with one t6; with
// t4 after t3, t5 must be before t3, and t6 may be on either side of t5. Seen from all choices of
// t1 and its direction these are all reconnections of three edges.
func (s *Search) threeOpt(t1 int32) bool {
	r, z := s.ring, &s.chain
	for dir, i := s.lead(t1), 0; i < 2; dir, i = -dir, i+1 {
		t2 := r.step(t1, dir)
		z.key2, z.dir = r.key(t2), dir
		d12 := s.d(t1, t2)
		after2 := r.step(t2, dir)
		best, found := 0, move{}
		near3 := s.arcs(t2, s.k)
		for i := range near3 {
			g1 := d12 - int(near3[i].dist)
			if g1 <= best && (g1 <= 0 || s.set.Best) || best > 0 && !s.set.Best {
				break
			}
			t3 := near3[i].to
			if t3 == after2 || t3 == t1 {
				continue
			}
			m := move{t1: t1, t2: t2, t3: t3}
			best = s.nearSide(&m, g1, best, &found)
			best = s.threeFar(&m, g1, best, &found)
		}
		if best > 0 {
			return s.do(best, &found)
		}
	}
	return false
}

// nearSide is threeOpt with t4 before t3.
func (s *Search) nearSide(m *move, g1, best int, found *move) int {
	r, z := s.ring, &s.chain
	t3, r3 := m.t3, s.rank(m.t3)
	t4 := r.step(t3, -z.dir)
	g := g1 + s.d(t3, t4)
	m.t4 = t4
	if closed := g - s.d(t4, m.t1); closed > best {
		best, *found = closed, *m
		found.kind = exchange2
	}
	near5 := s.arcs(t4, s.k)
	for j := range near5 {
		g2 := g - int(near5[j].dist)
		if g2 <= best {
			break
		}
		t5 := near5[j].to
		side := -z.dir
		if s.rank(t5) < r3 {
			side = z.dir
		}
		t6 := r.step(t5, side)
		if t6 == t4 || t5 == m.t3 || t5 == m.t1 {
			continue
		}
		if closed := g2 + s.d(t5, t6) - s.d(t6, m.t1); closed > best {
			best, *found = closed, *m
			found.kind, found.t5, found.t6 = exchange3, t5, t6
		}
	}
	return best
}

// threeFar is threeOpt with t4 after t3.
func (s *Search) threeFar(m *move, g1, best int, found *move) int {
	r, z := s.ring, &s.chain
	t3, r3 := m.t3, s.rank(m.t3)
	t4 := r.step(t3, z.dir)
	g := g1 + s.d(t3, t4)
	m.t4 = t4
	near5 := s.arcs(t4, s.k)
	for j := range near5 {
		g2 := g - int(near5[j].dist)
		if g2 <= best {
			break
		}
		t5 := near5[j].to
		if s.rank(t5) >= r3 {
			continue
		}
		t6 := r.step(t5, z.dir)
		if closed := g2 + s.d(t5, t6) - s.d(t6, m.t1); closed > best {
			best, *found = closed, *m
			found.kind, found.t5, found.t6 = swapParts, t5, t6
		}
		if t5 == m.t2 {
			continue
		}
		t6 = r.step(t5, -z.dir)
		if closed := g2 + s.d(t5, t6) - s.d(t6, m.t1); closed > best {
			best, *found = closed, *m
			found.kind, found.t5, found.t6 = turnParts, t5, t6
		}
	}
	return best
}
