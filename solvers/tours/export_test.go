package tours

// NewSearchOn is NewSearch with the choice of the tour's structure.
func NewSearchOn(sp *Space, near Neighbours, set Settings, twoLevel bool) (*Search, error) {
	return newSearch(sp, near, set, twoLevel)
}

// NewMirrored is NewSearch with a two-level list that does as an array.
func NewMirrored(sp *Space, near Neighbours, set Settings) (*Search, error) {
	return newMirrored(sp, near, set)
}

// NewBestOn is NewBest with the choice of the tour's structure and of how many moves are kept.
func NewBestOn(sp *Space, near Neighbours, op BestOperator, twoLevel bool, kept int) *Best {
	b := NewBest(sp, near, op)
	b.ring, b.kept = newRing(sp.N, twoLevel), kept
	b.ring.keep = true
	return b
}

// Ring is a tour structure laid open for tests.
type Ring struct{ r *ring }

// NewRing makes a tour structure.
func NewRing(n int, twoLevel bool) Ring { return Ring{newRing(n, twoLevel)} }

// NewMirroredRing makes a two-level list that does as an array.
func NewMirroredRing(n int) Ring {
	r := newRing(n, true)
	r.mirror = &mirror{}
	return Ring{r}
}

// Whole is the tour as it is stored.
func (r Ring) Whole() []int32 {
	tour := make([]int32, r.r.n)
	r.r.get(tour)
	return tour
}

// Set, Next, Prev, Exchange, Undo and Key are the calls that local search uses.
func (r Ring) Set(order []int32)         { r.r.set(order); r.r.keep = true }
func (r Ring) Next(c int32) int32        { return r.r.step(c, 1) }
func (r Ring) Prev(c int32) int32        { return r.r.step(c, -1) }
func (r Ring) Key(c int32) int32         { return r.r.key(c) }
func (r Ring) Exchange(a, b, c, d int32) { r.r.exchange(a, b, c, d) }
func (r Ring) Undo()                     { r.r.undo(0) }

// Get is the tour from city 0 on, in the direction of its smaller neighbour.
func (r Ring) Get() []int32 {
	dir := int32(1)
	if r.Prev(0) < r.Next(0) {
		dir = -1
	}
	tour := make([]int32, r.r.n)
	for i, c := 0, int32(0); i < len(tour); i++ {
		tour[i] = c
		c = r.r.step(c, dir)
	}
	return tour
}

// Chain is the edges that the chain carried out last removed and added, its closing edges left out;
// none if there was none.
func (s *Search) Chain() (removed, added [][2]int32) {
	z := &s.chain
	if z.bestN == 0 {
		return nil, nil
	}
	edge := func(a, b int32) [2]int32 { return [2]int32{min(a, b), max(a, b)} }
	removed = append(removed, edge(z.moves[0].t1, z.moves[0].t2))
	for _, m := range z.moves[:z.bestN] {
		if m.kind == done2 {
			continue
		}
		removed, added = append(removed, edge(m.t3, m.t4)), append(added, edge(m.t2, m.t3))
		if m.kind != exchange2 {
			removed, added = append(removed, edge(m.t5, m.t6)), append(added, edge(m.t4, m.t5))
		}
		if m.kind == fourOn || m.kind == fourBack {
			removed, added = append(removed, edge(m.t7, m.t8)), append(added, edge(m.t6, m.t7))
		}
	}
	return removed, added
}

// Four carries out an exchange of four edges that opens a circle, with t7 before t8 or after it.
func (s *Search) Four(on bool, t [8]int32) {
	m := move{fourBack, t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7]}
	if on {
		m.kind = fourOn
	}
	s.apply(&m)
}

// Pending is the number of dirty cities.
func (s *Search) Pending() int { return int(s.tail - s.head) }

// Fours tells whether the chain carried out last began with an exchange of four edges.
func (s *Search) Fours() bool {
	k := s.chain.moves[0].kind
	return s.chain.bestN > 0 && (k == fourOn || k == fourBack)
}
