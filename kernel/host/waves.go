package host

import (
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/wave"
)

var _ = handle("waves", (*Host).waves)

// waves returns what the tuner of a run's schedule has tried; it waits for the end of an iteration.
func (h *Host) waves(c *Call, q *wire.RunRequest) (*reply.WavesReply, error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return nil, err
	}
	list, err := e.run.Waves(c.ctx)
	if err != nil {
		return nil, err
	}
	rep := &reply.WavesReply{Status: e.Status("waves"), Waves: []reply.Wave{}}
	tunes, dealt, why := false, false, "" // dealt: on the cpu its work is dealt out, and that is tuned
	if err := e.run.View(c.ctx, func(a solvers.Algorithm) {
		_, tunes = a.(solvers.Waver)
		var u solvers.UntunedReporter
		if u, dealt = a.(solvers.UntunedReporter); dealt && len(list) == 0 {
			why = u.Untuned()
		}
	}); err != nil {
		return nil, err
	}
	if rep.Note = why; why == "" {
		rep.Note = aboutWaves(e.run, tunes, dealt, len(list) > 0)
	}
	for _, w := range list {
		out := reply.Wave{
			What: w.What, Threads: w.Config.Threads, Block: w.Config.Block, Tuned: w.Tuned,
			Trials: []reply.WaveTrial{},
		}
		for _, t := range w.Trials {
			out.Trials = append(out.Trials, wireTrial(t))
		}
		rep.Waves = append(rep.Waves, out)
	}
	return rep, nil
}

// aboutWaves says in a sentence whether the run's variant tunes a schedule, on the cpu too where
// its work is dealt out, and whether there is a table of what the tuner tried.
func aboutWaves(r *solvers.Run, tunes, dealt, table bool) string {
	v, iterations := r.Variant(), r.Last().Iter
	onGPU := solvers.OfferedOn(v.Solver, v.Name, "cuda", r.Instance().Kind())
	switch {
	case table && v.Backend == "cpu":
		return "on the cpu a thread is a share of the neighbours, and the threads of a block go to one " +
			"worker at a time"
	case table:
		return ""
	case v.Backend == "cpu" && onGPU && !dealt:
		return "waves are launches on a GPU, and this run is on the cpu, where nothing is launched or " +
			"tuned: all cores share the work (on a GPU: fork it with on=cuda)"
	case v.Backend == "cpu" && !tunes:
		return "waves are launches on a GPU, and this run is on the cpu, where nothing is " +
			"launched or tuned"
	case tunes && iterations == 0:
		return "nothing was launched yet: step it first"
	case tunes:
		return "nothing of it is tuned: its work is too small to be dealt out, or the tuner is " +
			"off (trials=0)"
	}
	return "its launches are not tuned"
}

func wireTrial(t wave.Trial) reply.WaveTrial {
	out := reply.WaveTrial{
		Threads: t.Config.Threads, Block: t.Config.Block, Times: []reply.Num{},
		MedianS: nan,
	}
	for _, d := range t.Times {
		out.Times = append(out.Times, reply.Num(d.Seconds()))
	}
	if t.Median > 0 {
		out.MedianS = reply.Num(t.Median.Seconds())
	}
	if t.Err != nil {
		out.Error = t.Err.Error()
	}
	return out
}
