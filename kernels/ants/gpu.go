package ants

import (
	"fmt"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers/wave"
)

// acsGPU is the form of acs/gpu: trails as those of acs/alt, and a barrier of the grid after each
// step.
type acsGPU struct {
	beyondStore
	bar    *gpu.Buffer[uint32]
	fitted int // the ants per block of config
}

func newACSGPU(b *deviceCrew) form {
	b.launches.graph.Use = launch.Never
	return &acsGPU{beyondStore: newBeyond(b)}
}

func (a *acsGPU) open(kernel func(k **gpu.Kernel, name string)) error {
	if !a.b.d.Info().Cooperative {
		return fmt.Errorf("ants: device %d cannot launch cooperative grids, which acs/gpu needs: use "+
			"acs/alt, or backend cpu", a.b.d.Info().Ordinal)
	}
	err := a.beyondStore.open(kernel)
	a.bar, err = launch.Upload(a.b.d, make([]uint32, 1), err)
	return err
}

func (a *acsGPU) grow() error {
	a.fitted = 0
	return nil
}

// adopt chooses the launch: all ants are resident, in blocks of as many ants as wanted or, where
// the device does not hold those, of another number.
func (a *acsGPU) adopt(c wave.Config) error {
	want := c.Block / warpThreads
	if a.fitted == want {
		return nil
	}
	most := 0
	for ants := range a.rings.kernel.Info().MaxBlock/warpThreads + 1 {
		if ants == 0 {
			ants = want
		} else if a.b.trying() {
			break // the tuner tries other shapes itself
		}
		shared, err := a.b.bits(a.rings.kernel, ants)
		if err != nil {
			return err
		}
		if shared > a.rings.kernel.Info().MaxShared {
			continue
		}
		grid, err := a.rings.kernel.MaxCooperativeGrid(warpThreads*ants, shared)
		if err != nil {
			return err
		}
		if need := (a.b.batch.ants + ants - 1) / ants; need <= grid {
			a.rings.config = gpu.Config{
				Grid: gpu.Dim{X: need}, Block: gpu.Dim{X: warpThreads * ants}, Shared: shared,
				Cooperative: true,
			}
			a.fitted = want
			return nil
		}
		most = max(most, grid*ants)
	}
	return fmt.Errorf("ants: ants is %d: acs/gpu keeps all on the device at once, and device %d "+
		"holds %d: use fewer, acs/alt, or backend cpu", a.b.batch.ants, a.b.d.Info().Ordinal, most)
}

func (a *acsGPU) prepare() error {
	return a.b.kernels.prepare.Launch(a.b.perSlot(), a.b.inst.arg, a.b.jobs.buffer, a.rings.ruleArgs,
		a.rings.memory(), a.b.trails.eta, a.b.kept.after, a.b.kept.before, a.bar)
}

func (a *acsGPU) construct() error {
	return a.rings.kernel.Launch(a.rings.config, a.b.inst.arg, a.b.jobs.buffer, a.rings.ruleArgs,
		a.rings.memory(), a.b.batch.tours, a.b.batch.results, a.bar, a.b.keys)
}
