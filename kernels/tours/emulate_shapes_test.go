package tours

import (
	"context"
	"os"
	"testing"

	"metalab/kernels/internal/emulate"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/ils"
)

// shaped is the emulated engine with another launch for each value of the parameter blocks.
type shaped struct{ *emulated }

func (e shaped) Iterate(ctx context.Context, j ils.BestJob, chains []ils.BestChain) error {
	e.warps, e.passes, e.unit = 1+j.Blocks%3, int32(3+20*(j.Blocks%7)), int32(1)<<(j.Blocks%6)
	return e.emulated.Iterate(ctx, j, chains)
}

// TestEmulatedShapes changes launches at random, lists and numbers of chains, while the chains'
// tours stay where the kernels left them.
func TestEmulatedShapes(t *testing.T) {
	emulate.Need(t)
	const backend = "by the kernels"
	v := ils.BestOn(backend, func(p *ils.BestProblem) (ils.BestEngine, error) {
		q, err := prepare(p)
		return shaped{&emulated{t: t, q: q}}, err
	})
	solvers.Register(v)
	defer solvers.Remove(v.Solver, v.Name, v.Backend)
	s := shapes[0]
	s.Most, s.Live = 40, []string{
		"operator 3opt-ordered 3opt 2opt", "neighbours 1 5 8", "quadrant true false", "kicks 1 2",
		"accept better always", "chains 1 2 3",
	}
	c := s.Table()
	c.Backend, c.Cases, c.Iterations = backend, 2, 10
	if os.Getenv("METALAB_EMULATE") != "" {
		c.Cases, c.Iterations = 10, 30
	}
	conform.CheckShapes(t, c)
}
