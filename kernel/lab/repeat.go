package lab

import (
	"context"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// Repeat makes a run from iteration 1 with its present parameters once for each of several seeds,
// on all cores, each for so many iterations; without them, or 0: as many as the run has made. The
// result of each seed is kept with the run at once, saved and loaded with it, and not computed
// again: an interrupt loses only the seeds that are being made.
func Repeat(run *Run, seeds int, iterations ...int) *reply.RepeatReply {
	return repeat(wire.RepeatRequest{
		Run: names("Repeat", []*Run{run})[0], Seeds: &seeds,
		N: oneOf("Repeat", iterations),
	})
}

func repeat(q wire.RepeatRequest) *reply.RepeatReply {
	c := Client()
	ctx, stop := during()
	defer stop()
	id := c.NewCall()
	end := progressing(c, id, "repeat")
	var rep reply.RepeatReply
	err := c.DoID(ctx, id, "repeat", q, &rep)
	end(err)
	if err != nil && ctx.Err() != nil {
		fail(&Error{wire.CodeCanceled, "interrupted; " + kept(ctx, c, q.Run)})
	}
	check(err)
	return &rep
}

// kept says how many seeds of a run are kept, after a repeat of it was interrupted.
func kept(ctx context.Context, c *wire.Client, run string) string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	var r reply.SeedsReply
	if err := c.Do(ctx, "seeds", wire.RunRequest{Run: run}, &r); err != nil {
		return "what was finished of the repeats is kept"
	}
	return r.Kept()
}

// oneOf is the number of iterations that may be given last.
func oneOf(what string, iterations []int) int64 {
	switch len(iterations) {
	case 0:
		return 0
	case 1:
		return int64(iterations[0])
	}
	failWith("lab: %s: %d numbers behind the seeds, want one: the iterations", what, len(iterations))
	return 0
}

// Repeat makes the run from iteration 1 with its present parameters and as many iterations, or so
// many as are given, for each of several seeds; see the function Repeat.
func (r *Run) Repeat(seeds int, iterations ...int) *reply.RepeatReply {
	return Repeat(r, seeds, iterations...)
}

// GoRepeat is Repeat in the background: it returns at once. Runs shows how far it is, Pause
// ends it, and Repeat waits for it.
func (r *Run) GoRepeat(seeds int, iterations ...int) *reply.RepeatReply {
	return repeat(wire.RepeatRequest{
		Run: r.name, Seeds: &seeds, N: oneOf("GoRepeat", iterations),
		Background: true,
	})
}

// Seeds returns the results of the run's repeats, seed by seed.
func (r *Run) Seeds() *reply.SeedsReply {
	var rep reply.SeedsReply
	ask("seeds", wire.RunRequest{Run: r.name}, &rep)
	return &rep
}
