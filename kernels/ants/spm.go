package ants

import (
	"errors"
	"fmt"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers/ants/crew"
	"metalab/solvers/wave"
)

// spm is the form of acs/spm-sync and acs/spm.
type spm struct {
	steps
	racing bool // spm

	bar          *gpu.Buffer[uint32]
	tally        *gpu.Buffer[uint64]
	tallyStaging *gpu.Pinned[uint64]
	counts       hitCounts
	notes        *gpu.Buffer[uint32] // of spm-sync: lapNotes of each ant, of noteBytes each
	// the ants of a block for which config was made, and those that it has
	fitted, ranks int
}

func newSpmSync(b *deviceCrew) form {
	b.graph.Use = launch.Never
	return &spm{steps: steps{deviceCrew: b}}
}

func newSpm(b *deviceCrew) form { return &spm{steps: steps{deviceCrew: b}, racing: true} }

func (s *spm) bytes(ants int) int64 {
	sum := storeBytes(s.n, s.g.K, s.s.Memory.Slots)
	if !s.racing {
		sum += int64(ants) * lapNotes * int64(s.noteBytes())
	}
	return sum
}

func (s *spm) open(kernel func(k **gpu.Kernel, name string)) error {
	name := "construct"
	if s.racing {
		name = "construct_alt"
	}
	err := s.steps.open(kernel, name, s.s.Memory.Slots, s.s.Memory.Slots)
	if err == nil && !s.racing && !s.d.Info().Cooperative {
		return fmt.Errorf("ants: device %d cannot launch cooperative grids, which spm-sync needs: use "+
			"spm, or backend cpu",
			s.s.Env.Device)
	}
	s.bar, err = launch.Upload(s.d, make([]uint32, 1), err)
	s.tally, err = launch.Upload(s.d, make([]uint64, tallies), err)
	if err == nil {
		s.tallyStaging, err = gpu.NewPinned[uint64](s.d, tallies)
	}
	return err
}

func (s *spm) grow() error {
	s.fitted = 0
	if s.racing {
		return nil
	}
	if s.notes != nil {
		if err := s.notes.Free(); err != nil {
			return err
		}
		s.notes = nil
	}
	var err error
	s.notes, err = gpu.Alloc[uint32](s.d, s.ants*lapNotes*s.noteBytes()/4)
	return err
}

// noteBytes is the size of a note.
func (s *spm) noteBytes() int {
	if s.wide {
		return 8
	}
	return 4
}

func (s *spm) send() error {
	tau, ring, head := toDevice(s.s.Memory, s.g, s.pitch)
	s.counts.sent(s.s.Memory)
	return errors.Join(s.tau.Upload(tau), s.ring.Upload(ring), s.head.Upload(head),
		s.tally.Upload(make([]uint64, tallies)))
}

func (s *spm) fetch() error {
	tau, err := s.tau.Download()
	ring, err2 := s.ring.Download()
	head, err3 := s.head.Download()
	tally, err4 := s.tally.Download()
	if err := errors.Join(err, err2, err3, err4); err != nil {
		return err
	}
	fromDevice(s.s.Memory, s.g, s.pitch, tau, ring, head)
	s.counts.fetched(tally, s.s.Memory)
	return nil
}

// tell writes how many updates found their trail stored, and how many there were.
func (s *spm) tell(out *crew.Tours) { s.counts.tell(s.tallyStaging.Slice(), out) }

func (s *spm) prepare() error {
	return s.prepareKernel.Launch(s.perSlot(),
		s.arg, s.job, s.steps.steps, s.memory(), s.eta, s.after, s.before, s.bar, s.tally)
}

// helpers is the least number of warps of a block of spm-sync: warps that are not ants help with
// the updates.
const helpers = 16

// adopt chooses the launch of spm-sync: all ants are resident, in blocks of as many ants as wanted
// or, where the device does not hold those, of another number, which changes no result; on as many
// blocks as there are multiprocessors, for the updates.
func (s *spm) adopt(c wave.Config) error {
	if s.racing {
		return s.blocks(c)
	}
	want := c.Block / warpThreads
	if s.fitted == want {
		return nil
	}
	chunk := chunkBytes(s.noteBytes())
	most := 0
	for i := range 2 * 33 {
		ranks := want
		if i%33 > 0 {
			if s.trying() {
				continue // the tuner tries other shapes itself
			}
			ranks = i % 33
		}
		warps := max(ranks, helpers)
		var shared int
		switch {
		case i < 33 && s.n < globalVisitedFrom:
			// The bits in shared memory.
			s.arg.Visited = 0
			if shared = chunk + s.maskBytes(ranks); shared > s.kernel.Info().MaxShared {
				continue
			}
		case i < 33 || !s.wide:
			continue
		default:
			shared = chunk
			if err := s.globalVisited(); err != nil {
				return err
			}
		}
		grid, err := s.kernel.MaxCooperativeGrid(32*warps, shared)
		if err != nil {
			return err
		}
		need := (s.ants + ranks - 1) / ranks
		if need <= grid {
			s.config = gpu.Config{
				Grid:  gpu.Dim{X: max(need, min(grid, s.sms))},
				Block: gpu.Dim{X: 32 * warps}, Shared: shared, Cooperative: true,
			}
			s.fitted, s.ranks = want, ranks
			return nil
		}
		most = max(most, grid*ranks)
	}
	return fmt.Errorf("ants: ants is %d: spm-sync keeps all on the device at once, and device %d "+
		"holds %d: use fewer, spm, or backend cpu",
		s.ants, s.d.Info().Ordinal, most)
}

func (s *spm) construct() error {
	if s.racing {
		return s.kernel.Launch(s.config, s.arg, s.job, s.steps.steps, s.memory(), s.tours, s.results,
			s.tally, s.keys)
	}
	return s.kernel.Launch(s.config,
		s.arg, s.job, s.steps.steps, s.memory(), s.notes, s.tours, s.results, s.bar, s.tally, s.keys,
		int32(s.ranks))
}

// finish queues the copy of what tell writes.
func (s *spm) finish() error { return s.tallyStaging.Download(nil, s.tally) }
