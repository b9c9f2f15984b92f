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
	usual
	b      *deviceCrew
	rings  ringStore
	racing bool // spm

	bar          *gpu.Buffer[uint32]
	tally        *gpu.Buffer[uint64]
	tallyStaging *gpu.Pinned[uint64]
	counts       hitCounts
	notes        *gpu.Buffer[uint32] // of spm-sync: lapNotes of each ant, of noteBytes each
	// the ants per block of config, and its actual ones
	fitted, ranks int
}

func newSpmSync(b *deviceCrew) form {
	b.launches.graph.Use = launch.Never
	return &spm{b: b, rings: ringStore{b: b}}
}

func newSpm(b *deviceCrew) form { return &spm{b: b, rings: ringStore{b: b}, racing: true} }

func (s *spm) bytes(ants int) int64 {
	sum := storeBytes(s.b.n, s.b.g.K, s.b.s.Memory.Slots)
	if !s.racing {
		sum += int64(ants) * lapNotes * int64(s.noteBytes())
	}
	return sum
}

func (s *spm) open(kernel func(k **gpu.Kernel, name string)) error {
	name := "construct"
	if s.racing {
		name = "construct_alt"
		_, suffix := pitchOf(s.b.g.K, s.b.s.Memory.Slots)
		if !s.b.wide {
			kernel(&s.rings.windows, "construct_windows"+suffix)
		}
	}
	err := s.rings.open(kernel, name, s.b.s.Memory.Slots, s.b.s.Memory.Slots)
	if err == nil && !s.racing && !s.b.d.Info().Cooperative {
		return fmt.Errorf("ants: device %d cannot launch cooperative grids, which spm-sync needs: use "+
			"spm, or backend cpu",
			s.b.d.Info().Ordinal)
	}
	s.bar, err = launch.Upload(s.b.d, make([]uint32, 1), err)
	s.tally, err = launch.Upload(s.b.d, make([]uint64, tallies), err)
	if err == nil {
		s.tallyStaging, err = gpu.NewPinned[uint64](s.b.d, tallies)
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
	s.notes, err = gpu.Alloc[uint32](s.b.d, s.b.batch.ants*lapNotes*s.noteBytes()/4)
	return err
}

// noteBytes is the size of a note.
func (s *spm) noteBytes() int {
	if s.b.wide {
		return 8
	}
	return 4
}

func (s *spm) rules(r *crew.Rules, eta bool) error { return s.rings.rules(r, eta) }

func (s *spm) look() error { return s.rings.look() }

func (s *spm) own() wave.Config { return s.rings.own() }

func (s *spm) shapes() []wave.Config { return s.rings.shapes() }

func (s *spm) send() error {
	tau, ring, head := toDevice(s.b.s.Memory, s.b.g, s.rings.pitch)
	s.counts.sent(s.b.s.Memory)
	return errors.Join(s.b.trails.tau.Upload(tau), s.rings.ring.Upload(ring),
		s.rings.head.Upload(head), s.tally.Upload(make([]uint64, tallies)))
}

func (s *spm) fetch() error {
	tau, err := s.b.trails.tau.Download()
	ring, err2 := s.rings.ring.Download()
	head, err3 := s.rings.head.Download()
	tally, err4 := s.tally.Download()
	if err := errors.Join(err, err2, err3, err4); err != nil {
		return err
	}
	fromDevice(s.b.s.Memory, s.b.g, s.rings.pitch, tau, ring, head)
	s.counts.fetched(tally, s.b.s.Memory)
	return nil
}

// tell writes how many updates found their trail stored, and how many there were.
func (s *spm) tell(out *crew.Tours) { s.counts.tell(s.tallyStaging.Slice(), out) }

func (s *spm) prepare() error {
	return s.b.kernels.prepare.Launch(s.b.perSlot(),
		s.b.inst.arg, s.b.jobs.buffer, s.rings.ruleArgs, s.rings.memory(), s.b.trails.eta,
		s.b.kept.after, s.b.kept.before, s.bar, s.tally)
}

// helpers is the least number of warps of a block of spm-sync: warps that are not ants help with
// the updates.
const helpers = 16

// adopt chooses the launch of spm-sync: all ants are resident, in blocks of as many ants as wanted
// or, where the device does not hold those, of another number, which changes no result; on as many
// blocks as there are multiprocessors, for the updates.
func (s *spm) adopt(c wave.Config) error {
	if s.racing {
		return s.rings.blocks(c)
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
			if s.b.trying() {
				continue // the tuner tries other shapes itself
			}
			ranks = i % 33
		}
		warps := max(ranks, helpers)
		var shared int
		switch {
		case i < 33 && s.b.n < globalVisitedFrom:
			// The bits in shared memory.
			s.b.inst.arg.Visited = 0
			if shared = chunk + s.b.maskBytes(ranks); shared > s.rings.kernel.Info().MaxShared {
				continue
			}
		case i < 33 || !s.b.wide:
			continue
		default:
			shared = chunk
			if err := s.b.globalVisited(); err != nil {
				return err
			}
		}
		grid, err := s.rings.kernel.MaxCooperativeGrid(32*warps, shared)
		if err != nil {
			return err
		}
		need := (s.b.batch.ants + ranks - 1) / ranks
		if need <= grid {
			s.rings.config = gpu.Config{
				Grid:  gpu.Dim{X: max(need, min(grid, s.b.sms))},
				Block: gpu.Dim{X: 32 * warps}, Shared: shared, Cooperative: true,
			}
			s.fitted, s.ranks = want, ranks
			return nil
		}
		most = max(most, grid*ranks)
	}
	return fmt.Errorf("ants: ants is %d: spm-sync keeps all on the device at once, and device %d "+
		"holds %d: use fewer, spm, or backend cpu",
		s.b.batch.ants, s.b.d.Info().Ordinal, most)
}

func (s *spm) construct() error {
	if s.racing {
		k, c := s.rings.constructing()
		return k.Launch(c, s.b.inst.arg, s.b.jobs.buffer, s.rings.ruleArgs,
			s.rings.memory(), s.b.batch.tours, s.b.batch.results, s.tally, s.b.keys)
	}
	return s.rings.kernel.Launch(s.rings.config,
		s.b.inst.arg, s.b.jobs.buffer, s.rings.ruleArgs, s.rings.memory(), s.notes, s.b.batch.tours,
		s.b.batch.results, s.bar, s.tally, s.b.keys, int32(s.ranks))
}

// finish queues the copy of what tell writes.
func (s *spm) finish() error { return s.tallyStaging.Download(nil, s.tally) }
