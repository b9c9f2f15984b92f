package genetic

import (
	"metalab/solvers/arith"
	"metalab/solvers/internal/assembly"
)

// take removes a random edge of one parent (0: A, 1: B) from city c and returns its other end.
func (k *crossover) take(c int32, of int, r *arith.Stream) int32 {
	l := &k.left[c][of]
	at := 0
	if l[1] >= 0 {
		if k.toss == 0 {
			k.coins, k.toss = r.Uint32(), 32
		}
		at = int(k.coins & 1)
		k.coins >>= 1
		k.toss--
	}
	d := l[at]
	l[0], l[1] = l[1-at], -1
	m := &k.left[d][of]
	if m[0] == c {
		m[0] = m[1]
	}
	m[1] = -1
	return d
}

// open finds the edges that are to be in cycles: those that only one parent has, and those of short
// ways that both have, once of each.
func (k *crossover) open() {
	for c := range k.n {
		k.left[c] = [2][2]int32{only(k.adj[c], k.b[c]), only(k.b[c], k.adj[c])}
	}
	k.live = k.live[:0]
	for c := range k.n {
		if k.left[c][0][0] >= 0 {
			k.live = append(k.live, c)
		}
	}
	for _, c := range k.live {
		if k.common(c, k.behind(c)) {
			k.bridge(c)
		}
	}
	k.live = k.live[:0]
	for c := range k.n {
		if k.left[c][0][0] >= 0 {
			k.live = append(k.live, c)
		}
	}
}

// common tells whether B has an edge.
func (k *crossover) common(c, d int32) bool { return k.b[c][0] == d || k.b[c][1] == d }

// bridge keeps the edges of the way behind city c that both parents have, if there are no more than
// assembly.Bridge of them.
func (k *crossover) bridge(c int32) {
	steps, end := 0, c
	for at := k.pos[c]; ; {
		if steps++; steps > assembly.Bridge {
			return
		}
		if at++; at == k.n {
			at = 0
		}
		if end = k.order[at]; k.left[end][0][0] >= 0 {
			break
		}
	}
	for d := end; d != c; {
		e := k.before(d)
		for of := range 2 {
			k.keep(d, of, e)
			k.keep(e, of, d)
		}
		d = e
	}
}

// keep adds an edge of a parent to those left at city c.
func (k *crossover) keep(c int32, of int, d int32) {
	l := &k.left[c][of]
	if l[0] < 0 {
		l[0] = d
	} else {
		l[1] = d
	}
}

// split divides the edges into cycles that alternate between edges of A and B. From a city that has
// any, the first at or behind a random one of those that had, it walks always along a random edge
// that is left, and cuts a cycle off as soon as the way's end closes one. It ends when it has as
// many as most. Cycles that change nothing do not count, nor those of more entries than longest.
func (k *crossover) split(r *arith.Stream, most, longest int) {
	k.open()
	k.cycles, k.start, k.toss = k.cycles[:0], append(k.start[:0], 0), 0
	for all := len(k.live); all > 0 && len(k.start)-1 < most; {
		at, steps := r.IntN(all), 0
		for ; steps < all && k.left[k.live[at]][0][0] < 0; steps++ {
			if at++; at == all {
				at = 0
			}
		}
		if steps == all {
			return
		}
		k.walk(k.live[at], r, most, longest)
	}
}

// only returns those of two cities that are not among two others, then -1.
func only(of, others [2]int32) [2]int32 {
	out, at := [2]int32{-1, -1}, 0
	for _, d := range of {
		if d != others[0] && d != others[1] {
			out[at] = d
			at++
		}
	}
	return out
}

// void tells whether a cycle changes nothing: both parents have all its edges. As these lie on
// ways, it goes along each once there and once back.
func (k *crossover) void(cycle []int32) bool {
	for i, x := range cycle {
		y := cycle[(i+1)%len(cycle)]
		if i&1 == 0 && !k.common(x, y) || i&1 == 1 && k.placeOf(x, y) < 0 {
			return false
		}
	}
	return true
}

// walk goes from city c until it is back and the way is used up, or there are most cycles.
func (k *crossover) walk(c int32, r *arith.Stream, most, longest int) {
	k.path = append(k.path[:0], c)
	k.place[c][0] = 1
	for {
		last := len(k.path) - 1
		v := k.take(k.path[last], last&1, r)
		last++
		from := int(k.place[v][last&1])
		if from == 0 {
			k.place[v][last&1] = int32(last + 1)
			k.path = append(k.path, v)
			continue
		}
		from-- // the cycle is path[from:], and v again
		for i := from + 1; i < last; i++ {
			k.place[k.path[i]][i&1] = 0
		}
		if from&1 == 0 {
			k.cycles = append(k.cycles, k.path[from:]...)
		} else {
			k.cycles = append(append(k.cycles, k.path[from+1:]...), v)
		}
		begin := k.start[len(k.start)-1]
		if made := k.cycles[begin:]; len(made) > longest || k.void(made) {
			k.cycles = k.cycles[:begin]
		} else {
			k.start = append(k.start, int32(len(k.cycles)))
		}
		k.path = k.path[:from+1]
		if from == 0 || len(k.start)-1 == most {
			for i, x := range k.path {
				k.place[x][i&1] = 0
			}
			return
		}
	}
}
