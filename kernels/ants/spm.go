package ants

import (
	"errors"
	"fmt"

	"metalab/gpu"
	"metalab/solvers"
	walkers "metalab/solvers/ants"
)

// spm is the crew of acs/spm and acs/spm-alt.
type spm struct {
	strider
	drawn  // spm-alt
	racing bool
	march  *gpu.Kernel
	ground *walkers.Ground
	tauMin float32

	bar           *gpu.Buffer[uint32]
	tally         *gpu.Buffer[uint64]
	told          *gpu.Pinned[uint64]
	notes         *gpu.Buffer[uint32] // of spm: lapNotes of each ant, of noteBytes each
	fitted, ranks int                 // the ants of a block that config was made for; those that it has
}

// hireSpm opens a crew of acs/spm on the device of env.
func hireSpm(env *solvers.Env, g *walkers.Ground, slots int) (walkers.SelectiveCrew, error) {
	return hireSelective(env, g, slots, false)
}

// hireSpmAlt opens a crew of acs/spm-alt on the device of env.
func hireSpmAlt(env *solvers.Env, g *walkers.Ground, slots int) (walkers.SelectiveCrew, error) {
	return hireSelective(env, g, slots, true)
}

func hireSelective(env *solvers.Env, g *walkers.Ground, slots int, racing bool) (walkers.SelectiveCrew, error) {
	s := &spm{ground: g, racing: racing}
	s.wide = g.Space.N >= wideFrom
	if err := s.start(env, g, slots); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *spm) start(env *solvers.Env, g *walkers.Ground, slots int) (err error) {
	s.more = func(ants int) int64 {
		sum := storeBytes(g.Space.N, g.K, slots)
		if !s.racing {
			sum += int64(ants) * lapNotes * int64(s.noteBytes())
		}
		return sum
	}
	name := "walk"
	if s.racing {
		name = "walk_alt"
	}
	if s.march, err = s.enter(env, g, "spm", name, slots); err != nil {
		return err
	}
	if !s.racing && !s.d.Info().Cooperative {
		return fmt.Errorf("ants: device %d cannot launch cooperative grids, which spm needs: use spm-alt, or backend cpu", env.Device)
	}
	s.bar, err = up(s.d, make([]uint32, 1), err)
	s.tally, err = up(s.d, make([]uint64, 2), err)
	if err == nil {
		s.told, err = gpu.NewPinned[uint64](s.d, 2)
	}
	s.base.prepare, s.base.grow = s.prepare, s.enlarge
	if s.racing {
		s.tune(s.march, func(ants int) error { return s.blocks(s.march, &s.drawn, ants) })
	} else {
		s.tune(s.march, s.fit)
	}
	return err
}

// enlarge follows the number of ants.
func (s *spm) enlarge() error {
	s.fitted = 0
	if s.racing {
		return s.forget()
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

// Rules implements SelectiveCrew.
func (s *spm) Rules(r walkers.AltRules) error {
	s.tauMin = r.TauMin
	return s.strider.Rules(r)
}

// SetMemory implements SelectiveCrew.
func (s *spm) SetMemory(m *walkers.Memory) error {
	tau, ring, head := spread(m, s.ground, s.pitch, s.tauMin)
	return errors.Join(s.flush(), s.tau.Upload(tau), s.ring.Upload(ring), s.head.Upload(head))
}

// Memory implements SelectiveCrew.
func (s *spm) Memory(m *walkers.Memory) error {
	if err := s.flush(); err != nil {
		return err
	}
	tau, err := s.tau.Download()
	ring, err2 := s.ring.Download()
	head, err3 := s.head.Download()
	if err := errors.Join(err, err2, err3); err != nil {
		return err
	}
	gather(m, s.ground, s.pitch, tau, ring, head)
	return nil
}

// Hits implements SelectiveCrew.
func (s *spm) Hits() (hits, updates int64) {
	t := s.told.Slice()
	return int64(t[0]), int64(t[1])
}

func (s *spm) prepare() error {
	return s.pre.Launch(s.perSlot(), s.arg, s.job, s.rules, s.memory(), s.eta, s.after, s.before, s.bar, s.tally)
}

// helpers is the least number of warps of a block of spm: those that are no ants help with the updates.
const helpers = 16

// fit chooses the launch of spm: all ants are resident, in blocks of as many ants as wanted or, where
// the device does not hold those, of another number, which changes no result; on as many blocks as there are
// multiprocessors, for the updates.
func (s *spm) fit(want int) error {
	if s.fitted == want {
		return nil
	}
	chunk := chunkBytes(s.noteBytes())
	most := 0
	for i := range 2 * 33 {
		ranks := want
		if i%33 > 0 {
			if s.trying() {
				continue // another shape is a trial of its own
			}
			ranks = i % 33
		}
		warps := max(ranks, helpers)
		var shared int
		switch {
		case i < 33 && s.n < crampedFrom:
			// The bits in shared memory.
			s.arg.Masks = 0
			if shared = chunk + s.maskBytes(ranks); shared > s.march.Info().MaxShared {
				continue
			}
		case i < 33 || !s.wide:
			continue
		default:
			shared = chunk
			if err := s.afar(); err != nil {
				return err
			}
		}
		grid, err := s.march.MaxCooperativeGrid(32*warps, shared)
		if err != nil {
			return err
		}
		need := (s.ants + ranks - 1) / ranks
		if need <= grid {
			s.config = gpu.Config{Grid: gpu.Dim{X: max(need, min(grid, s.sms))}, Block: gpu.Dim{X: 32 * warps}, Shared: shared, Cooperative: true}
			s.fitted, s.ranks = want, ranks
			return nil
		}
		most = max(most, grid*ranks)
	}
	return fmt.Errorf("ants: ants is %d: spm keeps all on the device at once, and device %d holds %d: use fewer, spm-alt, or backend cpu",
		s.ants, s.d.Info().Ordinal, most)
}

// launchWalk queues the walk.
func (s *spm) launchWalk() error {
	if s.racing {
		return s.march.Launch(s.config, s.arg, s.job, s.rules, s.memory(), s.tours, s.results, s.tally, s.keys)
	}
	return s.march.Launch(s.config, s.arg, s.job, s.rules, s.memory(), s.notes, s.tours, s.results, s.bar, s.tally, s.keys, int32(s.ranks))
}

// Walk implements Crew.
func (s *spm) Walk(it int64, lengths []int64, falls []int32, hashes []uint64) error {
	if err := s.size(len(lengths)); err != nil {
		return err
	}
	if err := s.settle(); err != nil {
		return err
	}
	launch := s.record
	if s.racing {
		var err error
		if launch, err = s.whole(&s.graph, s.record); err != nil {
			return err
		}
	}
	return s.walk(it, lengths, falls, hashes, launch)
}

// record queues a whole iteration.
func (s *spm) record() error {
	if err := s.begin(); err != nil {
		return err
	}
	if err := s.pace(s.launchWalk); err != nil {
		return err
	}
	if err := s.polish(); err != nil {
		return err
	}
	if err := s.told.Download(nil, s.tally); err != nil {
		return err
	}
	return s.back.Download(nil, s.results)
}
