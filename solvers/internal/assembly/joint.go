package assembly

import "math"

// merge joins the shortest subtour to another one by the best exchange of an edge of each for two
// that join them, one of which leads from a city of the shortest to a listed neighbour. If it is
// the last one and cannot make the child shorter than A, merge returns useless and leaves the
// subtours as they are.
func (k *assembler) merge(last bool) (useless bool) {
	u := int32(-1)
	for id, size := range k.size {
		if size > 0 && (u < 0 || size < k.size[u]) {
			u = int32(id)
		}
	}
	// Only exchanges with a gain above best count. By the triangle inequality none gains more than
	// twice the edge of the shortest subtour, nor than twice what both edges are longer than the way
	// between them, and Slack for the rounding of distances.
	j := joint{gain: math.MinInt64 / 2}
	if last && k.plane {
		j.gain = -k.child.gain
	}
	if k.far = k.reach > 0 && k.size[u] > 2*k.reach; !k.far {
		k.inside(u)
	}
	for s := k.head[u]; s >= 0; s = k.next[s] {
		p, length := k.span(s)
		k.low, k.high = p, p+length
		if k.far && length > 2*k.reach {
			k.joints(u, p, k.reach, &j)
			p, length = k.cuts[s]-k.reach+1, k.reach
			if p < 0 {
				p += int32(k.n)
			}
		}
		k.joints(u, p, length, &j)
	}
	if !j.found && last && k.plane {
		return true
	}
	v, v2, c, c2, best := j.v, j.v2, j.c, j.c2, j.gain
	if !j.found { // no neighbour is elsewhere: along A to the next segment that is
		v, c = k.ahead(u)
		v2, c2 = k.a[v][0], k.a[c][0]
		best = k.d(v, v2) + k.d(c, c2) - k.d(v, c) - k.d(v2, c2)
	}
	to := k.sub[k.segmentOf(k.pos[c])]
	k.exchange(v, v2, c, c2)
	k.child.gain += best
	for s := k.head[u]; s >= 0; s = k.next[s] {
		k.sub[s] = to
	}
	k.next[k.tail[to]], k.tail[to] = k.head[u], k.tail[u]
	k.size[to] += k.size[u]
	k.size[u] = 0
	return false
}

// joint is an exchange of the edges v-v2, of a subtour, and c-c2, of another, for v-c and v2-c2.
type joint struct {
	found        bool
	gain         int64
	v, v2, c, c2 int32
}

// joints looks for a better joint at some cities of subtour u, those from place p on.
func (k *assembler) joints(u, p, length int32, j *joint) {
	best := j.gain
	for range length {
		a := k.order[p]
		if p++; int(p) == k.n {
			p = 0
		}
		adj := k.a[a]
		d0, d1 := int64(k.al[a][0]), int64(k.al[a][1])
		long := max(d0, d1)
		if k.plane && 2*long+Slack <= best {
			continue
		}
		dist := k.near.DistOf(a)
		for i, b := range k.near.Of(a) {
			if k.has(u, b) {
				continue
			}
			w := int64(dist[i])
			for side, b2 := range k.a[b] {
				e := int64(k.al[b][side])
				if k.plane && 2*(long+e-w)+Slack <= best {
					continue
				}
				if g := e - w; long+g > best {
					if g := d0 + g - k.d(adj[0], b2); g > best {
						best = g
						*j = joint{true, g, a, adj[0], b, b2}
					}
					if g := d1 + g - k.d(adj[1], b2); g > best {
						best = g
						*j = joint{true, g, a, adj[1], b, b2}
					}
				}
				if g := e - k.d(a, b2); long+g > best {
					if g := d0 + g - k.d(adj[0], b); g > best {
						best = g
						*j = joint{true, g, a, adj[0], b2, b}
					}
					if g := d1 + g - k.d(adj[1], b); g > best {
						best = g
						*j = joint{true, g, a, adj[1], b2, b}
					}
				}
			}
		}
	}
}

// has tells whether city b is of subtour u, the one that is joined.
func (k *assembler) has(u, b int32) bool {
	if !k.far {
		return k.within[b] == k.turn
	}
	p := k.pos[b]
	return p >= k.low && p < k.high || k.sub[k.segmentOf(p)] == u
}

// ahead is the first city of a subtour's first segment, and the last city of the next segment along
// A that is of another subtour.
func (k *assembler) ahead(u int32) (first, other int32) {
	s := k.head[u]
	for k.sub[s] == u {
		if s++; int(s) == len(k.sub) {
			s = 0
		}
	}
	at, _ := k.span(k.head[u])
	return k.order[at], k.order[k.cuts[s]]
}

// inside marks the cities of a subtour.
func (k *assembler) inside(u int32) {
	k.turn++
	for s := k.head[u]; s >= 0; s = k.next[s] {
		p, length := k.span(s)
		for range length {
			k.within[k.order[p]] = k.turn
			if p++; int(p) == k.n {
				p = 0
			}
		}
	}
}
