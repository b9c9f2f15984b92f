package ants

import (
	"errors"

	"metalab/gpu"
	"metalab/solvers"
	walkers "metalab/solvers/ants"
)

// beyonds is how many rewarded edges on no list a city keeps.
const beyonds = 4

// alt is the crew of acs/alt.
type alt struct {
	strider
	drawn
	march *gpu.Kernel
}

// hireAlt opens a crew of acs/alt on the device of env.
func hireAlt(env *solvers.Env, g *walkers.Ground) (walkers.AltCrew, error) {
	a := &alt{}
	a.wide = g.Space.N >= wideFrom
	if err := a.start(env, g); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

func (a *alt) start(env *solvers.Env, g *walkers.Ground) (err error) {
	a.more = func(int) int64 { return storeBytes(g.Space.N, g.K, beyonds) }
	a.march, err = a.enter(env, g, "alt", "walk", beyonds)
	if err != nil {
		return err
	}
	a.base.prepare, a.base.grow = a.prepare, a.forget
	a.tune(a.march, func(ants int) error { return a.blocks(a.march, &a.drawn, ants) })
	return nil
}

// SetTrails implements Crew. Edges on no list have no trails then.
func (a *alt) SetTrails(tau []float32) error {
	return errors.Join(a.flush(), a.tau.Upload(rowed(tau, a.pitch)), a.ring.Upload(empty(a.n*beyonds)))
}

// Trails implements Crew.
func (a *alt) Trails(tau []float32) error {
	if err := a.flush(); err != nil {
		return err
	}
	rows, err := a.tau.Download()
	for c := range len(rows) / a.pitch {
		copy(tau[c*walkers.Width:(c+1)*walkers.Width], rows[c*a.pitch:])
	}
	return err
}

// rowed are trails by slot in rows of pitch entries.
func rowed(tau []float32, pitch int) []float32 {
	rows := make([]float32, len(tau)/walkers.Width*pitch)
	for c := range len(rows) / pitch {
		copy(rows[c*pitch:], tau[c*walkers.Width:(c+1)*walkers.Width])
	}
	return rows
}

func (a *alt) prepare() error {
	return a.pre.Launch(a.perSlot(), a.arg, a.job, a.rules, a.memory(), a.eta, a.after, a.before)
}

// launchWalk queues the walk.
func (a *alt) launchWalk() error {
	return a.march.Launch(a.config, a.arg, a.job, a.rules, a.memory(), a.tours, a.results, a.keys)
}

// Walk implements Crew.
func (a *alt) Walk(it int64, lengths []int64, falls []int32, hashes []uint64) error {
	if err := a.size(len(lengths)); err != nil {
		return err
	}
	if err := a.settle(); err != nil {
		return err
	}
	launch, err := a.whole(&a.graph, a.record)
	if err != nil {
		return err
	}
	return a.walk(it, lengths, falls, hashes, launch)
}

// record queues a whole iteration.
func (a *alt) record() error { return a.iteration(a.launchWalk) }
