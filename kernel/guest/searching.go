package guest

import (
	"context"
	"encoding/json"
	"errors"

	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
	"metalab/solvers/wave"
)

// searching is an algorithm that searches on a problem somebody declared. The worker checks every
// better best by a whole evaluation, in a value of the problem's type that the search does not use,
// before it tells of it.
type searching struct{ *algorithm }

// starting is one that can begin at a given solution.
type starting struct{ searching }

// StartAt has the search begin at a solution.
func (a starting) StartAt(s record.Solution) { a.start = &s }

// Counts says what the search counts.
func (a searching) Counts() string { return a.of.codes[0].Hello.Counts }

// Verify finds nothing: the worker has checked the best.
func (a searching) Verify() error { return nil }

// Judge is the cost of a solution with the values that the parameters have now.
func (a searching) Judge(s record.Solution) (cost float64, err error) { return a.judge(s) }

func (a *algorithm) judge(s record.Solution) (cost float64, err error) {
	b, err := json.Marshal(s)
	if err != nil {
		return 0, err
	}
	if err := a.here(context.Background()); err != nil {
		return 0, a.halted(err)
	}
	if b, err = a.do(wire.OpCost, b); err != nil {
		a.fire()
		return 0, a.halted(err)
	}
	return cost, json.Unmarshal(b, &cost)
}

// Ended says why the search is over.
func (a searching) Ended() (why string) {
	if !a.over {
		return ""
	}
	if a.here(context.Background()) != nil {
		return "" // the next iteration tells why
	}
	b, err := a.do(wire.OpEnded)
	if err != nil {
		a.fire()
		return ""
	}
	_ = json.Unmarshal(b, &why)
	return why
}

// readFound reads the answer that holds the best solution.
func (a *algorithm) readFound(b []byte) (f wire.WorkerFound, err error) {
	if a.problem != nil {
		return f, json.Unmarshal(b, &f)
	}
	best, err := wire.ParseWorkerBest(b)
	return wire.WorkerFound{Value: best.Value, Solution: a.solution(best.Solution)}, err
}

// Solution is the best solution, empty when the worker cannot be had.
func (a searching) Solution() record.Solution {
	f, err := a.found()
	if err != nil {
		return record.Solution{}
	}
	return f.Solution
}

// Changed applies new values of parameters. If one belongs to the problem, the best gets another
// value.
func (a searching) Changed(names []string) {
	a.algorithm.Changed(names)
	a.revalued(names)
}

// Restore reads a state.
func (a searching) Restore(r *solvers.Reader) error {
	if err := a.algorithm.Restore(r); err != nil {
		return err
	}
	return a.restored()
}

// schedule is on what the worker's search runs, and how.
func (a searching) schedule(q wire.WorkerTime) (s wire.WorkerSchedule, err error) {
	b, err := json.Marshal(q)
	if err != nil {
		return s, err
	}
	if err := a.here(context.Background()); err != nil {
		return s, err
	}
	if b, err = a.do(wire.OpSchedule, b); err != nil {
		a.fire()
		return s, err
	}
	return s, json.Unmarshal(b, &s)
}

// Time begins or ends timing the parts of iterations; false where nothing times them.
func (a searching) Time(on bool) bool {
	s, err := a.schedule(wire.WorkerTime{Time: &on})
	return err == nil && s.Timed
}

// Spans are the latest times.
func (a searching) Spans() (out []solvers.Span) {
	s, err := a.schedule(wire.WorkerTime{})
	if err != nil {
		return nil
	}
	for _, x := range s.Spans {
		out = append(out, solvers.Span(x))
	}
	return out
}

// Waves returns the trials of the tuner of the worker's search.
func (a searching) Waves() (out []solvers.Wave) {
	s, err := a.schedule(wire.WorkerTime{})
	if err != nil {
		return nil
	}
	for _, w := range s.Waves {
		x := solvers.Wave{
			What: w.What, Config: wave.Config{Threads: w.Threads, Block: w.Block}, Tuned: w.Tuned,
		}
		for _, t := range w.Trials {
			trial := wave.Trial{
				Config: wave.Config{Threads: t.Threads, Block: t.Block}, Times: t.Times, Median: t.Median,
			}
			if t.Error != "" {
				trial.Err = errors.New(t.Error)
			}
			x.Trials = append(x.Trials, trial)
		}
		out = append(out, x)
	}
	return out
}

// Untuned returns why nothing is tuned.
func (a searching) Untuned() string {
	s, err := a.schedule(wire.WorkerTime{})
	if err != nil {
		return ""
	}
	return s.Untuned
}
