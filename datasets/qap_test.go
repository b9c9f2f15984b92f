package datasets_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metalab/datasets"
)

func readQAP(t testing.TB, path string) *datasets.QAP {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	q, err := datasets.ReadQAP(f, strings.TrimSuffix(filepath.Base(path), ".dat"))
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func readSolution(t testing.TB, path string) *datasets.QAPSolution {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := datasets.ReadQAPSolution(f, path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAllQAPLIBSolutionsHaveTheirStatedCost(t *testing.T) {
	t.Parallel()
	dir := dataFolder(t)
	paths, _ := filepath.Glob(filepath.Join(dir, "qaplib", "*.dat"))
	if len(paths) != 122 {
		t.Errorf("%d instances, want 122", len(paths))
	}
	for _, path := range paths {
		q := readQAP(t, path)
		s := readSolution(t, strings.TrimSuffix(path, ".dat")+".sln")
		if got, err := q.Cost(s.P); err != nil || got != s.Value {
			t.Errorf("%s: the solution has cost %d (%v), want %d", q.Name(), got, err, s.Value)
		}
		best, ok := q.BestKnown()
		if !ok || best.Value > float64(s.Value) {
			t.Errorf(
				"%s: best known is %v (%v), but there is a solution of %d", q.Name(), best.Value, ok, s.Value,
			)
		}
	}
	// QAPLIB's own files: read they must be, right they are not all.
	originals, _ := filepath.Glob(filepath.Join(dir, "qaplib", "original-sln", "*.sln"))
	if len(originals) != 8 {
		t.Errorf("%d original solutions, want 8", len(originals))
	}
	for _, path := range originals {
		readSolution(t, path)
	}
}

func drawQAP(t *rapid.T) *datasets.QAP {
	n := rapid.IntRange(2, 9).Draw(t, "n")
	entries := rapid.SliceOfN(rapid.Int32Range(-1000, 1000), n*n, n*n)
	a, b := entries.Draw(t, "a"), entries.Draw(t, "b")
	if rapid.Bool().Draw(t, "symmetric") {
		for i := range n {
			for j := range i {
				a[i*n+j], b[i*n+j] = a[j*n+i], b[j*n+i]
			}
		}
	}
	q, err := datasets.NewQAP("q", n, a, b)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestQAPDeltaIsTheDifferenceOfCosts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := drawQAP(t)
		p := drawPermutation(t, q.N)
		at := rapid.IntRange(0, q.N-1)
		r, s := at.Draw(t, "r"), at.Draw(t, "s")
		before, err := q.Cost(p)
		if err != nil {
			t.Fatal(err)
		}
		delta := q.Delta(p, r, s)
		p[r], p[s] = p[s], p[r]
		if after, err := q.Cost(p); err != nil || before+delta != after {
			t.Fatalf("delta %d, want %d (%v)", delta, after-before, err)
		}
	})
}

func TestQAPRefuses(t *testing.T) {
	t.Parallel()
	if _, err := datasets.NewQAP("q", 2, make([]int32, 4), make([]int32, 3)); err == nil {
		t.Error("matrices of different sizes are taken")
	}
	n := 4
	big := make([]int32, n*n)
	for i := range big {
		big[i] = 1<<31 - 1
	}
	if _, err := datasets.NewQAP("q", n, big, big); err == nil ||
		!strings.Contains(err.Error(), "2^62") {
		t.Errorf("costs beyond 62 bits: %v", err)
	}
	q, err := datasets.Taillard(4)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := q.Cost([]int32{0, 1, 1, 3}); err == nil ||
		!strings.Contains(err.Error(), "1 is there twice") {
		t.Errorf("no permutation: %v", err)
	}
}

func BenchmarkQAPDelta(b *testing.B) {
	q, err := datasets.Taillard(100)
	if err != nil {
		b.Fatal(err)
	}
	p := make([]int32, q.N)
	for i := range p {
		p[i] = int32(i)
	}
	for b.Loop() {
		q.Delta(p, 3, 71)
	}
}

// The bound of costs is the sum of one matrix times the largest entry of the other, whatever its
// sign: twice 2^31 - 1 times that is refused, half of it is not.
func TestQAPBoundOfCosts(t *testing.T) {
	t.Parallel()
	const top = math.MaxInt32
	for _, c := range []struct {
		a, b []int32
		ok   bool
	}{
		{[]int32{top, 0, 0, 0}, []int32{0, top, 0, 0}, true},
		{[]int32{top, 0, 0, 0}, []int32{0, -top, 0, 0}, true},
		{[]int32{top, 0, top, 0}, []int32{0, top, 0, 0}, false},
		{[]int32{top, 0, -top, 0}, []int32{0, top, 0, 0}, false},
		{[]int32{top, 0, top, 0}, []int32{0, -top, 0, 0}, false},
	} {
		if _, err := datasets.NewQAP("q", 2, c.a, c.b); (err == nil) != c.ok {
			t.Errorf("flows %v, distances %v: error is %v", c.a, c.b, err)
		}
	}
}
