package recombine

import (
	"fmt"

	"metalab/solvers"
	"metalab/solvers/record"
)

// Snapshot writes all that the next iterations follow from.
func (g *genetic) Snapshot(w *solvers.Writer) {
	w.Int64s("population", int64(len(g.all)))
	w.Solution("best", g.inst.Kind(), g.best.solution)
	for _, x := range g.all {
		w.Solution("one", g.inst.Kind(), x.solution)
	}
}

// Restore takes over a population: of a larger one the best, and beside a smaller one solutions of
// the start stay.
func (g *genetic) Restore(r *solvers.Reader) error {
	n := r.Int64s("population", 1)[0]
	best, cost, err := r.Solution("best", g.inst)
	if err != nil {
		return err
	}
	if n < 1 || n > 4096 {
		return fmt.Errorf("recombine: a state of %d solutions, want 1 to 4096", n)
	}
	read := make([]individual, n)
	for i := range read {
		s, _, err := r.Solution("one", g.inst)
		if err != nil {
			return err
		}
		if err := g.walks[0].Load(s); err != nil {
			return err
		}
		read[i] = taken(g.walks[0])
	}
	if err := r.Err(); err != nil {
		return err
	}
	if int(n) <= len(g.all) {
		copy(g.all, read)
	} else {
		for k, i := range byCost(read)[:len(g.all)] {
			g.all[k] = read[i]
		}
	}
	g.best = individual{solution: best, cost: cost}
	return nil
}

// Trace shows the solutions of the population.
func (g *genetic) Trace() [][]int32 {
	out := make([][]int32, len(g.all))
	for i, x := range g.all {
		out[i] = x.solution.Perm
		if g.form.Kind == record.FormBits {
			out[i] = wide(x.solution.Bits)
		}
	}
	return out
}

// Lengths are the costs of the population.
func (g *genetic) Lengths() []float64 {
	out := make([]float64, len(g.all))
	for i, x := range g.all {
		out[i] = x.cost
	}
	return out
}

// Close frees nothing.
func (g *genetic) Close() {}
