package cpu

import "math"

// Structures that hold what an ant has not visited: R. Skinderowicz, Implementing a
// GPU-based parallel MAX-MIN Ant System, Future Gener. Comput. Syst. 106, 2020,
// doi:10.1016/j.future.2020.01.011, sections on the tabu list.
const (
	tabuList    = "lc" // a list, kept dense, and each city's position in it
	TabuCompact = "ct" // both in one array
	TabuBits    = "bt" // a bit for each city
)

// TabuWords are the values of the parameter tabu.
var TabuWords = []string{tabuList, TabuCompact, TabuBits}

// A tabu holds the cities that an ant has not visited. Choices look at its positions, from 0 on. In
// a list (lc, ct) the unvisited cities are at the first positions, without gaps; a mask (bt) has a
// position for each city.
//
// The list's order is that of the published code: the last city takes the position of a removed
// one. lc and ct have the same order, so all choices are the same.
//
// ct has one array of n entries. While left cities remain, entry i < left is the city at position
// i, and entry c of an unvisited city c >= left is its position. An unvisited city below left has
// never moved: only cities from the end take the place of others. So city c is visited if its entry
// is above c; entries that have no other meaning hold none, which is n.
type tabu struct {
	kind string
	n    int
	left int
	list []int32  // lc, ct
	at   []int32  // lc: a city's position in list; visited ones are behind the unvisited
	bits []uint32 // bt: 1 for visited cities and for numbers beyond the last city
}

func newTabu(kind string, n int) *tabu {
	u := &tabu{kind: kind, n: n}
	switch kind {
	case tabuList:
		u.list, u.at = make([]int32, n), make([]int32, n)
	case TabuCompact:
		u.list = make([]int32, n)
	default:
		u.bits = make([]uint32, (n+31)/32)
	}
	return u
}

// reset makes all cities unvisited.
func (u *tabu) reset() {
	u.left = u.n
	for i := range u.list {
		u.list[i] = int32(i)
	}
	copy(u.at, u.list)
	clear(u.bits)
	if u.bits != nil && u.n%32 != 0 {
		u.bits[u.n/32] = ^uint32(0) << (u.n % 32)
	}
}

// positions is how many positions there are.
func (u *tabu) positions() int {
	if u.kind == TabuBits {
		return u.n
	}
	return u.left
}

// city is the city at a position; of a mask also a visited one.
func (u *tabu) city(position int) int32 {
	if u.kind == TabuBits {
		return int32(position)
	}
	return u.list[position]
}

// gather copies the entries of the unvisited cities in row to their positions in m, and 0 to
// those of visited cities. It returns the positions.
func (u *tabu) gather(m, row []float32) []float32 {
	m = m[:u.positions()]
	if u.list != nil {
		for i, c := range u.list[:len(m)] {
			m[i] = row[c]
		}
		return m
	}
	for i, x := range row {
		m[i] = math.Float32frombits(math.Float32bits(x) & (u.bits[i>>5]>>(i&31)&1 - 1))
	}
	return m
}

// visited tells whether a city is visited.
func (u *tabu) visited(c int32) bool {
	switch u.kind {
	case tabuList:
		return int(u.at[c]) >= u.left
	case TabuCompact:
		return u.list[c] > c
	}
	return u.bits[c>>5]>>(c&31)&1 != 0
}

// visit removes an unvisited city.
func (u *tabu) visit(c int32) {
	u.left--
	end := int32(u.left)
	switch u.kind {
	case tabuList:
		i, last := u.at[c], u.list[end]
		u.list[i], u.list[end] = last, c
		u.at[last], u.at[c] = i, end
	case TabuCompact:
		// The last city is at its own position or came from one further back, so it is not below i.
		i, last := u.list[c], u.list[end]
		none := int32(u.n)
		u.list[c], u.list[end] = none, none
		if i != end {
			u.list[i], u.list[last] = last, i
		}
	default:
		u.bits[c>>5] |= 1 << (c & 31)
	}
}
