// Package sample has instances for tests of searches on tours, and what tells tours apart.
package sample

import (
	"maps"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// TB is what is needed of a test; a test of package rapid has it too.
type TB interface {
	Helper()
	Fatal(args ...any)
}

// Scattered is an instance of n random cities in a square of side wide; a small side makes many
// equal distances.
func Scattered(tb TB, n, wide int, seed uint64, metric datasets.Metric) *datasets.TSP {
	tb.Helper()
	r := arith.NewStream(seed, 0, 0, 99)
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = float64(r.IntN(wide)), float64(r.IntN(wide))
	}
	t, err := datasets.NewTSP("scattered", metric, x, y)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// AsMatrix is the instance with its distances written down.
func AsMatrix(tb TB, in *datasets.TSP) *datasets.TSP {
	tb.Helper()
	d := make([]int32, in.N*in.N)
	for i := range in.N {
		for j := range in.N {
			d[i*in.N+j] = in.Dist(i, j)
		}
	}
	out, err := datasets.NewMatrixTSP("matrix", in.N, d, false)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// Space is the space of an instance.
func Space(tb TB, in *datasets.TSP) *tours.Space {
	tb.Helper()
	sp, err := tours.NewSpace(in)
	if err != nil {
		tb.Fatal(err)
	}
	return sp
}

// An Edge has the smaller city first.
type Edge = [2]int32

// EdgeOf is the edge of two cities.
func EdgeOf(a, b int32) Edge { return Edge{min(a, b), max(a, b)} }

// EdgesOf are the edges of a tour.
func EdgesOf(tour []int32) map[Edge]bool {
	out := map[Edge]bool{}
	for i, c := range tour {
		out[EdgeOf(c, tour[(i+1)%len(tour)])] = true
	}
	return out
}

// Without are the edges of a that b does not have.
func Without(a, b map[Edge]bool) map[Edge]bool {
	out := maps.Clone(a)
	for e := range b {
		delete(out, e)
	}
	return out
}
