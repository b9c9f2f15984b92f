package tours_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/tours"

	"pgregory.net/rapid"
)

// before orders the neighbours of c as the documentation says.
func before(sp *tours.Space, c int32) func(a, b int32) int {
	return func(a, b int32) int {
		if da, db := sp.D(c, a), sp.D(c, b); da != db {
			return int(da) - int(db)
		}
		return int(a - b)
	}
}

// choose orders the neighbours of c as they are chosen: in the plane before rounding.
func choose(sp *tours.Space, c int32) func(a, b int32) int {
	switch sp.Metric {
	case datasets.Euc2D, datasets.Ceil2D, datasets.Att:
	default:
		return before(sp, c)
	}
	sq := func(a int32) float64 {
		dx, dy := sp.X[a]-sp.X[c], sp.Y[a]-sp.Y[c]
		return dx*dx + dy*dy
	}
	return func(a, b int32) int {
		switch x, y := sq(a), sq(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return int(a - b)
	}
}

func others(sp *tours.Space, c int32) []int32 {
	o := slices.DeleteFunc(seq(sp.N), func(i int32) bool { return i == c })
	slices.SortFunc(o, choose(sp, c))
	return o
}

func checkList(t *rapid.T, sp *tours.Space, b tours.Neighbours, c int32, want []int32) {
	slices.SortFunc(want, before(sp, c))
	if got := b.Of(c); !slices.Equal(got, want) {
		t.Fatalf("neighbours of %d: %v, want %v", c, got, want)
	}
	for i, id := range b.Of(c) {
		if b.DistOf(c)[i] != sp.D(c, id) {
			t.Fatalf("distance of %d and %d: %d, want %d", c, id, b.DistOf(c)[i], sp.D(c, id))
		}
	}
}

func TestNearestAgainstAllPairs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		_, sp := drawSpace(t, 1, 60)
		k := rapid.IntRange(0, 12).Draw(t, "k")
		b := sp.Nearest(k)
		if want := min(k, sp.N-1); b.K != want {
			t.Fatalf("K is %d, want %d", b.K, want)
		}
		for c := range int32(sp.N) {
			checkList(t, sp, b, c, others(sp, c)[:b.K])
		}
	})
}

func TestQuadrantAgainstAllPairs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		_, sp := drawSpace(t, 1, 60)
		b := sp.Quadrant(rapid.IntRange(0, 16).Draw(t, "k"))
		for c := range int32(sp.N) {
			var chosen, rest []int32
			var have [4]int
			for _, id := range others(sp, c) {
				z := 0
				if sp.X != nil {
					if sp.X[id] < sp.X[c] {
						z = 1
					}
					if sp.Y[id] < sp.Y[c] {
						z += 2
					}
				}
				if sp.X != nil && have[z] < b.K/4 {
					have[z]++
					chosen = append(chosen, id)
				} else {
					rest = append(rest, id)
				}
			}
			checkList(t, sp, b, c, append(chosen, rest[:b.K-len(chosen)]...))
		}
	})
}

// uniform makes n cities at random in a square of side 10^6, as the DIMACS E instances.
func uniform(n int, seed uint64) *datasets.TSP {
	r := arith.NewStream(seed, 0, 0, 0)
	in := &datasets.TSP{
		Title: fmt.Sprintf("uniform%d", n), N: n, Metric: datasets.Euc2D, X: make([]float64, n),
		Y: make([]float64, n),
	}
	for i := range n {
		in.X[i], in.Y[i] = float64(r.IntN(1_000_000)), float64(r.IntN(1_000_000))
	}
	return in
}

func mustSpace(tb testing.TB, in *datasets.TSP) *tours.Space {
	tb.Helper()
	sp, err := tours.NewSpace(in)
	if err != nil {
		tb.Fatal(err)
	}
	return sp
}

func BenchmarkNewSpace(b *testing.B) {
	in := uniform(1_000_000, 1)
	for b.Loop() {
		mustSpace(b, in)
	}
}

func BenchmarkNeighbours(b *testing.B) {
	for _, n := range []int{10_000, 1_000_000} {
		sp := mustSpace(b, uniform(n, 1))
		b.Run(fmt.Sprintf("nearest10/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				sp.Nearest(10)
			}
		})
		b.Run(fmt.Sprintf("quadrant10/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				sp.Quadrant(10)
			}
		})
	}
}

func stream(seed uint64) *arith.Stream {
	r := arith.NewStream(seed, 0, 0, 0)
	return &r
}

func BenchmarkStarts(b *testing.B) {
	sp := mustSpace(b, uniform(1_000_000, 1))
	near := sp.Quadrant(8)
	for name, start := range map[string]func() []int32{
		"greedy":  func() []int32 { return sp.Greedy(near) },
		"boruvka": func() []int32 { return sp.Boruvka(near) },
		"nearest": func() []int32 { return sp.NearestNeighbour(0) },
		"random":  func() []int32 { return sp.Random(stream(1)) },
	} {
		b.Run(name, func(b *testing.B) {
			var tour []int32
			for b.Loop() {
				tour = start()
			}
			b.ReportMetric(100*(float64(sp.Length(tour))/(0.7124*1e6*1000)-1), "gap-%")
		})
	}
}

// TestNearestOnCores makes lists long enough for several cores, on one and on five.
func TestNearestOnCores(t *testing.T) {
	inst, err := datasets.DIMACS(true, 1<<15+3, 5)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := tours.NewSpace(inst)
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := sp.Nearest(8)
	runtime.GOMAXPROCS(5)
	five := sp.Nearest(8)
	if !slices.Equal(one.ID, five.ID) || !slices.Equal(one.Dist, five.Dist) {
		t.Error("lists depend on the number of cores")
	}
	few := sp.Nearest(7)
	for c := range int32(sp.N) {
		if d := one.DistOf(c); !slices.Equal(d[:7], few.DistOf(c)) {
			t.Fatalf("city %d: distances %v, of a shorter list %v", c, d, few.DistOf(c))
		}
	}
}
