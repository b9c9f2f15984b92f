package ants

import (
	"fmt"
	"slices"
	"strings"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/local"
)

// A Backend is what constructs the tours of a variant. The zero value is the host's cores.
type Backend struct {
	Name string
	Open func(s *crew.Setup) (crew.Crew, error)

	// Check, where it is not nil, refuses instances and lengths of candidate lists before anything is
	// made.
	Check func(t *datasets.TSP, candidates int) error

	// Lists, where it is not 0, is the longest candidate lists that it takes. Presets keep to it.
	Lists int

	// SearchOnHost tells that tours come to the host's cores for searches that are made there, Races
	// that ants race, so that no two runs are alike.
	SearchOnHost, Races bool
}

// On is a variant of the package on a backend, for solvers.Register.
func On(b Backend, solver, name string) solvers.Variant {
	v := find(solver, name)
	if v == nil {
		panic(fmt.Sprintf("ants: there is no variant %s/%s", solver, name))
	}
	return v.on(b)
}

// searches tells whether the backend makes a local search.
func (b *Backend) searches(search string) bool {
	return b.Open == nil || b.SearchOnHost || !slices.Contains(local.Queues, search)
}

// check refuses what the backend does not do.
func (b *Backend) check(p *params, t *datasets.TSP) error {
	if b.Check != nil {
		if err := b.Check(t, p.candidates); err != nil {
			return err
		}
	}
	if b.searches(p.localSearch) {
		return nil
	}
	return fmt.Errorf("ants: local_search is %s, which is made on the host's cores; the tours of "+
		"this variant stay on the GPU, "+
		"where it takes %s: or use backend cpu",
		p.localSearch, strings.Join(slices.Concat(local.InRounds, []string{local.None}), " or "))
}
