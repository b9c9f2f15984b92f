package agents

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// watchEvery is the time between two looks at what the host has used, during a call.
const watchEvery = 100 * time.Millisecond

// errBudget is why a call ends that used up the budget.
var errBudget = errors.New("the budget is used up")

// A budget bounds what a session makes and uses.
type budget struct {
	iterations int64   // at most so many; 0: any
	cpu        float64 // seconds; 0: any

	mu    sync.Mutex // held by the one call that spends
	began spent      // when the agent came
}

// spent is what a host has made and used.
type spent struct {
	iterations int64
	cpu        float64
}

// look asks the host what it has made and used since the agent came.
func (s *server) look(ctx context.Context) (spent, error) {
	var r reply.AboutReply
	if err := s.client.Do(ctx, "about", nil, &r); err != nil {
		return spent{}, err
	}
	return spent{
		r.Iterations - s.budget.began.iterations, float64(r.CPUS) - s.budget.began.cpu,
	}, nil
}

// over says which budget is used up; empty: none.
func (b *budget) over(u spent) string {
	switch {
	case b.iterations > 0 && u.iterations >= b.iterations:
		return fmt.Sprintf("the budget of this session is used up: %d of %d iterations", u.iterations,
			b.iterations)
	case b.cpu > 0 && u.cpu >= b.cpu:
		return fmt.Sprintf("the budget of this session is used up: %.1f of %g CPU seconds", u.cpu, b.cpu)
	}
	return ""
}

// spend makes a call that spends, one at a time: what it may make is bounded before it begins, and
// it ends when the budget is used up. note says that it did.
func (s *server) spend(
	ctx context.Context, q any, call func(context.Context) error,
) (note string, err error) {
	b := &s.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return "", err
	}
	u, err := s.look(ctx)
	if err != nil {
		return "", err
	}
	if why := b.over(u); why != "" {
		return "", denied("%s; what only reads still answers", why)
	}
	b.bound(q, u)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var watching sync.WaitGroup
	watching.Go(func() { s.watch(ctx, cancel) })
	err = call(ctx)
	if why := context.Cause(ctx); err != nil && errors.Is(why, errBudget) {
		err = denied("%v", why)
	}
	cancel(nil)
	watching.Wait()
	if err == nil {
		if u, uerr := s.look(context.WithoutCancel(ctx)); uerr == nil {
			note = b.over(u)
		}
	}
	return note, err
}

// watch ends a call when the budget is used up.
func (s *server) watch(ctx context.Context, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if u, err := s.look(ctx); err == nil {
			if why := s.budget.over(u); why != "" {
				cancel(fmt.Errorf("%w: %s", errBudget, why))
				return
			}
		}
	}
}

// bound limits a request to what is left.
func (b *budget) bound(q any, u spent) {
	left, seconds := int64(math.MaxInt64), reply.Num(math.Inf(1))
	if b.iterations > 0 {
		left = b.iterations - u.iterations
	}
	if b.cpu > 0 {
		seconds = reply.Num(b.cpu - u.cpu)
	}
	switch q := q.(type) {
	case *wire.StepRequest:
		if q.N == 0 && q.Wall == 0 && q.CPU == 0 && q.Until == "" {
			return // an error of the host's, which says what a step takes
		}
		if left < math.MaxInt64 && (q.N == 0 || q.N > left) {
			q.N = left
		}
		if seconds.Known() && (q.CPU == 0 || q.CPU > seconds) {
			q.CPU = seconds
		}
	case *wire.SolveRequest:
		if q.Wall == 0 && q.CPU == 0 && q.Until == "" {
			q.Wall = 10 // as the verb says
		}
		if left < math.MaxInt64 {
			end := fmt.Sprintf("iteration=%d", left)
			if q.Until != "" {
				end = q.Until + "," + end
			}
			q.Until = end
		}
		if seconds.Known() && (q.CPU == 0 || q.CPU > seconds) {
			q.CPU = seconds
		}
	}
}
