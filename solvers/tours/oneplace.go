package tours

import (
	"cmp"
	"slices"
)

// samePlace is how many ends of paths at one place are joined in the order of their cities.
// joinPlane would need a round for every few of them, as all have the same nearest ends.
const samePlace = 128

// at is the place of a city.
func (s *Space) at(c int32) [3]float64 {
	if s.globe != nil {
		return s.globe.at[c]
	}
	return [3]float64{s.pts[c].x, s.pts[c].y}
}

// joinPlaces joins the ends of paths that stand at one place, where there are many.
func (s *Space) joinPlaces(f *fragments) {
	ends := f.ends(make([]int32, s.N))
	if !s.crowded(ends) {
		return
	}
	slices.SortStableFunc(ends, func(a, b int32) int {
		p, q := s.at(a), s.at(b)
		return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1]), cmp.Compare(p[2], q[2]))
	})
	for len(ends) > 0 {
		n := 1
		for n < len(ends) && s.at(ends[n]) == s.at(ends[0]) {
			n++
		}
		if n >= samePlace {
			s.joinHere(f, ends[:n])
		}
		ends = ends[n:]
	}
}

// crowded tells whether ends may stand at one place: on the curve these are next to each other, or
// with others of their cell between them.
func (s *Space) crowded(ends []int32) bool {
	same := 0
	for i := 2; i < len(ends); i++ {
		if p := s.at(ends[i]); p == s.at(ends[i-1]) || p == s.at(ends[i-2]) {
			same++
		}
	}
	return same >= samePlace/4
}

// joinHere joins the ends of paths at one place.
func (s *Space) joinHere(f *fragments, ends []int32) {
	last := none
	for _, c := range ends {
		switch {
		case f.next[c][1] >= 0:
		case last == none:
			last = c
		case f.other[c] != last:
			far := f.other[c] // of a city alone: itself
			f.join(last, c)
			if last = none; s.at(far) == s.at(c) && f.left > 1 {
				last = far
			}
		}
	}
}
