package trail

import (
	"testing"

	"metalab/datasets"
	"metalab/solvers/tours"
)

// Where all cities are at one place, or at two, the nearest unvisited one is the first of those at
// the same place, on each path, and a scan ends there.
func TestOnePlace(t *testing.T) {
	t.Parallel()
	for _, metric := range []datasets.Metric{datasets.Geo, datasets.Euc2D} {
		const n = 2000
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = 46, 7
			if i%2 == 1 {
				x[i] = 47
			}
		}
		p, err := datasets.NewTSP("two", metric, x, y)
		if err != nil {
			t.Fatal(err)
		}
		sp, err := tours.NewSpace(p)
		if err != nil {
			t.Fatal(err)
		}
		lists, err := NewLists(sp, 8)
		if err != nil {
			t.Fatal(err)
		}
		near := NewNearest(sp, lists)
		seen, tour := make([]uint8, n), []int32{0}
		seen[0] = 1
		var r Unvisited
		for len(tour) < n {
			c := tour[len(tour)-1]
			got, d := near.ofAny(c, seen, &r, tour)
			want := int32(-1)
			for j := range int32(n) {
				if seen[j] == 0 && (want < 0 || sp.D(c, j) < sp.D(c, want)) {
					want = j
				}
			}
			if got != want || d != sp.D(c, want) {
				t.Fatalf("metric %v, from %d: %d at %d, want %d", metric, c, got, d, want)
			}
			seen[got] = 1
			tour = append(tour, got)
		}
	}
}
