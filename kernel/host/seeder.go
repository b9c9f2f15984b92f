package host

import (
	"context"
	"fmt"
	"time"

	"metalab/kernel/wire"
	"metalab/solvers"
)

// A Seeder makes the seeds of a repeat elsewhere; it is for one.
type Seeder interface {
	// Over runs them; say receives messages meanwhile, for example that no worker has joined.
	Over(say func(string)) solvers.SeedsElsewhere

	// Far tells how far it is, as a solvers.Gauge does.
	Far() (parts float64, seeds int, left time.Duration)
}

// seeders finds who makes seeds elsewhere; nil: no room does.
var seeders func(ctx context.Context, h *Host, e *Run, over string) (Seeder, error)

// HandleSeeds makes f what finds who makes the seeds of repeats with over=, but for local. A room
// calls it when it is linked.
func HandleSeeds(f func(ctx context.Context, h *Host, e *Run, over string) (Seeder, error)) {
	seeders = f
}

// seedsOver finds who makes the seeds that are asked for; nil: this process.
func (e *Run) seedsOver(
	ctx context.Context, q *wire.RepeatRequest, p *solvers.Repeats,
) (Seeder, error) {
	switch {
	case q.Over == "" && p.Devices == nil:
		return e.besides(p), nil
	case q.Over == "" || q.Over == "local":
		return nil, nil
	case seeders == nil && whole != nil:
		return nil, e.host.Grow(ctx, "over="+q.Over, "")
	case seeders == nil:
		return nil, wrong(fmt.Sprintf("repeat: over is %s, want local: this program knows no other "+
			"machines", q.Over))
	case q.On != "":
		return nil, wrong(fmt.Sprintf("repeat: on=%s names GPUs of this machine, and over=%s has the "+
			"seeds made by workers, which say by -gpus what they use: leave one of them out", q.On, q.Over))
	case e.run.Header().Start != nil:
		return nil, wrong(fmt.Sprintf("repeat: %s begins at a given solution, which no worker does: "+
			"repeat it with over=local", e.name))
	case p.Budget.Until != "":
		return nil, wrong(fmt.Sprintf("repeat: workers know no until=%s, want iterations (n=100), "+
			"seconds (10s) or CPU seconds (10cpu): repeat it with over=local", p.Budget.Until))
	}
	return seeders(ctx, e.host, e, q.Over)
}
