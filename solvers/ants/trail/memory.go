package trail

import "metalab/solvers/tours"

// Memory is a selective pheromone memory: each city keeps the trails of at most Slots of its
// edges, in a ring in which a new one takes the place of the one that was stored longest ago. It
// takes 8 bytes a slot and 1 a city.
type Memory struct {
	Slots int
	// by place of a ring (Slots a city): where the edge leads; NoCity where nothing was stored yet
	City []int32
	Tau  []float32 // by place: the trail
	Head []uint8   // by city: the place that was stored into last

	TauMin float32 // the trail of edges that are not stored

	// For the last global update: the number of trails found, and of trails updated.
	Hits, Updates int64

	space *tours.Space
}

// NoCity is an empty place of a [Memory].
const NoCity = -1

// MostSlots is the largest number of slots of a city.
const MostSlots = Width

// NewMemory makes an empty memory.
func NewMemory(sp *tours.Space, slots int) *Memory {
	n := sp.N
	m := &Memory{
		space: sp, Slots: slots, City: make([]int32, n*slots), Tau: make([]float32, n*slots),
		Head: make([]uint8, n),
	}
	m.clear()
	return m
}

func (m *Memory) clear() {
	for i := range m.City {
		m.City[i] = NoCity
	}
	clear(m.Tau)
	m.Hits, m.Updates = 0, 0
	for c := range m.Head {
		m.Head[c] = uint8(m.Slots - 1)
	}
}

// Find returns the place of the edge from c to j, or -1.
func (m *Memory) Find(c, j int32) int {
	at := int(c) * m.Slots
	for i, to := range m.City[at : at+m.Slots] {
		if to == j {
			return at + i
		}
	}
	return -1
}

// store puts a trail into the ring of city c, and returns its place.
func (m *Memory) store(c, j int32, tau float32) int {
	h := int(m.Head[c]) + 1
	if h == m.Slots {
		h = 0
	}
	m.Head[c] = uint8(h)
	at := int(c)*m.Slots + h
	m.City[at], m.Tau[at] = j, tau
	return at
}

// Touch is the local update of the edge from c to j. It returns the trail's place and whether it
// was there.
func (m *Memory) Touch(c, j int32, r *Local) (at int, hit bool) {
	if at = m.Find(c, j); at < 0 {
		return m.store(c, j, r.Stored), false
	}
	m.Tau[at] = r.Worn(m.Tau[at])
	return at, true
}

// Strengthen is the global update of the edge from c to j. It returns the trail's place and whether
// it was there.
func (m *Memory) Strengthen(c, j int32, rule func(tau float32) float32) (at int, hit bool) {
	if at = m.Find(c, j); at < 0 {
		return m.store(c, j, rule(m.TauMin)), false
	}
	m.Tau[at] = rule(m.Tau[at])
	return at, true
}

// Copy copies the trails and counts of o, which has the same size, into m.
func (m *Memory) Copy(o *Memory) {
	copy(m.City, o.City)
	copy(m.Tau, o.Tau)
	copy(m.Head, o.Head)
	m.Hits, m.Updates = o.Hits, o.Updates
}

// Fit copies the trails of another memory: of each city as many of the youngest as there is room
// for, in their order.
func (m *Memory) Fit(old *Memory) {
	m.clear()
	m.Hits, m.Updates = old.Hits, old.Updates
	for c := range m.Head {
		for i := min(m.Slots, old.Slots) - 1; i >= 0; i-- {
			at := c*old.Slots + (int(old.Head[c])+old.Slots-i)%old.Slots
			if old.City[at] >= 0 {
				m.store(int32(c), old.City[at], old.Tau[at])
			}
		}
	}
}
