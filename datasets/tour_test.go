package datasets_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metalab/datasets"
)

// drawTSP draws a small instance: points on a grid, or a matrix.
func drawTSP(t *rapid.T) *datasets.TSP {
	n := rapid.IntRange(1, 12).Draw(t, "n")
	if rapid.Bool().Draw(t, "matrix") {
		asym := rapid.Bool().Draw(t, "asymmetric")
		d := rapid.SliceOfN(rapid.Int32Range(0, 1<<31-1), n*n, n*n).Draw(t, "d")
		if !asym {
			for i := range n {
				for j := range i {
					d[i*n+j] = d[j*n+i]
				}
			}
		}
		p, err := datasets.NewMatrixTSP("matrix", n, d, asym)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	coord := rapid.SliceOfN(rapid.Float64Range(-1e8, 1e8), n, n)
	m := rapid.SampledFrom([]datasets.Metric{
		datasets.Euc2D, datasets.Ceil2D, datasets.Man2D, datasets.Max2D, datasets.Att,
		datasets.Euc3D, datasets.Man3D, datasets.Max3D,
	}).Draw(t, "metric")
	x, y := coord.Draw(t, "x"), coord.Draw(t, "y")
	p, err := datasets.NewTSP("points", m, x, y)
	if m.Dim() == 3 {
		p, err = datasets.NewTSP3D("points", m, x, y, coord.Draw(t, "z"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func drawPermutation(t *rapid.T, n int) []int32 {
	p := make([]int32, n)
	for i := range p {
		p[i] = int32(i)
	}
	return rapid.Permutation(p).Draw(t, "permutation")
}

func TestSwapDeltaIsTheDifferenceOfLengths(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawTSP(t)
		tour := drawPermutation(t, p.N)
		at := rapid.IntRange(0, p.N-1)
		r, s := at.Draw(t, "r"), at.Draw(t, "s")
		before, err := p.Length(tour)
		if err != nil {
			t.Fatal(err)
		}
		delta := p.SwapDelta(tour, r, s)
		tour[r], tour[s] = tour[s], tour[r]
		after, err := p.Length(tour)
		if err != nil {
			t.Fatal(err)
		}
		if before+delta != after {
			t.Fatalf("delta %d, want %d", delta, after-before)
		}
	})
}

func TestWrittenInstancesReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawTSP(t)
		var b strings.Builder
		if err := datasets.WriteTSP(&b, p); err != nil {
			t.Fatal(err)
		}
		q, err := datasets.ReadTSP(strings.NewReader(b.String()), "")
		if err != nil {
			t.Fatal(err)
		}
		if q.SHA256() != p.SHA256() || q.Name() != p.Name() || q.Kind() != p.Kind() {
			t.Fatalf("read back %s %s, want %s %s", q.Kind(), q.Name(), p.Kind(), p.Name())
		}
	})
}

func TestWrittenToursReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tour := drawPermutation(t, rapid.IntRange(1, 50).Draw(t, "n"))
		var b strings.Builder
		if err := datasets.WriteTour(&b, "a name", "two\nlines", tour); err != nil {
			t.Fatal(err)
		}
		got, err := datasets.ReadTour(strings.NewReader(b.String()), "t")
		if err != nil {
			t.Fatal(err)
		}
		for i := range tour {
			if got[i] != tour[i] {
				t.Fatalf("read back %v, want %v", got, tour)
			}
		}
	})
}

func TestLengthNamesTheFault(t *testing.T) {
	t.Parallel()
	p, err := datasets.Uniform(5, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		tour []int32
		want string
	}{
		{[]int32{0, 1, 2, 3}, "it has 4 entries, want 5"},
		{nil, "it has 0 entries, want 5"},
		{[]int32{0, 1, 2, 3, 5}, "entry 4 is 5, want from 0 to 4"},
		{[]int32{0, -1, 2, 3, 4}, "entry 1 is -1, want from 0 to 4"},
		{[]int32{0, 3, 2, 3, 4}, "3 is there twice (entries 1 and 3) and 1 is missing"},
		{[]int32{2, 2, 2, 9, 4}, "2 is there twice (entries 0 and 1) and 0 is missing"},
	} {
		_, err := p.Length(tt.tour)
		if err == nil || !strings.HasSuffix(err.Error(), tt.want) ||
			!strings.Contains(err.Error(), "rand-5-1") {
			t.Errorf("Length(%v): error %v, want … %s", tt.tour, err, tt.want)
		}
	}
	if _, err := p.Length([]int32{4, 2, 0, 1, 3}); err != nil {
		t.Error(err)
	}
}
