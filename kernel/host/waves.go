package host

import (
	"metalab/kernel/wire"
	"metalab/solvers/wave"
)

// waves tells what the tuner of a run's schedule has tried; it waits for the end of an iteration.
func (h *Host) waves(c *call, q *wire.RunRequest) (*wire.WavesReply, error) {
	e, err := h.find(q.Run)
	if err != nil {
		return nil, err
	}
	list, err := e.run.Waves(c.ctx)
	if err != nil {
		return nil, err
	}
	rep := &wire.WavesReply{Status: e.status("waves"), Waves: []wire.Wave{}}
	for _, w := range list {
		out := wire.Wave{What: w.What, Threads: w.Config.Threads, Block: w.Config.Block, Tuned: w.Tuned, Trials: []wire.WaveTrial{}}
		for _, t := range w.Trials {
			out.Trials = append(out.Trials, wireTrial(t))
		}
		rep.Waves = append(rep.Waves, out)
	}
	return rep, nil
}

func wireTrial(t wave.Trial) wire.WaveTrial {
	out := wire.WaveTrial{Threads: t.Config.Threads, Block: t.Config.Block, Times: []wire.Num{}, MedianS: nan}
	for _, d := range t.Times {
		out.Times = append(out.Times, wire.Num(d.Seconds()))
	}
	if t.Median > 0 {
		out.MedianS = wire.Num(t.Median.Seconds())
	}
	if t.Err != nil {
		out.Error = t.Err.Error()
	}
	return out
}
