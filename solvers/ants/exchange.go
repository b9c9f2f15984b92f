package ants

import (
	"errors"

	"metalab/solvers"
	"metalab/solvers/ants/crew"
	"metalab/solvers/internal/topology"
	"metalab/solvers/record"
)

// exchangeParams are those of several colonies.
type exchangeParams struct {
	colonies, exchangePeriod int
	exchange                 string
}

// mostColonies bounds the parameter colonies.
const mostColonies = 64

// declareColonies declares the parameters of several colonies.
func declareColonies(p *params, t *solvers.Params, _ int) {
	t.Int(&p.colonies, record.Param{
		Name: "colonies", Class: record.Structural, Min: 1, Max: mostColonies, Step: 1,
		Unit: "colonies",
		Doc: "How many colonies search side by side, each with so many ants, with trails and draws of " +
			"its own; on several GPUs each is on one of them. Their best tours go from one to another, " +
			"see exchange.",
		Effect: "a fork with more begins with copies of the colonies, one with fewer keeps the first, " +
			"and the best tour",
	})
	t.Int(&p.exchangePeriod, record.Param{
		Name: "exchange_period", Class: record.Live, Min: 0, Max: 1e6, Step: 5, Unit: "iterations",
		Doc: "After how many iterations colonies receive the best tours of others; 0: never. Nothing " +
			"with one colony.",
		Effect: "the trails stay",
	})
	t.Enum(&p.exchange, record.Param{
		Name: "exchange", Class: record.Live,
		Options: []string{string(topology.Ring), string(topology.Best)},
		Doc: "Whose best tour a colony receives, which is its own best from then on if it is shorter: " +
			"that of the colony before it (ring), or the best of all (best).",
		Effect: "the trails stay",
	})
}

// receive makes a shorter tour of another colony the best one.
func (c *colony) receive(tour []int32, length, _ int64) error {
	copy(c.best, tour)
	c.bestLength, c.behind = length, false
	return c.crew.SetKept(crew.Best, c.best)
}

// receive makes a shorter tour of another colony the best one, also since the last reset.
func (m *maxMin) receive(tour []int32, length, it int64) error {
	err := m.colony.receive(tour, length, it)
	if length >= m.restart.length {
		return err
	}
	return errors.Join(err, m.restarted(tour, length, it))
}

// restarted makes a tour the best one since the last reset.
func (m *maxMin) restarted(tour []int32, length, it int64) error {
	r := &m.restart
	copy(r.tour, tour)
	r.length, r.found, r.behind = length, it, false
	return m.crew.SetKept(crew.Restart, r.tour)
}
