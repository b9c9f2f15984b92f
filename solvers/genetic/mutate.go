package genetic

import (
	"context"

	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// mutator makes 2-opt moves. It is the scratch memory of one worker.
type mutator struct {
	sp   *tours.Space
	near tours.Neighbours
	at   []int32 // the places of the cities in the child
}

// random turns round a part of the child between two random places and returns by how much it
// became longer.
func (m *mutator) random(child []int32, r *arith.Stream) int64 {
	n := len(child)
	if n < 4 {
		return 0
	}
	i := r.IntN(n)
	j := (i + 1 + r.IntN(n-1)) % n
	if i > j {
		i, j = j, i
	}
	if m.sp.Asymmetric {
		before := m.sp.Length(child)
		reverse(child, i+1, j)
		return m.sp.Length(child) - before
	}
	a, b, c, d := child[i], child[i+1], child[j], child[(j+1)%n]
	reverse(child, i+1, j)
	return m.d(a, c) + m.d(b, d) - m.d(a, b) - m.d(c, d)
}

// lookEvery is the number of moves, or of children, between two looks at the context.
const lookEvery = 1 << 6

// gaining makes, of the 2-opt moves that add an edge from a random city to one of its
// neighbours, the one with the largest gain, if there is one that gains, and returns by how
// much the child became longer. It needs a symmetric instance, and ends when ctx does.
func (m *mutator) gaining(ctx context.Context, child []int32, cities int, r *arith.Stream) int64 {
	n := len(child)
	if n < 4 {
		return 0
	}
	if m.at == nil {
		m.at = make([]int32, n)
	}
	for i, c := range child {
		m.at[c] = int32(i)
	}
	change := int64(0)
	for i := range cities {
		if i%lookEvery == 0 && ctx.Err() != nil {
			break
		}
		change -= m.gain(child, int32(r.IntN(n)))
	}
	return change
}

// gain makes the best move at city a and returns what it gains.
func (m *mutator) gain(child []int32, a int32) int64 {
	n := len(child)
	i := int(m.at[a])
	next, prev := child[(i+1)%n], child[(i+n-1)%n]
	dNext, dPrev := m.d(a, next), m.d(a, prev)
	best, p, q := int64(0), 0, 0
	id, dist := m.near.Of(a), m.near.DistOf(a)
	for k, c := range id {
		d := int64(dist[k])
		if d >= dNext && d >= dPrev {
			break
		}
		j := int(m.at[c])
		if cNext := child[(j+1)%n]; d < dNext && c != next {
			// a next ... c cNext becomes a c ... next cNext
			if g := dNext + m.d(c, cNext) - d - m.d(next, cNext); g > best {
				best, p, q = g, (i+1)%n, j
			}
		}
		if cPrev := child[(j+n-1)%n]; d < dPrev && c != prev {
			// cPrev c ... prev a becomes cPrev prev ... c a
			if g := dPrev + m.d(c, cPrev) - d - m.d(prev, cPrev); g > best {
				best, p, q = g, j, (i+n-1)%n
			}
		}
	}
	if best > 0 {
		m.turn(child, p, q)
	}
	return best
}

// turn reverses the places p to q of the circle, or, what makes the same tour, all others,
// whichever are fewer.
func (m *mutator) turn(child []int32, p, q int) {
	n := len(child)
	length := q - p
	if length < 0 {
		length += n
	}
	length++
	if 2*length > n {
		p, q, length = (q+1)%n, (p+n-1)%n, n-length
	}
	for range length / 2 {
		child[p], child[q] = child[q], child[p]
		m.at[child[p]], m.at[child[q]] = int32(p), int32(q)
		if p++; p == n {
			p = 0
		}
		if q--; q < 0 {
			q = n - 1
		}
	}
}

func (m *mutator) d(a, b int32) int64 { return int64(m.sp.D(a, b)) }

// reverse turns round the places i to j, i <= j + 1.
func reverse(t []int32, i, j int) {
	for ; i < j; i, j = i+1, j-1 {
		t[i], t[j] = t[j], t[i]
	}
}
