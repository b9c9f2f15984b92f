package genetic_test

import (
	"maps"

	"metalab/datasets"

	"pgregory.net/rapid"
)

type edge = [2]int32

func edgeOf(a, b int32) edge { return edge{min(a, b), max(a, b)} }

func edgesOf(t []int32) map[edge]bool {
	out := map[edge]bool{}
	for i, c := range t {
		out[edgeOf(c, t[(i+1)%len(t)])] = true
	}
	return out
}

func without(a, b map[edge]bool) map[edge]bool {
	out := maps.Clone(a)
	for e := range b {
		delete(out, e)
	}
	return out
}

// asMatrix is the instance with its distances written down.
func asMatrix(t *rapid.T, in *datasets.TSP) *datasets.TSP {
	d := make([]int32, in.N*in.N)
	for i := range in.N {
		for j := range in.N {
			d[i*in.N+j] = in.Dist(i, j)
		}
	}
	out, err := datasets.NewMatrixTSP("matrix", in.N, d, false)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
