package recombine

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
		Solver: "ga", Name: "generational", Backend: "cpu", Revision: 1, Deterministic: true,
		Kinds: []datasets.Kind{
			datasets.KindQAP, datasets.KindPPP, datasets.KindColouring, datasets.KindWeierstrass,
			datasets.KindCut, datasets.KindOwn,
		},
		Title: "Genetic algorithm on any problem: tournaments, the crossovers of its form, mutation " +
			"by its moves",
		Source: "K. A. De Jong, 1975, An analysis of the behavior of a class of genetic adaptive " +
			"systems; D. E. Goldberg, K. Deb, 1991, A comparative analysis of selection schemes used in " +
			"genetic algorithms, doi:10.1016/B978-0-08-050684-5.50008-2; crossovers: go doc " +
			"metalab/solvers/recombine",
		Layout: "Philox4x32-10, key = seed, counter = {iteration low, iteration high ^ purpose << 24, " +
			"child, block}: purpose 1 the first population (iteration 0), purpose 2 the parents and the " +
			"crossover, purpose 3 the mutation, purpose 5 the neighbours of real vectors " +
			"(iteration << 20 ^ move for the iteration).",
		Apart: "its populations are not of tours",
		New:   newGenetic,
	})
}

// Purposes of draws; see Variant.Layout.
const (
	drawStart uint8 = 1
	drawCross uint8 = 2
	drawMoves uint8 = 3
)

// genetic is the algorithm.
type genetic struct {
	settings

	inst   datasets.Instance
	form   record.Form
	nbs    []moves.Neighbourhood
	ways   []crossover
	env    *solvers.Env
	given  *record.Solution
	walks  []moves.Walk // one for each worker
	all    []individual // the population
	best   individual
	buffer []individual // children
}

// settings are the parameters; see Declare.
type settings struct {
	population, tournament, elite, moves, workers int
	crossover, neighbourhood                      string
	share, mutation                               float64
	blend, index                                  float64 // of real numbers
}

// individual is a solution with its cost.
type individual struct {
	solution record.Solution
	cost     float64
	hash     uint64
	evals    int64
	wrong    error // its cost is not what the sum of its moves says
}

func newGenetic(inst datasets.Instance) (solvers.Algorithm, error) {
	nbs, err := moves.SampledNeighbourhoods(inst)
	if err != nil {
		return nil, err
	}
	form, err := moves.FormOf(inst)
	if err != nil {
		return nil, err
	}
	if inst.Size() < 1 {
		return nil, fmt.Errorf("recombine: %s has no solution", inst.Name())
	}
	g := &genetic{
		inst: inst, form: form, nbs: nbs, ways: crossovers(form),
		settings: settings{
			population: 100, tournament: 2, elite: 2, moves: 1, share: 0.9, mutation: 0.5,
			blend: 0.5, index: 2, neighbourhood: nbs[0].Name(),
		},
	}
	g.crossover = g.ways[0].name
	return g, nil
}

// Declare says what can be turned.
func (g *genetic) Declare(t *solvers.Params) {
	t.Int(&g.population, record.Param{
		Name: "population", Class: record.Structural, Min: 2, Max: 4096, Unit: "solutions",
		Doc: "Solutions in the population, and children of a generation, which is an iteration.",
	})
	var options []string
	doc := "How a child is made of two parents:"
	for _, w := range g.ways {
		options = append(options, w.name)
		doc += " " + w.name + ", " + w.doc + ";"
	}
	t.Enum(&g.crossover, record.Param{
		Name: "crossover", Options: options, Doc: doc[:len(doc)-1] + ".",
	})
	t.Float(&g.share, record.Param{
		Name: "crossover_share", Min: 0, Max: 1, Step: 0.05,
		Doc: "Share of the children that are recombined; the others are copies of one parent.",
	})
	if g.form.Kind == record.FormReals {
		t.Float(&g.blend, record.Param{
			Name: "blend", Min: 0, Max: 10, Step: 0.1,
			Doc: "By how much of its length crossover=blx makes the interval of both parents longer on " +
				"each side.",
		})
		t.Float(&g.index, record.Param{
			Name: "index", Min: 0, Max: 100, Step: 1,
			Doc: "The distribution of crossover=sbx: the greater, the nearer to a parent.",
		})
	}
	t.Float(&g.mutation, record.Param{
		Name: "mutation", Min: 0, Max: 1, Step: 0.05, Doc: "Share of the children that are mutated.",
	})
	var names []string
	for _, nb := range g.nbs {
		names = append(names, nb.Name())
	}
	t.Enum(&g.neighbourhood, record.Param{
		Name: "neighbourhood", Options: names, Doc: "The moves of a mutation.",
	})
	t.Int(&g.moves, record.Param{
		Name: "moves", Min: 1, Max: 10000, Unit: "moves", Doc: "Random moves of a mutation.",
	})
	t.Int(&g.tournament, record.Param{
		Name: "tournament", Min: 1, Max: 100, Unit: "solutions",
		Doc: "Solutions drawn at random, of which the best becomes a parent; 1: any does.",
	})
	t.Int(&g.elite, record.Param{
		Name: "elite", Min: 0, Max: 4096, Unit: "solutions",
		Doc: "The best solutions that stay, in place of the worst children; at most the population " +
			"less one.",
	})
	t.Int(&g.workers, record.Param{
		Name: "workers", Class: record.Schedule, Min: 0, Max: 1024, Unit: "goroutines",
		Doc: "Goroutines that share the children; 0 means one for each core.",
	})
}

// StartAt is called before Init where the run is to begin at a solution.
func (g *genetic) StartAt(s record.Solution) { g.given = &s }

// Init makes the first population: random solutions, and the given one, if there is one.
func (g *genetic) Init(env *solvers.Env) error {
	g.env = env
	if err := g.resize(); err != nil {
		return err
	}
	g.all = make([]individual, g.population)
	env.Pool.Run(len(g.all), func(i, worker int) {
		w := g.walks[worker]
		draws := arith.NewStream(env.Seed, 0, uint32(i), drawStart)
		w.Random(&draws)
		g.all[i] = taken(w)
	})
	if g.given != nil {
		if err := g.walks[0].Load(*g.given); err != nil {
			return err
		}
		g.all[0] = taken(g.walks[0])
	}
	g.best = individual{cost: math.Inf(1)}
	g.keep(g.all)
	return nil
}

// taken is the solution of a walk.
func taken(w moves.Walk) individual {
	return individual{solution: w.Solution(), cost: w.Cost(), hash: w.Hash()}
}

// keep takes over the first of the best solutions, if it is better than the best so far.
func (g *genetic) keep(all []individual) {
	for _, x := range all {
		if x.cost < g.best.cost {
			g.best = x
		}
	}
}

// resize makes a walk for each worker.
func (g *genetic) resize() (err error) {
	g.env.Pool.Resize(g.workers)
	if n := g.env.Pool.Size(); len(g.walks) != n {
		g.walks, err = moves.Sampled(g.inst, n)
	}
	return err
}

// Changed is told which parameters have changed.
func (g *genetic) Changed(names []string) {
	if slices.Contains(names, "workers") {
		_ = g.resize() // cannot fail: there were walks before
	}
}

// Iterate makes a generation.
func (g *genetic) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if len(g.buffer) != len(g.all) {
		g.buffer = make([]individual, len(g.all))
	}
	g.env.Pool.Run(len(g.all), func(i, worker int) {
		if ctx.Err() == nil {
			g.buffer[i] = g.child(g.walks[worker], it, i)
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	p.IterBest, p.Mean, p.Digest, p.Evals = math.Inf(1), 0, 0, 0
	for _, x := range g.buffer {
		if x.wrong != nil {
			return x.wrong
		}
		p.IterBest = min(p.IterBest, x.cost)
		p.Mean += x.cost / float64(len(g.buffer))
		p.Evals += x.evals
		p.Digest = arith.Chain(p.Digest, x.hash)
	}
	p.Mean = max(p.Mean, p.IterBest) // a mean of equal numbers may be rounded to below them
	g.keep(g.buffer)
	if n := min(g.elite, len(g.all)-1); n > 0 {
		old, young := byCost(g.all), byCost(g.buffer)
		for k := range n {
			g.buffer[young[len(young)-1-k]] = g.all[old[k]]
		}
	}
	g.all, g.buffer = g.buffer, g.all
	p.Measures[0] = distinct(g.all)
	return nil
}

// byCost are the numbers of the solutions, the best first, of equal ones the smaller number.
func byCost(all []individual) []int {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(all[a].cost, all[b].cost) })
	return order
}

// distinct is the share of different solutions, in percent.
func distinct(all []individual) float64 {
	seen := map[uint64]bool{}
	for _, x := range all {
		seen[x.hash] = true
	}
	return 100 * float64(len(seen)) / float64(len(all))
}

// parent is the best of some solutions drawn at random, of equal ones the first.
func (g *genetic) parent(draws *arith.Stream) *individual {
	best := &g.all[draws.IntN(len(g.all))]
	for range g.tournament - 1 {
		if x := &g.all[draws.IntN(len(g.all))]; x.cost < best.cost {
			best = x
		}
	}
	return best
}

// child makes child i of iteration it by a worker's walk.
func (g *genetic) child(w moves.Walk, it int64, i int) individual {
	draws := arith.NewStream(g.env.Seed, uint64(it), uint32(i), drawCross)
	a, b := g.parent(&draws), g.parent(&draws)
	crossed := draws.Float64() < g.share
	x := *a
	x.evals = 0
	if crossed {
		x.evals++
		x.solution = g.cross(a.solution, b.solution, &draws)
	}
	draws = arith.NewStream(g.env.Seed, uint64(it), uint32(i), drawMoves)
	mutated := draws.Float64() < g.mutation
	if !crossed && !mutated {
		return x
	}
	if err := w.Load(x.solution); err != nil {
		panic(err) // a crossover that makes no solution is a mistake of this package
	}
	if nb := g.drawn(); mutated && nb.Size() > 0 {
		renewer, _ := w.(moves.Renewer)
		for k := range g.moves {
			if renewer != nil {
				renewer.Renew(g.env.Seed, it<<20^int64(k), i)
			}
			w.Apply(nb.Move(int64(float64(nb.Size()) * draws.Float64())))
			x.evals++
		}
	}
	y := taken(w)
	y.evals, y.wrong = x.evals, moves.Proved(w)
	return y
}

// cross makes a solution of two.
func (g *genetic) cross(a, b record.Solution, draws *arith.Stream) (s record.Solution) {
	way := g.ways[0]
	for _, w := range g.ways {
		if w.name == g.crossover {
			way = w
		}
	}
	switch n := g.form.N; g.form.Kind {
	case record.FormReals:
		s.Real = make([]float64, n)
		way.real(g, s.Real, a.Real, b.Real, draws)
	case record.FormBits:
		child := make([]int32, n)
		way.listed(child, wide(a.Bits), wide(b.Bits), draws)
		s.Bits = make([]int8, n)
		for i, x := range child {
			s.Bits[i] = int8(x)
		}
	default:
		s.Perm = make([]int32, n)
		way.listed(s.Perm, a.Perm, b.Perm, draws)
	}
	return s
}

// wide are bits as crossovers have them.
func wide(bits []int8) []int32 {
	x := make([]int32, len(bits))
	for i, b := range bits {
		x[i] = int32(b)
	}
	return x
}

// drawn is the neighbourhood whose moves are drawn.
func (g *genetic) drawn() moves.Neighbourhood {
	for _, nb := range g.nbs {
		if nb.Name() == g.neighbourhood {
			return nb
		}
	}
	return g.nbs[0]
}

// Counts says what is counted.
func (g *genetic) Counts() string { return "solutions evaluated" }

// Measures names the share of solutions of the population that differ.
func (g *genetic) Measures() []string { return []string{"different, %"} }

// Best is the cost of the best solution so far.
func (g *genetic) Best() float64 { return g.best.cost }

// Solution is the best solution so far.
func (g *genetic) Solution() record.Solution { return g.best.solution.Clone() }
