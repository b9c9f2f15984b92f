package cpu

import (
	"math"

	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
)

// update makes the global update of the best tour's edges, and counts it for the next iteration: a
// device makes it only when that begins.
func (s *selective) update(u crew.Update) {
	s.m.Hits, s.m.Updates = 0, 0
	if s.c.n < 2 {
		return
	}
	s.ring.follow(s.c.rewarded(u.Tour))
	one := func(c, j int32) {
		at, hit := s.m.Strengthen(c, j, u.On)
		s.indexed(at)
		s.m.Updates++
		if hit {
			s.m.Hits++
		}
	}
	for c := range int32(s.c.n) {
		// On asymmetric instances the edge from c to the city before it is not in the tour.
		if !s.c.sp.Asymmetric {
			one(c, s.ring.before[c])
		}
		one(c, s.ring.after[c])
	}
}

// reset does nothing: trails of acs are never set back.
func (s *selective) reset(float32) {}

// look computes what trail.Table.Look does, from all trails by slot.
func (s *selective) look() (branches int64, hash uint64) {
	row := make([]float32, s.c.t.K)
	i := uint64(0)
	for c := range s.c.n {
		s.expand(c, row)
		b, h := trail.LookRow(row, i)
		branches += b
		hash += h
		i += uint64(len(row))
	}
	return branches, hash
}

// index computes, for all places, what is derived from the memory.
func (s *selective) index() {
	for at := range s.keys {
		s.indexed(at)
	}
}

// noSlot stands for the slot of an edge that leads to no candidate.
const noSlot = 255

// indexed computes what is derived from a place of the memory after another edge was stored there.
func (s *selective) indexed(at int) {
	c, i := int32(at/s.slots), at%s.slots
	j := s.m.City[at]
	s.keys[at], s.leads[at], s.beyond[at], s.slot[at] = 0, c, 0, noSlot
	s.outward[c] &^= 1 << i
	if j < 0 {
		return
	}
	s.leads[at] = j
	if slot := s.c.t.Find(c, j); slot >= 0 {
		s.slot[at], s.factor[at] = uint8(int(slot)-int(c)*s.c.t.Stride), s.scaled[slot]
	} else {
		s.factor[at] = s.c.scaledOf(c, s.c.sp.D(c, j))
		s.outward[c] |= 1 << i
	}
	s.rekey(at)
}

// rekey computes what is derived from the trail in a place of the memory.
func (s *selective) rekey(at int) {
	w := float32(s.m.Tau[at] * s.factor[at])
	if slot := s.slot[at]; slot != noSlot {
		s.keys[at] = weightKey(w, int(slot))
	} else {
		s.beyond[at] = math.Float32bits(w)&^(trail.Width-1) | uint32(at%s.slots)
	}
}

// outwards returns, of the stored edges from c to unvisited cities beyond its list, the place of
// that with the greatest weight, and its key without the low bits; 0 if there is none.
func (s *selective) outwards(c int32, seen []uint8) (place int, key uint32) {
	for i := range s.slots {
		if s.outward[c]>>i&1 == 0 || seen[s.leads[int(c)*s.slots+i]] != 0 {
			continue
		}
		key = max(key, s.beyond[int(c)*s.slots+i])
	}
	return int(c)*s.slots + int(key&(trail.Width-1)), key &^ (trail.Width - 1)
}

// weightKey orders weights less their low 5 bits, and of equal ones the smaller slot first.
func weightKey(w float32, slot int) uint32 {
	return math.Float32bits(w)&^(trail.Width-1) | uint32(trail.Width-1-slot)
}
