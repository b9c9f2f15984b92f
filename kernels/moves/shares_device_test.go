//go:build cuda

package moves

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/record"
)

// TestSharesOnGPUs shares out the walks over the machine's GPUs, in each problem by tabu search and
// by climbing, and some with every schedule: the history is the CPU's.
func TestSharesOnGPUs(t *testing.T) {
	devices := several(t)
	for k, m := range emulations {
		for _, solver := range []string{"", "hill"} {
			all := m.trials(t)
			at := slices.IndexFunc(all, func(c trial) bool { return c.solver == solver })
			if at < 0 {
				continue
			}
			for i, s := range schedules {
				if testing.Short() && i%3 != k%3 {
					continue
				}
				c := all[at]
				c.params, c.devices = maps.Clone(c.params), devices
				maps.Copy(c.params, record.Of("walks", 2*len(devices)+1, "exchange", 2))
				maps.Copy(c.params, s)
				t.Run(fmt.Sprint(solver, c.inst.Name(), c.params), func(t *testing.T) {
					twins(t, c, NewEngine)
				})
			}
		}
	}
}

// several are the machine's GPUs, of which the test needs more than one.
func several(t *testing.T) (devices []int) {
	t.Helper()
	gputest.Need(t)
	list, err := gpu.Devices()
	if err != nil || len(list) < 2 {
		t.Skipf("there are %d GPUs, want 2 or more: %v", len(list), err)
	}
	for _, d := range list {
		devices = append(devices, d.Ordinal)
	}
	return devices
}

// TestPartsOnGPUs shares out the neighbourhoods of one walk over the machine's GPUs, with every
// schedule that lets it: the history is the CPU's.
func TestPartsOnGPUs(t *testing.T) {
	devices := several(t)
	shareAll = true
	defer func() { shareAll = false }()
	for k, m := range emulations {
		if m.kind != datasets.KindPPP && m.kind != datasets.KindTSP && m.kind != datasets.KindATSP {
			continue
		}
		for j, c := range m.trials(t) {
			for i, s := range schedules {
				if i%5 != (j+k)%5 {
					continue
				}
				c.params, c.devices = maps.Clone(c.params), devices
				maps.Copy(c.params, record.Of("walks", 1))
				maps.Copy(c.params, s)
				t.Run(fmt.Sprint(c.solver, c.inst.Name(), c.params), func(t *testing.T) {
					twins(t, c, NewEngine)
				})
			}
		}
	}
}

// TestFiguresParts prints how long scans of one walk take on one GPU and on all, when
// METALAB_FIGURES is set to parts.
func TestFiguresParts(t *testing.T) {
	if os.Getenv("METALAB_FIGURES") != "parts" {
		t.Skip("METALAB_FIGURES is not parts")
	}
	devices := several(t)
	for _, c := range []struct {
		instance, neighbourhood string
		scans                   int
	}{
		{"ppp-401x417-1", "hamming3", 40},
		{"ppp-1301x1317-1", "hamming2", 200},
		{"ppp-1301x1317-1", "hamming3", 10},
		{"E10k.0", "swap", 400},
		{"E31k.0", "swap", 100},
		{"E100k.0", "swap", 10},
	} {
		inst, err := datasets.Load(c.instance)
		if err != nil {
			t.Error(err)
			continue
		}
		var digests [2]uint64
		for k, on := range [][]int{devices[:1], devices} {
			r, err := solvers.Open(solvers.Config{
				Name: "f", Solver: "tabu", Backend: "cuda", Instance: inst, Seed: 1, Devices: on,
				Params: record.Of("walks", 1, "scans", c.scans, "neighbourhood", c.neighbourhood, "trials", 0),
			})
			if err != nil {
				t.Fatal(err)
			}
			var least time.Duration
			for range 4 {
				start := time.Now()
				if err := r.Step(t.Context(), 1); err != nil {
					t.Fatal(err)
				}
				if d := time.Since(start) / time.Duration(c.scans); least == 0 || d < least {
					least = d
				}
			}
			digests[k] = r.Last().Digest
			t.Logf("%s %s on %v: %v a scan", c.instance, c.neighbourhood, on, least)
			r.Close()
		}
		if digests[0] != digests[1] {
			t.Errorf("%s: %x on one, %x on all", c.instance, digests[0], digests[1])
		}
	}
}
