package anneal

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/moves"
	"metalab/solvers/record"
)

func init() {
	solvers.OfferOn("cuda", []datasets.Kind{datasets.KindOwn}, "anneal", "metropolis")
}

// On describes anneal/metropolis on a backend with engines from engine, for solvers.Register. It
// accepts instances of these kinds; the engine must be a moves.Annealer.
func On(
	backend string, kinds []datasets.Kind, engine func(*moves.Problem) (moves.Engine, error),
) solvers.Variant {
	v := metropolis
	v.Backend, v.Kinds = backend, kinds
	v.New = func(inst datasets.Instance) (solvers.Algorithm, error) {
		s, err := newSearch(inst)
		if err != nil {
			return nil, err
		}
		return &remote{search: s, open: engine}, nil
	}
	return v
}

// remote is a search whose moves an engine makes. The walks that are away have the results of the
// last iteration, but an older solution and best one than the engine.
type remote struct {
	*search
	open   func(*moves.Problem) (moves.Engine, error)
	engine moves.Engine
	loaded bool   // the engine has the walks, or newer ones
	away   []bool // by walk
	err    error  // of a failed copy; the next iteration returns it
}

// Init makes the walks and the engine.
func (r *remote) Init(env *solvers.Env) (err error) {
	if err := r.search.Init(env); err != nil {
		return err
	}
	r.engine, err = r.open(&moves.Problem{Instance: r.inst, Seed: env.Seed, Env: env})
	return err
}

// Iterate has the engine draw moves at one temperature, and cools.
func (r *remote) Iterate(ctx context.Context, it int64, p *record.Point) error {
	e, ok := r.engine.(moves.Annealer)
	if !ok {
		return errors.New("anneal: the engine of this backend does not anneal: use backend cpu")
	}
	if err := errors.Join(r.err, ctx.Err()); err != nil {
		return err
	}
	if err := r.push(); err != nil {
		return err
	}
	job := moves.Cooling{Iteration: it, Moves: r.moves, Neighbourhood: r.number()}
	for _, w := range r.all {
		job.Heat = append(job.Heat, r.temperature*r.cooled*w.scale)
	}
	out := make([]moves.Annealed, len(r.all))
	if err := e.Anneal(ctx, job, out); err != nil {
		return err
	}
	for a, o := range out {
		w := r.all[a]
		w.low, w.least, w.made, w.cost, w.hash = o.Low, o.Least, o.Made, o.Cost, o.Hash
		r.away[a] = true
	}
	r.tell(p)
	if !r.colder() {
		return nil
	}
	r.pull()
	for _, w := range r.all {
		r.err = errors.Join(r.err, w.Load(w.best))
	}
	r.loaded = false
	return r.err
}

// number is that of the neighbourhood whose moves are drawn.
func (r *remote) number() int {
	return slices.IndexFunc(r.nbs, func(nb moves.Neighbourhood) bool {
		return nb.Name() == r.drawn().Name()
	})
}

// push gives the engine the walks, if it has others.
func (r *remote) push() error {
	if r.loaded {
		return nil
	}
	var states []moves.State
	for _, w := range r.all {
		states = append(states, moves.State{Now: w.Solution(), Top: w.best, Low: w.low})
	}
	err := r.engine.Load(states)
	r.loaded, r.away = err == nil, make([]bool, len(r.all))
	return err
}

// pull copies the engine's state to the walks that are away.
func (r *remote) pull() {
	for a := range r.away {
		r.pullOne(a)
	}
}

func (r *remote) pullOne(a int) {
	if a >= len(r.away) || !r.away[a] {
		return
	}
	w := r.all[a]
	s := moves.State{Now: w.Solution().Clone(), Top: w.best.Clone()}
	err := r.engine.State(a, &s)
	if err == nil {
		w.best = s.Top
		err = w.Load(s.Now)
	}
	if err != nil {
		r.err = errors.Join(r.err, fmt.Errorf("anneal: the state of walk %d: %w", a, err))
		return
	}
	r.away[a] = false
}

func (r *remote) Solution() record.Solution {
	r.pullOne(slices.Index(r.all, r.leader()))
	return r.search.Solution()
}

// Snapshot writes the state; one that is lost with its device is not restored by mistake.
func (r *remote) Snapshot(w *solvers.Writer) {
	if r.pull(); r.err != nil {
		w.Bytes("lost", []byte(r.err.Error()))
		return
	}
	r.search.Snapshot(w)
}

func (r *remote) Restore(from *solvers.Reader) error {
	r.loaded, r.away, r.err = false, nil, nil
	return r.search.Restore(from)
}

func (r *remote) Trace() [][]int32 {
	r.pull()
	return r.search.Trace()
}

func (r *remote) Close() {
	if r.engine != nil {
		r.engine.Close()
	}
	r.search.Close()
}

// Time, Spans, Waves and Turn are the engine's; see moves.Tuned.
func (r *remote) Time(on bool) bool {
	e, ok := r.engine.(moves.Tuned)
	return ok && e.Time(on)
}

func (r *remote) Spans() []solvers.Span {
	if e, ok := r.engine.(moves.Tuned); ok {
		return e.Spans()
	}
	return nil
}

func (r *remote) Waves() []solvers.Wave {
	if e, ok := r.engine.(moves.Tuned); ok {
		return e.Waves()
	}
	return nil
}

func (r *remote) Turn(ctx context.Context) (give func(), waited bool, err error) {
	if e, ok := r.engine.(moves.Tuned); ok {
		return e.Turn(ctx)
	}
	return func() {}, false, nil
}
