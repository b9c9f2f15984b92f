package datasets_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/datasets"
)

// dataFolder returns the folder of the published instances, or skips the test.
func dataFolder(t testing.TB) string {
	dir := os.Getenv("METALAB_DATA")
	if dir == "" {
		t.Skip("METALAB_DATA is not set")
	}
	return dir
}

// readTSP reads an instance file of the data folder.
func readTSP(t testing.TB, path string) *datasets.TSP {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := datasets.ReadTSP(f, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// optimum is what the data folder's optima.json files say of an instance.
type optimum struct {
	N       int
	Optimum int64
}

func optima(t testing.TB, path string) map[string]optimum {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]optimum{}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&m); err != nil {
		t.Fatal(path, err)
	}
	return m
}

func TestAllToursHaveTheirPublishedLength(t *testing.T) {
	t.Parallel()
	dir := dataFolder(t)
	tours := 0
	for _, set := range []struct{ tours, instances string }{
		{"tsplib/*.opt.tour", "tsplib"},
		{"tsplib/own-tours/*.tour", "tsplib"},
		{"vlsi/*.opt.tour", "vlsi"},
		{"art/*.tour", "art"},
	} {
		paths, err := filepath.Glob(filepath.Join(dir, set.tours))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no tours match %s: %v", set.tours, err)
		}
		best := optima(t, filepath.Join(dir, set.instances, "optima.json"))
		for _, path := range paths {
			name, _, _ := strings.Cut(filepath.Base(path), ".")
			p := readTSP(t, filepath.Join(dir, set.instances, name+".tsp"))
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			tour, err := datasets.ReadTour(f, path)
			f.Close()
			if err != nil {
				t.Error(err)
				continue
			}
			got, err := p.Length(tour)
			if want := best[name].Optimum; err != nil || got != want {
				t.Errorf("%s: tour has length %d (%v), want %d", name, got, err, want)
			}
			tours++
		}
	}
	if tours < 33+35+2+1 {
		t.Errorf("only %d tours were evaluated", tours)
	}
}

func TestAllTSPLIBInstancesLoad(t *testing.T) {
	t.Parallel()
	dir := dataFolder(t)
	for _, set := range []struct {
		pattern, optima string
		count           int
	}{
		{"tsplib/*.tsp", "tsplib/optima.json", 111},
		{"tsplib/atsp/*.atsp", "tsplib/atsp/optima.json", 19},
		{"vlsi/*.tsp", "vlsi/optima.json", 7},
		{"art/*.tsp", "art/optima.json", 1},
		{"dimacs/*.tsp", "dimacs/optima.json", 7},
	} {
		paths, _ := filepath.Glob(filepath.Join(dir, set.pattern))
		if len(paths) != set.count {
			t.Errorf("%d files match %s, want %d", len(paths), set.pattern, set.count)
		}
		best := optima(t, filepath.Join(dir, set.optima))
		for _, path := range paths {
			p := readTSP(t, path)
			if want := best[p.Name()].N; p.N != want {
				t.Errorf("%s has %d cities, want %d", p.Name(), p.N, want)
			}
			if want := filepath.Ext(path) == ".atsp"; p.Asymmetric != want {
				t.Errorf("%s: asymmetric is %v, want %v", p.Name(), p.Asymmetric, want)
			}
		}
	}
}
