package ants

import (
	"metalab/gpu"
	"metalab/solvers"
	walkers "metalab/solvers/ants"
)

// system is the crew of as/wrs: the walk of mmas/wrs, with trails that all ants reward.
type system struct {
	wrs
	depositAll, prepareAll *gpu.Kernel
	sum                    *gpu.Buffer[uint64] // by slot: shares deposited; 0 but within prepare
}

// depositStretch is how many positions of a tour a warp of the kernel deposit takes.
const depositStretch = 128

// hireSystem opens a crew of as/wrs on the device of env.
func hireSystem(env *solvers.Env, g *walkers.Ground) (walkers.SystemCrew, error) {
	s := &system{}
	s.wide = g.Space.N >= wideFrom
	if err := s.start(env, g); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *system) start(env *solvers.Env, g *walkers.Ground) (err error) {
	s.more = func(int) int64 { return slotBytes(g.Space.N, 4+8) } // recip, sum
	if err = s.wrs.start(env, g); err != nil {
		return err
	}
	if s.depositAll, err = s.m.Kernel("deposit"); err != nil {
		return err
	}
	if s.prepareAll, err = s.m.Kernel("prepare_all"); err != nil {
		return err
	}
	s.base.prepare = s.prepare
	s.sum, err = up(s.d, make([]uint64, s.n*walkers.Width), nil)
	return err
}

// depositWarps is how many warps the kernel deposit has.
func depositWarps(n, ants int) int { return ants * ((n + depositStretch - 1) / depositStretch) }

// prepare queues deposits, evaporation and what the walk needs.
func (s *system) prepare() error {
	if err := s.part("deposit", false, s.launchDeposit); err != nil {
		return err
	}
	return s.part("prepare", false, func() error {
		return s.prepareAll.Launch(s.perSlot(), s.arg, s.job, s.tau, s.eta, s.recip, s.sum)
	})
}

func (s *system) launchDeposit() error {
	return s.depositAll.Launch(gpu.Linear(warpThreads*depositWarps(s.n, s.ants), 256), s.arg, s.job, s.tours, s.results, s.sum)
}

// Reward implements SystemCrew.
func (s *system) Reward(rate float32, least int64, unit float64) {
	s.deposit(rate, least, unit)
}
