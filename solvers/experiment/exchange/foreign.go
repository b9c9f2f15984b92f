package exchange

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"metalab/solvers"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// Backend is the backend of units that other programs made.
const Backend = "imported"

// byName begins what stands for the hash of an instance of which only the name is known.
const byName = "name:"

// most is the number of runs that are read at most.
const most = experiment.MaxUnits

// A Foreign is a run of another program, as it was read.
type Foreign struct {
	Solver   string // the program
	Variant  string
	Label    string // in tables; empty: solver, or solver/variant
	Instance string
	Seed     uint64
	Optimum  float64       // NaN: as the experiment knows it
	Sense    *record.Sense // nil: its file does not say which values are better
	Result   experiment.Result

	// Fields in files that this package wrote.

	Data   *record.InstanceRef // what the instance is; nil: all that is known is its name
	Own    []string            // parameters of Params that are the problem's own, see InstanceRef
	Params record.Values       // those that are varied or the problem's own
	Varied record.Values       // those that the experiment varied
	Budget *record.Budget      // nil: that of the experiment's plan
	Number int                 // of its unit there; 0: it has none
	Left   bool                // it has no result yet, and is not added
}

// label is what the rows of the run are called.
func (f *Foreign) label() string {
	switch {
	case f.Label != "":
		return f.Label
	case f.Variant != "":
		return f.Solver + "/" + f.Variant
	}
	return f.Solver
}

// A Finder returns what is known of an instance by name.
type Finder func(ctx context.Context, name string) (record.InstanceRef, error)

// A gathering is what an experiment has of instances and runs, while others come to it.
type gathering struct {
	find   Finder
	plan   experiment.Plan
	refs   map[place]record.InstanceRef // sum is empty: the one that has the name
	labels map[experiment.Key]string    // of runs of other programs that are there
	units  []experiment.Unit
	from   map[experiment.Key]experiment.Result // what has come
}

// Add adds runs of other programs to an experiment, as finished units, and creates a missing
// experiment. Their budget is that of the experiment's plan; their cost is in their results. Add
// uses the experiment's own instances if it has them; otherwise it calls find, which may be nil,
// and uses the description in the runs' file if that finds nothing, or other data. If the file says
// nothing, smaller values are better. Existing runs stay as they are. It returns the number of new
// ones.
func Add(
	ctx context.Context, s experiment.Store, name string, runs []Foreign, find Finder,
) (added int, err error) {
	runs = slices.DeleteFunc(slices.Clone(runs), func(f Foreign) bool { return f.Left })
	if len(runs) == 0 {
		return 0, errors.New("exchange: there are no runs with a result to add")
	}
	g := &gathering{
		find: find, refs: map[place]record.InstanceRef{}, labels: map[experiment.Key]string{},
		from: map[experiment.Key]experiment.Result{},
	}
	info, err := s.Info(ctx, name)
	switch {
	case err == nil:
		g.plan = info.Plan
		for r, err := range s.Rows(ctx, name) {
			if err != nil {
				return 0, fmt.Errorf("exchange: %w", err)
			}
			g.has(&r.Unit)
		}
	case !errors.Is(err, experiment.ErrUnknown):
		return 0, fmt.Errorf("exchange: %w", err)
	}
	for i := range runs {
		if err := g.add(ctx, i+1, &runs[i]); err != nil {
			return 0, fmt.Errorf("exchange: %w", err)
		}
	}
	if added, err = s.Add(ctx, name, g.plan, g.units); err != nil {
		return 0, fmt.Errorf("exchange: %w", err)
	}
	return added, finish(ctx, s, name, g.from)
}

// has notes a unit that the experiment has.
func (g *gathering) has(u *experiment.Unit) {
	ref := u.Instance
	for _, at := range [...]place{{ref.Name, ref.SHA256}, {ref.Name, ""}} {
		if g.refs[at].SHA256 == "" {
			g.refs[at] = ref
		}
	}
	if u.Backend == Backend {
		g.labels[u.Key] = u.Label
	}
}

// ref is the instance of a run.
func (g *gathering) ref(ctx context.Context, f *Foreign) (record.InstanceRef, error) {
	at := place{name: f.Instance}
	if f.Data != nil {
		at.sum = f.Data.SHA256
	}
	if ref, ok := g.refs[at]; ok {
		return ref, nil
	}
	ref := record.InstanceRef{Name: f.Instance}
	if f.Sense != nil {
		ref.Maximise = bool(*f.Sense)
	}
	if f.Data != nil {
		ref = *f.Data
		ref.Name, ref.Maximise = f.Instance, bool(*f.Sense)
	}
	if g.find != nil {
		switch found, err := g.find(ctx, f.Instance); {
		case err == nil && (at.sum == "" || at.sum == found.SHA256):
			ref = found
		case ctx.Err() != nil:
			return ref, ctx.Err()
		}
	}
	if ref.SHA256 == "" {
		ref.SHA256 = byName + ref.Name // keys of different instances differ
	}
	g.refs[at] = ref
	return ref, nil
}

// add adds a run, the number-th of all.
func (g *gathering) add(ctx context.Context, number int, f *Foreign) error {
	ref, err := g.ref(ctx, f)
	if err != nil {
		return err
	}
	if f.Sense != nil && *f.Sense != ref.Sense() {
		return fmt.Errorf("run %d %ss %s, which is %sd here", number, senseWord(bool(*f.Sense)),
			f.Instance, senseWord(ref.Maximise))
	}
	u := experiment.Unit{
		Label: f.label(), Solver: f.Solver, Variant: f.Variant, Backend: Backend,
		Params: record.Values{}, Instance: ref, Seed: f.Seed, Preset: "default",
		Budget: g.plan.Budget,
	}
	if u.Key, err = u.MakeKey(); err != nil {
		return err
	}
	_, come := g.from[u.Key]
	// otherwise it was stored as such
	if label, ok := g.labels[u.Key]; !ok || come || label != u.Label {
		if err := g.tell(&u, f); err != nil {
			return err
		}
	}
	if _, twice := g.from[u.Key]; twice {
		return fmt.Errorf("run %d, %s on %s with seed %d, is there twice", number, u.Label, f.Instance,
			f.Seed)
	}
	g.from[u.Key] = complete(f, ref)
	g.units = append(g.units, u)
	return nil
}

// tell makes the key of a unit unique: by its parameters and budget, and by its label if that is
// not the solver's name. If that does not suffice for units of one file of this package, for
// example for a label on two backends, it uses their number there.
func (g *gathering) tell(u *experiment.Unit, f *Foreign) (err error) {
	u.Params, u.Varied = maps.Clone(f.Params), maps.Clone(f.Varied)
	if u.Params == nil {
		u.Params = record.Values{}
	}
	if f.Budget != nil {
		u.Budget = *f.Budget
	}
	plain := Foreign{Solver: f.Solver, Variant: f.Variant}
	u.Schedule = record.Values{}
	if u.Label != plain.label() {
		u.Schedule["label"] = record.Text(u.Label)
	}
	if u.Key, err = u.MakeKey(); err != nil {
		return err
	}
	if _, twice := g.from[u.Key]; twice && f.Number > 0 {
		u.Schedule["unit"] = record.Num(float64(f.Number))
		u.Key, err = u.MakeKey()
	}
	return err
}

// complete turns values of the objective into costs, and fills in what follows from the instance.
func complete(f *Foreign, ref record.InstanceRef) experiment.Result {
	r, sense := f.Result, ref.Sense()
	r.Best, r.Optimum, r.Gap = sense.Cost(r.Best), sense.Cost(f.Optimum), math.NaN()
	r.Trace = slices.Clone(r.Trace)
	for i := range r.Trace {
		r.Trace[i].Best = sense.Cost(r.Trace[i].Best)
	}
	if math.IsNaN(r.Optimum) && ref.Best != nil {
		r.Optimum = *ref.Best
	}
	if finite(r.Optimum) && finite(r.Best) {
		r.Gap = solvers.Gap(r.Best, &r.Optimum)
	}
	if r.Ended.IsZero() {
		r.Ended = time.Now()
	}
	return r
}

// finish stores the results of units that wait for them.
func finish(
	ctx context.Context, s experiment.Store, name string, results map[experiment.Key]experiment.Result,
) (err error) {
	q, err := s.Queue(ctx, name, false)
	if err != nil {
		return fmt.Errorf("exchange: %w", err)
	}
	defer func() {
		if e := q.Close(); err == nil && e != nil {
			err = fmt.Errorf("exchange: %w", e)
		}
	}()
	for {
		u, ok, err := q.Take(ctx, Backend)
		if err != nil || !ok {
			return err
		}
		r, known := results[u.Key]
		if !known {
			r = experiment.Result{
				Best: math.NaN(), Gap: math.NaN(), Optimum: math.NaN(), Ended: time.Now(),
				Error: "its import was interrupted: import it again",
			}
		}
		if err := q.Finish(ctx, u, r); err != nil {
			return fmt.Errorf("exchange: %w", err)
		}
	}
}
