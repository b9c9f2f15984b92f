package ants

import (
	"metalab/gpu"
	"metalab/solvers/wave"
)

// alt is the form of acs/alt.
type alt struct{ beyondStore }

func newAlt(b *deviceCrew) form { return &alt{newBeyond(b)} }

func (a *alt) open(kernel func(k **gpu.Kernel, name string)) error {
	if !a.b.wide {
		kernel(&a.rings.windows, "construct_windows")
	}
	return a.beyondStore.open(kernel)
}

func (a *alt) grow() error { return nil }

func (a *alt) adopt(c wave.Config) error { return a.rings.blocks(c) }

func (a *alt) prepare() error {
	return a.b.kernels.prepare.Launch(a.b.perSlot(), a.b.inst.arg, a.b.jobs.buffer, a.rings.ruleArgs,
		a.rings.memory(), a.b.trails.eta, a.b.kept.after, a.b.kept.before)
}

func (a *alt) construct() error {
	k, c := a.rings.constructing()
	return k.Launch(c, a.b.inst.arg, a.b.jobs.buffer, a.rings.ruleArgs,
		a.rings.memory(), a.b.batch.tours, a.b.batch.results, a.b.keys)
}
