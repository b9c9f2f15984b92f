package cpu

import (
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/arith"
)

// chooser is how ants of acs/alt and acs/gpu choose a candidate, on every backend: by figure 3 of
// R. Skinderowicz, 2016. With probability q0 it is the unvisited candidate of the greatest weight:
// weights are compared without their low 5 bits, and of equal ones the smaller slot wins. Else a
// race of clocks draws one with a probability in proportion to its weight. Cities that are no
// candidates are looked at only if all candidates are visited: see trail.Table.Fallback.
//
// The weight of a candidate is its trail times a number that changes with beta only.
type chooser struct {
	c      *Crew
	scaled []float32 // by slot: the weight over the trail
}

func (o *chooser) rules(c *Crew, r *crew.Rules) {
	o.c = c
	o.scaled = o.scaled[:0]
	for _, e := range c.t.Eta {
		o.scaled = append(o.scaled, crew.Scaled(e, r.Inv))
	}
}

// slot returns the slot of the list of city c that ant k takes at position p, the weights of the
// list being known, or -1 where all candidates are visited.
func (o *chooser) slot(c int32, k, p int, greedy bool, weight []float32, seen []uint8) int {
	at := int(c) * o.c.t.Stride
	ids := o.c.t.ID[at : at+len(weight)]
	if !greedy {
		return o.c.race(ids, weight, seen, k, p)
	}
	most := uint32(0)
	for x, id := range ids {
		most = max(most, weightKey(weight[x], x)&(uint32(seen[id])-1))
	}
	if most == 0 {
		return -1
	}
	return int(^most & (trail.Width - 1))
}

// race returns the slot whose clock of ant k at position p is the first, of cities that are not
// visited, or -1 where all are.
func (c *Crew) race(ids []int32, weight []float32, seen []uint8, k, p int) int {
	least, first := ^uint32(0), -1
	for x, id := range ids {
		if seen[id] != 0 {
			continue
		}
		u := arith.Philox4x32(c.seed, [4]uint32{
			uint32(c.it), uint32(c.it>>32) ^ purposeExplore<<24, uint32(k*trail.Width + x), uint32(p),
		})[0]
		if key := raceKey(u, 1/weight[x], uint32(x), least); first < 0 || key < least {
			least, first = key, x
		}
	}
	return first
}
