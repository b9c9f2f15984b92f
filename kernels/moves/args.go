package moves

import (
	"fmt"
	"math"

	"metalab/solvers/moves"
)

// The arguments of all kernels, byte for byte: each struct here has the same fields as one in
// common.cuh, which TestLayout checks.

// job is what an iteration is to do in one neighbourhood.
type job struct {
	Seed, Size         uint64
	Tenure, Aspiration int64
	Tenures            int32
	N, Flips           int32
	Blocks             int32
	Pick, Number       int32
	Level, Depth       int32
	Real, Scans        int32
	First, Span        int32
	Parted, Pad        int32
}

// walk is the state of a walk beside its solution and its memory. With job.Real, Cost, Low and
// Least are the bits of float64s.
type walk struct {
	Clock, Cost, Low, Least int64
	Sum                     float64
	Tally                   [5]int64
	Hash                    uint64
	At                      [3]int32
	Back                    int32
	Better, From            int64
	Level, Left, Ended, Pad int32
}

// choice is a move by its index, and found are the best moves of a part of a neighbourhood: of all,
// of the overdue ones, and of those that are not tabu. See note_found for climbing.
type (
	choice = moves.Choice
	found  = moves.Found
)

// noMove is the index of no move.
const noMove = ^uint64(0)

// tenures are the kernels' numbers of the ways to draw tenures, and picks those of the ways to
// choose; no way is tabu search.
var (
	tenures = map[string]int32{"cube": 0, "uniform": 1, "fixed": 2, "conflicts": 3}
	picks   = map[string]int32{"": tabu, "best": best, "first": first, "random": random}
)

const (
	tabu = iota
	best
	first
	random
)

// jobsOf returns the kernels' jobs for an iteration: one for each neighbourhood of a descent.
func jobsOf(p problem, seed uint64, j moves.Job) ([]job, error) {
	t, ok := tenures[j.Tenures]
	if !ok && j.Tenures != "" {
		return nil, fmt.Errorf("tenures is %s, and a GPU takes cube, uniform, fixed and conflicts",
			j.Tenures)
	}
	pick, ok := picks[j.Select]
	if !ok {
		return nil, fmt.Errorf("select is %s, and a GPU takes best, first and random", j.Select)
	}
	depth := max(1, j.Depth)
	var out []job
	for level := range depth {
		o := job{
			Seed: seed, Tenure: int64(j.Tenure), Aspiration: int64(j.Aspiration), Tenures: t, Pick: pick,
			Number: int32(j.Neighbourhood + level), Level: int32(level), Depth: int32(depth),
			Scans: int32(j.Scans),
		}
		if err := p.plan(&o, &j); err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

// number is a cost as the kernels have it, and value is its inverse.
func number(v float64, real bool) int64 {
	switch {
	case real:
		return int64(math.Float64bits(v))
	case math.IsInf(v, 1):
		return math.MaxInt64
	}
	return int64(v)
}

func value(n int64, real bool) float64 {
	switch {
	case real:
		return math.Float64frombits(uint64(n))
	case n == math.MaxInt64:
		return math.Inf(1)
	}
	return float64(n)
}

// begin prepares the head for the scans that are left, which go on from the sums of o.
func (w *walk) begin(o *moves.Outcome, left int, real bool) {
	w.Left, w.Ended = int32(left), 0
	if o.Ended {
		w.Ended = 1
	}
	w.Least, w.Sum, w.Tally = number(o.Least, real), o.Sum, o.Tally
}

// outcome is the result of an iteration.
func (w *walk) outcome(real bool) moves.Outcome {
	return moves.Outcome{
		Low: value(w.Low, real), Least: value(w.Least, real), Sum: w.Sum, Hash: w.Hash, Tally: w.Tally,
		Left: int(w.Left), Level: int(w.Level), From: w.From, Ended: w.Ended != 0,
	}
}
