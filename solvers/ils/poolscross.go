package ils

import (
	"context"

	"metalab/solvers/genetic"
	"metalab/solvers/internal/assembly"
)

// severalCross crosses the tours of a pool by the cores of the host, as the pools of the variant
// queue: a child receives one gaining cycle per so many cities, as there. It draws with purposes 5
// and 6 what package assembly draws.
type severalCross struct {
	p       *genetic.RoundsProblem
	param   *poolsParams
	crossed *assembly.Population
}

// severalBatch is the number of couples that are crossed in parallel: the number of cores that
// crossing can use.
const severalBatch = 16

func newSeveralCross(p *genetic.RoundsProblem, param *poolsParams) *severalCross {
	c := &severalCross{p: p, param: param, crossed: assembly.New(p.Space, p.Near)}
	c.crossed.Progress = func(done, all int) {
		p.Env.Progress.Store(uint32(int64(done) << 16 / int64(all)))
	}
	return c
}

func (c *severalCross) Close() {}

// Load counts no edges.
func (c *severalCross) Load(tours [][]int32, _ []int64) error {
	members := make([]assembly.Member, len(tours))
	for i, t := range tours {
		members[i] = assembly.NewMember(c.p.Space, append([]int32(nil), t...))
	}
	c.crossed.Fill(members)
	return nil
}

func (c *severalCross) Breed(
	ctx context.Context, job genetic.RoundsJob, bred []genetic.Bred, _ []int64,
	tour func(i int) []int32,
) error {
	before := make([]int64, len(bred))
	for i := range before {
		before[i] = c.crossed.Members[i].Length
	}
	err := c.crossed.Generate(ctx, c.p.Env.Pool, assembly.Draws{
		Seed: c.p.Env.Seed, Iteration: int64(job.Iteration), Plan: drawPlan, Children: drawChildren,
	}, assembly.Settings{
		Children: job.Children, Cities: c.param.cities, Blocks: job.Blocks, Batch: severalBatch,
		Reach: c.param.reach,
	})
	if err != nil {
		return err
	}
	for i := range bred {
		m := &c.crossed.Members[i]
		bred[i] = genetic.Bred{Gain: before[i] - m.Length, Length: m.Length, Hash: m.Hash}
		if m.New {
			copy(tour(i), m.Tour)
		}
	}
	return nil
}
