package ants

// Memory is a selective pheromone memory: each city keeps the trails of at most Slots of its
// edges, in a ring in which a new one takes the place of the one that was stored longest ago. It takes 8
// bytes a slot and 1 a city.
type Memory struct {
	Slots int
	City  []int32   // by place of a ring (Slots a city): where the edge leads; NoCity where nothing was stored yet
	Tau   []float32 // by place: the trail
	Head  []uint8   // by city: the place that was stored into last
}

// NoCity is an empty place of a [Memory].
const NoCity = -1

// MostSlots is the largest number of slots of a city.
const MostSlots = Width

// NewMemory makes an empty memory for n cities.
func NewMemory(n, slots int) *Memory {
	m := &Memory{Slots: slots, City: make([]int32, n*slots), Tau: make([]float32, n*slots), Head: make([]uint8, n)}
	m.clear()
	return m
}

func (m *Memory) clear() {
	for i := range m.City {
		m.City[i] = NoCity
	}
	clear(m.Tau)
	for c := range m.Head {
		m.Head[c] = uint8(m.Slots - 1)
	}
}

// find is the place of the edge from c to j, or -1.
func (m *Memory) find(c, j int32) int {
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

// rules are how the trails of a memory change.
type rules struct {
	tau0       float32
	keep, gain float32 // local update
	stored     float32 // what a local update stores
}

// touch is the local update of the edge from c to j. It returns the trail's place and whether it was there.
func (m *Memory) touch(c, j int32, r *rules) (at int, hit bool) {
	if at = m.find(c, j); at < 0 {
		return m.store(c, j, r.stored), false
	}
	// At tau0 a trail stays as it is, which rounding would not grant.
	if v := m.Tau[at]; v != r.tau0 {
		m.Tau[at] = max(min(v, r.tau0), float32(r.keep*v)+r.gain)
	}
	return at, true
}

// strengthen is the global update of the edge from c to j. It returns the trail's place.
func (m *Memory) strengthen(c, j int32, keep, gain, least float32) int {
	at := m.find(c, j)
	if at < 0 {
		return m.store(c, j, max(least, float32(keep*least)+gain))
	}
	m.Tau[at] = max(least, float32(keep*m.Tau[at])+gain)
	return at
}

// copy makes m what o is, which has the same size.
func (m *Memory) copy(o *Memory) {
	copy(m.City, o.City)
	copy(m.Tau, o.Tau)
	copy(m.Head, o.Head)
}

// fit takes over what another memory holds: of each city the youngest that have room, in their order.
func (m *Memory) fit(old *Memory) {
	m.clear()
	for c := range m.Head {
		for i := min(m.Slots, old.Slots) - 1; i >= 0; i-- {
			at := c*old.Slots + (int(old.Head[c])+old.Slots-i)%old.Slots
			if old.City[at] >= 0 {
				m.store(int32(c), old.City[at], old.Tau[at])
			}
		}
	}
}
