package cmaes

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/moves"
	"metalab/solvers/record"
)

func init() {
	solvers.Register(solvers.Variant{
		Solver: "cmaes", Name: "ipop", Backend: "cpu", Revision: 1, Default: true, Deterministic: true,
		Kinds: []datasets.Kind{datasets.KindWeierstrass, datasets.KindOwn},
		Title: "CMA-ES on real numbers: a normal distribution whose covariances adapt; restarts with " +
			"larger populations",
		Source: "N. Hansen, A. Ostermeier, 2001, Completely derandomized self-adaptation in evolution " +
			"strategies, doi:10.1162/106365601750190398; A. Auger, N. Hansen, 2005, A restart CMA " +
			"evolution strategy with increasing population size, doi:10.1109/CEC.2005.1554902",
		Layout: "Philox4x32-10, key = seed, counter = {iteration low, iteration high ^ purpose << 24, " +
			"sample, block}: purpose 1 the mean of a start, purpose 2 the normal numbers of a sample.",
		New: newSearch,
	})
}

// Purposes of draws; see Variant.Layout.
const (
	drawStart  uint8 = 1
	drawSample uint8 = 2
)

// mostNumbers is the largest number of entries: the matrix has its square.
const mostNumbers = 500

// mostSamples bounds a population.
const mostSamples = 4096

// search is the algorithm.
type search struct {
	// Parameters; see Declare.
	population, workers                          int
	spread, growth, learning, damping, precision float64

	inst  datasets.Instance
	form  record.Form
	env   *solvers.Env
	given *record.Solution
	walks []moves.Walk // one for each worker

	strategy
	samples []sample
	best    record.Solution
	low     float64
}

// sample is a point of a generation.
type sample struct {
	x, y   []float64 // the point, and its distance from the mean in step sizes
	cost   float64
	hash   uint64
	number int
}

func newSearch(inst datasets.Instance) (solvers.Algorithm, error) {
	form, err := moves.FormOf(inst)
	if err != nil {
		return nil, err
	}
	if form.Kind != record.FormReals {
		return nil, fmt.Errorf("cmaes: the solutions of %s are %v, want real numbers", inst.Name(), form)
	}
	if form.N < 1 || form.N > mostNumbers {
		return nil, fmt.Errorf("cmaes: %s has %d numbers, want 1 to %d", inst.Name(), form.N, mostNumbers)
	}
	s := &search{
		inst: inst, form: form, spread: 0.3, growth: 2, learning: 1, damping: 1, precision: 1e-12,
	}
	s.population = 4 + int(3*math.Ln2*arith.Log2(float64(form.N)))
	return s, nil
}

// Declare says what can be turned.
func (s *search) Declare(t *solvers.Params) {
	t.Int(&s.population, record.Param{
		Name: "population", Class: record.Structural, Min: 4, Max: mostSamples, Unit: "samples",
		Doc: "Samples of a generation in the first start, of which the better half moves the mean.",
	})
	t.Float(&s.spread, record.Param{
		Name: "spread", Min: 1e-6, Max: 1, Step: 0.05,
		Doc:    "The standard deviation of a start, of the length of the bounds.",
		Effect: "The next start has it.",
	})
	t.Float(&s.growth, record.Param{
		Name: "growth", Min: 1, Max: 10, Step: 0.5,
		Doc: "By how much each start has a larger population than the one before it.",
	})
	t.Float(&s.learning, record.Param{
		Name: "learning", Min: 0, Max: 3, Step: 0.1,
		Doc: "A factor of the published rates at which covariances are learned; 0: they stay.",
	})
	t.Float(&s.damping, record.Param{
		Name: "damping", Min: 0.1, Max: 10, Step: 0.1,
		Doc: "A factor of the published damping of the step size.",
	})
	t.Float(&s.precision, record.Param{
		Name: "precision", Min: 0, Max: 1, Step: 1e-12,
		Doc: "A start ends when all standard deviations are this share of those at its beginning.",
	})
	t.Int(&s.workers, record.Param{
		Name: "workers", Class: record.Schedule, Min: 0, Max: 1024, Unit: "goroutines",
		Doc: "Goroutines that share the samples; 0 means one for each core.",
	})
}

// StartAt is called before Init where the run is to begin at a solution.
func (s *search) StartAt(sol record.Solution) { s.given = &sol }

// Init begins the first start, whose mean is the first solution.
func (s *search) Init(env *solvers.Env) error {
	s.env = env
	if err := s.resize(); err != nil {
		return err
	}
	s.begin(0, s.population)
	if s.given != nil {
		copy(s.mean, s.given.Real)
	}
	w := s.walks[0]
	if err := w.Load(record.Solution{Real: s.mean}); err != nil {
		return err
	}
	s.best, s.low = w.Solution(), w.Cost()
	return nil
}

// begin begins a start after an iteration, at a mean drawn in the bounds.
func (s *search) begin(it int64, population int) {
	draws := arith.NewStream(s.env.Seed, uint64(it), 0, drawStart)
	mean := make([]float64, s.form.N)
	for i := range mean {
		mean[i] = s.inside(s.form.Low + float64((s.form.High-s.form.Low)*draws.Float64()))
	}
	s.strategy = newStrategy(mean, s.spread*(s.form.High-s.form.Low), population)
}

// inside is a number, or the bound that it is beyond.
func (s *search) inside(x float64) float64 { return min(max(x, s.form.Low), s.form.High) }

// resize makes a walk for each worker.
func (s *search) resize() (err error) {
	s.env.Pool.Resize(s.workers)
	if n := s.env.Pool.Size(); len(s.walks) != n {
		s.walks, err = moves.Sampled(s.inst, n)
	}
	return err
}

// Changed receives the names of the parameters that changed between two iterations.
func (s *search) Changed(names []string) {
	if slices.Contains(names, "workers") {
		_ = s.resize() // cannot fail: there were walks before
	}
}

// Iterate makes a generation.
func (s *search) Iterate(ctx context.Context, it int64, p *record.Point) error {
	n := s.form.N
	for len(s.samples) < s.lambda {
		s.samples = append(s.samples, sample{x: make([]float64, n), y: make([]float64, n)})
	}
	all := s.samples[:s.lambda]
	wrong := make([]error, s.env.Pool.Size())
	s.env.Pool.Run(len(all), func(i, worker int) {
		if ctx.Err() == nil {
			all[i].number = i
			if err := s.evaluate(s.walks[worker], &all[i], it); err != nil {
				wrong[worker] = err
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, err := range wrong {
		if err != nil {
			return err
		}
	}
	p.Mean, p.Digest, p.Evals = 0, 0, int64(len(all))
	for _, x := range all {
		p.Mean += x.cost / float64(len(all))
		p.Digest = arith.Chain(p.Digest, x.hash)
	}
	slices.SortFunc(all, func(a, b sample) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), a.number-b.number)
	})
	p.IterBest = all[0].cost
	p.Mean = max(p.Mean, p.IterBest) // a mean of equal numbers may be rounded to below them
	if all[0].cost < s.low {
		s.low, s.best = all[0].cost, record.Solution{Real: slices.Clone(all[0].x)}
	}
	s.update(all, s.learning, s.damping)
	p.Measures[0], p.Measures[1], p.Measures[2] = s.sigma, s.ratio(), float64(s.lambda)
	if s.ended(all, s.precision) {
		s.begin(it, min(mostSamples, max(s.lambda, int(s.growth*float64(s.lambda)))))
	}
	return nil
}

// evaluate draws a sample and computes its cost.
func (s *search) evaluate(w moves.Walk, to *sample, it int64) error {
	draws := arith.NewStream(s.env.Seed, uint64(it), uint32(to.number), drawSample)
	s.draw(to.x, to.y, &draws)
	for i, x := range to.x {
		to.x[i] = s.inside(x)
		to.y[i] = (to.x[i] - s.mean[i]) / s.sigma
	}
	if err := w.Load(record.Solution{Real: to.x}); err != nil {
		return err
	}
	to.cost, to.hash = w.Cost(), w.Hash()
	return nil
}

// Counts says what is counted.
func (s *search) Counts() string { return "solutions evaluated" }

// Measures names the step size, how much the longest axis is longer than the shortest, and the
// population of the present start.
func (s *search) Measures() []string { return []string{"step size", "axis ratio", "population"} }

// Best is the cost of the best solution so far.
func (s *search) Best() float64 { return s.low }

// Solution is the best solution so far.
func (s *search) Solution() record.Solution { return s.best.Clone() }

// Trace shows nothing: samples are no lists of whole numbers.
func (s *search) Trace() [][]int32 { return nil }

// Close frees nothing.
func (s *search) Close() {}

// Snapshot writes all that the next iterations follow from.
func (s *search) Snapshot(w *solvers.Writer) {
	w.Int64s("start", int64(s.lambda), s.generation, s.decomposed, int64(len(s.recent)))
	w.Float64s("step", s.sigma, s.begun)
	w.Float64s("mean", s.mean...)
	w.Float64s("paths", slices.Concat(s.pathC, s.pathS)...)
	w.Float64s("covariances", s.c...)
	w.Float64s("axes", slices.Concat(s.b, s.d)...)
	w.Float64s("recent", s.recent...)
	w.Solution("best", s.inst.Kind(), s.best)
}

// Restore takes over a state; another population than the state's parameter becomes that of the
// present start.
func (s *search) Restore(r *solvers.Reader) error {
	n := s.form.N
	head := r.Int64s("start", 4)
	lambda, recent := head[0], head[3]
	if err := r.Err(); err != nil {
		return err
	}
	if lambda < 4 || lambda > mostSamples || recent < 0 || recent > 1<<20 {
		return fmt.Errorf("cmaes: a state of %d samples and %d values", lambda, recent)
	}
	step := r.Float64s("step", 2)
	mean, paths := r.Float64s("mean", n), r.Float64s("paths", 2*n)
	c, axes := r.Float64s("covariances", n*n), r.Float64s("axes", n*n+n)
	values := r.Float64s("recent", int(recent))
	best, low, err := r.Solution("best", s.inst)
	if err == nil {
		err = r.Err()
	}
	if err != nil {
		return err
	}
	if was, ok := r.Params["population"].Float(); ok && int(was) != s.population {
		lambda = int64(s.population)
	}
	s.strategy = newStrategy(mean, step[1], int(lambda))
	s.sigma, s.generation, s.decomposed = step[0], head[1], head[2]
	copy(s.pathC, paths[:n])
	copy(s.pathS, paths[n:])
	copy(s.c, c)
	copy(s.b, axes[:n*n])
	copy(s.d, axes[n*n:])
	s.recent = values
	s.best, s.low = best, low
	return nil
}
