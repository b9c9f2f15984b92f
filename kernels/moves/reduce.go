package moves

import (
	"math"

	"metalab/solvers/arith"
	"metalab/solvers/moves"
)

// chooser is what the host needs to choose among fitnesses: with reduce=host.
type chooser struct {
	job
	nb    moves.Neighbourhood
	judge func(a int, m moves.Move, clock, limit int64) (late, tabu bool)
}

// reduce finds the best moves of walk a among the fitnesses of a neighbourhood, as the kernels
// do on the device.
func (v chooser) reduce(a int, w *walk, deltas []int64) found {
	f := noFound
	clock := w.Clock + 1
	if v.Pick != tabu {
		v.climb(&f, v.start(a, w), deltas)
		return f
	}
	for x, d := range deltas {
		c := choice{Delta: d, Index: uint64(x)}
		if !before(c, f.All) && !before(c, f.Late) && !before(c, f.Open) {
			continue
		}
		late, tabu := v.judge(a, v.nb.Move(int64(x)), clock, clock-v.Aspiration)
		if before(c, f.All) {
			f.All = c
		}
		if v.Aspiration > 0 && late && before(c, f.Late) {
			f.Late = c
		}
		if !tabu && before(c, f.Open) {
			f.Open = c
		}
	}
	return f
}

// climb is note_found of the kernels for climbing.
func (v chooser) climb(f *found, start uint64, deltas []int64) {
	for x, d := range deltas {
		c := choice{Delta: d, Index: uint64(x)}
		if d >= 0 {
			continue
		}
		if v.Pick != best {
			if c.Delta = int64(c.Index - start); c.Index < start {
				c.Delta += int64(v.Size)
			}
		}
		if before(c, f.All) {
			f.All, f.Late = c, choice{Delta: c.Delta, Index: uint64(d)}
		}
	}
}

// start is start_of of the kernels.
func (v chooser) start(a int, w *walk) uint64 {
	switch {
	case v.Pick == first && v.Size > 0:
		return uint64(w.From) % v.Size
	case v.Pick == random:
		draws := arith.NewStream(v.Seed, uint64(w.Clock+1), uint32(a), 3)
		return uint64(float64(v.Size) * draws.Float64())
	}
	return 0
}

// noChoice is no move, and noFound is that none was found.
var (
	noChoice = choice{Delta: math.MaxInt64, Index: noMove}
	noFound  = found{All: noChoice, Late: noChoice, Open: noChoice}
)

// before orders choices: the smaller delta, then the smaller index.
func before(c, d choice) bool {
	return c.Delta < d.Delta || c.Delta == d.Delta && c.Index < d.Index
}
