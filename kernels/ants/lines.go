package ants

import (
	"fmt"

	"metalab/datasets"
	"metalab/kernels/tours"
	"metalab/solvers/ants"
	"metalab/solvers/ants/cpu"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
)

// A line describes a variant on the GPU: all that is not in its form.
type line struct {
	solver, variant string
	source          string // of its kernels, without .cu
	form            func(b *deviceCrew) form
	wide            bool   // there is an image for city numbers of 32 bits too
	instead         string // what to use with more cities than the kernels take
	host            bool   // local searches may run on the CPU
	races           bool
}

var lines = []line{
	{solver: "as", variant: "wrs", source: "wrs", form: newAS, wide: true, instead: "backend cpu"},
	{solver: "mmas", variant: "wrs", source: "wrs", form: newWRS, wide: true, instead: "backend cpu"},
	{solver: "mmas", variant: "rows", source: "rows", form: newRows, instead: "mmas/wrs, or backend " +
		"cpu"},
	{solver: "mmas", variant: "thin", source: "thin", form: newThin, instead: "mmas/wrs"},
	{
		solver: "acs", variant: "gpu", source: "gpu", form: newACSGPU, host: true, races: true,
		instead: "acs/alt, or backend cpu",
	},
	{
		solver: "acs", variant: "lockstep", source: "lockstep", form: newLockstep, host: true,
		instead: "acs/spm-sync, acs/spm or acs/alt, or backend cpu",
	},
	{
		solver: "acs", variant: "alt", source: "alt", form: newAlt, wide: true, host: true, races: true,
		instead: "backend cpu",
	},
	{
		solver: "acs", variant: "spm-sync", source: "spm", form: newSpmSync, wide: true, host: true,
		instead: "backend cpu",
	},
	{
		solver: "acs", variant: "spm", source: "spm", form: newSpm, wide: true, host: true,
		races:   true,
		instead: "backend cpu",
	},
}

// backend returns the ants.Backend of the line.
func (l *line) backend(name string) ants.Backend {
	return ants.Backend{
		Name: name, Check: l.check, SearchOnHost: l.host, Races: l.races,
		Tiles: tours.NewTiles,
		Open: func(s *crew.Setup) (crew.Crew, error) {
			b, err := openCrew(s, l)
			if err != nil {
				return nil, err
			}
			return cpu.SearchOnHost(b, s), nil
		},
	}
}

// The greatest numbers of cities: with numbers of 16 bits, or of 26, with which slot numbers fit
// into 31 bits.
const (
	shortCities = 1 << 16
	wideCities  = 1<<26 - 1
)

// check returns an error for instances and lists that the kernels cannot take.
func (l *line) check(t *datasets.TSP, candidates int) error {
	switch t.Metric {
	case datasets.Euc2D, datasets.Ceil2D, datasets.Att:
	default:
		return fmt.Errorf("ants: %s has distances of type %v, and a GPU computes EUC_2D, CEIL_2D and "+
			"ATT: use backend cpu", t.Title, t.Metric)
	}
	most := shortCities
	if l.wide {
		most = wideCities
	}
	if t.N > most {
		return fmt.Errorf("ants: %s has %d cities, and the kernels of this variant take up to %d: use "+
			"%s", t.Title, t.N, most, l.instead)
	}
	if candidates > trail.Width {
		return fmt.Errorf("ants: candidates is %d, a GPU takes 0 (no lists) and 1 to %d: use backend "+
			"cpu", candidates, trail.Width)
	}
	return nil
}
