package walks

import (
	"metalab/gpu/cuda"
	"metalab/solvers/arith"
)

// How a scan chooses its move: Tabu is tabu search, the others climb.
const (
	Tabu = iota
	Best
	First
	Random
)

// A Job is an iteration in one neighbourhood.
type Job struct {
	Seed         uint64
	Size         int64 // moves of the neighbourhood
	N, K         int64 // entries of a solution, and their values
	Tenure       int64
	Tenures      int32
	Pick         int32
	Level, Depth int32 // of a descent
	Parts        int32 // blocks of a walk, of Part and Join
	Serial       bool  // a thread takes moves that follow one another
	Moves        int64 // of annealing: the first that this launch does not make
	Last         bool  // of annealing: the iteration ends with this launch

	Low, High, Half, Radius float64 // of real numbers: the box, half a side, and the ball's radius
}

// A Head is a walk beside its solution and its memory.
type Head struct {
	Clock, From   int64
	Cost, Low     float64
	Least, Sum    float64
	Tally         [5]int64
	Hash          uint64
	Level, Left   int32
	Ended, Better int32
	Heat          float64 // of annealing
}

// Places in Head.Tally, of tabu search, of climbing and of annealing.
const (
	worsening = 0
	aspired   = 1
	stuck     = 3
	looked    = 4

	evaluations = 0
	improving   = 1
	ended       = 2

	made = 0
)

// infinite is more than any delta.
func infinite() float64 {
	x := 1e300
	return x * x
}

// better orders moves: the smaller delta, then the smaller index; -1 is none.
func better(d float64, at int64, e float64, other int64) bool {
	return at >= 0 && (other < 0 || d < e || d == e && at < other)
}

// least finds the best of what the threads of the block have found; all get it.
func least(t cuda.T, ds []float64, is []int64, d float64, at int64) (float64, int64) {
	for h := 16; h > 0; h /= 2 {
		e, other := cuda.ShuffleXor(t, d, h), cuda.ShuffleXor(t, at, h)
		if better(e, other, d, at) {
			d, at = e, other
		}
	}
	t.Sync() // the last ones are read
	if t.Lane() == 0 {
		ds[t.Warp()], is[t.Warp()] = d, at
	}
	t.Sync()
	d, at = ds[0], is[0]
	for w := 1; w < t.Dim()/cuda.WarpSize; w++ {
		if better(ds[w], is[w], d, at) {
			d, at = ds[w], is[w]
		}
	}
	return d, at
}

// spanned is how many moves a thread looks at before the block asks whether one of them is better
// than nothing.
const spanned = 4

// look evaluates the moves of part number part, of so many, and returns the best that may be made;
// -1: there is none. Tabu search and the choice of the best.
func look(
	t cuda.T, ds []float64, is []int64, j Job, h Head, until []int64, part, parts int64,
	place func(m Move, k int, made bool) int, move func(n, k, index int64) Move,
	delta func(Move, float64) float64,
) (found float64, at int64) {
	found, at = infinite(), -1
	hope, clock := h.Low-h.Cost, h.Clock+1
	me, all := part*int64(t.Dim())+int64(t.Local()), parts*int64(t.Dim())
	from, to, step := me, j.Size, all
	if j.Serial {
		share := (j.Size + all - 1) / all
		from = me * share
		to, step = min(from+share, j.Size), 1
	}
	for i := from; i < to; i += step {
		m := move(j.N, j.K, i)
		if d := delta(m, h.Cost); d < found &&
			(j.Pick == Best || d < hope || !Forbidden(until, m, clock, place)) {
			found, at = d, i
		}
	}
	return least(t, ds, is, found, at)
}

// first is the first better move from start on, going round, and how many moves there are up to it.
func first(
	t cuda.T, ds []float64, is []int64, j Job, h Head, start int64,
	move func(n, k, index int64) Move, delta func(Move, float64) float64,
) (at, seen int64) {
	at = -1
	for base := int64(0); base < j.Size && at < 0; base += spanned * int64(t.Dim()) {
		for k := int64(0); k < spanned && at < 0; k++ {
			away := base + k*int64(t.Dim()) + int64(t.Local())
			if away < j.Size && delta(move(j.N, j.K, (start+away)%j.Size), h.Cost) < 0 {
				at = away
			}
		}
		_, at = least(t, ds, is, float64(at), at)
	}
	if at < 0 {
		return at, j.Size
	}
	return (start + at) % j.Size, at + 1
}

// due tells whether a walk has a scan to make at the job's level.
func due(h Head, j Job) bool { return h.Left > 0 && h.Ended == 0 && h.Level == j.Level }

// conclude makes the move that a scan has found, and all that follows of it.
func conclude[E uint8 | int32 | float64](
	t cuda.T, j Job, heads []Head, w int, h Head, x, top []E, until []int64, found float64,
	at, seen int64, place func(m Move, k int, made bool) int, move func(n, k, index int64) Move,
	delta func(Move, float64) float64, commit func(Move, float64, float64) float64,
) {
	clock := h.Clock + 1
	if t.Local() == 0 {
		g := h
		g.Clock = clock
		if j.Pick == Tabu {
			g.Tally[looked] += seen
		} else {
			g.Tally[evaluations] += seen
		}
		if at >= 0 {
			m := move(j.N, j.K, at)
			if j.Pick == Tabu {
				if found > 0 {
					g.Tally[worsening]++
				}
				if Forbidden(until, m, clock, place) {
					g.Tally[aspired]++
				}
				note(&j, until, m, clock, w, place)
			} else {
				found = delta(m, h.Cost)
				g.Tally[improving]++
				g.Level, g.From = 0, at
			}
			g.Cost = commit(m, found, h.Cost)
		} else if j.Pick == Tabu {
			g.Tally[stuck]++
		} else if h.Level+1 < j.Depth {
			g.Level++
			g.From = 0
		} else {
			g.Tally[ended]++
			g.Ended = 1
		}
		g.Least = min(g.Least, g.Cost)
		g.Sum += g.Cost
		g.Left--
		g.Better = 0
		if g.Cost < g.Low {
			g.Low, g.Better = g.Cost, 1
		}
		heads[w] = g
	}
	t.Sync()
	if heads[w].Better != 0 {
		for i := t.Local(); i < len(x); i += t.Dim() {
			top[i] = x[i]
		}
	}
}

// Scan makes the scans that are left of the walk of this block, while it is at the job's level.
// move is the move with an index, delta evaluates it, commit makes it and returns the new cost,
// and renew is called by all threads after that, with the
// move's index. The number of threads is a multiple of 32; ds and
// is are shared arrays of 32.
func Scan[E uint8 | int32 | float64](
	t cuda.T, ds []float64, is []int64, j Job, heads []Head, x, top []E, until []int64,
	place func(m Move, k int, made bool) int, move func(n, k, index int64) Move,
	delta func(Move, float64) float64,
	commit func(Move, float64, float64) float64, renew func(int64), hash func([]E) uint64,
) {
	w := t.Block()
	h := heads[w]
	made := false
	for due(h, j) {
		found, at, seen := infinite(), int64(-1), j.Size
		if j.Pick <= Best {
			found, at = look(t, ds, is, j, h, until, 0, 1, place, move, delta)
			if j.Pick == Best && !(found < 0) {
				at = -1
			}
		} else if j.Size > 0 {
			start := h.From % j.Size
			if j.Pick == Random {
				draws := arith.NewStream(j.Seed, uint64(h.Clock+1), uint32(w), 3)
				start = int64(float64(j.Size) * draws.Float64())
			}
			at, seen = first(t, ds, is, j, h, start, move, delta)
		}
		conclude(t, j, heads, w, h, x, top, until, found, at, seen, place, move, delta, commit)
		h = heads[w]
		if at >= 0 {
			renew(at)
		}
		t.Sync() // all have read what the next scan changes
		made = true
	}
	if made && t.Local() == 0 {
		heads[w].Hash = hash(x)
	}
}

// Part evaluates the moves of one of the blocks of a walk, for Join.
func Part(
	t cuda.T, ds []float64, is []int64, j Job, h Head, until []int64, founds []float64, ats []int64,
	place func(m Move, k int, made bool) int, move func(n, k, index int64) Move,
	delta func(Move, float64) float64,
) {
	if !due(h, j) {
		return
	}
	parts := int64(j.Parts)
	d, at := look(t, ds, is, j, h, until, int64(t.Block())%parts, parts, place, move, delta)
	if t.Local() == 0 {
		founds[t.Block()], ats[t.Block()] = d, at
	}
}

// Join makes the best move that the blocks of the walk of this block have found.
func Join[E uint8 | int32 | float64](
	t cuda.T, ds []float64, is []int64, j Job, heads []Head, x, top []E, until []int64,
	founds []float64, ats []int64, place func(m Move, k int, made bool) int,
	move func(n, k, index int64) Move,
	delta func(Move, float64) float64, commit func(Move, float64, float64) float64,
	renew func(int64), hash func([]E) uint64,
) {
	w, parts := t.Block(), int(j.Parts)
	h := heads[w]
	if !due(h, j) {
		return
	}
	d, at := infinite(), int64(-1)
	for i := w*parts + t.Local(); i < w*parts+parts; i += t.Dim() {
		if better(founds[i], ats[i], d, at) {
			d, at = founds[i], ats[i]
		}
	}
	d, at = least(t, ds, is, d, at)
	if j.Pick == Best && !(d < 0) {
		at = -1
	}
	conclude(t, j, heads, w, h, x, top, until, d, at, j.Size, place, move, delta, commit)
	if at >= 0 {
		renew(at)
	}
	if t.Local() == 0 && (heads[w].Left == 0 || heads[w].Ended != 0) {
		heads[w].Hash = hash(x)
	}
}

// Evaluate evaluates moves of the walk of the first block, by their numbers.
func Evaluate(
	t cuda.T, j Job, h Head, founds []float64, ats []int64, move func(n, k, index int64) Move,
	delta func(Move, float64) float64,
) {
	for i := t.Thread(); i < len(ats); i += t.Threads() {
		founds[i] = delta(move(j.N, j.K, ats[i]), h.Cost)
	}
}

// Make makes the first of moves, whose delta is known, on the walk of the first block.
func Make(
	t cuda.T, j Job, heads []Head, founds []float64, ats []int64,
	move func(n, k, index int64) Move, commit func(Move, float64, float64) float64,
	renew func(int64),
) {
	if t.Thread() == 0 {
		h := heads[0]
		h.Cost = commit(move(j.N, j.K, ats[0]), founds[0], h.Cost)
		heads[0] = h
	}
	t.Sync()
	if t.Block() == 0 {
		renew(ats[0])
	}
}
