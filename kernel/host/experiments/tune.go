package experiments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
	"metalab/solvers/tuning"
)

var _ = host.HandleIn(here, "tune", (*room).tune)

// tune searches for good parameters of a run.
func (h *room) tune(c *host.Call, q *wire.TuneRequest) (*reply.TuneReply, error) {
	p, name, err := h.tuningOf(c, q)
	if err != nil {
		return nil, err
	}
	if err := p.Check(c.Context(), h.loader(c.ID())); err != nil {
		return nil, untuned(err)
	}
	if err := h.reach(c, q.Over); err != nil {
		return nil, err
	}
	if err := h.tuneOn(name, q); err != nil {
		return nil, err
	}
	where, err := h.instanceOf(q.Run)
	if err != nil {
		return nil, err
	}
	s, err := h.experiments()
	if err != nil {
		return nil, err
	}
	if err := sameSearch(c.Context(), s, name, &p); err != nil {
		return nil, err
	}
	m, ctx, err := h.beginMaking(c, name, q.Background)
	if err != nil {
		return nil, err
	}
	m.units, m.steps, m.over = p.Most(), true, q.Over
	work := func() (*reply.TuneReply, error) {
		var t tuning.History
		made := 0
		err := h.withCores(ctx, name, m, func(o experiment.Options) error {
			each := o.Each
			o.Each = func(r experiment.Row) {
				made++ // one at a time
				each(r)
			}
			var err error
			t, err = tuning.Tune(ctx, s, name, p, o)
			return untuned(err)
		})
		if err != nil {
			return nil, err
		}
		rep := tuned(&t)
		rep.Line = t.LineOn(where)
		rep.Name, rep.Path, rep.Made = name, s.Path(), made
		return rep, nil
	}
	if !q.Background {
		defer h.endMaking(name, m)
		return work()
	}
	if err := announce(c.Context(), s, name, &p); err != nil {
		h.endMaking(name, m)
		return nil, err
	}
	again := *q // as it is now: the run may go on
	again.As, again.N, again.Evaluations = name, p.Budget.Iterations, p.Budget.Evaluations
	again.Wall, again.CPU = reply.Num(p.Budget.Wall), reply.Num(p.Budget.CPU)
	err = h.behindStudy(name, m, savedStudy{Name: name, Tune: &again}, func() (string, error) {
		rep, err := work()
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("tuning %s has ended; the best: %s (the same line again shows all)", name,
			rep.Line), nil
	})
	if err != nil {
		return nil, err
	}
	return &reply.TuneReply{
		Verb: "tune", Name: name, Path: s.Path(), Background: true, Importance: []reply.Weight{},
		Trials: []reply.Trial{}, Note: goesOn(name) + "; the same line later shows what it has found",
	}, nil
}

// sameSearch refuses a tuning under the name of an experiment whose results are of another search:
// they would stand between its trials in tables and charts.
func sameSearch(ctx context.Context, s experiment.Store, name string, p *tuning.Plan) error {
	for row, err := range s.Rows(ctx, name) {
		if errors.Is(err, experiment.ErrUnknown) {
			return nil
		}
		if err != nil {
			return err
		}
		if other := otherSearch(&row.Unit, p); other != "" {
			return wrong(fmt.Sprintf("tune: experiment %s has units %s: take another name, as=…", name,
				other))
		}
	}
	return nil
}

// otherSearch is how a unit is of none of a tuning's trials; empty where it may be of one.
func otherSearch(u *experiment.Unit, p *tuning.Plan) string {
	own := &p.Setting
	if u.Solver != own.Solver || u.Variant != own.Variant || u.Backend != own.Backend {
		return fmt.Sprintf("of %s/%s on %s, not of %s/%s on %s", u.Solver, u.Variant, u.Backend,
			own.Solver, own.Variant, own.Backend)
	}
	if u.Budget != p.Budget {
		return fmt.Sprintf("of %v each, not %v", u.Budget, p.Budget)
	}
	for _, n := range sortedKeys(own.Params) {
		if u.Params[n] != own.Params[n] {
			return fmt.Sprintf("with %s=%s, not %s", n, u.Params[n], own.Params[n])
		}
	}
	for _, n := range sortedKeys(u.Varied) {
		if !slices.ContainsFunc(p.Space, func(d tuning.Dimension) bool { return d.Name == n }) {
			return fmt.Sprintf("with %s=%s, which this line does not tune", n, u.Varied[n])
		}
	}
	return ""
}

// announce adds a tuning that is not there yet, so that it can be asked for from now on.
func announce(ctx context.Context, s experiment.Store, name string, p *tuning.Plan) error {
	_, err := s.Info(ctx, name)
	if !errors.Is(err, experiment.ErrUnknown) {
		return nil
	}
	_, err = s.Add(ctx, name, experiment.Plan{
		Settings: []experiment.Setting{p.Setting}, Instances: p.Instances, Seeds: p.Seeds,
		First: p.First, Budget: p.Budget,
	}, nil)
	return err
}

// instanceOf is the instance of a run, as it is typed.
func (h *room) instanceOf(run string) (string, error) {
	e, err := h.Find(run)
	if err != nil {
		return "", err
	}
	ref := e.Engine().Header().Instance
	return or(ref.Path, ref.Name), nil
}

// tuneOn has the units of a tuning made on the GPUs that on= names.
func (h *room) tuneOn(name string, q *wire.TuneRequest) error {
	e, err := h.Find(q.Run)
	if err != nil {
		return err
	}
	gpus, err := e.GPUsFor("tune", q.On)
	if err == nil {
		h.limit(name, gpus)
	}
	return err
}

// tuningOf is the plan that a request asks for, and the name of its experiment.
func (h *room) tuningOf(c *host.Call, q *wire.TuneRequest) (p tuning.Plan, name string, err error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return p, "", err
	}
	p = tuning.Plan{
		Seeds: host.DefaultSeeds, First: e.Engine().Seed(), Method: tuning.Method(q.Method),
		Units: q.Units, Trials: q.Trials, Test: q.Test, Seed: 1,
	}
	if q.Seeds != nil {
		p.Seeds = *q.Seeds
	}
	if q.Seed != nil {
		p.Seed = *q.Seed
	}
	names := sortedKeys(q.Params)
	now, err := e.Engine().Params(c.Context())
	if err != nil {
		return p, "", err
	}
	for _, n := range names {
		i := slices.IndexFunc(now, func(v record.Param) bool { return v.Name == n })
		if i < 0 {
			return p, "", unvaried(e, "tune", n)
		}
		if slices.Contains(host.ObjectivesOf(e.Engine().Instance()), n) {
			return p, "", wrong(fmt.Sprintf("tune: %s is a parameter of %s itself: each value of it is "+
				"another objective, whose results do not compare, so none is the best; sweep %s %s=… lists "+
				"them without a verdict", n, e.Engine().Instance().Name(), e.Name(), n))
		}
		v := q.Params[n].String()
		if v != "" && !strings.Contains(v, ",") && !strings.Contains(v, "..") {
			return p, "", wrong(fmt.Sprintf("tune: %s=%s is one value, want a range, as 1..9, or several, "+
				"as 1,2,5; set %s %s=%s gives it to the run", n, v, e.Name(), n, v))
		}
		d, err := tuning.ParseDimension(n, v)
		if err != nil {
			return p, "", untuned(err)
		}
		p.Space = append(p.Space, d)
	}
	// The first trial is the run as it is, with its own values of what is tuned.
	if p.Setting, err = setting(c.Context(), e, "tune", nil); err != nil {
		return p, "", err
	}
	p.Own = record.Values{}
	for _, n := range names {
		if v, is := p.Setting.Params[n]; is {
			p.Own[n] = v
			delete(p.Setting.Params, n)
		}
	}
	p.Instances, p.Budget, err = defaultsOf(e, "tune", q.Instances,
		budgetOf(q.N, q.Evaluations, q.Wall, q.CPU))
	if err != nil || q.As != "" {
		return p, q.As, err
	}
	as := experiment.Plan{
		Settings: []experiment.Setting{p.Setting}, Instances: p.Instances, First: p.First,
		Budget: p.Budget,
	}
	for _, n := range names {
		as.Grid = append(as.Grid, experiment.Axis{Name: n})
	}
	return p, "tune-" + sweepName(e, &as), nil
}

// unvaried is the error of a name that a verb which varies parameters of a run does not know.
func unvaried(e *host.Run, verb, name string) error {
	var there, own []string
	for _, p := range e.Params() {
		if p.Class != string(record.Schedule) {
			there = append(there, p.Name)
		}
	}
	slices.Sort(there)
	v, _ := wire.Find(verb)
	for _, a := range v.Args {
		if !a.Place && a.Kind != wire.KindParams {
			own = append(own, a.Name)
		}
	}
	return wrong(fmt.Sprintf("%s: %s has no parameter %s; there are %s; and %s itself takes %s", verb,
		e.Name(), name, strings.Join(there, ", "), verb, strings.Join(own, ", ")))
}

// untuned is the error of a tuning: one of the request where the plan is wrong.
func untuned(err error) error {
	if err == nil {
		return nil
	}
	if text, ok := strings.CutPrefix(err.Error(), "tuning: "); ok {
		return wrong("tune: " + text)
	}
	return err
}

// tuned is a history as a reply.
func tuned(t *tuning.History) *reply.TuneReply {
	r := &reply.TuneReply{
		Verb: "tune", Units: t.Units, Blocks: len(t.Blocks), Winner: t.Winner, Line: t.Line(),
		Preset: t.Preset(), Importance: []reply.Weight{},
	}
	if t.Against != nil {
		r.Words = t.Against.Pairs[0].Words +
			" It was chosen by these results: elsewhere its advantage is smaller."
	}
	for _, w := range t.Importance() {
		r.Importance = append(r.Importance, reply.Weight{Name: w.Name, Share: reply.Num(w.Share)})
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, x := range t.Trials {
		least, most = min(least, x.Mean), max(most, x.Mean)
	}
	r.Same = len(t.Trials) > 1 && most-least <= 1e-9*max(1, math.Abs(most))
	for _, x := range t.Trials {
		var words []string
		for _, d := range t.Plan.Space {
			words = append(words, d.Name+"="+x.Values[d.Name].String())
		}
		r.Trials = append(r.Trials, reply.Trial{
			Number: x.Number, Values: strings.Join(words, " "), Round: x.Round, Parent: x.Parent,
			Made: x.Made, Mean: reply.Num(x.Mean), Rank: reply.Num(x.Rank), Left: x.Left,
			Final: reply.Num(x.Final),
		})
	}
	slices.SortStableFunc(r.Trials, func(a, b reply.Trial) int {
		first := func(t reply.Trial) int {
			switch {
			case t.Number == r.Winner:
				return 0
			case t.Left:
				return 1
			}
			return 2
		}
		return cmp.Or(cmp.Compare(first(a), first(b)), cmp.Compare(b.Made, a.Made),
			cmp.Compare(a.Rank, b.Rank))
	})
	return r
}

// trialsOf are the groups of an experiment on an instance as the history of a tuning: their varied
// parameters, with the range of their values, and their means.
func trialsOf(gs []*experiment.Group) (t tuning.History) {
	gaps := inGaps(gs)
	var names []string
	for _, g := range gs {
		for n := range g.Varied {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	slices.Sort(names)
	for _, g := range gs {
		if len(g.Done) == 0 {
			continue
		}
		x := tuning.Trial{Values: record.Values{}, Mean: float64(mean(valuesOf(g, gaps)))}
		for _, n := range names {
			x.Values[n] = g.Done[0].Unit.Params[n]
		}
		t.Trials = append(t.Trials, x)
	}
	for _, n := range names {
		d := tuning.Dimension{Name: n, Low: math.Inf(1), High: math.Inf(-1)}
		words := false
		for _, x := range t.Trials {
			v, number := x.Values[n].Float()
			words = words || !number
			d.Low, d.High = min(d.Low, v), max(d.High, v)
			if !slices.Contains(d.Values, x.Values[n]) {
				d.Values = append(d.Values, x.Values[n])
			}
		}
		if !words && len(d.Values) > 4 {
			d.Values = nil // a range
		}
		t.Plan.Space = append(t.Plan.Space, d)
	}
	return t
}
