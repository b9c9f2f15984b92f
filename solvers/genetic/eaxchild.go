package genetic

import (
	"math"

	"metalab/solvers/internal/assembly"
)

// make builds the child of the cycles in k.set: A with their edges of A replaced by those of B, and
// its subtours joined. Its neighbours are in k.adj until undo, and k.gain is its gain over A; 0: it
// is not shorter, and may still have subtours.
func (k *crossover) make() {
	if k.replace(); len(k.cuts) == 0 {
		return
	}
	k.segments()
	k.subtours()
	for left := len(k.size); left > 1; left-- {
		if !k.merge(left == 2) {
			k.gain = 0
			return
		}
	}
}

// replace replaces the edges, but for those that the cycles have of both A and B. Such an edge is
// one that both parents have. A new neighbour takes the place of the lost one.
func (k *crossover) replace() {
	k.child++
	k.touched, k.cuts, k.gain = k.touched[:0], k.cuts[:0], 0
	for _, c := range k.set {
		cycle := k.cycle(c)
		for i := 0; i < len(cycle); i += 2 {
			k.taken[k.placeOf(cycle[i], cycle[i+1])] = k.child
		}
	}
	for _, c := range k.set {
		cycle := k.cycle(c)
		for i := 1; i < len(cycle); i += 2 {
			at := k.placeOf(cycle[i], cycle[(i+1)%len(cycle)])
			if at >= 0 && k.taken[at] == k.child {
				k.stays[at] = k.child
			}
		}
	}
	for _, c := range k.set {
		cycle := k.cycle(c)
		for i, x := range cycle {
			lost, to := cycle[i^1], cycle[(i+len(cycle)-1)%len(cycle)]
			if i&1 == 1 {
				to = cycle[(i+1)%len(cycle)]
			}
			k.replaceEdge(x, lost, to, i&1 == 1)
		}
	}
}

// replaceEdge replaces the edge of A from city x to lost by that of B to the city to. If the first
// stays and the second is new, the city loses its other edge of A.
func (k *crossover) replaceEdge(x, lost, to int32, odd bool) {
	at := k.placeOf(x, lost)
	side := 0
	if at == k.pos[x] {
		side = 1
	}
	cut := k.stays[at] != k.child
	if cut {
		k.touch(x)
		if side == 1 {
			k.cuts = append(k.cuts, at)
			k.gain += k.d(x, lost)
		}
	} else {
		side = 1 - side
	}
	if at := k.placeOf(x, to); at >= 0 && k.stays[at] == k.child {
		return
	}
	k.touch(x)
	k.adj[x][side] = to
	if odd {
		k.gain -= k.d(x, to)
	}
}

// touch notes that a city has other neighbours than in A.
func (k *crossover) touch(c int32) {
	if k.stamp[c] != k.child {
		k.stamp[c] = k.child
		k.touched = append(k.touched, c)
	}
}

// undo gives the cities their neighbours in A again.
func (k *crossover) undo() {
	for _, c := range k.touched {
		k.adj[c] = [2]int32{k.before(c), k.behind(c)}
	}
}

// An exchange of the edges v-v2 and c-c2 for v-c and v2-c2 joins two subtours. Among equal gains
// the one with the smallest key counts: key is, in this order, the place of v, the rank of c among
// its neighbours, and on which side of c and of v the other city is.
type exchange struct {
	gain, key    int64
	v, v2, c, c2 int32
	to           int32 // the subtour of c
}

// merge joins the shortest subtour, of equal ones the first, to another one by the best exchange in
// which a city of the shortest gets a listed neighbour. It returns false for the last subtour if no
// such exchange leaves the child shorter than A, and then does nothing.
func (k *crossover) merge(last bool) bool {
	u := int32(-1)
	for id, size := range k.size {
		if size > 0 && (u < 0 || size < k.size[u]) {
			u = int32(id)
		}
	}
	x := exchange{gain: math.MinInt64, v: -1}
	if last {
		x = exchange{gain: 1 - k.gain, key: math.MaxInt64, v: -1}
	}
	seen := false // a listed neighbour is in another subtour
	for s := k.head[u]; s >= 0; s = k.next[s] {
		first, length := k.span(s)
		p := first
		for range length {
			seen = k.look(u, p, seen, &x) || seen
			if p++; p == k.n {
				p = 0
			}
		}
	}
	if x.v < 0 {
		if seen {
			return false
		}
		x = k.along(u)
		if last && k.gain+x.gain <= 0 {
			return false
		}
	}
	k.apply(&x)
	for s := k.head[u]; s >= 0; s = k.next[s] {
		k.sub[s] = x.to
	}
	k.next[k.tail[x.to]], k.tail[x.to] = k.head[u], k.tail[u]
	k.size[x.to] += k.size[u]
	k.size[u] = 0
	return true
}

// look evaluates the exchanges of the city at place p, of subtour u, and reports whether it has a
// listed neighbour elsewhere. By the triangle inequality none gains more than twice the city's
// edge, plus slack for rounding: with seen, look skips those that cannot be better.
func (k *crossover) look(u, p int32, seen bool, best *exchange) (any bool) {
	v := k.order[p]
	beside := k.adj[v]
	d := [2]int64{k.d(v, beside[0]), k.d(v, beside[1])}
	if seen && k.plane && 2*max(d[0], d[1])+assembly.Slack < best.gain {
		return false
	}
	dist := k.near.DistOf(v)
	for i, c := range k.near.Of(v) {
		to := k.sub[k.segmentOf(k.pos[c])]
		if to == u {
			continue
		}
		any = true
		for t, c2 := range k.adj[c] {
			e := k.d(c, c2) - int64(dist[i])
			for h, v2 := range beside {
				if d[h]+e < best.gain {
					continue
				}
				g := d[h] + e - k.d(v2, c2)
				key := ((int64(p)*int64(k.near.K)+int64(i))*2+int64(t))*2 + int64(h)
				if g > best.gain || g == best.gain && key < best.key {
					*best = exchange{gain: g, key: key, v: v, v2: v2, c: c, c2: c2, to: to}
				}
			}
		}
	}
	return any
}

// along is the exchange for a subtour whose cities have no listed neighbour elsewhere: between its
// first segment and the next one along A that is of another subtour.
func (k *crossover) along(u int32) exchange {
	s := k.head[u]
	for k.sub[s] == u {
		if s++; int(s) == len(k.sub) {
			s = 0
		}
	}
	first, _ := k.span(k.head[u])
	x := exchange{v: k.order[first], c: k.order[k.cuts[s]], to: k.sub[s]}
	x.v2, x.c2 = k.adj[x.v][0], k.adj[x.c][0]
	x.gain = k.d(x.v, x.v2) + k.d(x.c, x.c2) - k.d(x.v, x.c) - k.d(x.v2, x.c2)
	return x
}

// apply makes the exchange.
func (k *crossover) apply(x *exchange) {
	k.gain += x.gain
	for _, c := range [4]int32{x.v, x.c, x.v2, x.c2} {
		k.touch(c)
	}
	k.swap(x.v, x.v2, x.c)
	k.swap(x.c, x.c2, x.v)
	k.swap(x.v2, x.v, x.c2)
	k.swap(x.c2, x.c, x.v2)
}

// swap makes to a neighbour of c in place of from.
func (k *crossover) swap(c, from, to int32) {
	if k.adj[c][0] == from {
		k.adj[c][0] = to
	} else {
		k.adj[c][1] = to
	}
}

// changes lists the edges of A that the child lacks, and those that are new in it.
func (k *crossover) changes(cut, gained [][2]int32) (c, g [][2]int32) {
	for _, x := range k.touched {
		before, behind, now := k.before(x), k.behind(x), k.adj[x]
		if now[0] != behind && now[1] != behind {
			cut = append(cut, [2]int32{x, behind})
		}
		for _, y := range now {
			if x < y && y != before && y != behind {
				gained = append(gained, [2]int32{x, y})
			}
		}
	}
	return cut, gained
}
