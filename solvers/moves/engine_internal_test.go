package moves

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// local is an engine that makes scans by the code of this package, with walkers of its own.
type local struct {
	t    *tabu
	c    *climb
	fail error // of the next copies
}

func newLocal(p *Problem) (Engine, error) {
	t, err := makeTabu(p.Instance, nil)
	if err != nil {
		return nil, err
	}
	c, err := newClimb(p.Instance, false)
	if err != nil {
		return nil, err
	}
	t.env, c.env, c.restarts = p.Env, p.Env, 0
	return &local{t: t, c: c}, nil
}

func (e *local) Load(walks []State) error {
	e.t.all = nil
	for a := range walks {
		w, err := e.t.fresh(e.t.fill)
		if err != nil {
			return err
		}
		e.t.all = append(e.t.all, w)
		if err := e.Put(a, &walks[a]); err != nil {
			return err
		}
	}
	e.c.all = e.t.all
	return nil
}

func (e *local) Put(a int, s *State) error {
	w := e.t.all[a]
	copy(w.memory.times(), s.Until)
	w.clock, w.top, w.low = s.Clock, s.Top.Clone(), s.Low
	w.level, w.from, w.done, w.climb = s.Level, s.From, false, 0
	return w.Load(s.Now)
}

func (e *local) Climb(_ context.Context, j Job, out []Outcome) error {
	if j.Select == "" {
		return e.scans(j, out)
	}
	c := e.c
	c.pick, c.depth, c.neighbourhood = j.Select, j.Depth, c.nbs[j.Neighbourhood].Name()
	c.vnd, c.neighbours, c.radius = j.Depth > 1, j.Neighbours, j.Radius
	for a, w := range c.all {
		o := &out[a]
		r := result{least: o.Least, sum: o.Sum, tally: o.Tally}
		c.shape(w)
		for ; o.Left > 0 && !w.done; o.Left-- {
			if err := c.scan(a, wave{
				ctx: context.Background(), block: 1 << 20, weight: 1,
			}, &r); err != nil {
				return err
			}
		}
		*o = Outcome{
			Low: w.low, Least: r.least, Sum: r.sum, Hash: w.Hash(), Tally: r.tally, Left: o.Left,
			Ended: w.done,
		}
		w.done, w.climb = false, 0
	}
	return nil
}

func (e *local) Iterate(_ context.Context, j Job, out []Outcome) error {
	for a := range out {
		out[a] = NewOutcome(j.Scans)
	}
	return e.scans(j, out)
}

// scans makes those of tabu search.
func (e *local) scans(j Job, out []Outcome) error {
	t := e.t
	t.tenures, t.tenure, t.aspiration, t.evaluation = j.Tenures, j.Tenure, j.Aspiration, j.Evaluation
	t.neighbours, t.radius = j.Neighbours, j.Radius
	for a, w := range t.all {
		t.shape(w)
		r := result{least: out[a].Least}
		for range out[a].Left {
			nb := w.Neighbourhoods()[j.Neighbourhood]
			if err := t.scan(a, j.Neighbourhood, nb, wave{
				ctx: context.Background(), block: 1 << 20, weight: 1,
			}, &r); err != nil {
				return err
			}
		}
		out[a] = Outcome{Low: w.low, Least: r.least, Sum: r.sum, Hash: w.Hash(), Tally: r.tally}
	}
	return nil
}

func (e *local) State(walk int, s *State) error {
	w := e.t.all[walk]
	s.Clock, s.Now, s.Top, s.Low = w.clock, w.Solution(), w.top.Clone(), w.low
	s.Level, s.From = w.level, w.from
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

// So do hill climbing and descents, whose walks begin their next climbs here: kicked or at random,
// until restarts says that all are made.
func TestClimbingOnAnEngine(t *testing.T) {
	t.Parallel()
	const backend = "local climbs"
	for _, v := range []solvers.Variant{
		HillOn(backend, allKinds, newLocal), VNDOn(backend, allKinds, newLocal),
	} {
		solvers.Register(v)
		t.Cleanup(func() { solvers.Remove(v.Solver, v.Name, backend) })
	}
	for _, c := range []struct {
		solver, instance string
		params           record.Values
	}{
		{"hill", "tai10a", record.Of("scans", 20, "walks", 3)},
		{"hill", "tai10a", record.Of("scans", 9, "walks", 2, "begin", "random", "restarts", 3)},
		{"hill", "ppp-31x33-1", record.Of("scans", 7, "walks", 2, "select", "first", "exchange", 2)},
		{"hill", "tai10a", record.Of("scans", 7, "select", "random")},
		{"vnd", "tai10a", record.Of("scans", 30, "walks", 2)},
		{
			"hill", "weierstrass-2",
			record.Of("scans", 6, "neighbours", 20, "neighbourhood", "wide", "walks", 2),
		},
		{"vnd", "ppp-31x33-1", record.Of("scans", 5, "select", "first", "depth", 2)},
	} {
		inst, err := datasets.Load(c.instance)
		if err != nil {
			t.Fatal(err)
		}
		var runs [2]*solvers.Run
		for i, b := range []string{"cpu", backend} {
			if runs[i], err = solvers.Open(solvers.Config{
				Name: "twin", Solver: c.solver, Variant: "climb", Backend: b, Instance: inst, Seed: 3,
				Params: c.params,
			}); err != nil {
				t.Fatal(err)
			}
			defer runs[i].Close()
		}
		for it := range 12 {
			change := record.Of("walks", 1+it%4, "restarts", 2*it)
			for _, r := range runs {
				if it > 5 {
					if _, err := r.Set(t.Context(), change, "test"); err != nil {
						t.Fatal(err)
					}
				}
				if err := r.Step(t.Context(), 1); err != nil {
					t.Fatal(err)
				}
			}
			x, y := runs[0].Last(), runs[1].Last()
			if x.Digest != y.Digest || x.Best != y.Best || x.Mean != y.Mean ||
				fmt.Sprint(x.Measures) != fmt.Sprint(y.Measures) {
				t.Fatalf("%s %s %v, iteration %d: %+v, by an engine %+v", c.solver, c.instance, c.params, it,
					x, y)
			}
		}
	}
	inst, err := datasets.Load("tai10a")
	if err != nil {
		t.Fatal(err)
	}
	conform.Check(t, conform.Case{
		Solver: "hill", Variant: "climb", Backend: backend, Instance: inst, Seed: 3,
		Params: record.Of("scans", 9, "walks", 2), Trials: 6, Presets: []string{"best"},
		Ranges: map[string][2]float64{
			"scans": {1, 9}, "walks": {1, 3}, "exchange": {0, 3}, "workers": {0, 4}, "wave": {0, 64},
			"kick": {1, 9}, "restarts": {0, 9},
		},
	})
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
