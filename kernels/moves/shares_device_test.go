//go:build cuda

package moves

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"metalab/gpu"
	"metalab/kernels/internal/gputest"
	"metalab/solvers/record"
)

// TestSharesOnGPUs shares out the walks over the machine's GPUs, in each problem by tabu search and
// by climbing, and some with every schedule: the history is the CPU's.
func TestSharesOnGPUs(t *testing.T) {
	gputest.Need(t)
	list, err := gpu.Devices()
	if err != nil || len(list) < 2 {
		t.Skipf("there are %d GPUs, want 2 or more: %v", len(list), err)
	}
	var devices []int
	for _, d := range list {
		devices = append(devices, d.Ordinal)
	}
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
