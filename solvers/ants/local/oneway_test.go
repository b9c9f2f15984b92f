package local

import (
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/tours"

	"pgregory.net/rapid"
)

// oneWaySpace is a random asymmetric instance.
func oneWaySpace(t *rapid.T, n int) *tours.Space {
	s := arith.NewStream(rapid.Uint64().Draw(t, "seed"), 0, 0, 0)
	d := make([]int32, n*n)
	for i := range d {
		d[i] = int32(s.IntN(200))
	}
	inst, err := datasets.NewMatrixTSP("oneway", n, d, true)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := tours.NewSpace(inst)
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

// TestOneWayMove makes every move of a tour and compares with the paths put together anew.
func TestOneWayMove(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 12).Draw(t, "cities")
		sp := oneWaySpace(t, n)
		r := arith.NewStream(rapid.Uint64().Draw(t, "tour"), 0, 0, 0)
		tour := sp.Random(&r)
		cut := []int{r.IntN(n), r.IntN(n), r.IntN(n)}
		slices.Sort(cut)
		if cut[0] == cut[1] || cut[1] == cut[2] {
			return
		}
		turn := r.IntN(n)
		at := func(i int) int32 { return tour[(i+turn)%n] }
		w := newOneWay(sp, sp.Nearest(3), inward(sp, 3))
		w.load(tour)
		w.move(at(cut[0]), at(cut[0]+1), at(cut[1]), at(cut[1]+1), at(cut[2]), at(cut[2]+1))
		// a, then x .. e, then b .. c, then f on.
		var want []int32
		for i := cut[1] + 1; i <= cut[2]; i++ {
			want = append(want, at(i))
		}
		for i := cut[0] + 1; i <= cut[1]; i++ {
			want = append(want, at(i))
		}
		for i := cut[2] + 1; i <= cut[0]+n; i++ {
			want = append(want, at(i))
		}
		k := slices.Index(w.tour, want[0])
		if got := append(slices.Clone(w.tour[k:]), w.tour[:k]...); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		for i, c := range w.tour {
			if w.pos[c] != int32(i) {
				t.Fatalf("city %d is said to be at %d, it is at %d", c, w.pos[c], i)
			}
		}
	})
}

// TestOneWayOptimum: with lists of all cities the search ends in a tour that no change of places
// of two paths improves, and its gain is the tour's.
func TestOneWayOptimum(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 14).Draw(t, "cities")
		sp := oneWaySpace(t, n)
		r := arith.NewStream(rapid.Uint64().Draw(t, "tour"), 0, 0, 0)
		tour := sp.Random(&r)
		w := newOneWay(sp, sp.Nearest(n), inward(sp, n))
		w.load(tour)
		var gain int64
		for more := int64(1); more > 0; gain += more {
			for c := range int32(n) {
				w.push(c)
			}
			more = w.run()
		}
		if got := sp.Length(tour) - sp.Length(w.tour); got != gain {
			t.Fatalf("the tour became shorter by %d, the search says %d", got, gain)
		}
		d := func(i, j int) int { return int(sp.D(w.tour[i%n], w.tour[j%n])) }
		for i := range n {
			for j := i + 1; j < n; j++ {
				for k := j + 1; k < n; k++ {
					if g := d(i, i+1) + d(j, j+1) + d(k, k+1) - d(i, j+1) - d(k, i+1) - d(j, k+1); g > 0 {
						t.Fatalf("a move at %d, %d, %d gains %d", i, j, k, g)
					}
				}
			}
		}
	})
}

func TestInward(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 15).Draw(t, "cities")
		sp := oneWaySpace(t, n)
		b := inward(sp, 4)
		for c := range int32(n) {
			ids, dist := b.Of(c), b.DistOf(c)
			for i, j := range ids {
				if j == c || dist[i] != sp.D(j, c) || i > 0 && dist[i] < dist[i-1] {
					t.Fatalf("city %d: neighbours %v at %v", c, ids, dist)
				}
			}
			for j := range int32(n) {
				if j != c && !slices.Contains(ids, j) && sp.D(j, c) < dist[len(dist)-1] {
					t.Fatalf("city %d: %d is missing from %v", c, j, ids)
				}
			}
		}
	})
}
