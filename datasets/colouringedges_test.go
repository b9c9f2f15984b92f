package datasets_test

import (
	"fmt"
	"slices"
	"testing"

	"metalab/datasets"
	"pgregory.net/rapid"
)

// A graph has each neighbour once and in order, in whatever order and how often edges are named.
func TestColouringNeighbours(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "n")
		vertex := rapid.Int32Range(0, int32(n)-1)
		var edges [][2]int32
		want := make([][]int32, n)
		for range rapid.IntRange(0, 30).Draw(t, "edges") {
			u, v := vertex.Draw(t, "u"), vertex.Draw(t, "v")
			if u == v {
				continue
			}
			edges = append(edges, [2]int32{u, v})
			want[u], want[v] = append(want[u], v), append(want[v], u)
		}
		g, err := datasets.NewColouring("g", n, edges, 2)
		if err != nil {
			t.Fatal(err)
		}
		for v := range n {
			slices.Sort(want[v])
			got, row := g.Neighbours(v), slices.Compact(want[v])
			if fmt.Sprint(got) != fmt.Sprint(row) {
				t.Fatalf("vertex %d of %v has the neighbours %v, want %v", v, edges, got, row)
			}
		}
	})
}
