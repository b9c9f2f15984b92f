//go:build cuda

package own_test

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/gpu"
	_ "metalab/kernels/moves" // has the searches on problems of somebody's own, too
	"metalab/solvers"
	problems "metalab/solvers/own"
	"metalab/solvers/record"
)

// interpreted tells that there is no GPU.
const interpreted = false

// held is a GPU that stays open while there are tests: a context is started once, and kernels that
// several runs have are loaded once.
var held = sync.OnceValues(func() (*gpu.Device, error) { return gpu.Open(context.Background(), 0) })

// machine skips a test where there is no GPU.
func machine(t testing.TB) {
	t.Helper()
	if _, err := held(); err != nil {
		if gpu.IsUnavailable(err) {
			t.Skip(err)
		}
		t.Fatal(err)
	}
}

// TestDeviceRates prints how many scans a second there are, beside the CPU and the kernels that are
// built in, and compares the first iterations with the CPU's.
func TestDeviceRates(t *testing.T) {
	machine(t)
	form := record.Form{Kind: record.FormBits, N: 1000, Maximise: true}
	sack, err := problems.New("sack", form, func() any {
		return &knapsack{
			weight: numbers(1000, 1000), value: numbers(1000, 1000), capacity: 160_000, penalty: 10,
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := datasets.Load("tai100a")
	if err != nil {
		t.Fatal(err)
	}
	qap := loaded.(*datasets.QAP)
	mine, err := problems.New("mine", record.Form{Kind: record.FormPermutation, N: qap.N},
		func() any { return newAssignment(qap) })
	if err != nil {
		t.Fatal(err)
	}
	table, err := problems.New("table", record.Form{Kind: record.FormPermutation, N: qap.N},
		func() any { return newRowed(qap) })
	if err != nil {
		t.Fatal(err)
	}
	shop, err := problems.New("shop", record.Form{Kind: record.FormPermutation, N: 50},
		func() any { return newShop(50, 20) })
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		inst  datasets.Instance
		nb    string
		walks int
		scans int
		same  int // iterations that are compared
	}{
		{sack, "hamming1", 264, 20, 4},
		{sack, "hamming1", 1, 100, 4},
		{sack, "hamming2", 16, 4, 1},
		{mine, "swap", 264, 4, 2},
		{table, "swap", 264, 20, 2},
		{qap, "swap", 264, 4, 2},
		{mine, "swap", 1, 50, 2},
		{table, "swap", 1, 50, 2},
		{qap, "swap", 1, 50, 2},
		{shop, "insertion", 264, 2, 2},
		{shop, "insertion", 16, 10, 2},
	} {
		vs := record.Of("walks", c.walks, "scans", c.scans, "neighbourhood", c.nb)
		cfg := solvers.Config{Solver: "tabu", Instance: c.inst, Seed: 1, Params: vs}
		if p, ok := c.inst.(*problems.Problem); ok {
			p.Told("problems_test.go", text)
		}
		cfg.Backend = "cuda"
		start := time.Now()
		got := history(t, cfg, c.same)
		first := time.Since(start)
		cfg.Backend = "cpu"
		want := history(t, cfg, c.same)
		identical := reflect.DeepEqual(got, want)
		if !identical {
			t.Errorf("%s: cuda %q, cpu %q", c.inst.Name(), got, want)
		}
		line := fmt.Sprintf("%s %s, %d walks: identical %v, open and %d iterations %.3f s", c.inst.Name(),
			c.nb, c.walks, identical, c.same, first.Seconds())
		for _, threads := range []int{32, 128, 512} {
			cfg.Backend, vs["wave"] = "cuda", record.Num(float64(threads))
			rate, _ := rate(t, cfg, c.walks*c.scans)
			line += fmt.Sprintf("; %d threads %.4g", threads, rate)
		}
		delete(vs, "wave")
		for _, backend := range []string{"cuda", "cpu"} {
			cfg.Backend = backend
			rate, waves := rate(t, cfg, c.walks*c.scans)
			line += fmt.Sprintf("; %s %.4g scans a second%s", backend, rate, waves)
		}
		t.Log(line)
	}
}

// rate makes iterations for a second.
func rate(t *testing.T, cfg solvers.Config, scans int) (float64, string) {
	t.Helper()
	r, err := solvers.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	ctx := context.Background()
	if err := r.Step(ctx, 1); err != nil {
		t.Fatal(err)
	}
	n, start := 0, time.Now()
	for time.Since(start) < time.Second {
		if err := r.Step(ctx, 2); err != nil {
			t.Fatal(err)
		}
		n += 2
	}
	took := time.Since(start).Seconds()
	waves := ""
	if ws, err := r.Waves(ctx); err == nil && cfg.Backend == "cuda" {
		for _, w := range ws {
			waves += fmt.Sprintf(" (%v, tuned %v)", w.Config, w.Tuned)
		}
	}
	return float64(n*scans) / took, waves
}
