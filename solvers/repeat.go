package solvers

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"metalab/solvers/record"
)

// A Result is the outcome of one run of a Repeat.
type Result struct {
	Seed    uint64
	Point   record.Point   // the last; see SenseOf for maximised problems
	Gap     float64        // of the best, in percent; NaN if no best value is known
	History []record.Point // the kept points
	Why     string         // why it stopped before its last iteration

	Solution record.Solution // the best; filled by Once only
}

// Budget limits each run of a Repeat: to at most Iterations (no limit when 0), and until Stop says
// so (never when nil).
type Budget struct {
	Iterations int
	Stop       Stop

	// Part returns the spent fraction of the budget at a point, 0 to 1; nil: that of the iterations.
	Part func(*record.Point) float64

	// Hold, when not nil, is called between two iterations and may block until ctx ends; it reports
	// whether it did. That time does not count as the run's.
	Hold func(ctx context.Context) bool

	// Gauge, when not nil, reports the progress of the Repeat.
	Gauge *Gauge

	Keeping *Checkpointing // used by Once only; may be nil
}

// part is Part, or its default.
func (b *Budget) part(p *record.Point) float64 {
	switch {
	case b.Part != nil:
		return b.Part(p)
	case b.Iterations > 0:
		return float64(p.Iter) / float64(b.Iterations)
	}
	return 0
}

// Repeat runs cfg once for each seed, and returns the results in the order of the seeds. The runs
// are parallel: each on one core, with all cores in use, or, where cfg names devices, each on one
// of these. Each result is the same as that of a run alone. done, when not nil, is called after
// each run, from one goroutine at a time. After an error the results of unfinished seeds are empty.
func Repeat(
	ctx context.Context, cfg Config, seeds []uint64, b Budget, done func(Result),
) ([]Result, error) {
	if ctx == nil {
		return nil, errNoContext
	}
	if b.Iterations <= 0 && b.Stop == nil {
		return nil, errNoBudget
	}
	b.Keeping = nil
	workers := runtime.GOMAXPROCS(0)
	places := placesOf(&cfg)
	if places != nil {
		workers = seedsBeside * len(places)
	}
	return sideBySide(ctx, seeds, workers, b.Gauge, func(ctx context.Context, i int) (Result, error) {
		return places.on(cfg, func(cfg Config) (res Result, err error) {
			res, _, err = once(ctx, cfg, seeds[i], b, i)
			return res, err
		})
	}, done)
}

// sideBySide computes results of seeds, several at a time. The first error ends the others'
// contexts.
func sideBySide(
	ctx context.Context, seeds []uint64, workers int, g *Gauge,
	one func(ctx context.Context, i int) (Result, error), done func(Result),
) ([]Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := make([]Result, len(seeds))
	var mu sync.Mutex
	var failed error
	var wg sync.WaitGroup
	next := make(chan int)
	workers = min(workers, len(seeds))
	g.start(len(seeds), workers)
	for range workers {
		wg.Go(func() {
			for i := range next {
				g.begin(i)
				res, err := one(ctx, i)
				mu.Lock()
				if err != nil && failed == nil {
					failed = fmt.Errorf("solvers: repeat: seed %d: %w", seeds[i], err)
					cancel()
				}
				if err == nil {
					g.end(i)
					if out[i] = res; done != nil {
						if err := guard(func() { done(res) }); err != nil && failed == nil {
							failed = fmt.Errorf("solvers: repeat: after seed %d: %w", seeds[i], err)
							cancel()
						}
					}
				}
				mu.Unlock()
			}
		})
	}
	for i := range seeds {
		next <- i
	}
	close(next)
	wg.Wait()
	return out, failed
}

// Once runs cfg once, on one core, as Repeat does for each seed. It ignores b.Gauge.
func Once(ctx context.Context, cfg Config, b Budget) (Result, error) {
	if ctx == nil {
		return Result{}, errNoContext
	}
	if b.Iterations <= 0 && b.Stop == nil {
		return Result{}, errNoBudget
	}
	b.Gauge = nil
	res, best, err := once(ctx, cfg, cfg.Seed, b, 0)
	res.Solution = best.Clone()
	return res, err
}

var errNoBudget = errors.New(
	"solvers: repeat: no budget: say how many iterations, or when to stop",
)

// once makes the run of a seed, the i-th of the gauge.
func once(ctx context.Context, cfg Config, seed uint64, b Budget, i int) (
	res Result, best record.Solution, err error,
) {
	if err := ctx.Err(); err != nil {
		return res, best, err
	}
	n := -1
	if b.Iterations > 0 {
		n = b.Iterations
	}
	cfg.Seed = seed
	r, err := Open(cfg)
	if err != nil {
		return res, best, err
	}
	first := r.Last()
	if past := b.Keeping.goingOn(ctx, r); past != nil {
		if r = past; n > 0 {
			n -= int(r.Last().Iter)
		}
	}
	defer r.Close()
	if err := r.do(ctx, func() { r.env.Pool.Resize(1) }); err != nil {
		return res, best, err
	}
	stop := b.Stop
	if b.Gauge != nil {
		stop = func(start record.Point) func(*record.Point) string {
			rule := b.Stop.begin(start)
			return func(p *record.Point) string {
				b.Gauge.see(i, b.part(p))
				return rule(p)
			}
		}
	}
	if stop != nil { // of what it was to make at first
		rule := stop
		stop = func(record.Point) func(*record.Point) string { return rule(first) }
	}
	if b.Keeping != nil && b.Keeping.To != nil {
		stop = r.keeping(b.Keeping, stop)
	}
	if b.Hold != nil {
		stop = r.holding(ctx, stop, b.Hold)
	}
	why, err := r.StepUntil(ctx, n, stop)
	if err != nil {
		return res, best, err
	}
	found, err := r.Best(ctx) // recomputed by the cost function
	if err != nil {
		return res, best, err
	}
	p := r.Last()
	return Result{
		Seed: seed, Point: p, Gap: Gap(p.Best, r.header.Instance.Best), History: r.History(), Why: why,
	}, found.Solution, nil
}

// holding is stop, which then holds.
func (r *Run) holding(ctx context.Context, stop Stop, hold func(context.Context) bool) Stop {
	return func(start record.Point) func(*record.Point) string {
		rule := stop.begin(start)
		return func(p *record.Point) string {
			why := rule(p)
			if why == "" && hold(ctx) {
				r.clock = time.Now()
			}
			return why
		}
	}
}

// Quartiles returns the minimum, the three quartiles and the maximum of v, by linear
// interpolation between order statistics; v must not be empty.
func Quartiles(v []float64) (q [5]float64) {
	s := slices.Clone(v)
	slices.Sort(s)
	for i := range q {
		at := float64(float64(len(s)-1) * float64(i) / 4)
		lo := int(at)
		hi := min(lo+1, len(s)-1)
		q[i] = s[lo] + float64((at-float64(lo))*(s[hi]-s[lo]))
	}
	return q
}
