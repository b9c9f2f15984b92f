package genetic

import "metalab/solvers/arith"

// take removes a random edge of one parent (0: A, 1: B) from city c and returns its other end.
func (k *mate) take(c int32, of int, r *arith.Stream) int32 {
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

// split takes the edges that the parents do not share apart into cycles whose edges are of A and B
// in turn. From each city, beginning with a random one, it walks always along a random edge that
// is left, and cuts a cycle off as soon as the way's end closes one.
func (k *mate) split(r *arith.Stream) {
	for c := range k.n {
		k.left[c] = [2][2]int32{only(k.adj[c], k.b[c]), only(k.b[c], k.adj[c])}
	}
	k.cycles, k.start, k.toss = k.cycles[:0], append(k.start[:0], 0), 0
	c := int32(r.IntN(int(k.n)))
	for range k.n {
		for k.left[c][0][0] >= 0 {
			k.walk(c, r)
		}
		if c++; c == k.n {
			c = 0
		}
	}
}

// only are those of two cities that are not among two others, then -1.
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

// walk goes from city c until it is back and the way is used up.
func (k *mate) walk(c int32, r *arith.Stream) {
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
		k.start = append(k.start, int32(len(k.cycles)))
		k.path = k.path[:from+1]
		if from == 0 {
			k.place[c][0] = 0
			return
		}
	}
}
