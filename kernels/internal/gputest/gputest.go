// Package gputest has what the tests of families of kernels share: they need a GPU, or replay on
// the CPU what a GPU has made.
//
// A family keeps the digests of some runs, its golden runs, in a file of testdata. [Replay] makes
// the runs on the CPU, on every machine, and compares; [Remake] makes them on a GPU too, and writes
// the file anew where METALAB_GOLDEN_OUT names one.
package gputest

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/solvers"
)

// Need skips a test without a GPU, and keeps one open, so that the runs of the test find it
// started.
func Need(t testing.TB) *gpu.Device {
	t.Helper()
	if err := gpu.Available(); err != nil {
		t.Skip(err)
	}
	d, err := gpu.Open(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// A Run is a golden run.
type Run struct {
	Name       string
	Config     solvers.Config // without the backend
	Iterations int
}

// Cities are an instance of the DIMACS challenge for golden runs.
func Cities(t testing.TB, clustered bool, n int) *datasets.TSP {
	t.Helper()
	in, err := datasets.DIMACS(clustered, n, 11)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// A golden is the stored part of a run.
type golden struct {
	Digest string  `json:"digest"`
	Best   float64 `json:"best"`
	Mean   float64 `json:"mean"`
	Device string  `json:"device"` // that made it
}

func (r *Run) make(t testing.TB, backend string) golden {
	t.Helper()
	c := r.Config
	c.Backend = backend
	run, err := solvers.Open(c)
	if err != nil {
		t.Fatalf("%s: %v", r.Name, err)
	}
	defer run.Close()
	if err := run.Step(t.Context(), r.Iterations); err != nil {
		t.Fatalf("%s: %v", r.Name, err)
	}
	p := run.Last()
	return golden{Digest: fmt.Sprintf("%016x", p.Digest), Best: p.Best, Mean: p.Mean}
}

// Replay makes on the CPU the runs that a GPU made, and compares them with what the file has of
// each.
func Replay(t *testing.T, file string, runs []Run) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var kept map[string]golden
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	if len(kept) != len(runs) {
		t.Errorf("%s has %d runs, want %d", file, len(kept), len(runs))
	}
	for i := range runs {
		if testing.Short() && i%3 != 0 {
			continue
		}
		want, got := kept[runs[i].Name], runs[i].make(t, "cpu")
		if want.Device == "" {
			t.Errorf("%s: %s has no run that a GPU made", runs[i].Name, file)
		}
		if want.Device = ""; got != want {
			t.Errorf("%s: the CPU makes %+v, the GPU made %+v", runs[i].Name, got, want)
		}
	}
}

// Remake repeats the runs on a GPU and on the CPU and compares them. If METALAB_GOLDEN_OUT names a
// file, it writes the new golden data there.
func Remake(t *testing.T, runs []Run) {
	t.Helper()
	d := Need(t)
	made := map[string]golden{}
	for i := range runs {
		m, cpu := runs[i].make(t, "cuda"), runs[i].make(t, "cpu")
		if m != cpu {
			t.Errorf("%s: the GPU makes %+v, the CPU %+v", runs[i].Name, m, cpu)
		}
		m.Device = d.Info().Name
		made[runs[i].Name] = m
	}
	out := os.Getenv("METALAB_GOLDEN_OUT")
	if out == "" || t.Failed() {
		return
	}
	text, err := json.MarshalIndent(made, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(out, append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}
