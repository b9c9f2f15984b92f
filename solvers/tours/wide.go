package tours

// wideBreadth is how many of the most promising exchanges the wide step tries at each level.
var wideBreadth = [3]int{4, 3, 3}

// alt is an exchange that the wide step may make next: the edge (a, b) goes.
type alt struct {
	gain   int // of the open path after it
	a, b   int32
	ra, rb int32 // ranks
	kind   kind
}

// alts are the most promising exchanges of a level, best first, of equal ones the first found.
type alts struct {
	list [MaxBreadth]alt
	n    int
}

func (l *alts) add(width int, v alt) {
	if l.n == width {
		if v.gain <= l.list[l.n-1].gain {
			return
		}
		l.n--
	}
	j := l.n
	for ; j > 0 && l.list[j-1].gain < v.gain; j-- {
		l.list[j] = l.list[j-1]
	}
	l.list[j] = v
	l.n++
}

// wideStep does more of what farSide does; see Settings.Wide. With t4 after t3 on the path, the
// edge (t2, t3) closes a circle t2 .. t3. It is opened again either by t5 on it, with t6 on either
// side, or, if t5 is on the path t4 .. t1, with t6 before it, by t7 on the circle, with t8 on
// either side.
func (s *Search) wideStep(t2 int32, d12 int) {
	z, r := &s.chain, s.ring
	var first alts
	after, least := r.step(t2, z.dir), s.least()
	near := s.arcs(t2, s.k)
	for i := range near {
		s.work.Evaluated++
		g := d12 - int(near[i].dist)
		if g < least {
			break
		}
		t3 := near[i].to
		if t3 == z.t1 || t3 == after {
			continue
		}
		t4 := r.step(t3, z.dir)
		if s.fixed(t3, t4) {
			continue
		}
		first.add(wideBreadth[0], alt{gain: g + s.d(t3, t4), a: t3, b: t4})
	}
	for i := range first.list[:first.n] {
		v := &first.list[i]
		if s.circle(t2, v.a, v.b, v.gain); z.bestN > 0 {
			return
		}
	}
}

// least is the smallest gain with which a chain goes on at the levels that try several exchanges.
func (s *Search) least() int {
	if s.set.Even {
		return 0
	}
	return 1
}

// circle tries the exchanges that open the circle t2 .. t3; g1 is the gain without (t3, t4).
func (s *Search) circle(t2, t3, t4 int32, g1 int) {
	z, r := &s.chain, s.ring
	last, least := z.runs[0][0].hi, s.least()
	r3, r4 := s.rank(t3), s.rank(t4)
	after := none
	if t4 != z.t1 {
		after = r.step(t4, z.dir)
	}
	var second alts
	near := s.arcs(t4, s.k)
	for i := range near {
		s.work.Evaluated++
		g := g1 - int(near[i].dist)
		if g < least {
			break
		}
		t5 := near[i].to
		r5 := s.rank(t5)
		if r5 < r3 {
			// of a circle of two cities no edge is left to remove
			if t6 := r.step(t5, z.dir); (t5 != t2 || t6 != t3) && !s.fixed(t5, t6) {
				second.add(wideBreadth[1], alt{g + s.d(t5, t6), t5, t6, r5, s.rank(t6), swapParts})
			}
			if t6 := r.step(t5, -z.dir); r5 > 0 && !s.fixed(t5, t6) {
				second.add(wideBreadth[1], alt{g + s.d(t5, t6), t5, t6, r5, s.rank(t6), turnParts})
			}
		} else if r5 > r4 && t5 != after {
			if t6 := r.step(t5, -z.dir); !s.fixed(t5, t6) {
				second.add(wideBreadth[1], alt{g + s.d(t5, t6), t5, t6, r5, s.rank(t6), fourBack})
			}
		}
	}
	for i := range second.list[:second.n] {
		v := &second.list[i]
		z.moves[0] = move{kind: v.kind, t1: z.t1, t2: t2, t3: t3, t4: t4, t5: v.a, t6: v.b}
		switch v.kind {
		case swapParts:
			z.runs[2] = append(
				z.runs[2][:0], z.onward(0, v.ra, 1), z.onward(v.rb, r3, 0), z.onward(r4, last, 2),
			)
		case turnParts:
			z.runs[2] = append(
				z.runs[2][:0], z.backward(0, v.rb, 0), z.backward(v.ra, r3, 1), z.onward(r4, last, 2),
			)
		default:
			if s.fourth(r3, r4, v); z.bestN > 0 {
				return
			}
			continue
		}
		z.moves[1].kind = done2
		if s.goOn(2, v.b, v.gain); z.bestN > 0 {
			return
		}
	}
}

// fourth tries the exchanges that open the circle after (t5, t6) went, which are both beyond it;
// r3 and r4 are ranks.
func (s *Search) fourth(r3, r4 int32, v *alt) {
	z, r := &s.chain, s.ring
	m, last, least := z.moves[0], z.runs[0][0].hi, s.least()
	var third alts
	near := s.arcs(v.b, s.k)
	for i := range near {
		s.work.Evaluated++
		g := v.gain - int(near[i].dist)
		if g < least {
			break
		}
		t7 := near[i].to
		r7 := s.rank(t7)
		if r7 < r3 {
			if t8 := r.step(t7, z.dir); !s.fixed(t7, t8) {
				third.add(wideBreadth[2], alt{g + s.d(t7, t8), t7, t8, r7, s.rank(t8), fourOn})
			}
		}
		if r7 > 0 && r7 <= r3 {
			if t8 := r.step(t7, -z.dir); !s.fixed(t7, t8) {
				third.add(wideBreadth[2], alt{g + s.d(t7, t8), t7, t8, r7, s.rank(t8), fourBack})
			}
		}
	}
	for i := range third.list[:third.n] {
		w := &third.list[i]
		m.kind, m.t7, m.t8 = w.kind, w.a, w.b
		z.moves[0] = m
		z.moves[1].kind, z.moves[2].kind = done2, done2
		if w.kind == fourOn {
			z.runs[3] = append(z.runs[3][:0], z.onward(0, w.ra, 1), z.onward(w.rb, r3, 0))
		} else {
			z.runs[3] = append(z.runs[3][:0], z.backward(0, w.rb, 0), z.backward(w.ra, r3, 1))
		}
		z.runs[3] = append(z.runs[3], z.backward(r4, v.rb, 2), z.onward(v.ra, last, 3))
		if s.goOn(3, w.b, w.gain); z.bestN > 0 {
			return
		}
	}
}

// goOn closes the path that ends at t after level exchanges, and continues from there.
func (s *Search) goOn(level int, t int32, open int) {
	z := &s.chain
	if closed := open - s.d(t, z.t1); closed > z.best {
		z.best, z.bestN = closed, level
	}
	if z.depth > level {
		s.extend(level, t, open)
	}
}
