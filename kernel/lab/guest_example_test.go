package lab_test

import (
	"slices"

	"metalab/kernel/lab"
)

// Climb is a solver of one's own: it exchanges two cities when that makes the tour no longer.
// T, its only parameter, lets it also take some that do.
type Climb struct {
	T float64 `param:"temperature,0..1000" doc:"how readily a longer tour is taken"`

	p              *lab.Problem
	tour, best     []int
	cost, bestCost float64
}

func (c *Climb) Init(p *lab.Problem, r *lab.Rand) error {
	c.p, c.tour = p, r.Perm(p.N)
	c.cost = p.Cost(c.tour)
	c.best, c.bestCost = slices.Clone(c.tour), c.cost
	return nil
}

func (c *Climb) Step(_ int64, r *lab.Rand) (float64, error) {
	i, j := r.IntN(c.p.N), r.IntN(c.p.N)
	c.tour[i], c.tour[j] = c.tour[j], c.tour[i]
	if cost := c.p.Cost(c.tour); r.Accept(cost-c.cost, c.T) {
		c.cost = cost
	} else {
		c.tour[i], c.tour[j] = c.tour[j], c.tour[i]
	}
	if c.cost < c.bestCost {
		c.bestCost = c.cost
		copy(c.best, c.tour)
	}
	return c.cost, nil
}

func (c *Climb) Best() (float64, []int) { return c.bestCost, c.best }

func ExampleDeclare() {
	lab.Declare("climb", func() lab.Solver { return &Climb{T: 1} })
	c := lab.Open("c", "climb", lab.Load("rand-100-1"))
	c.Step(10_000)
	c.Set("temperature", 0)
	lab.Show(c.Step(10_000), c.Plot("tour"))
}
