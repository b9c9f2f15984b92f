package tours

// mirror makes a two-level list hold the circle in the direction in which an array would hold it,
// and remembers the city at the begin of the array: a search makes the same moves in either, and
// stores the same tour.
type mirror struct{ first int32 }

// mirrorFrom is the number of cities from which a search from a random tour is faster in a list
// than in an array.
const mirrorFrom = 5000

// NewFarSearch is NewSearch for tours far from an optimum, such as random ones, most of whose moves
// reverse long paths: it makes the same moves, but such a path costs O(sqrt n) also where NewSearch
// works on an array.
func NewFarSearch(sp *Space, near Neighbours, set Settings) (*Search, error) {
	if sp.N < mirrorFrom || sp.N >= twoLevelFrom {
		return NewSearch(sp, near, set)
	}
	return newMirrored(sp, near, set)
}

func newMirrored(sp *Space, near Neighbours, set Settings) (*Search, error) {
	s, err := newSearch(sp, near, set, true)
	if err == nil {
		s.ring.mirror = &mirror{}
	}
	return s, err
}

// turnMirrored is turn, as the array would do it.
func (r *ring) turnMirrored(a, b, c, d int32) {
	m, list := r.mirror, r.list
	from, to := b, d
	if r.step(a, 1) != b {
		from, to = d, b
	}
	n := int32(r.n)
	origin := list.place(from)
	ahead := func(c int32) int32 { // by how many cities c is behind from
		x := list.place(c) - origin
		return x + n&(x>>31)
	}
	length, at := ahead(to)+1, ahead(m.first)
	first, last := from, to
	if 2*length > n { // the array reverses the others
		first, last = r.step(to, 1), r.step(from, -1)
		at -= length
		length = n - length
		if at < 0 {
			at += n
		}
	}
	if length == 0 {
		return
	}
	r.turned += int64(length)
	if at < length { // the begin of the array is among them
		m.first = list.cityAt((list.place(last) - at + n) % n)
	}
	if !list.reverse(first, last) {
		list.turnGroups(0, int32(len(list.at))-1)
	}
}

// getMirrored is get, as the array would do it.
func (r *ring) getMirrored(order []int32) {
	c := r.mirror.first
	for i := range order {
		order[i] = c
		c = r.list.step(c, 1)
	}
}

// place is the number of cities of the list before c, from the group of rank 0 on.
func (t *twoLevel) place(c int32) int32 {
	g := &t.group[t.node[c].group]
	at := t.offset(c)
	for _, h := range t.at[:g.rank] {
		at += t.group[h].size
	}
	return at
}

// cityAt is the city at a place.
func (t *twoLevel) cityAt(place int32) int32 {
	for _, h := range t.at {
		g := &t.group[h]
		if place >= g.size {
			place -= g.size
			continue
		}
		if g.turned {
			place = g.size - 1 - place
		}
		c := g.first
		for range place {
			c = t.node[c].next
		}
		return c
	}
	panic("tours: a place beyond the tour's end")
}
