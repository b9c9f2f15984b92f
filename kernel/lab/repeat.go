package lab

import (
	"context"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// Repeat runs a run again from iteration 1, with its present parameters, for each of several seeds,
// on all cores, each for so many iterations; without them, or with 0, for as many as the run has
// done. The run keeps the result of each seed at once, saves and loads it, and does not compute it
// again: an interrupt loses only the seeds in progress.
func Repeat(run *Run, seeds int, iterations ...int) *reply.RepeatReply {
	return repeat(wire.RepeatRequest{
		Run: names("Repeat", []*Run{run})[0], Seeds: &seeds,
		N: oneOf("Repeat", iterations),
	})
}

func repeat(q wire.RepeatRequest) *reply.RepeatReply {
	c := Client()
	ctx, done := during()
	id := c.NewCall()
	end := progressing(c, id, "repeat")
	var rep reply.RepeatReply
	err := c.DoID(ctx, id, "repeat", q, &rep)
	end(err)
	done(err != nil)
	if err != nil && ctx.Err() != nil {
		fail(&Error{wire.CodeCanceled, "interrupted; " + kept(ctx, c, q.Run)})
	}
	check(err)
	return &rep
}

// kept says how many seeds of a run have results, after an interrupt of its repeat.
func kept(ctx context.Context, c *wire.Client, run string) string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	var r reply.SeedsReply
	if err := c.Do(ctx, "seeds", wire.RunRequest{Run: run}, &r); err != nil {
		return "what was finished of the repeats is kept"
	}
	return r.Kept()
}

// oneOf returns the optional number of iterations.
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

// Repeat runs the run again from iteration 1 with its present parameters for each of several seeds,
// for as many iterations as it has done, or for the given number; see the function Repeat.
func (r *Run) Repeat(seeds int, iterations ...int) *reply.RepeatReply {
	return Repeat(r, seeds, iterations...)
}

// GoRepeat is Repeat in the background: it returns at once. Runs shows the progress, Pause ends it,
// and Repeat waits for it.
func (r *Run) GoRepeat(seeds int, iterations ...int) *reply.RepeatReply {
	return repeat(wire.RepeatRequest{
		Run: r.id(), Seeds: &seeds, N: oneOf("GoRepeat", iterations),
		Background: true,
	})
}

// Seeds returns the results of the run's repeats, seed by seed.
func (r *Run) Seeds() *reply.SeedsReply {
	var rep reply.SeedsReply
	ask("seeds", wire.RunRequest{Run: r.id()}, &rep)
	return &rep
}
