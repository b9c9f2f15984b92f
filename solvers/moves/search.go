package moves

import (
	"context"
	"math"
	"slices"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/own"
	"metalab/solvers/record"
	waves "metalab/solvers/wave"
)

// Purposes of draws; see Variant.Layout.
const (
	drawStart  uint8 = 1
	drawTenure uint8 = 2
	drawPlace  uint8 = 3
	drawKick   uint8 = 4
	drawCrown  uint8 = 5
	drawAccept uint8 = 6
)

// search is the common part of tabu search and climbing: parallel walks, each of which scans, and
// the best solution.
type search struct {
	searchParams

	given  *record.Solution // what all walks begin at; nil: random solutions
	tuners map[tuned]*waves.Tuner

	inst datasets.Instance
	each int64 // weight of a neighbour of a user's problem
	env  *solvers.Env
	all  []*walker

	// of all walks, for an iteration that may be abandoned; each iteration overwrites it
	before []saved

	best     record.Solution
	bestCost float64

	engine func(*Problem) (Engine, error) // nil: scans run here
	far    remote
}

// searchParams are the parameters; see declare.
type searchParams struct {
	scans, walks, exchange, workers int
	threads, block, trials          int
	tuning                          string
	evaluation                      string // of assignments

	// For real vectors.
	neighbours int
	radius     float64
	precision  string

	generate, reduce, cache string // on a device
}

// walker is a walk with its own best solution and the state of its search.
type walker struct {
	Walk
	renew func(seed uint64, clock int64, walk int) // draws new neighbours; nil if they never change

	clock int64 // scans so far
	top   record.Solution
	low   float64 // cost of top

	memory memory // tabu

	level int   // climbing: number of the neighbourhood
	from  int64 // climbing: the index from which the next scan looks for a first improving move
	home  record.Solution
	homes float64 // cost of home
	climb int64   // local optima so far
	done  bool    // no restart is left, and no better move
	last  int64   // scans at which it was done
}

// result is the result of an iteration for a walk.
type result struct {
	least, sum float64
	scans      int64
	tally      [5]int64 // the solver's own counts
	hash       uint64   // of the solution after them
	err        error
}

// take records the present cost, and keeps the solution if it is the walk's best so far.
func (w *walker) take(r *result) {
	c := w.Cost()
	r.least = min(r.least, c)
	r.sum += c
	r.scans++
	w.keep(c)
}

func (w *walker) keep(c float64) {
	if c < w.low {
		w.low, w.top = c, w.Solution()
	}
}

// declare adds the parameters that all variants have; s.scans must hold its default.
func (s *search) declare(t *solvers.Params) {
	t.Int(&s.scans, record.Param{
		Name: "scans", Min: 1, Max: 1e6, Step: 1, Unit: "scans",
		Doc: "Scans of the neighbourhood, each followed by a move, that a walk makes in an iteration.",
	})
	t.Int(&s.walks, record.Param{
		Name: "walks", Min: 1, Max: 4096, Step: 1, Unit: "walks",
		Doc: "Searches side by side, each with a solution and a memory of its own; several are " +
			"shared out to the cores whole, of one the neighbourhood is.",
		Effect: "New walks begin with copies of the best one; the last are dropped.",
	})
	t.Int(&s.exchange, record.Param{
		Name: "exchange", Min: 0, Max: 1e6, Step: 1, Unit: "iterations",
		Doc: "After so many iterations the walk with the worst best solution goes on from the best " +
			"solution of all; 0: never, the walks are independent.",
	})
	t.Int(&s.workers, record.Param{
		Name: "workers", Class: record.Schedule, Min: 0, Max: 1024, Unit: "goroutines",
		Doc: "Goroutines that share the walks or the neighbours; 0 means one for each core.",
	})
	s.declareWaves(t)
	s.declareDevice(t)
	if k := s.inst.Kind(); k == datasets.KindTSP || k == datasets.KindATSP {
		t.Enum(&s.evaluation, record.Param{
			Name: "evaluation", Class: record.Schedule, Options: []string{"incremental", "published"},
			Doc: "How a move is evaluated: incremental, by what moves have in common (on cpu a table of " +
				"all swaps, of which a move renews few; on a GPU each distance serves four swaps); " +
				"published, each by its own distances, as Luong, Melab and Talbi do. The walk is the same.",
		})
	}
	if doc := evaluationDocs[s.inst.Kind()]; doc != "" {
		t.Enum(&s.evaluation, record.Param{
			Name: "evaluation", Class: record.Schedule, Options: []string{"incremental", "linear"},
			Doc: "How a move is evaluated: " + doc + ", as Luong, Melab and Talbi do. The walk is the same.",
		})
	}
	if !s.real() {
		return
	}
	t.Int(&s.neighbours, record.Param{
		Name: "neighbours", Min: 1, Max: MaxCrowns, Step: 100, Unit: "neighbours",
		Doc: "Crowns of the ball around a solution, each with one neighbour at a random place; or " +
			"Gaussian steps.",
	})
	t.Float(&s.radius, record.Param{
		Name: "radius", Min: 1e-9, Max: 2, Step: 0.01,
		Doc: "Radius of the ball that holds the neighbours, or standard deviation of a Gaussian step; " +
			"the box is from -1 to 1, or is taken for it.",
	})
	if s.inst.Kind() != datasets.KindWeierstrass {
		return
	}
	t.Enum(&s.precision, record.Param{
		Name: "precision", Options: []string{"double", "single"},
		Doc: "In what numbers neighbours are compared; the value of a solution is always made in " +
			"double precision.",
	})
}

// evaluationDocs say what the values of the parameter evaluation mean, where there is one.
var evaluationDocs = map[datasets.Kind]string{
	datasets.KindQAP: "incremental, in a fixed number of steps by a matrix that each move renews; " +
		"linear, in n steps by the two matrices alone",
	datasets.KindPPP: "incremental, by sets of the rows with the same product, which are made for " +
		"each scan; linear, in m + n steps by all products",
}

// declareDevice adds the parameters that say how a GPU makes scans.
func (s *search) declareDevice(t *solvers.Params) {
	t.Enum(&s.generate, record.Param{
		Name: "generate", Class: record.Schedule, Options: []string{"gpu", "cpu"},
		Doc: "Where a GPU's neighbours are made: by each thread from its number, or on the host, which " +
			"sends all of them in each scan. Of no effect on cpu.",
	})
	t.Enum(&s.reduce, record.Param{
		Name: "reduce", Class: record.Schedule, Options: []string{"device", "host"},
		Doc: "Who finds the best move of a scan on a GPU: the device, or the host, to which all " +
			"fitnesses are copied. Of no effect on cpu.",
	})
	t.Enum(&s.cache, record.Param{
		Name: "cache", Class: record.Schedule, Options: []string{"readonly", "plain"},
		Doc: "How a GPU reads the instance: through the read-only cache, as Luong, Melab and Talbi do " +
			"by textures, or as other memory. Of no effect on cpu.",
	})
}

// settle sets the defaults: an iteration looks at about 2^16 neighbours, at least one scan, so that
// the time between iterations does not matter.
// at is the number of the neighbourhood.
func (s *search) settle(size int64, at int) {
	s.walks, s.exchange, s.workers = 1, 0, 0
	s.threads, s.block, s.trials, s.evaluation = 0, 256, 10, "incremental"
	s.tuning = tuningRace
	s.generate, s.reduce, s.cache = "gpu", "device", "readonly"
	s.neighbours, s.radius, s.precision = 10000, 1, "double"
	if s.real() {
		s.radius = 1 / float64(s.inst.Size())
		if s.inst.Kind() == datasets.KindOwn {
			s.neighbours = realNeighbours
		}
		size = int64(s.neighbours)
	}
	s.each = 1
	if p, ok := s.inst.(*own.Problem); ok {
		s.each = ownWeight(p, at)
	}
	s.scans = int(min(max((1<<16)/max(size*s.weight(), 1), 1), 1000))
}

// real tells whether solutions are real vectors.
func (s *search) real() bool {
	p, ok := s.inst.(*own.Problem)
	return s.inst.Kind() == datasets.KindWeierstrass || ok && p.Form().Kind == record.FormReals
}

// weight estimates the time to evaluate a neighbour, in steps of a few look-ups.
func (s *search) weight() int64 {
	switch {
	case s.inst.Kind() == datasets.KindWeierstrass:
		return int64(100 * s.inst.Size())
	case s.inst.Kind() == datasets.KindOwn:
		return s.each
	case s.evaluation == "linear" && evaluationDocs[s.inst.Kind()] != "":
		return int64(max(s.inst.Size()/4, 1))
	}
	return 1
}

// init makes the walks; fill makes the memory of a search.
func (s *search) init(env *solvers.Env, fill func(*walker)) error {
	s.env = env
	if err := s.open(env); err != nil {
		return err
	}
	env.Pool.Resize(s.workers)
	s.bestCost = math.Inf(1)
	s.all = nil
	for a := range s.walks {
		w, err := s.fresh(fill)
		if err != nil {
			return err
		}
		if s.given != nil {
			if err := w.Load(*s.given); err != nil {
				return err
			}
		} else {
			draws := arith.NewStream(env.Seed, 0, uint32(a), drawStart)
			w.Random(&draws)
		}
		w.keep(w.Cost())
		s.all = append(s.all, w)
	}
	return nil
}

func (s *search) fresh(fill func(*walker)) (*walker, error) {
	t, err := On(s.inst)
	if err != nil {
		return nil, err
	}
	w := &walker{Walk: t, low: math.Inf(1), homes: math.Inf(1)}
	if b, ok := t.(*ballWalk); ok {
		w.renew = b.Renew
	}
	s.shape(w)
	fill(w)
	return w, nil
}

// shape passes the parameters of the neighbourhoods to a walk. If an engine runs the scans, the
// walk here only applies the few moves of a kick, which need no preparation.
func (s *search) shape(w *walker) {
	alone := s.engine == nil
	switch t := w.Walk.(type) {
	case *ballWalk:
		t.shape(s.neighbours, s.radius, s.precision == "single")
	case *qapWalk:
		t.evaluate(s.evaluation == "linear" || !alone)
	case *pppWalk:
		t.evaluate(s.evaluation == "linear" || !alone)
	case *tspWalk:
		if len(s.all) > 0 {
			if first, ok := s.all[0].Walk.(*tspWalk); ok {
				t.share(s.walks, first)
			}
		}
		t.evaluate(s.evaluation == "published" || !alone)
	}
}

// saved is a copy of a walker's state.
type saved struct {
	walker
	now   record.Solution
	times []int64
}

// save copies the state, the times to where old ones may be.
func (w *walker) save(times []int64) saved {
	b := saved{walker: *w, now: w.Solution()}
	if w.memory != nil {
		b.times = append(times[:0], w.memory.times()...)
	}
	return b
}

// back sets w to a saved state, its own or another walker's.
func (w *walker) back(b saved) {
	walk, memory, renew := w.Walk, w.memory, w.renew
	*w = b.walker
	w.Walk, w.memory, w.renew = walk, memory, renew
	_ = w.Load(b.now) // cannot fail: a solution of the same instance
	if memory != nil {
		copy(memory.times(), b.times)
	}
}

// resize drops walks, or adds copies of the best one.
func (s *search) resize(fill func(*walker)) error {
	s.pull()
	s.far.loaded = false
	best := 0
	for i, w := range s.all {
		if w.low < s.all[best].low {
			best = i
		}
	}
	for len(s.all) < s.walks {
		w, err := s.fresh(fill)
		if err != nil {
			return err
		}
		w.back(s.all[best].save(nil))
		s.all = append(s.all, w)
	}
	s.all = s.all[:s.walks]
	return nil
}

// patience is the largest number of steps, of a few look-ups each, in an iteration that cannot be
// cancelled; perScan is the least number that a scan takes, however few its neighbours are.
const (
	patience = 1 << 20
	perScan  = 1 << 7
)

// iterate makes an iteration: scan makes a scan of walk a, in a neighbourhood of about size moves,
// and the move that follows.
func (s *search) iterate(
	ctx context.Context, it int64, size int64, p *record.Point,
	scan func(a int, w wave, r *result) error,
) (total result, err error) {
	// A long iteration can be cancelled; its walks then return to the state before it.
	before := s.before[:0]
	work := context.Background()
	if float64(max(size*s.weight(), perScan))*float64(s.scans)*float64(len(s.all)) > patience {
		work = ctx
		s.before = slices.Grow(before, len(s.all))[:len(s.all)]
		before = s.before
		for a, w := range s.all {
			before[a] = w.save(before[a].times)
		}
	}
	results := make([]result, len(s.all))
	one := func(a int, pool *solvers.Pool) {
		r := &results[a]
		r.least = math.Inf(1)
		s.shape(s.all[a])
		w := wave{ctx: work, pool: pool, block: s.chunk(size), weight: s.weight()}
		for i := 0; i < s.scans && r.err == nil; i++ {
			if r.err = scan(a, w, r); i%perScan == 0 && r.err == nil {
				r.err = work.Err() // there may have been nothing to scan
			}
		}
		if r.err == nil {
			r.err = Proved(s.all[a].Walk)
		}
	}
	if len(s.all) == 1 {
		one(0, s.env.Pool)
	} else {
		s.env.Pool.Run(len(s.all), func(a, _ int) { one(a, nil) })
	}
	for _, r := range results {
		if r.err != nil {
			for a, b := range before {
				s.all[a].back(b)
			}
			return total, r.err
		}
	}
	for a := range results {
		results[a].hash = s.all[a].Hash()
	}
	_, err = s.finish(it, p, results, &total)
	return total, err
}

// exchanging tells whether a walk may go on from the best solution of all after this iteration.
func (s *search) exchanging(it int64) bool {
	return s.exchange > 0 && it%int64(s.exchange) == 0 && len(s.all) > 1
}

// finish fills the point of an iteration with these results, adds them to total, and exchanges
// solutions; moved tells whether a walk got another one. A walker with a new best solution of all
// must have it in top.
func (s *search) finish(
	it int64, p *record.Point, results []result, total *result,
) (moved bool, err error) {
	p.IterBest, p.Mean, p.Digest = math.Inf(1), 0, 0
	var scans int64
	for a, r := range results {
		w := s.all[a]
		p.IterBest = min(p.IterBest, r.least)
		total.sum += r.sum
		scans += r.scans
		for i, x := range r.tally {
			total.tally[i] += x
		}
		p.Digest = arith.Chain(p.Digest, r.hash+arith.Mix64(uint64(w.clock)))
		if w.low < s.bestCost {
			s.bestCost, s.best = w.low, w.top
		}
	}
	total.scans = scans
	// The mean of equal numbers may be rounded to just below them.
	p.Mean = max(total.sum/float64(scans), p.IterBest)
	if !s.exchanging(it) {
		return false, nil
	}
	w := s.all[s.worst()]
	if w.low <= s.bestCost {
		return false, nil
	}
	if err := w.Load(s.best); err != nil {
		return false, err
	}
	w.low, w.top = s.bestCost, s.best
	w.done = false
	if w.memory != nil {
		w.memory.jumped()
	}
	return true, nil
}

// worst is the walk with the worst best solution.
func (s *search) worst() (worst int) {
	for i, w := range s.all {
		if w.low > s.all[worst].low {
			worst = i
		}
	}
	return worst
}

// StartAt makes all walks begin at the solution.
func (s *search) StartAt(sol record.Solution) { s.given = &sol }

func (s *search) Best() float64 { return s.bestCost }

func (s *search) Solution() record.Solution { return s.best.Clone() }

func (s *search) Counts() string { return "neighbours looked at" }

func (s *search) Lengths() []float64 {
	s.pull()
	out := make([]float64, len(s.all))
	for i, w := range s.all {
		out[i] = w.Cost()
	}
	return out
}

func (s *search) Trace() [][]int32 {
	s.pull()
	out := make([][]int32, len(s.all))
	for i, w := range s.all {
		for at := range s.inst.Size() {
			out[i] = append(out[i], w.entry(int32(at)))
		}
	}
	return out
}

// Close closes the engine.
func (s *search) Close() {
	if s.far.engine != nil {
		s.far.engine.Close()
	}
}
