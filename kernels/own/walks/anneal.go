package walks

import (
	"math"
	"math/bits"

	"metalab/gpu/cuda"
	"metalab/solvers/arith"
)

// Drawn is what move number i of an iteration is drawn by: words 3i to 3i+2 of the walk's stream,
// of which two say which move it is and the third whether it is made.
func Drawn(j *Job, iteration int64, walk int, i int64) (index int64, u float64) {
	at := uint32(3 * i)
	c := [4]uint32{uint32(iteration), uint32(iteration>>32) ^ 3<<24, uint32(walk), at / 4}
	a := arith.Philox4x32(j.Seed, c)
	first, second, third := a[0], a[1], a[2]
	if r := at % 4; r > 0 {
		c[3]++
		b := arith.Philox4x32(j.Seed, c)
		if r == 1 {
			first, second, third = a[1], a[2], a[3]
		} else if r == 2 {
			first, second, third = a[2], a[3], b[0]
		} else {
			first, second, third = a[3], b[0], b[1]
		}
	}
	high, _ := bits.Mul64(uint64(first)<<32|uint64(second), uint64(j.Size))
	return int64(high), arith.Unit64(third)
}

// Anneal draws moves for the walk of this block, up to number j.Moves of the iteration Head.Clock,
// from Head.From on, at the temperature Head.Heat. As many moves as the block has threads are
// looked at at once, from the same solution; the first that is accepted is made, and those behind
// it are looked at again. So the moves are those of one thread, one after the other. The best
// solution is kept before it is left, and with j.Last at the end. The arguments are those of Scan,
// but renew gets the move's number.
func Anneal[E uint8 | int32 | float64](
	t cuda.T, ds []float64, is []int64, j Job, heads []Head, x, top []E,
	move func(n, k, index int64) Move, delta func(Move, float64) float64,
	commit func(Move, float64, float64) float64, renew func(int64), hash func([]E) uint64,
) {
	w := t.Block()
	h := heads[w]
	for h.From < j.Moves {
		i, d, at := h.From+int64(t.Local()), 0.0, int64(-1)
		m := Move{}
		if i < j.Moves {
			index, u := Drawn(&j, h.Clock, w, i)
			m = move(j.N, j.K, index)
			m.Turn = i
			d = delta(m, h.Cost)
			if !(d > 0) {
				at = 2 * i
			} else if d < -h.Heat*math.Ln2*arith.Log2(u) {
				at = 2*i + 1
			}
		}
		_, first := least(t, ds, is, float64(at), at)
		if first < 0 {
			h.From += int64(t.Dim())
			continue
		}
		if first%2 == 1 && h.Cost < h.Low {
			for k := t.Local(); k < len(x); k += t.Dim() {
				top[k] = x[k]
			}
			h.Low = h.Cost
			t.Sync() // before x changes
		}
		if at == first {
			g := h
			g.From = i + 1
			g.Cost = commit(m, d, h.Cost)
			g.Least = min(g.Least, g.Cost)
			g.Tally[made]++
			heads[w] = g
		}
		t.Sync()
		h = heads[w]
		renew(first >> 1)
		t.Sync() // all have read what the next move changes
	}
	better := j.Last && h.Cost < h.Low
	if better {
		for k := t.Local(); k < len(x); k += t.Dim() {
			top[k] = x[k]
		}
	}
	if t.Local() == 0 {
		if better {
			h.Low = h.Cost
		}
		h.From = j.Moves
		if j.Last {
			h.Hash = hash(x)
		}
		heads[w] = h
	}
}
