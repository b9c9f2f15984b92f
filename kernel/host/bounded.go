package host

import (
	"context"
	"fmt"
	"time"

	"metalab/kernel/guest"
	"metalab/kernel/wire"
	"metalab/solvers"
)

const (
	// lateAfter is how long an iteration of a declared solver may continue after the time limit of its
	// step; after that it counts as endless.
	lateAfter = 2 * time.Second

	// cpuAt is the same for a limit of CPU time, as the wall time of the iteration divided by that
	// limit. It is large because many programs may share the cores.
	cpuAt = 10
)

// bounded returns a context that ends a step of a declared solver, or on a declared problem, some
// time after its time limit,
// even during an iteration: limits are checked between iterations, and an iteration of such a
// solver may never end. Iterations of metalab's own solvers always end, and are waited for. done
// must be called.
func (e *Run) bounded(ctx context.Context, q *wire.StepRequest) (_ context.Context, done func()) {
	wall, cpu := limits(q)
	_, own := e.run.Instance().(*guest.Instance)
	if (wall == 0 && cpu == 0) || !own && e.host.guests.Known(e.run.Variant().Solver) == nil {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		begun := time.Now()
		at, since := e.run.Last().Iter, begun
		tick := time.NewTicker(lateAfter / 10)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if i := e.run.Last().Iter; i != at || e.run.State() == solvers.Paused {
				at, since = i, time.Now()
			}
			stuck := time.Since(since)
			limit, over := wall, wall > 0 && time.Since(begun) > wall+lateAfter && stuck > lateAfter
			if cpu > 0 && stuck > cpuAt*cpu+lateAfter {
				limit, over = cpu, true
			}
			if over {
				cancel(&solvers.TimeLimit{Why: fmt.Sprintf(
					"after %v: iteration %d had gone on for %v and was given up", limit, at+1,
					stuck.Round(time.Second/10),
				)})
				return
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// limits returns the limits of a step's time, which may also be conditions; 0: none.
func limits(q *wire.StepRequest) (wall, cpu time.Duration) {
	least := func(to *time.Duration, seconds float64) {
		if d := duration(seconds); seconds > 0 && (*to == 0 || d < *to) {
			*to = d
		}
	}
	if q.Wall.Known() {
		least(&wall, float64(q.Wall))
	}
	if q.CPU.Known() {
		least(&cpu, float64(q.CPU))
	}
	conds, _ := wire.ParseConds(q.Until) // cannot fail: it was parsed before
	for _, c := range conds {
		switch c.Name {
		case "time":
			least(&wall, c.Value)
		case "cpu":
			least(&cpu, c.Value)
		}
	}
	return wall, cpu
}
