package spins

import (
	"context"
	"errors"

	"metalab/datasets"
	"metalab/solvers"
)

func init() {
	solvers.OfferOn("cuda", []datasets.Kind{datasets.KindCut}, "anneal", "spins", "population")
}

// On describes anneal/spins on a backend with engines from open, for solvers.Register. An engine
// that is a solvers.Sharer takes turns with others.
func On(backend string, open func(*Problem) (Engine, error)) solvers.Variant {
	return on(spins, backend, func(inst datasets.Instance) (*search, error) {
		return newSearch(inst, open)
	})
}

// PopulationOn is On for anneal/population.
func PopulationOn(backend string, open func(*Problem) (Engine, error)) solvers.Variant {
	return on(population, backend, func(inst datasets.Instance) (*search, error) {
		return newPopulation(inst, open)
	})
}

func on(
	v solvers.Variant, backend string, open func(datasets.Instance) (*search, error),
) solvers.Variant {
	v.Backend = backend
	v.New = func(inst datasets.Instance) (solvers.Algorithm, error) {
		s, err := open(inst)
		if err != nil {
			return nil, err
		}
		return &remote{s}, nil
	}
	return v
}

// remote is a search on a device.
type remote struct{ *search }

// Only refuses: parts of a run are made on the CPU.
func (r *remote) Only(int) (solvers.Part, error) {
	return solvers.Part{}, errors.New("anneal/spins: a part of a run is made on the CPU alone")
}

// Turn is the engine's.
func (r *remote) Turn(ctx context.Context) (give func(), waited bool, err error) {
	if e, ok := r.engine.(solvers.Sharer); ok {
		return e.Turn(ctx)
	}
	return func() {}, false, nil
}
