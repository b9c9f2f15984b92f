package ants

import (
	"errors"

	"metalab/gpu"
	"metalab/solvers/ants/trail"
	"metalab/solvers/wave"
)

// offList is the number of rewarded edges on no list whose trails a city stores in acs/alt.
const offList = 4

// alt is the form of acs/alt.
type alt struct{ steps }

func newAlt(b *deviceCrew) form { return &alt{steps{deviceCrew: b}} }

func (a *alt) bytes(int) int64 { return storeBytes(a.n, a.g.K, offList) }

func (a *alt) open(kernel func(k **gpu.Kernel, name string)) error {
	return a.steps.open(kernel, "construct", offList)
}

func (a *alt) grow() error { return nil }

func (a *alt) adopt(c wave.Config) error { return a.blocks(c) }

// send uploads the trails. Those of edges on no list are dropped.
func (a *alt) send() error {
	t := a.s.Table
	rows := rowed(widen(t.Lists, t.Tau, 1), a.pitch)
	return errors.Join(a.tau.Upload(rows), a.ring.Upload(empty(a.n*offList)))
}

func (a *alt) fetch() error {
	rows, err := a.tau.Download()
	if err != nil {
		return err
	}
	t := a.s.Table
	narrow(t.Lists, unrowed(rows, a.pitch), t.Tau)
	return nil
}

// rowed copies trails by slot into rows of pitch entries.
func rowed(tau []float32, pitch int) []float32 {
	rows := make([]float32, len(tau)/trail.Width*pitch)
	for c := range len(rows) / pitch {
		copy(rows[c*pitch:], tau[c*trail.Width:(c+1)*trail.Width])
	}
	return rows
}

// unrowed is the reverse of rowed.
func unrowed(rows []float32, pitch int) []float32 {
	tau := make([]float32, len(rows)/pitch*trail.Width)
	for c := range len(rows) / pitch {
		copy(tau[c*trail.Width:(c+1)*trail.Width], rows[c*pitch:])
	}
	return tau
}

func (a *alt) prepare() error {
	return a.prepareKernel.Launch(a.perSlot(), a.arg, a.job, a.steps.steps, a.memory(), a.eta,
		a.after, a.before)
}

func (a *alt) construct() error {
	return a.kernel.Launch(a.config, a.arg, a.job, a.steps.steps, a.memory(), a.tours, a.results,
		a.keys)
}
