package moves

import (
	"fmt"

	"metalab/solvers/moves"
)

// The arguments of the kernels, byte for byte: each struct here has the same fields as one in
// common.cuh, which TestLayout checks.

// job is what an iteration is to do.
type job struct {
	Seed, Size         uint64
	Tenure, Aspiration int64
	Tenures            int32
	N, Flips           int32
	Blocks             int32
	M                  int32
	Pairs, Factor      int32
	Pad                int32
}

// walk is the state of a walk beside its solution and its memory.
type walk struct {
	Clock, Cost, Low, Least int64
	Sum                     float64
	Tally                   [5]int64
	Hash                    uint64
	At                      [2]int32
	Better                  int64
}

// choice is a move by its index, and found are the best moves of a part of a neighbourhood: of all,
// of the overdue ones, and of those that are not tabu.
type choice struct {
	Delta int64
	Index uint64
}

type found struct{ All, Late, Open choice }

// noMove is the index of no move.
const noMove = ^uint64(0)

// tenures are the kernels' numbers of the ways to draw tenures.
var tenures = map[string]int32{"cube": 0, "uniform": 1, "fixed": 2}

// jobOf returns the kernels' job for an iteration in neighbourhoods of this size.
func jobOf(seed, size uint64, n, flips int, j moves.Job) (job, error) {
	t, ok := tenures[j.Tenures]
	if !ok {
		return job{}, fmt.Errorf("moves: tenures is %s, and a GPU takes cube, uniform or fixed",
			j.Tenures)
	}
	return job{
		Seed: seed, Size: size, Tenure: int64(j.Tenure), Aspiration: int64(j.Aspiration), Tenures: t,
		N: int32(n), Flips: int32(flips),
	}, nil
}

// qapArg and pppArg are the instance and the walks' data, by addresses of the device.
type qapArg struct {
	A, B, FA, FB, EA, EB, EAT, EBT, DA, DB, P, Top, Until, E, UV uint64
}

type pppArg struct{ Columns, Want, V, Top, Y, Until, Bins uint64 }

// outcome is the result of an iteration.
func (w *walk) outcome() moves.Outcome {
	return moves.Outcome{
		Low: float64(w.Low), Least: float64(w.Least), Sum: w.Sum, Hash: w.Hash, Tally: w.Tally,
	}
}
