package tours

// otherEnd is the step of extend at the other end of the path: it adds (t1, t3) and removes (t3,
// t4), t4 behind t3 on the path last .. t1, so that t4 is the path's end from then on. If the best
// such exchange gains more than the best of the m exchanges at the near end, it continues from that
// and returns true.
//
// K. T. Mak, A. J. Morton: A modified Lin-Kernighan traveling-salesman heuristic, Operations
// Research Letters 13, 1993, doi:10.1016/0167-6377(93)90018-C.
func (s *Search) otherEnd(level int, last int32, g, m int) bool {
	z, r := &s.chain, s.ring
	t1 := z.t1
	best := &z.steps[level][0]
	if m == 0 {
		best.key = minGain
	}
	runs := z.runs[level]
	near := s.arcs(t1, s.k)
	found, looks := false, 0
	gone1, gone2 := s.gone(t1)
	for i := range near {
		looks++
		g1 := g - int(near[i].dist)
		if g1 <= z.best {
			break
		}
		t3 := near[i].to
		if t3 == gone1 || t3 == gone2 {
			continue
		}
		r3 := (r.key(t3) - z.key2) * z.dir
		r3 += r.span & (r3 >> 31)
		q := &runs[find(runs, r3)]
		if r3 == q.lo+q.hi-z.first(q) { // the edge behind t3 is one that the chain has added
			continue
		}
		t4 := r.step(t3, -q.before)
		if t4 == t1 || t3 == last || s.fixed(t3, t4) {
			continue
		}
		open := g1 + s.d(t3, t4)
		key := open
		if z.home {
			key -= s.d(t4, last)
		}
		if key > best.key {
			*best, found = step{gain: open, key: key, t3: t3, t4: t4, r3: r3}, true
		}
	}
	s.work.Evaluated += int64(looks)
	if !found {
		return false
	}
	v := *best
	mv := &z.moves[level]
	mv.kind, mv.t1, mv.t2, mv.t3, mv.t4 = exchange2, last, t1, v.t3, v.t4
	if closed := v.gain - s.d(v.t4, last); closed > z.best {
		z.best, z.bestN = closed, level+1
	}
	if level+1 < z.depth {
		z.turnEnd(level, v.r3, s.rank(v.t4))
		z.t1 = v.t4
		s.extend(level+1, last, v.gain)
		z.t1 = t1
	}
	return true
}

// minGain is less than any gain.
const minGain = -1 << 62

// turnedBehind is turned for the runs behind the one of the number cut, of a path of m runs.
func (q run) turnedBehind(cut, m int32) run {
	z := (cut - q.ord) >> 31 // -1 if it is one of them
	q.before = q.before ^ z - z
	q.ord = q.ord ^ z + (cut+m+1)&z
	return q
}

// turnEnd writes to the next level the path with the part that begins at rank r4 reversed; r4
// follows r3 on the path and is in the same run.
func (z *chain) turnEnd(level int, r3, r4 int32) {
	src := z.runs[level]
	dst := z.runs[level+1][:len(src)+1]
	z.runs[level+1] = dst
	at := find(src, r3)
	cut, m := src[at].ord, int32(len(src))
	for j := range src[:at] {
		dst[j] = src[j].turnedBehind(cut, m)
	}
	for j := at + 1; j < len(src); j++ {
		dst[j+1] = src[j].turnedBehind(cut, m)
	}
	q := src[at]
	if r3 < r4 {
		dst[at] = run{q.lo, r3, q.before, cut}
		dst[at+1] = run{r4, q.hi, -q.before, m}
	} else {
		dst[at] = run{q.lo, r4, -q.before, m}
		dst[at+1] = run{r3, q.hi, q.before, cut}
	}
}
