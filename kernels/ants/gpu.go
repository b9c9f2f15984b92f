package ants

import (
	"fmt"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers/wave"
)

// meeting is the form of acs/gpu: the data of alt, and a barrier of the grid after each step.
type meeting struct {
	alt
	bar    *gpu.Buffer[uint32]
	fitted int // the ants of a block for which config was made
}

func newMeeting(b *deviceCrew) form {
	b.graph.Use = launch.Never
	return &meeting{alt: alt{steps: steps{deviceCrew: b, slots: spare}}}
}

func (m *meeting) open(kernel func(k **gpu.Kernel, name string)) error {
	if !m.d.Info().Cooperative {
		return fmt.Errorf("ants: device %d cannot launch cooperative grids, which acs/gpu needs: use "+
			"acs/alt, or backend cpu", m.s.Env.Device)
	}
	err := m.alt.open(kernel)
	m.bar, err = launch.Upload(m.d, make([]uint32, 1), err)
	return err
}

func (m *meeting) grow() error {
	m.fitted = 0
	return nil
}

// adopt chooses the launch: all ants are resident, in blocks of as many ants as wanted or, where
// the device does not hold those, of another number.
func (m *meeting) adopt(c wave.Config) error {
	want := c.Block / warpThreads
	if m.fitted == want {
		return nil
	}
	most := 0
	for ants := range m.kernel.Info().MaxBlock/warpThreads + 1 {
		if ants == 0 {
			ants = want
		} else if m.trying() {
			break // the tuner tries other shapes itself
		}
		shared, err := m.bits(m.kernel, ants)
		if err != nil {
			return err
		}
		if shared > m.kernel.Info().MaxShared {
			continue
		}
		grid, err := m.kernel.MaxCooperativeGrid(warpThreads*ants, shared)
		if err != nil {
			return err
		}
		if need := (m.ants + ants - 1) / ants; need <= grid {
			m.config = gpu.Config{
				Grid: gpu.Dim{X: need}, Block: gpu.Dim{X: warpThreads * ants}, Shared: shared,
				Cooperative: true,
			}
			m.fitted = want
			return nil
		}
		most = max(most, grid*ants)
	}
	return fmt.Errorf("ants: ants is %d: acs/gpu keeps all on the device at once, and device %d "+
		"holds %d: use fewer, acs/alt, or backend cpu", m.ants, m.d.Info().Ordinal, most)
}

func (m *meeting) prepare() error {
	return m.prepareKernel.Launch(m.perSlot(), m.arg, m.job, m.steps.steps, m.memory(), m.eta,
		m.after, m.before, m.bar)
}

func (m *meeting) construct() error {
	return m.kernel.Launch(m.config, m.arg, m.job, m.steps.steps, m.memory(), m.tours, m.results,
		m.bar, m.keys)
}
