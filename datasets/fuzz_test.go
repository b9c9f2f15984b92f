package datasets_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/datasets"
)

// fuzzLimit keeps inputs short: the readers' states are all within reach of it.
const fuzzLimit = 512

// seed adds the files of testdata/<folder> to the corpus.
func seed(f *testing.F, folder string) {
	f.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", folder, "*"))
	if err != nil || len(paths) == 0 {
		f.Fatalf("no seeds in testdata/%s: %v", folder, err)
	}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
}

// checkSyntaxError fails unless err names the file and what was expected, and a
// line that the input has.
func checkSyntaxError(t *testing.T, data []byte, err error) {
	t.Helper()
	var e *datasets.SyntaxError
	if !errors.As(err, &e) {
		return // a refused instance, as with distances beyond 31 bits
	}
	lines := 1 + bytes.Count(data, []byte("\n")) + bytes.Count(data, []byte("\r"))
	if e.File != "fuzz" || e.Want == "" || e.Line < 0 || e.Line > lines ||
		strings.ContainsAny(e.Error(), "\n\x00") {
		t.Errorf("error %q (line %d of %d)", e.Error(), e.Line, lines)
	}
}

func FuzzReadTSP(f *testing.F) {
	seed(f, "tsp")
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > fuzzLimit {
			t.Skip()
		}
		p, err := datasets.ReadTSP(bytes.NewReader(data), "fuzz")
		if err != nil {
			checkSyntaxError(t, data, err)
			return
		}
		if p.N < 1 || p.N > len(data) || len(p.X)+len(p.ShowX) > 4*len(data) ||
			len(p.Matrix) > 4*len(data) {
			t.Fatalf(
				"%d cities, %d coordinates, %d distances from %d bytes", p.N, len(p.X), len(p.Matrix),
				len(data),
			)
		}
		last := p.N - 1
		if d, e := p.Dist(0, last), p.Dist(last, 0); d < 0 || !p.Asymmetric && d != e {
			t.Fatalf("distances %d and %d", d, e)
		}
		var out bytes.Buffer
		if err := datasets.WriteTSP(&out, p); err != nil {
			t.Fatal(err)
		}
		again, err := datasets.ReadTSP(&out, "fuzz")
		if err != nil {
			t.Fatalf("what was written does not read: %v", err)
		}
		if p.SHA256() != again.SHA256() || len(p.Fixed) != len(again.Fixed) ||
			len(p.ShowX) != len(again.ShowX) {
			t.Fatal("what was written reads differently")
		}
	})
}

func FuzzReadTour(f *testing.F) {
	seed(f, "tour")
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > fuzzLimit {
			t.Skip()
		}
		tours, err := datasets.ReadTours(bytes.NewReader(data), "fuzz")
		if err != nil {
			checkSyntaxError(t, data, err)
			return
		}
		total := 0
		for _, tour := range tours {
			if err := datasets.CheckPermutation(tour, len(tours[0])); err != nil {
				t.Fatal(err)
			}
			total += cap(tour)
		}
		if len(tours) == 0 || total > len(data) {
			t.Fatalf("%d tours with %d cities from %d bytes", len(tours), total, len(data))
		}
	})
}

func FuzzReadQAP(f *testing.F) {
	seed(f, "qap")
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > fuzzLimit {
			t.Skip()
		}
		q, err := datasets.ReadQAP(bytes.NewReader(data), "fuzz")
		if err != nil {
			checkSyntaxError(t, data, err)
			return
		}
		if q.N < 1 || len(q.A)+len(q.B) > len(data) {
			t.Fatalf("size %d from %d bytes", q.N, len(data))
		}
		var out bytes.Buffer
		if err := datasets.WriteQAP(&out, q); err != nil {
			t.Fatal(err)
		}
		back, err := datasets.ReadQAP(&out, "fuzz")
		if err != nil || back.SHA256() != q.SHA256() {
			t.Fatalf("read again: %v", err)
		}
		p := make([]int32, q.N)
		for i := range p {
			p[i] = int32(i)
		}
		before, err := q.Cost(p)
		if err != nil {
			t.Fatal(err)
		}
		want := before + q.Delta(p, 0, q.N-1)
		p[0], p[q.N-1] = p[q.N-1], p[0]
		if got, err := q.Cost(p); err != nil || got != want {
			t.Fatalf("cost %d (%v), by delta %d", got, err, want)
		}
	})
}

func FuzzReadQAPSolution(f *testing.F) {
	seed(f, "sln")
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > fuzzLimit {
			t.Skip()
		}
		s, err := datasets.ReadQAPSolution(bytes.NewReader(data), "fuzz")
		if err != nil {
			checkSyntaxError(t, data, err)
			return
		}
		if err := datasets.CheckPermutation(s.P, len(s.P)); err != nil || len(s.P) == 0 ||
			len(s.P) > len(data) {
			t.Fatalf("%d entries from %d bytes: %v", len(s.P), len(data), err)
		}
	})
}
