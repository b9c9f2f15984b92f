package tours

import (
	"fmt"
	"slices"

	"metalab/datasets"
)

// Fixed edges are cheap: D subtracts fixedGain from their length, and Length adds it for each, so
// the length of a tour with all of them is its own, and each missing one costs that much more.
// Starts have all of them, and a local search, which only shortens a tour, never loses one.

// fixedGain is more than all that the exchanges of a chain can gain elsewhere: fixedFar times
// MaxDepth and some.
const (
	fixedGain = 1 << 30
	fixedFar  = 1 << 24
)

// fix makes the fixed edges of an instance those of the space.
func (s *Space) fix(t *datasets.TSP) error {
	with, err := t.Partners()
	if err != nil || with == nil {
		return err
	}
	if far := s.longest(); far >= fixedFar {
		return fmt.Errorf("tours: %s has distances up to %.4g and %s, which are kept with distances "+
			"below %d", t.Title, far, t.FixedText(), fixedFar)
	}
	s.fast = false
	s.partners = make([][2]int32, s.N)
	for c := range s.partners {
		for k, o := range with[s.Orig[c]] {
			s.partners[c][k] = o
			if o >= 0 {
				s.partners[c][k] = s.Internal[o]
				s.bonus += fixedGain / 2 // either end has it
			}
		}
	}
	return nil
}

// isFixed tells whether the edge is fixed.
func (s *Space) isFixed(i, j int32) bool {
	p := &s.partners[i]
	return p[0] == j || p[1] == j
}

// Plane tells whether distances are rounded ones of the plane, of all edges.
func (s *Space) Plane() bool { return s.euclidean() && s.partners == nil }

// withPartners returns the keys of a list of k neighbours of c with those of its fixed edges.
func (s *Space) withPartners(c int32, keys []uint64, k int) []uint64 {
	if s.partners == nil {
		return keys
	}
	for _, p := range s.partners[c] {
		if p >= 0 {
			if key := s.key(c, p); !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	slices.Sort(keys)
	return keys[:min(k, len(keys))]
}

// kept returns a tour with all fixed edges: where it comes to a city of a path of fixed edges, it
// goes along the whole path.
func (s *Space) kept(tour []int32) []int32 {
	if s.partners == nil {
		return tour
	}
	out, seen := make([]int32, 0, len(tour)), make([]bool, len(tour))
	for _, c := range tour {
		if seen[c] {
			continue
		}
		c = s.pathEnd(c)
		for before := none; c >= 0 && !seen[c]; {
			out, seen[c] = append(out, c), true
			next := s.partners[c][0]
			if next == before || next < 0 || seen[next] {
				next = s.partners[c][1]
			}
			before, c = c, next
		}
	}
	return out
}

// pathEnd is an end of the path of fixed edges that c is on; c where it is a whole tour.
func (s *Space) pathEnd(c int32) int32 {
	before, at := none, c
	for range s.N {
		next := s.partners[at][0]
		if next == before {
			next = s.partners[at][1]
		}
		if next < 0 {
			return at
		}
		before, at = at, next
	}
	return c
}
