package ils

import (
	"context"
	"math"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/internal/assembly"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

var (
	_ solvers.Algorithm      = (*queue)(nil)
	_ solvers.Changer        = (*queue)(nil)
	_ solvers.Tracer         = (*queue)(nil)
	_ solvers.LengthReporter = (*queue)(nil)
	_ solvers.Starter        = (*queue)(nil)
)

// queue is the variant queue: several chains, each with its own tour, which kicks change, a queue
// of cities repairs, and acceptance keeps or undoes. The schedule chooses the work of an iteration.
type queue struct {
	param queueParams
	given []int32 // the start, in the instance's numbers; nil: see starts

	inst   *datasets.TSP
	env    *solvers.Env
	space  *tours.Space
	rows   float64 // see lattice; 0 until it is needed
	local  localSearch
	merger *tours.Merger // nil until it is needed

	// The state: what Snapshot writes.
	chains
	best  incumbent
	plan  schedule
	bases [][]int32 // by chain, the tours at the cycle's beginning; none in the first cycle
	pool  assembly.Pool

	// Results of the current iteration, until it is complete.
	next    [][]int32 // by chain
	results []result  // by chain
}

// result is the outcome of an iteration for a chain.
type result struct {
	length int64
	effort
	err error
}

// effort is the work of an iteration.
type effort struct {
	searches     int64 // local searches: evaluations
	kept, gained int   // accepted and improving kicks
}

// newQueue returns the search with default parameters for the instance.
func newQueue(t *datasets.TSP) *queue { return &queue{inst: t, param: queueDefaults(t)} }

func (s *queue) Init(env *solvers.Env) error {
	s.env = env
	s.employ()
	var err error
	if s.space, err = tours.NewSpace(s.inst); err != nil {
		return err
	}
	if s.plan.glance = s.glances(); s.plan.glance {
		s.listPlain()
	} else {
		s.list()
	}
	s.local.grow(1)
	if _, err := s.worker(&s.local.lists, 0); err != nil {
		return err
	}
	s.chains = s.begin(s.param.chains)
	s.plan.descend, s.plan.other = true, s.param.start == "either" && s.given == nil
	return nil
}

// employ makes room for the goroutines that share the chains.
func (s *queue) employ() { s.env.Pool.Resize(s.param.workers) }

// Iterate makes what is due: a search from all cities in every chain, kicks, or a step of a pool.
func (s *queue) Iterate(ctx context.Context, it int64, p *record.Point) error {
	phase := s.plan.phase()
	if phase != glancing {
		s.weigh()
	}
	s.local.grow(s.env.Pool.Size())
	var did effort
	var err error
	switch phase {
	case glancing:
		if did, err = s.eachChain(ctx, it, s.glance); err == nil {
			s.plan.glance = false
		}
	case descending:
		if did, err = s.eachChain(ctx, it, s.descend); err == nil {
			s.plan.descend = false
		}
	case comparing:
		if did, err = s.eachChain(ctx, it, s.tryOther); err == nil {
			s.plan.other = false
		}
	case kicking:
		if did, err = s.eachChain(ctx, it, s.kicks()); err == nil {
			s.kicked()
		}
	case filling:
		did, err = s.fill(ctx, it)
	case crossing:
		err = s.cross(ctx, it)
	}
	if err != nil {
		return err
	}
	s.tell(p, did)
	s.exchange(it)
	return nil
}

// A chainBody makes an iteration of chain a with a workspace, and writes the tour to next[a].
type chainBody func(ctx context.Context, search *tours.Search, it int64, a int) result

// eachChain runs an iteration of every chain in parallel, and stores the tours when all are done.
func (s *queue) eachChain(ctx context.Context, it int64, body chainBody) (effort, error) {
	for len(s.next) < len(s.tours) {
		s.next = append(s.next, make([]int32, s.space.N))
	}
	s.results = append(s.results[:0], make([]result, len(s.tours))...)
	s.env.Pool.Run(len(s.tours), func(a, w int) {
		search, err := s.worker(&s.local.lists, w)
		if err != nil {
			s.results[a].err = err
			return
		}
		search.Watch(ctx)
		s.results[a] = body(ctx, search, it, a)
	})
	var sum effort
	for _, r := range s.results {
		if r.err != nil {
			return effort{}, r.err
		}
		sum.searches += r.searches
		sum.kept += r.kept
		sum.gained += r.gained
	}
	for a, r := range s.results {
		s.tours[a], s.next[a] = s.next[a], s.tours[a]
		s.lengths[a] = r.length
	}
	return sum, nil
}

// The measures of queue.
const (
	measureKept = iota
	measureGaining
	measurePool
)

// Measures are the shares of accepted and of improving kicks, and the tours of the pool.
func (s *queue) Measures() []string { return []string{"kept", "gaining", "pool"} }

// tell writes the point of an iteration, and keeps the best tour.
func (s *queue) tell(p *record.Point, did effort) {
	p.Evals = did.searches
	p.IterBest, p.Mean, p.Digest = math.Inf(1), 0, 0
	for a, length := range s.lengths {
		p.IterBest = min(p.IterBest, float64(length))
		p.Mean += float64(length)
		p.Digest = arith.Chain(p.Digest, arith.HashPerm(s.tours[a]))
		s.best.offer(s.tours[a], length)
	}
	p.Mean /= float64(len(s.tours))
	all := float64(s.param.kick.number * len(s.tours))
	p.Measures[measureKept] = float64(did.kept) / all
	p.Measures[measureGaining] = float64(did.gained) / all
	s.pool.Tell(p, measurePool, s.plan.Stage)
}

// exchange lets the chain with the longest tour go on from the shortest when it is time.
func (s *queue) exchange(it int64) {
	every := int64(s.param.exchange)
	if s.plan.Stage != assembly.NoPool || every == 0 || it%every != 0 {
		return
	}
	from, to := s.shortest(), s.longest()
	if s.lengths[to] > s.lengths[from] {
		s.copyChain(to, from)
		if len(s.bases) > 0 {
			copy(s.bases[to], s.bases[from])
		}
	}
}

// resize drops chains, or adds some that begin with the shortest tour.
func (s *queue) resize() {
	from := s.chains.resize(s.param.chains)
	if len(s.bases) > 0 {
		s.bases = resized(s.bases, s.param.chains, from)
	}
}

// StartAt makes all chains begin with the tour.
func (s *queue) StartAt(sol record.Solution) { s.given = sol.Perm }

func (s *queue) Counts() string { return counts }

func (s *queue) Best() float64 { return s.best.value() }

func (s *queue) Solution() record.Solution { return s.best.solution(s.space) }

// Lengths returns the lengths of the chains' tours, then those of the pool.
func (s *queue) Lengths() []float64 {
	out := floats(s.lengths)
	for i := range s.pool.Members {
		out = append(out, float64(s.pool.Members[i].Length))
	}
	return out
}

// Trace is the tours of Lengths.
func (s *queue) Trace() [][]int32 {
	out := s.trace(s.space)
	for i := range s.pool.Members {
		out = append(out, s.space.ToInstance(s.pool.Members[i].Tour))
	}
	return out
}

func (s *queue) Close() {}
