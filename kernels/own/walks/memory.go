package walks

import "metalab/solvers/arith"

// How the time of a move is drawn.
const (
	Cube = iota
	Uniform
	Fixed
)

// wait draws for how many scans a move is forbidden.
func wait(how int32, most int64, draws *arith.Stream) int64 {
	switch how {
	case Cube:
		q := draws.Float64()
		return int64(float64(float64(q*q)*q) * float64(most))
	case Uniform:
		lo := most * 9 / 10
		return lo + int64(draws.IntN(int(most*11/10-lo)+1))
	}
	return most
}

// A Memory says which elements of a tabu search's memory a move touches: Positions of them, I, J
// and K in order, or the entries there, or, with Numbered, the move's own number.
type Memory struct {
	Positions int
	Entries   bool
	Numbered  bool
}

// Place is the k-th element that a move touches; -1: it touches fewer.
func Place[E uint8 | int32](y Memory, x []E, m Move, k int) int {
	if k >= y.Positions {
		return -1
	}
	at := m.I
	if y.Numbered {
		return len(x) + at
	}
	if k == 1 {
		at = m.J
	} else if k == 2 {
		at = m.K
	}
	if y.Entries {
		return int(x[at])
	}
	return at
}

// Forbidden tells whether a move may not be made at a time. place is the k-th element by which a
// move is forbidden, or which is forbidden when it is made, -1 where there are fewer than that; the
// first is always there.
func Forbidden(until []int64, m Move, clock int64, place func(m Move, k int, made bool) int) bool {
	if until[place(m, 0, false)] >= clock {
		return true
	}
	if at := place(m, 1, false); at >= 0 && until[at] >= clock {
		return true
	}
	at := place(m, 2, false)
	return at >= 0 && until[at] >= clock
}

// note forbids elements of a move that is about to be made.
func note(
	j *Job, until []int64, m Move, clock int64, walk int, place func(m Move, k int, made bool) int,
) {
	draws := arith.NewStream(j.Seed, uint64(clock), uint32(walk), 2)
	until[place(m, 0, true)] = clock + wait(j.Tenures, j.Tenure, &draws)
	if at := place(m, 1, true); at >= 0 {
		until[at] = clock + wait(j.Tenures, j.Tenure, &draws)
	}
	if at := place(m, 2, true); at >= 0 {
		until[at] = clock + wait(j.Tenures, j.Tenure, &draws)
	}
}

// HashBits is the hash of a solution of bits.
func HashBits(x []uint8) uint64 {
	h, word := uint64(0), uint64(0)
	for i := 0; i < len(x); i++ {
		if word = word<<1 | uint64(x[i]); i%64 == 63 {
			h, word = arith.Mix64(h^word), 1
		}
	}
	return arith.Mix64(h ^ word)
}

// HashEntries is the hash of a solution of values, or of a permutation.
func HashEntries(x []int32) uint64 {
	h := uint64(0)
	for i := 0; i < len(x); i++ {
		h = arith.Mix64(h ^ uint64(x[i]))
	}
	return h
}

// Checked returns a cost, and panics where it is no number, or a whole one beyond 2^53.
func Checked(c float64, whole bool) float64 {
	if c-c != 0 {
		panic("Cost is infinite or no number, want a number")
	}
	if whole && (c > 1<<53 || c < -1<<53) {
		panic("Cost is beyond 2^53, where whole numbers are not exact")
	}
	return c
}

// Distinct panics unless x holds each number below its length once; marks has that length.
func Distinct(x, marks []int32) {
	for i := 0; i < len(x); i++ {
		marks[i] = 0
	}
	for i := 0; i < len(x); i++ {
		v := int(x[i])
		if v < 0 || v >= len(x) || marks[v] != 0 {
			panic("Move makes no permutation")
		}
		marks[v] = 1
	}
}

// Below panics unless all entries are below k.
func Below[E uint8 | int32 | float64](x []E, k int64) {
	for i := 0; i < len(x); i++ {
		if int64(x[i]) < 0 || int64(x[i]) >= k {
			panic("Move makes a solution with an entry out of range")
		}
	}
}

// Insert takes the entry at i out of p and puts it in again so that it stands at j.
func Insert(p []int32, i, j int) {
	v := p[i]
	for ; i < j; i++ {
		p[i] = p[i+1]
	}
	for ; i > j; i-- {
		p[i] = p[i-1]
	}
	p[j] = v
}

// Reverse turns the entries from i to j round.
func Reverse(p []int32, i, j int) {
	for ; i < j; i, j = i+1, j-1 {
		p[i], p[j] = p[j], p[i]
	}
}

// Turn moves three entries in a circle.
func Turn(p []int32, m Move) {
	a, b, c := p[m.I], p[m.J], p[m.K]
	if m.Back {
		p[m.I], p[m.J], p[m.K] = c, a, b
		return
	}
	p[m.I], p[m.J], p[m.K] = b, c, a
}

// Taken is the value that an entry takes by a change.
func Taken(x []int32, m Move, k int64) int32 {
	v := x[m.I] + m.By
	if int64(v) >= k {
		v -= int32(k)
	}
	return v
}

// Second and Third are the positions of a circle in the order in which entries move.
func Second(m Move) int {
	if m.Back {
		return m.K
	}
	return m.J
}

// Third is the other one; see Second.
func Third(m Move) int {
	if m.Back {
		return m.J
	}
	return m.K
}
