package trail

// Fallback returns the next city of an ant whose candidates are all visited: the unvisited city
// with the greatest weight, among equal ones the nearest, then that with the smallest number; and
// the place of the edge.
//
// Under storage matrix it scans c's row. Under storage candidates all edges have the common trail,
// except those on the other city's list and the unlisted ones that were rewarded. Among edges with
// the common trail the shortest has the greatest weight. Since no trail is below the common one, it
// is enough to compare the exceptions with the nearest of all unvisited cities.
func (t *Table) Fallback(c int32, near *Nearest, seen []uint8, r *Unvisited,
	tour []int32,
) (city int32, at Place) {
	return t.FallbackBy(c, near, seen, r, tour, nil)
}

// FallbackBy is Fallback with the trails that read returns, by slot and from len(ID) on by entry of
// the unlisted edges; nil: those of the table.
func (t *Table) FallbackBy(c int32, near *Nearest, seen []uint8, r *Unvisited,
	tour []int32, read func(i int32) float32,
) (city int32, at Place) {
	if t.Full != nil {
		city = t.strongest(c, seen)
		return city, t.placeUnlisted(c, city)
	}
	city, d := near.Of(c, seen, r, tour)
	at = None
	w := float32(-1) // of city; made when it is needed
	rev := t.reverse(c)
	for i, s := range rev {
		j := t.From(s)
		if seen[j] != 0 {
			continue
		}
		if w < 0 {
			at = t.placeUnlisted(c, city)
			w = t.Weigh(t.readBy(c, city, at, read), t.Visibility(c, d))
		}
		tau := t.Tau[s]
		if read != nil {
			tau = read(s)
		}
		x, l := t.Weigh(tau, t.revEta[int(t.revFrom[c])+i]), t.Dist[s]
		if before(x, l, j, w, d, city) {
			city, at, w, d = j, -1-s, x, l
		}
	}
	for e := t.rest.head[c]; e >= 0; e = t.rest.list[e].next {
		g := &t.rest.list[e]
		if seen[g.to] != 0 {
			continue
		}
		if w < 0 {
			at = t.placeUnlisted(c, city)
			w = t.Weigh(t.readBy(c, city, at, read), t.Visibility(c, d))
		}
		l, tau := t.Space.D(c, g.to), g.tau
		if read != nil {
			tau = read(int32(len(t.Tau)) + e)
		}
		if x := t.Weigh(tau, t.Visibility(c, l)); before(x, l, g.to, w, d, city) {
			city, at, w, d = g.to, -1-int32(len(t.Tau))-e, x, l
		}
	}
	return city, at
}

// readBy returns the trail of the edge from i to j at its place, which is no slot of i, by read.
func (t *Table) readBy(i, j int32, at Place, read func(i int32) float32) float32 {
	if read == nil || at == None {
		return t.Read(i, j, at)
	}
	return read(-1 - at)
}

// before tells whether city i, at distance d with weight w, comes before city j.
func before(w float32, d, i int32, wj float32, dj, j int32) bool {
	switch {
	case w != wj:
		return w > wj
	case d != dj:
		return d < dj
	}
	return i < j
}

// strongest scans row c of the matrix.
func (t *Table) strongest(c int32, seen []uint8) int32 {
	row := t.Full.Weight[int(c)*t.N : int(c)*t.N+t.N]
	city, best := int32(-1), float32(-1)
	for j, s := range seen {
		if s != 0 || row[j] < best {
			continue
		}
		if row[j] > best || t.Space.D(c, int32(j)) < t.Space.D(c, city) {
			city, best = int32(j), row[j]
		}
	}
	return city
}
