package moves

import (
	"context"
	"errors"
	"math"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// local is an engine that makes scans by the code of this package, with walkers of its own.
type local struct {
	t    *tabu
	fail error // of the next copies
}

func newLocal(p *Problem) (Engine, error) {
	t, err := makeTabu(p.Instance, nil)
	if err == nil {
		t.env = p.Env
	}
	return &local{t: t}, err
}

func (e *local) Load(walks []State) error {
	e.t.all = nil
	for _, s := range walks {
		w, err := e.t.fresh(e.t.fill)
		if err != nil {
			return err
		}
		if err := w.Load(s.Now); err != nil {
			return err
		}
		copy(w.memory.times(), s.Until)
		w.clock, w.top, w.low = s.Clock, s.Top.Clone(), s.Low
		e.t.all = append(e.t.all, w)
	}
	return nil
}

func (e *local) Iterate(_ context.Context, j Job, out []Outcome) error {
	t := e.t
	t.tenures, t.tenure, t.aspiration, t.evaluation = j.Tenures, j.Tenure, j.Aspiration, j.Evaluation
	for a, w := range t.all {
		t.shape(w)
		r := result{least: math.Inf(1)}
		for range j.Scans {
			nb := w.Neighbourhoods()[j.Neighbourhood]
			if err := t.scan(a, j.Neighbourhood, nb, wave{
				ctx: context.Background(), block: 1 << 20, weight: 1,
			}, &r); err != nil {
				return err
			}
		}
		out[a] = Outcome{Low: w.low, Least: r.least, Sum: r.sum, Hash: w.hash(), Tally: r.tally}
	}
	return nil
}

func (e *local) State(walk int, s *State) error {
	w := e.t.all[walk]
	s.Clock, s.Now, s.Top, s.Low = w.clock, w.Solution(), w.top.Clone(), w.low
	copy(s.Until, w.memory.times())
	return e.fail
}

func (e *local) Close() {}

// Tabu search by an engine keeps the laws, and does what it does without one.
func TestTabuOnAnEngine(t *testing.T) {
	t.Parallel()
	const backend = "local"
	solvers.Register(TabuOn(backend, allKinds, newLocal))
	t.Cleanup(func() { solvers.Remove("tabu", "robust", backend) })
	for _, c := range []struct {
		instance string
		params   record.Values
	}{
		{"tai10a", record.Of("scans", 3, "walks", 2, "aspiration", 20)},
		{"ppp-31x33-1", record.Of("scans", 3, "walks", 3, "exchange", 2)},
	} {
		inst, err := datasets.Load(c.instance)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(c.instance, func(t *testing.T) {
			conform.Check(t, conform.Case{
				Solver: "tabu", Variant: "robust", Backend: backend, Instance: inst, Seed: 3,
				Params: c.params, Trials: 6, Presets: []string{"best"},
				Ranges: map[string][2]float64{
					"scans": {1, 9}, "walks": {1, 3}, "exchange": {0, 3}, "workers": {0, 4}, "wave": {0, 64},
					"aspiration": {0, 30},
				},
			})
		})
	}
}

// A state that is lost with a device is not taken for another: the run fails, and is not forked.
func TestLostEngine(t *testing.T) {
	t.Parallel()
	lost := errors.New("the device is lost")
	q, err := datasets.Load("tai10a")
	if err != nil {
		t.Fatal(err)
	}
	var e *local
	v := TabuOn("losing", allKinds, func(p *Problem) (Engine, error) {
		made, err := newLocal(p)
		e = made.(*local)
		return made, err
	})
	solvers.Register(v)
	t.Cleanup(func() { solvers.Remove("tabu", "robust", "losing") })
	r, err := solvers.Open(solvers.Config{
		Name: "lost", Solver: "tabu", Variant: "robust", Backend: "losing", Instance: q, Seed: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	e.fail = lost
	if _, err := r.Fork(t.Context(), solvers.Fork{Name: "again", Backend: "cpu"}); err == nil {
		t.Error("a lost state was restored")
	}
	if err := r.Step(t.Context(), 1); !errors.Is(err, lost) {
		t.Errorf("the next iteration: %v, want %v", err, lost)
	}
}
