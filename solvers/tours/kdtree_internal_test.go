package tours

import (
	"slices"
	"testing"

	"metalab/solvers/arith"
)

// The m smallest coordinates of either axis come to the front, also where many are equal.
func TestNth(t *testing.T) {
	t.Parallel()
	r := arith.NewStream(1, 0, 0, 0)
	for range 500 {
		it := make([]kdItem, 2+r.IntN(60))
		side := 1 + r.IntN(50)
		for i := range it {
			it[i] = kdItem{float64(r.IntN(side)), float64(r.IntN(side)), int32(i)}
		}
		m, d := len(it)/2, uint8(r.IntN(2))
		var want []float64
		for i := range it {
			want = append(want, it[i].along(d))
		}
		slices.Sort(want)
		nth(it, m, d)
		var got []float64
		for i := range it[:m] {
			got = append(got, it[i].along(d))
		}
		slices.Sort(got)
		if !slices.Equal(got, want[:m]) || it[m].along(d) != want[m] {
			t.Fatalf("%d of %d in front by axis %d: %v and %v, want %v", m, len(it), d, got, it[m], want)
		}
	}
}

func BenchmarkKDTree(b *testing.B) {
	r := arith.NewStream(1, 0, 0, 0)
	pts, ids := make([]point, 15_000), make([]int32, 15_000)
	for i := range pts {
		pts[i] = point{float64(r.IntN(1_000_000)), float64(r.IntN(1_000_000))}
		ids[i] = int32(i)
	}
	for b.Loop() {
		newKDTree(pts, ids)
	}
}
