package tours_test

import (
	"cmp"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/tours"

	"pgregory.net/rapid"
)

// chosen are the two nearest cities of c in each quadrant with its axes, by looking at all.
func chosen(sp *tours.Space, c int32) []int32 {
	sq := func(id int32) float64 {
		dx, dy := sp.X[id]-sp.X[c], sp.Y[id]-sp.Y[c]
		return dx*dx + dy*dy
	}
	var out []int32
	for _, sign := range [4][2]float64{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}} {
		var in []int32
		for id := range int32(sp.N) {
			dx, dy := sp.X[id]-sp.X[c], sp.Y[id]-sp.Y[c]
			same := dx == 0 && dy == 0 // counts as north-east
			if id != c && dx*sign[0] >= 0 && dy*sign[1] >= 0 && (!same || sign == [2]float64{1, 1}) {
				in = append(in, id)
			}
		}
		slices.SortStableFunc(in, func(a, b int32) int { return cmp.Compare(sq(a), sq(b)) })
		for _, id := range in[:min(2, len(in))] {
			if !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

func TestSparseListsGoBothWays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 50).Draw(t, "n")
		k := rapid.IntRange(1, 60).Draw(t, "k")
		sp, err := tours.NewSpace(drawPoints(t, n, datasets.Euc2D))
		if err != nil {
			t.Fatal(err)
		}
		got := sp.Sparse(k)
		for c := range int32(n) {
			want := chosen(sp, c)
			for b := range int32(n) {
				if b != c && slices.Contains(chosen(sp, b), c) && !slices.Contains(want, b) {
					want = append(want, b)
				}
			}
			slices.SortFunc(want, func(a, b int32) int {
				return cmp.Or(cmp.Compare(sp.D(c, a), sp.D(c, b)), cmp.Compare(a, b))
			})
			want = want[:min(k, len(want))]
			if !slices.Equal(got.Of(c), want) {
				t.Fatalf("the list of %d is %v, want %v", c, got.Of(c), want)
			}
			for i, id := range want {
				if d := got.DistOf(c)[i]; d != sp.D(c, id) {
					t.Fatalf("from %d to %d it is %d, not %d", c, id, sp.D(c, id), d)
				}
			}
		}
	})
}
