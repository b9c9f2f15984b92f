package ants

import (
	"fmt"
	"slices"
	"strings"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants/cpu"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/local"
	"metalab/solvers/tiles"
)

// A Backend says where the tours of a variant are constructed, and by whom.
type Backend struct {
	Name string
	Open func(s *crew.Setup) (crew.Crew, error)

	// Tiles makes the engine of local_search=tiles.
	Tiles func(*tiles.Problem) (tiles.Engine, error)

	// Check, where it is not nil, refuses instances and lengths of candidate lists, before anything is
	// built.
	Check func(t *datasets.TSP, candidates int) error

	// SearchOnHost says that tours are in the host's memory, or are copied there, for local searches
	// on the CPU. OneWay says that the variants that can solve asymmetric instances accept them. Races
	// says that chance orders the work of the ants, so that two runs may differ.
	SearchOnHost, OneWay, Races bool

	// For n cities of the plane, if not nil: a word of advice, and a better variant with the reason;
	// see solvers.Variant.
	Advice  func(n int) string
	Instead func(n int) (variant, why string)
}

// cpu is the backend that each variant has.
func (v *variant) cpu() Backend {
	return Backend{
		Name:  "cpu",
		Open:  func(s *crew.Setup) (crew.Crew, error) { return cpu.Open(s, v.form) },
		Tiles: tiles.NewCPU, SearchOnHost: true, OneWay: true, Races: v.races,
		Advice: v.advice, Instead: v.instead,
	}
}

// On is a variant of the package on a backend, for solvers.Register.
func On(b Backend, solver, name string) solvers.Variant {
	v := find(solver, name)
	if v == nil {
		panic(fmt.Sprintf("ants: there is no variant %s/%s", solver, name))
	}
	return v.on(b)
}

// searches tells whether the backend has this local search.
func (b *Backend) searches(search string) bool {
	return b.SearchOnHost || !slices.Contains(local.Queues, search)
}

// check returns an error for parameters and instances that the backend does not take.
func (b *Backend) check(p *params, t *datasets.TSP) error {
	if b.Check != nil {
		if err := b.Check(t, p.candidates); err != nil {
			return err
		}
	}
	if b.searches(p.localSearch) {
		return nil
	}
	takes := slices.Concat(local.OnDevice, []string{local.Tiles, local.None})
	return fmt.Errorf("ants: local_search is %s, which is made on the host's cores; the tours of "+
		"this variant stay on the GPU, where it takes %s: or use backend cpu",
		p.localSearch, strings.Join(takes, " or "))
}
