package solvers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"metalab/datasets"
	"metalab/solvers/record"
)

// Repeats says which seeds Run.Repeat runs, and how.
type Repeats struct {
	Seeds  int           // number of seeds; they count up from the run's
	Budget record.Budget // of each, as the record stores it
	Stop   Stop          // stands for Budget's limits other than iterations
	// GPUs that run seeds in parallel, for CUDA variants; nil: those of the run
	Devices []int
	Fresh   bool // run seeds again that have results

	// Changes makes each seed begin with the parameters of iteration 0 and repeat the run's changes at
	// their iterations. Without it seeds have the run's present parameters from iteration 1 on.
	Changes bool

	// Over, when not nil, runs the seeds outside this process.
	Over SeedsElsewhere

	Done  func(record.Seeded)        // called after each seed, one at a time; may be nil
	Gauge *Gauge                     // may be nil
	Hold  func(context.Context) bool // as in Budget
}

// Repeat runs the run again from iteration 1 for each of several seeds, with its present parameters
// or with its changes, as the function Repeat does. It adds the result of each seed to the run's
// record as soon as the seed is done. The run itself stays as it is.
//
// Repeat skips seeds that have a result under the same setting (parameters, backend and budget);
// had returns how many those are. Results under other settings stay in the record, as series of
// their own.
//
// It returns the series with all its seeds. If ctx ends or a seed fails, it also returns the error,
// and keeps the finished seeds.
func (r *Run) Repeat(ctx context.Context, q Repeats) (s record.Series, had int, err error) {
	if err := r.check(); err != nil {
		return s, 0, err
	}
	cfg, params, err := r.again(ctx)
	if err != nil {
		return s, 0, err
	}
	if q.Devices != nil {
		cfg.Devices = q.Devices
	}
	if q.Changes {
		if params, err = r.asItBegan(ctx, &cfg, params); err != nil {
			return s, 0, err
		}
		if q.Over != nil && len(cfg.later) > 0 {
			return s, 0, errors.New("repeat with changes: seeds that others make have none")
		}
	}
	n := r.series(record.Series{
		Params: params, Backend: cfg.Backend, Budget: q.Budget, Changes: cfg.later,
	})
	var seeds []uint64
	s = r.Repeats()[n]
	for i := range q.Seeds {
		seed := r.Seed() + uint64(i)
		if s.Has(seed) != nil {
			had++
			if !q.Fresh {
				continue
			}
		}
		seeds = append(seeds, seed)
	}
	if len(seeds) > 0 {
		b := Budget{
			Iterations: int(q.Budget.Iterations), Stop: q.Stop, Part: PartOf(q.Budget), Gauge: q.Gauge,
			Hold: q.Hold,
		}
		done := func(x Result) {
			y := seeded(x)
			r.keepSeed(n, y)
			if q.Done != nil {
				q.Done(y)
			}
		}
		if q.Over != nil {
			err = q.Over(ctx, cfg, seeds, q.Budget, done)
		} else {
			_, err = Repeat(ctx, cfg, seeds, b, done)
		}
	}
	return r.Repeats()[n], had, err
}

// again returns the configuration that repeats the run with its present parameters, and the
// parameters that bear on results.
func (r *Run) again(ctx context.Context) (Config, record.Values, error) {
	var ps []record.Param
	var cfg Config
	err := r.do(ctx, func() {
		ps = r.params.List()
		cfg = Config{
			Start: r.header.Start,
			Name:  r.name, Solver: r.variant.Solver, Variant: r.variant.Name, Backend: r.variant.Backend,
			Instance: r.inst,
			Path:     r.header.Instance.Path, Preset: r.header.Preset, Params: record.Values{},
			Devices: r.env.Devices,
		}
	})
	if err != nil {
		return cfg, nil, err
	}
	params := record.Values{}
	for _, p := range ps {
		cfg.Params[p.Name] = p.Value
		if p.Class != record.Schedule {
			params[p.Name] = p.Value
		}
	}
	return cfg, params, nil
}

// asItBegan has a configuration begin as the run did and make its changes; it returns the
// parameters of iteration 0 that bear on results: those of now where nothing was changed.
func (r *Run) asItBegan(
	ctx context.Context, cfg *Config, now record.Values,
) (record.Values, error) {
	changes, why, err := r.Changes(ctx)
	if err == nil && why != "" {
		err = fmt.Errorf("repeat with changes: no run makes %s again", why)
	}
	if err != nil || len(changes) == 0 {
		return now, err
	}
	params := record.Values{}
	err = r.do(ctx, func() {
		for n, v := range r.params.renamed(r.header.Params) {
			if e := r.params.find(n); e != nil && e.Class != record.Schedule {
				cfg.Params[n], params[n] = v, v
			}
		}
	})
	cfg.later = changes
	return params, err
}

// PartOf returns a function for the spent fraction of a budget, see Budget.Part.
func PartOf(b record.Budget) func(*record.Point) float64 {
	return func(p *record.Point) float64 {
		part := 0.0
		if b.Iterations > 0 {
			part = float64(p.Iter) / float64(b.Iterations)
		}
		if b.Evaluations > 0 {
			part = max(part, float64(p.Evals)/float64(b.Evaluations))
		}
		if b.Wall > 0 {
			part = max(part, p.Wall/b.Wall)
		}
		if b.CPU > 0 {
			part = max(part, p.CPU/b.CPU)
		}
		return part
	}
}

// series returns the number of the series of a setting; a new one where there is none yet.
func (r *Run) series(s record.Series) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.repeats {
		if r.repeats[i].Same(&s) {
			return i
		}
	}
	r.repeats = append(r.repeats, s)
	return len(r.repeats) - 1
}

// repeated is a result as it is appended to an autosave.
type repeated struct {
	series int
	seeded record.Seeded
}

// keepSeed adds a result to a series, and has it autosaved.
func (r *Run) keepSeed(series int, x record.Seeded) {
	r.mu.Lock()
	r.repeats[series].Put(x)
	r.results = append(r.results, repeated{series, x})
	r.mu.Unlock()
	select {
	case r.kept <- struct{}{}:
	default:
	}
}

// Repeats returns the results of the run's repeats, one series per setting, in the order in which
// they began.
func (r *Run) Repeats() []record.Series {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := slices.Clone(r.repeats)
	for i := range out {
		out[i].Seeds = slices.Clone(out[i].Seeds)
	}
	return out
}

// Seeds returns the number of results that repeats of the run have added so far, in all series. It
// counts a seed that ran again once more, so it grows with each result.
func (r *Run) Seeds() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.results)
}

// LatestSeries returns the index of the series with the latest result.
func (r *Run) LatestSeries() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.results); n > 0 {
		return r.results[n-1].series
	}
	return 0
}

// adoptRepeats copies the repeats of a record.
func (r *Run) adoptRepeats(rec *record.Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.repeats, r.results = nil, nil
	for i, s := range rec.Repeats {
		s.Seeds = slices.Clone(s.Seeds)
		r.repeats = append(r.repeats, s)
		for _, x := range s.Seeds {
			r.results = append(r.results, repeated{i, x})
		}
	}
}

// seeded is a result as it stands in a record.
func seeded(x Result) record.Seeded {
	p := x.Point
	return record.Seeded{
		Seed: x.Seed, Iter: p.Iter, Best: p.Best, Digest: p.Digest, Why: x.Why,
		Curve: curveOf(x.History, p), Wall: p.Wall, CPU: p.CPU,
	}
}

// curvePoints is the number of iterations of which a curve may hold every one; see onCurve.
const curvePoints = 64

// onCurve reports whether a curve may have a place at iteration i: the pattern is that of Kept with
// fewer points, 32 in each doubling. It depends only on the iteration number, so the curves of all
// seeds have the same places.
func onCurve(i int64) bool { return thinned(i, curvePoints) }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// curveOf thins a history that ends at last: at the places of a curve, the best until then
// wherever that is a new one.
func curveOf(history []record.Point, last record.Point) record.Curve {
	var c record.Curve
	put := func(p record.Point) {
		c.Iter, c.Best = append(c.Iter, p.Iter), append(c.Best, p.Best)
		c.Wall, c.CPU = append(c.Wall, p.Wall), append(c.CPU, p.CPU)
	}
	for _, p := range history {
		if p.Iter >= last.Iter || !finite(p.Best) || !onCurve(p.Iter) {
			continue
		}
		if n := len(c.Best); n == 0 || c.Best[n-1] != p.Best {
			put(p)
		}
	}
	if last.Iter > 0 && finite(last.Best) {
		put(last)
	}
	return c
}

// replaySeeds makes the seeds of all series of a record again and compares what came of them.
func replaySeeds(
	ctx context.Context, rec *record.Record, inst datasets.Instance, o ReplayOptions,
) (*Difference, error) {
	done, total := 0, rec.Seeds()
	p, err := plan(rec, o.Backend)
	if err != nil {
		return nil, err
	}
	for _, s := range rec.Repeats {
		h := rec.Header
		cfg := Config{
			Start: rec.Header.Start,
			Name:  h.Run, Solver: h.Solver, Variant: p.last.variant.Name,
			Backend:  cmp.Or(o.Backend, s.Backend),
			Instance: inst, Path: h.Instance.Path, Params: s.Params, later: s.Changes,
		}
		v, err := Find(cfg.Solver, cfg.Variant, cfg.Backend)
		if err != nil {
			return nil, err
		}
		if !v.Deterministic {
			return nil, fmt.Errorf("%s/%s on %s: %w", v.Solver, v.Name, v.Backend, ErrNotDeterministic)
		}
		if !Waits(s.Params) {
			return nil, fmt.Errorf("repeats: %w", errApart)
		}
		for _, x := range s.Seeds {
			if x.Iter < 1 {
				return nil, fmt.Errorf(
					"the repeat with seed %d made %d iterations: %w", x.Seed, x.Iter, record.ErrFormat,
				)
			}
			if n := s.Budget.Iterations; n > 0 && (x.Iter > n || x.Iter < n && x.Why == "") {
				d := aside(min(x.Iter, n), "iterations of the budget", n, x.Iter)
				d.Seed = &x.Seed
				return d, nil
			}
			res, _, err := once(ctx, cfg, x.Seed, Budget{Iterations: int(x.Iter)}, 0)
			if err != nil {
				return nil, fmt.Errorf("the repeat with seed %d: %w", x.Seed, err)
			}
			if d := compareSeeded(x, seeded(res), SenseOf(inst)); d != nil {
				return d, nil
			}
			if done++; o.Progress != nil {
				o.Progress(int64(done), int64(total))
			}
		}
	}
	return nil, nil
}

// compareSeeded returns the first place at which a result and its repetition part.
func compareSeeded(a, b record.Seeded, s record.Sense) *Difference {
	d := func(i int64, what string, x, y any) *Difference {
		out := aside(i, what, x, y)
		out.Seed = &a.Seed
		return out
	}
	for i := range min(len(a.Curve.Iter), len(b.Curve.Iter)) {
		at, bt := a.Curve.Iter[i], b.Curve.Iter[i]
		switch {
		case at != bt:
			return d(min(at, bt), "best", fmt.Sprintf("a new one in %d", at), fmt.Sprintf("in %d", bt))
		case a.Curve.Best[i] != b.Curve.Best[i]:
			return d(at, "best", s.Value(a.Curve.Best[i]), s.Value(b.Curve.Best[i]))
		}
	}
	switch {
	case a.Iter != b.Iter:
		return d(min(a.Iter, b.Iter), "iterations", a.Iter, b.Iter)
	case a.Best != b.Best:
		return d(a.Iter, "best", s.Value(a.Best), s.Value(b.Best))
	case a.Digest != b.Digest:
		return d(a.Iter, "digest", fmt.Sprintf("%016x", a.Digest), fmt.Sprintf("%016x", b.Digest))
	case len(a.Curve.Iter) != len(b.Curve.Iter):
		return d(a.Iter, "curve", fmt.Sprint(len(a.Curve.Iter), " points"), len(b.Curve.Iter))
	}
	return nil
}
