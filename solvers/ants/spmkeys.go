package ants

import (
	"math"
)

// index makes what follows from the memory.
func (s *selective) index() {
	for at := range s.keys {
		s.indexed(at)
	}
}

// noSlot is no candidate's slot.
const noSlot = 255

// indexed makes what follows from a place of the memory, which another edge has now.
func (s *selective) indexed(at int) {
	c, i := int32(at/s.slots), at%s.slots
	j := s.mem.City[at]
	s.keys[at], s.leads[at], s.beyond[at], s.slot[at] = 0, c, 0, noSlot
	s.outward[c] &^= 1 << i
	if j < 0 {
		return
	}
	s.leads[at] = j
	if slot := s.t.find(c, j); slot >= 0 {
		s.slot[at], s.factor[at] = uint8(int(slot)-int(c)*s.t.stride), s.scaled[slot]
	} else {
		s.factor[at] = s.visible(c, s.sp.D(c, j))
		s.outward[c] |= 1 << i
	}
	s.rekey(at)
}

// rekey makes what follows from the trail in a place of the memory.
func (s *selective) rekey(at int) {
	w := float32(s.mem.Tau[at] * s.factor[at])
	if slot := s.slot[at]; slot != noSlot {
		s.keys[at] = weightKey(w, int(slot))
	} else {
		s.beyond[at] = math.Float32bits(w)&^(Width-1) | uint32(at%s.slots)
	}
}

// visible is what scaled holds for candidates, of an edge from c of length d.
func (c *colony) visible(city, d int32) float32 {
	return float32(max(c.t.visibility(city, d), 0x1p-60) * c.t.inv)
}

// outwards is the place of the greatest weight that leads from c to an unvisited city beyond its list, and its
// key without the low bits; 0 where there is none.
func (s *selective) outwards(c int32, seen []uint8) (place int, key uint32) {
	for i := range s.slots {
		if s.outward[c]>>i&1 == 0 || seen[s.leads[int(c)*s.slots+i]] != 0 {
			continue
		}
		key = max(key, s.beyond[int(c)*s.slots+i])
	}
	return int(c)*s.slots + int(key&(Width-1)), key &^ (Width - 1)
}

// weightKey orders weights less their low 5 bits, and of equal ones the smaller slot first.
func weightKey(w float32, slot int) uint32 {
	return math.Float32bits(w)&^(Width-1) | uint32(Width-1-slot)
}
