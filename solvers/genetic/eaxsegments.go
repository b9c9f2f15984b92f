package genetic

import "slices"

// The places of k.cuts cut A into segments: segment j goes from the place behind cuts[j-1] to
// cuts[j], segment 0 from behind the last cut. End 2 j is the first city of segment j, end 2 j + 1
// its last one. k.link[j] are the ends to which the new edges at its two ends lead.

// segments sorts the cuts and finds the links.
func (k *crossover) segments() {
	slices.Sort(k.cuts)
	k.link = k.link[:0]
	for j := range int32(len(k.cuts)) {
		first, _ := k.span(j)
		k.link = append(k.link, [2]int32{
			k.enter(k.order[first], 0), k.enter(k.order[k.cuts[j]], 1),
		})
	}
}

// cutAt tells whether the edge of A at a side of city c (0: before it, 1: behind) is cut.
func (k *crossover) cutAt(c int32, side int) bool {
	to := k.before(c)
	if side == 1 {
		to = k.behind(c)
	}
	return k.adj[c][0] != to && k.adj[c][1] != to
}

// enter follows the new edge of city f at a side with a cut, and returns the end that it leads to.
// If a city has cuts at both sides, adj holds its new neighbours by side.
func (k *crossover) enter(f int32, side int) int32 {
	g := k.adj[f][side]
	if !k.cutAt(f, 1-side) {
		other := k.before(f)
		if side == 0 {
			other = k.behind(f)
		}
		if g = k.adj[f][0]; g == other {
			g = k.adj[f][1]
		}
	}
	at := int32(0)
	if k.cutAt(g, 1) && (!k.cutAt(g, 0) || k.adj[g][1] == f) {
		at = 1
	}
	return 2*k.segmentOf(k.pos[g]) + at
}

// span is the first place of segment s and the number of its cities.
func (k *crossover) span(s int32) (first, length int32) {
	if s == 0 {
		first = k.cuts[len(k.cuts)-1] + 1
		length = k.cuts[0] + k.n - first + 1
		if first == k.n {
			first = 0
		}
		return first, length
	}
	first = k.cuts[s-1] + 1
	return first, k.cuts[s] - first + 1
}

// segmentOf is the segment of a place: the first that ends there or behind it.
func (k *crossover) segmentOf(p int32) int32 {
	lo, hi := 0, len(k.cuts)
	for lo < hi {
		if m := (lo + hi) / 2; k.cuts[m] < p {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo == len(k.cuts) {
		return 0
	}
	return int32(lo)
}

// subtours finds the subtours that the segments make.
func (k *crossover) subtours() {
	m := int32(len(k.cuts))
	k.sub, k.next = k.sub[:0], k.next[:0]
	for range m {
		k.sub, k.next = append(k.sub, -1), append(k.next, -1)
	}
	k.head, k.tail, k.size = k.head[:0], k.tail[:0], k.size[:0]
	for j := range m {
		if k.sub[j] >= 0 {
			continue
		}
		id := int32(len(k.head))
		k.head, k.tail, k.size = append(k.head, j), append(k.tail, j), append(k.size, 0)
		for end := 2 * j; k.sub[end/2] < 0; {
			s := end / 2
			k.sub[s] = id
			_, length := k.span(s)
			k.size[id] += length
			if s != j {
				k.next[k.tail[id]] = s
				k.tail[id] = s
			}
			end = k.link[s][1-end&1]
		}
	}
}

// write writes the tour of the last child to dst. It begins with segment 0.
func (k *crossover) write(dst []int32) {
	k.cuts = k.cuts[:0]
	for _, c := range k.touched {
		if k.cutAt(c, 1) {
			k.cuts = append(k.cuts, k.pos[c])
		}
	}
	k.segments()
	at := 0
	for end := int32(0); at < len(dst); {
		first, length := k.span(end / 2)
		for i := range length {
			p := first + i
			if end&1 == 1 {
				p = first + length - 1 - i
			}
			if p >= k.n {
				p -= k.n
			}
			dst[at] = k.order[p]
			at++
		}
		end = k.link[end/2][1-end&1]
	}
}
