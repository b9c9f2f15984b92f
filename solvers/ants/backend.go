package ants

import (
	"fmt"
	"slices"
	"strings"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/local"
	"metalab/solvers/tiles"
)

// A Backend says where the tours of a variant are constructed. The zero value is the CPU.
type Backend struct {
	Name string
	Open func(s *crew.Setup) (crew.Crew, error)

	// Check, where it is not nil, refuses instances and lengths of candidate lists before anything is
	// made.
	Check func(t *datasets.TSP, candidates int) error

	// SearchOnHost says that tours are copied to the host for local searches that run on the CPU.
	// Races says that ants work in an order left to chance, so that two runs may differ.
	SearchOnHost, Races bool

	// Tiles makes the engine of local_search=tiles; nil: that of the CPU.
	Tiles func(*tiles.Problem) (tiles.Engine, error)
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
	return b.Open == nil || b.SearchOnHost || !slices.Contains(local.Queues, search)
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
