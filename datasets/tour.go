package datasets

// SwapDelta returns the change of the length of the closed tour if the cities at the positions r
// and s were exchanged, with four lookups of distances a city in place of the whole sum. tour must
// be a permutation. SwapDelta does not change it.
func (t *TSP) SwapDelta(tour []int32, r, s int) int64 {
	n := len(tour)
	if r == s || n < 3 {
		return 0
	}
	if r > s {
		r, s = s, r
	}
	if r == 0 && s == n-1 { // neighbours across the end
		r, s = s, s+1
	}
	at := func(i int) int {
		switch {
		case i < 0:
			i += n
		case i >= n:
			i -= n
		}
		return int(tour[i])
	}
	a, b := at(r), at(s)
	before, after := at(r-1), at(s+1)
	d := func(i, j int) int64 { return int64(t.Dist(i, j)) }
	if s == r+1 {
		return d(before, b) + d(b, a) + d(a, after) - d(before, a) - d(a, b) - d(b, after)
	}
	next, prev := at(r+1), at(s-1)
	return d(before, b) + d(b, next) + d(prev, a) + d(a, after) -
		d(before, a) - d(a, next) - d(prev, b) - d(b, after)
}
