package moves

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"metalab/kernels/internal/emulate"
	"metalab/solvers/moves"
	"metalab/solvers/record"
)

// TestEmulatedShares shares out the walks over devices, each of which is an emulator with walks of
// others that make no scan: the history is the CPU's, with every way to make scans. Climbing, and
// all but two problems, are tried with METALAB_EMULATE=all alone.
func TestEmulatedShares(t *testing.T) {
	emulate.Need(t)
	more := record.Of("walks", 4, "exchange", 2)
	for i, m := range emulations {
		solvers := []string{"", "hill"}
		if os.Getenv("METALAB_EMULATE") != "all" {
			solvers = solvers[:1]
		}
		if os.Getenv("METALAB_EMULATE") != "all" && i > 1 {
			break
		}
		for _, solver := range solvers {
			all := m.trials(t)
			at := slices.IndexFunc(all, func(c trial) bool { return c.solver == solver })
			if at < 0 {
				continue
			}
			c := all[at]
			c.params, c.devices = maps.Clone(c.params), []int{0, 1, 2}
			maps.Copy(c.params, more)
			h := hows[i%len(hows)]
			t.Run(fmt.Sprint(solver, c.inst.Name(), c.params, h), func(t *testing.T) {
				t.Parallel()
				twins(t, c, func(p *moves.Problem) (moves.Engine, error) { return newEmulated(p, h) })
			})
		}
	}
	for i, h := range []quickHow{
		{kernel: "walks", warps: 1},
		{kernel: "walks", warps: 2, wide: true},
		{kernel: "team", warps: 2, wide: true},
		{kernel: "published", warps: 1, wide: true},
	} {
		c := try(randomQAP(t, 11, i), "scans", 5, "walks", 4, "aspiration", 6, "exchange", 2)
		c.devices = []int{0, 3, 4}
		t.Run(fmt.Sprint("many scans", h), func(t *testing.T) {
			t.Parallel()
			twins(t, c, func(p *moves.Problem) (moves.Engine, error) { return newQuickEmulated(p, h) })
		})
	}
}

var _ moves.Sharing = (*quickEmulated)(nil)
