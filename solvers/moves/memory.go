package moves

import "metalab/solvers/arith"

// A memory stores what a tabu search must not undo yet. Times are counts of scans.
type memory interface {
	// tabu tells whether a move is forbidden at a time.
	tabu(t Walk, m Move, clock int64) bool
	// note stores the move that follows; wait draws the time for which it is forbidden.
	note(t Walk, m Move, clock int64, wait func() int64)
	// overdue tells whether a move puts an entry in a place where it has not been since the time
	// limit; any tells whether some move can.
	overdue(t Walk, m Move, limit int64) bool
	any(t Walk, limit int64) bool
	// jumped must be called after the walk got another solution without making a move.
	jumped()
	// times returns the state itself, not a copy.
	times() []int64
}

// placements stores for every position which entries have left it, and until when they may not come
// back, as in Taillard's robust tabu search. A move is tabu if all placements that it makes are.
type placements struct {
	n     int
	p     []int32 // the walk's own permutation
	until []int64
	least int64 // a lower bound of the times of all entries that are not at their positions
}

func newPlacements(p []int32) *placements {
	n := len(p)
	m := &placements{n: n, p: p, until: make([]int64, n*n)}
	for i := range m.until {
		m.until[i] = -int64(i) // all different, so that few are overdue at once
	}
	m.least = -int64(n * n)
	return m
}

// brought returns the indices in until of the placements that m makes; if there are two, the last
// one twice.
func (p *placements) brought(m Move) (x, y, z int) {
	n := p.n
	i, j := int(m.At[0]), int(m.At[1])
	a, b := int(p.p[i]), int(p.p[j])
	if m.At[2] == none {
		return i*n + b, j*n + a, j*n + a
	}
	k := int(m.At[2])
	c := int(p.p[k])
	if m.Back {
		return i*n + c, j*n + a, k*n + b
	}
	return i*n + b, j*n + c, k*n + a
}

func (p *placements) tabu(_ Walk, m Move, clock int64) bool {
	x, y, z := p.brought(m)
	return min(p.until[x], p.until[y], p.until[z]) >= clock
}

func (p *placements) note(_ Walk, m Move, clock int64, wait func() int64) {
	for _, at := range m.At[:m.arity()] {
		u := clock + wait()
		p.until[int(at)*p.n+int(p.p[at])] = u
		p.least = min(p.least, u)
	}
}

func (p *placements) overdue(_ Walk, m Move, limit int64) bool { return !p.tabu(nil, m, limit) }

func (p *placements) any(_ Walk, limit int64) bool {
	if p.least >= limit {
		return false
	}
	// An entry that is at its position gets a new time when it leaves, so it can be left out.
	p.least = 1<<63 - 1
	for i := range p.n {
		here := int(p.p[i])
		for j, u := range p.until[i*p.n:][:p.n] {
			if u < p.least && j != here {
				p.least = u
			}
		}
	}
	return p.least < limit
}

// jumped drops the bound, because entries that were left out of it may matter now.
func (p *placements) jumped() { p.least = -1 << 63 }

func (p *placements) times() []int64 {
	p.jumped() // the caller may write to it
	return p.until
}

// elements stores which bits or cities have moved, and until when they may not move again. A move
// is tabu if one that it touches is; a user's own move, if its number is.
type elements struct {
	until   []int64
	n       int  // positions; after them come users' own moves, by number
	byEntry bool // what is stored is the entry at a position, such as a city, and not the position
}

func (e *elements) of(t Walk, at int32) int32 {
	if e.byEntry {
		return t.entry(at)
	}
	return at
}

func (e *elements) tabu(t Walk, m Move, clock int64) bool {
	if m.owned() {
		return e.until[e.n+int(m.At[0])] >= clock
	}
	for x := range m.moved() {
		if e.until[e.of(t, m.place(x, e.n))] >= clock {
			return true
		}
	}
	return false
}

func (e *elements) note(t Walk, m Move, clock int64, wait func() int64) {
	if m.owned() {
		e.until[e.n+int(m.At[0])] = clock + wait()
		return
	}
	for x := range m.moved() {
		e.until[e.of(t, m.place(x, e.n))] = clock + wait()
	}
}

func (e *elements) overdue(Walk, Move, int64) bool { return false }
func (e *elements) any(Walk, int64) bool           { return false }
func (e *elements) jumped()                        {}
func (e *elements) times() []int64                 { return e.until }

// tenure draws how many scans a move is forbidden: about the cube of a uniform number times most,
// most plus or minus up to a tenth, or most; or a number that follows from the vertices in
// conflict.
func tenure(how string, most, conflicts int, draws *arith.Stream) int64 {
	switch how {
	case "conflicts":
		return int64(draws.IntN(max(most, 1))) + int64(conflicts)*6/10
	case "cube":
		q := draws.Float64()
		return int64(float64(float64(q*q)*q) * float64(most))
	case "uniform":
		lo := int64(most) * 9 / 10
		return lo + int64(draws.IntN(int(int64(most)*11/10-lo)+1))
	}
	return int64(most)
}
