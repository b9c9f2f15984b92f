package moves

import "slices"

// longestPart is the largest number of consecutive cities in a move of Or-opt, as in Or's.
const longestPart = 3

// twoOpts are the moves of 2-opt on tours of n cities: each removes two edges that do not meet, and
// reverses the part between them. No part contains the first city, as a tour has no direction.
type twoOpts struct{ n int64 }

func (s twoOpts) Name() string { return "2opt" }
func (s twoOpts) Size() int64  { return max(s.n*(s.n-3)/2, 0) }

// whole is the index, among the pairs of the positions from 1 on, of those that have all cities but
// the first between them, whose turn changes no edge.
func (s twoOpts) whole() int64 { return s.n - 3 }

func (s twoOpts) Move(index int64) Move {
	if index >= s.whole() {
		index++
	}
	m := pairMove(s.n-1, index)
	m.At[0]++
	m.At[1]++
	m.Back = true
	return m
}

func (s twoOpts) Index(m Move) int64 {
	index := PairIndex(s.n-1, int64(m.At[0]-1), int64(m.At[1]-1))
	if index > s.whole() {
		index--
	}
	return index
}

func (s twoOpts) Next(m Move) Move {
	m = nextPair(int32(s.n), m)
	if m.At[0] == 1 && int64(m.At[1]) == s.n-1 {
		m = nextPair(int32(s.n), m)
	}
	return m
}

// orOpts are the moves of Or-opt on tours of n cities: each moves one to three consecutive cities
// elsewhere, several of them either way round. Their order is by number of cities, start, distance,
// and direction.
type orOpts struct{ n int64 }

func (s orOpts) Name() string { return "oropt" }

func (s orOpts) Size() int64 {
	size := int64(0)
	for part := range int64(longestPart) {
		size += s.sizeOf(part + 1)
	}
	return size
}

// ways returns the number of directions for a part of this length; far returns how far it may move.
func (s orOpts) ways(part int64) int64 { return min(part, 2) }
func (s orOpts) far(part int64) int64  { return max(s.n-part-1, 0) }

// sizeOf is the number of moves of parts of this length.
func (s orOpts) sizeOf(part int64) int64 { return s.n * s.far(part) * s.ways(part) }

func (s orOpts) Move(index int64) Move {
	part := int64(1)
	for ; part < longestPart && index >= s.sizeOf(part); part++ {
		index -= s.sizeOf(part)
	}
	ways, far := s.ways(part), max(s.far(part), 1)
	at := index / ways
	return Move{
		At:   [3]int32{int32(at / far), int32(at%far) + 1, none},
		Back: index%ways == 1, By: int32(part),
	}
}

func (s orOpts) Index(m Move) int64 {
	part, index := int64(m.By), int64(0)
	for l := int64(1); l < part; l++ {
		index += s.sizeOf(l)
	}
	at := int64(m.At[0])*s.far(part) + int64(m.At[1]) - 1
	index += at * s.ways(part)
	if m.Back {
		index++
	}
	return index
}

func (s orOpts) Next(m Move) Move {
	if m.By > 1 && !m.Back {
		m.Back = true
		return m
	}
	m.Back = false
	if m.At[1]++; int64(m.At[1]) <= s.far(int64(m.By)) {
		return m
	}
	m.At[1] = 1
	if m.At[0]++; int64(m.At[0]) < s.n {
		return m
	}
	m.At[0] = 0
	m.By++
	return m
}

// jumped returns the delta of m, a move of Or-opt on a symmetric instance.
func (t *tspWalk) jumped(m Move) int64 {
	n, part := len(t.tour), int(m.By)
	at := func(i int) int32 {
		switch {
		case i < 0:
			i += n
		case i >= n:
			i -= n
		}
		return t.entry(int32(i))
	}
	i := int(m.At[0])
	end := i + part - 1
	over := end + int(m.At[1]) // may be beyond twice n only where n is tiny
	a, s, e, b := at(i-1), at(i), at(end), at(end+1)
	c, d := t.entry(int32(over%n)), t.entry(int32((over+1)%n))
	x, y := s, e
	if m.Back {
		x, y = e, s
	}
	return t.dist.of(a, b) + t.dist.of(c, x) + t.dist.of(y, d) -
		t.dist.of(a, s) - t.dist.of(e, b) - t.dist.of(c, d)
}

// jump makes the move m of Or-opt. The cities between the part and its new place move up, or, where
// they are fewer, those of the rest of the tour, which makes the same tour.
func jump(tour []int32, m Move) {
	n, part, far := len(tour), int(m.By), int(m.At[1])
	var held [longestPart]int32
	for x := range part {
		held[x] = tour[(int(m.At[0])+x)%n]
	}
	if m.Back {
		slices.Reverse(held[:part])
	}
	to, from, step, count := int(m.At[0]), int(m.At[0])+part, 1, far
	if rest := n - part - far; rest < far { // backwards
		to, from, step, count = int(m.At[0])+part-1, int(m.At[0])-1, -1, rest
	}
	put := func(i int, city int32) { tour[((i%n)+n)%n] = city }
	for range count {
		put(to, tour[((from%n)+n)%n])
		to, from = to+step, from+step
	}
	if step < 0 {
		to -= part - 1
	}
	for x, city := range held[:part] {
		put(to+x, city)
	}
}
