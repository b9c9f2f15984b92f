package tours

// NewSearchOn is NewSearch with the choice of the tour's structure.
func NewSearchOn(sp *Space, near Neighbours, set Settings, twoLevel bool) (*Search, error) {
	return newSearch(sp, near, set, twoLevel)
}

// NewBestOn is NewBest with the choice of the tour's structure and of how many moves are kept.
func NewBestOn(sp *Space, near Neighbours, three, twoLevel bool, kept int) *Best {
	b := NewBest(sp, near, three)
	b.ring, b.kept = newRing(sp.N, twoLevel), kept
	b.ring.keep = true
	return b
}

// Ring is a tour structure laid open for tests.
type Ring struct{ r *ring }

// NewRing makes a tour structure.
func NewRing(n int, twoLevel bool) Ring { return Ring{newRing(n, twoLevel)} }

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

// Pending is the number of dirty cities.
func (s *Search) Pending() int { return int(s.tail - s.head) }
