package problem

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// search is a search on the problem.
type search struct {
	bare    *solvers.Stepper
	checked float64 // the last best whose solution has its value
	own     record.Values
}

// bare makes a search.
func (w *worker) bare(solver, variant, backend string) (*solvers.Stepper, error) {
	v, err := solvers.Find(solver, variant, cmp.Or(backend, "cpu"))
	if err != nil {
		return nil, err
	}
	return solvers.NewStepper(v, w.p)
}

// variant tells of a search on the problem: its parameters, those of the problem first.
func (w *worker) variant(q wire.WorkerVariant) (wire.WorkerHello, error) {
	h := wire.WorkerHello{
		Protocol: wire.WorkerProtocol, Name: w.of.Name, Form: &w.of.Form,
		Params: append([]record.Param{}, w.of.Params...),
	}
	b, err := w.bare(q.Solver, q.Variant, q.Backend)
	if err != nil {
		return h, err
	}
	taken := map[string]bool{}
	for _, p := range h.Params {
		taken[p.Name] = true
		h.Own = append(h.Own, p.Name)
	}
	for _, p := range b.Params() {
		if taken[p.Name] {
			return h, fmt.Errorf("%s has a parameter %s, and so has %s: give that of the problem another "+
				"name", w.of.Name, p.Name, q.Solver)
		}
		h.Params = append(h.Params, p)
	}
	h.Measures, h.Counts, h.Starts = b.Measures(), b.Counts(), b.StartsAt()
	return h, nil
}

// split parts values into those of the problem and those of the search.
func (w *worker) split(vs record.Values) (ofProblem, ofSearch record.Values) {
	ofProblem, ofSearch = record.Values{}, record.Values{}
	for n, v := range vs {
		ofSearch[n] = v
	}
	for _, p := range w.of.Params {
		if v, ok := vs[p.Name]; ok {
			ofProblem[p.Name] = v
			delete(ofSearch, p.Name)
		}
	}
	return ofProblem, ofSearch
}

// give sets parameters of the problem, in all values of its type.
func (w *worker) give(vs record.Values) {
	w.p.Prepare(func(v any) { w.of.Set(v, vs) })
}

// init makes a search and its first state, which it returns.
func (w *worker) init(in wire.WorkerInit) ([]byte, error) {
	w.p.Named(in.Sum)
	ofProblem, ofSearch := w.split(in.Params)
	w.give(ofProblem)
	w.p.Told("source", in.Source)
	b, err := w.bare(in.Solver, in.Variant, in.Backend)
	if err != nil {
		return nil, err
	}
	b.On(in.Devices...)
	if err := b.Init(in.Seed, ofSearch, in.Start); err != nil {
		return nil, err
	}
	w.s = &search{bare: b, checked: math.Inf(1), own: ofProblem}
	return b.Snapshot()
}

// set applies new values. If one of the problem changes, all solutions get new costs: they pass
// through a state, from which a search computes them again.
func (w *worker) set(vs record.Values) error {
	s := w.s
	ofProblem, ofSearch := w.split(vs)
	changed := false
	for n, v := range ofProblem {
		changed = changed || s.own[n] != v
	}
	if changed {
		state, err := s.bare.Snapshot()
		if err != nil {
			return err
		}
		s.own = ofProblem
		w.give(ofProblem)
		s.checked = math.Inf(1)
		if err := s.bare.Restore(state); err != nil {
			return err
		}
	}
	return s.bare.Set(ofSearch)
}

// step makes one iteration and appends its results: value, best, mean, digest, the measures, the
// evaluations, and 1 where the search is over.
func (w *worker) step(it int64, to []float64) ([]float64, error) {
	s := w.s
	p, err := s.bare.Iterate(context.Background(), it)
	if err != nil {
		return to, err
	}
	if p.Best < s.checked {
		got, err := w.p.CostOf(s.bare.Solution())
		if err := solvers.Claimed(w.of.Form.Sense(), p.Best, got, err); err != nil {
			return to, fmt.Errorf("%w: a Delta of %s differs from Cost: check %s names the move", err,
				w.of.Name, w.of.Name)
		}
		s.checked = p.Best
	}
	to = append(to, p.IterBest, p.Best, p.Mean, math.Float64frombits(p.Digest))
	to = append(append(to, p.Measures...), float64(p.Evals), 0)
	if s.bare.Ended() != "" {
		to[len(to)-1] = 1
	}
	return to, nil
}

// schedule tells on what the search runs and how it is launched, and begins or ends timing it.
func (s *search) schedule(q wire.WorkerTime) wire.WorkerSchedule {
	out := wire.WorkerSchedule{Devices: s.bare.Devices()}
	a := s.bare.Algorithm()
	if t, ok := a.(solvers.Timer); ok {
		if q.Time != nil {
			out.Timed = t.Time(*q.Time)
		}
		for _, x := range t.Spans() {
			out.Spans = append(out.Spans, wire.WorkerSpan(x))
		}
	}
	if t, ok := a.(solvers.Waver); ok {
		for _, w := range t.Waves() {
			out.Waves = append(out.Waves, waveOf(w))
		}
	}
	if u, ok := a.(solvers.UntunedReporter); ok {
		out.Untuned = u.Untuned()
	}
	return out
}

// waveOf is a table of a tuner as it is sent.
func waveOf(w solvers.Wave) wire.WorkerWave {
	out := wire.WorkerWave{
		What: w.What, Threads: w.Config.Threads, Block: w.Config.Block, Tuned: w.Tuned,
	}
	for _, t := range w.Trials {
		x := wire.WorkerTrial{
			Threads: t.Config.Threads, Block: t.Config.Block, Times: t.Times, Median: t.Median,
		}
		if t.Err != nil {
			x.Error = t.Err.Error()
		}
		out.Trials = append(out.Trials, x)
	}
	return out
}
