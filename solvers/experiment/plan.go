package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// MaxUnits is the largest number of units of a plan.
const MaxUnits = 1_000_000

// A Plan describes an experiment: every setting with every choice of the varied parameters, on
// every instance, with every seed, each with the budget.
type Plan struct {
	Settings  []Setting `json:"settings"`
	Instances []string  `json:"instances"` // published names, or absolute paths

	// Grid lists the varied parameters. The plan combines all of their values.
	Grid []Axis `json:"grid,omitempty"`
	// Samples lists single choices of parameters, such as a search proposes. The plan combines each
	// with each choice of Grid.
	Samples []record.Values `json:"samples,omitempty"`

	Seeds int    `json:"seeds"` // how many
	First uint64 `json:"first"` // the first seed; they count up from it

	Budget record.Budget `json:"budget"` // of each unit, without Until
}

// A Setting is a solver with its fixed settings.
type Setting struct {
	Name    string        `json:"name,omitempty"` // in tables; empty: solver/variant
	Solver  string        `json:"solver"`
	Variant string        `json:"variant,omitempty"` // empty: the solver's default
	Backend string        `json:"backend,omitempty"` // empty: cpu
	Preset  string        `json:"preset,omitempty"`  // empty: default
	Params  record.Values `json:"params,omitempty"`  // they override the preset
	Device  int           `json:"device,omitempty"`  // the number of the GPU; 0: any
}

// An Axis is a varied parameter with its values.
type Axis struct {
	Name   string         `json:"name"`
	Values []record.Value `json:"values"`
}

// A Loader returns an instance by published name or path.
type Loader func(ctx context.Context, name string) (datasets.Instance, error)

// check returns what is wrong with the plan by itself.
func (p *Plan) check() error {
	b := p.Budget
	switch {
	case len(p.Settings) == 0:
		return errors.New("no solver is named")
	case len(p.Instances) == 0:
		return errors.New("no instance is named")
	case p.Seeds < 1 || p.Seeds > MaxUnits:
		return fmt.Errorf("seeds is %d, want 1 to %d", p.Seeds, MaxUnits)
	case b.Until != "":
		return fmt.Errorf("the budget is until %s, want iterations, evaluations, wall or CPU seconds, "+
			"which are equal for all", b.Until)
	case b.Iterations < 0 || b.Evaluations < 0 || b.Wall < 0 || b.CPU < 0 || b == record.Budget{}:
		return errors.New("no budget: say how many iterations (n=100), evaluations (evaluations=100), " +
			"seconds (wall=10) or CPU seconds (cpu=10) each unit has")
	}
	for i, a := range p.Grid {
		if len(a.Values) == 0 {
			return fmt.Errorf("parameter %s has no values", a.Name)
		}
		if slices.ContainsFunc(p.Grid[:i], func(b Axis) bool { return b.Name == a.Name }) {
			return fmt.Errorf("parameter %s is varied twice", a.Name)
		}
	}
	return nil
}

// choices are the choices of the varied parameters, the last axis running fastest; one empty
// choice where nothing is varied.
func (p *Plan) choices() []record.Values {
	out := []record.Values{{}}
	if len(p.Samples) > 0 {
		out = p.Samples
	}
	for _, a := range p.Grid {
		var next []record.Values
		for _, vs := range out {
			for _, v := range a.Values {
				w := maps.Clone(vs)
				if w == nil {
					w = record.Values{}
				}
				w[a.Name] = v
				next = append(next, w)
			}
		}
		out = next
	}
	return out
}

// label is what the rows of a setting with a choice of parameters are called.
func (p *Plan) label(s Setting, v solvers.Variant, choice record.Values) string {
	out := []string{cmp.Or(s.Name, v.Solver+"/"+v.Name)}
	if s.Name == "" && v.Backend != "cpu" {
		out = append(out, "on "+v.Backend)
	}
	if s.Name == "" && s.Preset != "" && s.Preset != "default" {
		out = append(out, "preset="+s.Preset)
	}
	if s.Name == "" {
		for _, n := range slices.Sorted(maps.Keys(s.Params)) {
			out = append(out, n+"="+s.Params[n].String())
		}
	}
	if len(p.Settings) == 1 && len(choice) > 0 {
		out = nil // the same for all
	}
	name := func(n string) {
		if v, ok := choice[n]; ok {
			out = append(out, n+"="+v.String())
		}
	}
	for _, a := range p.Grid {
		name(a.Name)
	}
	for _, n := range slices.Sorted(maps.Keys(choice)) {
		if !slices.ContainsFunc(p.Grid, func(a Axis) bool { return a.Name == n }) {
			name(n)
		}
	}
	return strings.Join(out, " ")
}

// given returns an error without a context, or without a function that loads instances.
func given(ctx context.Context, loads bool) error {
	switch {
	case ctx == nil:
		return errors.New("experiment: the context is nil: give context.Background()")
	case !loads:
		return errors.New("experiment: nothing loads instances: the Loader is nil")
	}
	return nil
}

// Units returns all units of the plan, checked and with all parameters resolved, in the order of
// execution: all settings on all instances with the first seed, then with the next. So an
// unfinished experiment is nearly balanced, and more seeds come at the end.
func (p Plan) Units(ctx context.Context, load Loader) ([]Unit, error) {
	if err := given(ctx, load != nil); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	choices := p.choices()
	each := len(p.Settings) * len(choices) * len(p.Instances)
	if each > MaxUnits/p.Seeds {
		return nil, fmt.Errorf("experiment: %d settings on %d instances with %d seeds are %d units, "+
			"want at most %d", len(p.Settings)*len(choices), len(p.Instances), p.Seeds, each*p.Seeds,
			MaxUnits)
	}
	var forms []Unit
	var heads []keyHead
	for _, name := range p.Instances {
		inst, err := load(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("experiment: instance %s: %w", name, err)
		}
		for _, s := range p.Settings {
			for _, c := range choices {
				u, err := p.form(s, c, inst, name)
				if err != nil {
					return nil, fmt.Errorf("experiment: %w", err)
				}
				head, err := u.head()
				if err != nil {
					return nil, fmt.Errorf("experiment: %w", err)
				}
				forms, heads = append(forms, u), append(heads, head)
			}
		}
	}
	out := make([]Unit, 0, each*p.Seeds)
	known := make(map[Key]bool, each*p.Seeds)
	for i := range p.Seeds {
		for j, u := range forms {
			u.Seed = p.First + uint64(i)
			u.Key = heads[j].key(u.Seed)
			if known[u.Key] {
				continue // the same twice, as of a value that is the preset's too
			}
			known[u.Key] = true
			u.Number = len(out) + 1
			out = append(out, u)
		}
	}
	return out, nil
}

// form is a unit of a setting with a choice of parameters on an instance, without its seed.
func (p *Plan) form(s Setting, choice record.Values, inst datasets.Instance, name string) (
	u Unit, err error,
) {
	asked := maps.Clone(s.Params)
	if asked == nil {
		asked = record.Values{}
	}
	for n, v := range choice {
		if _, twice := s.Params[n]; twice {
			return u, fmt.Errorf("parameter %s is fixed at %s and varied, too", n, s.Params[n])
		}
		asked[n] = v
	}
	// One for instances of all sizes of a kind.
	v, err := solvers.FindFor(inst.Kind(), s.Solver, s.Variant, s.Backend)
	if err != nil {
		return u, err
	}
	_, params, err := solvers.Resolve(solvers.Config{
		Solver: s.Solver, Variant: v.Name, Backend: s.Backend, Preset: s.Preset,
		Instance: inst, Params: asked,
	})
	if err != nil {
		return u, err
	}
	u = Unit{
		Label: p.label(s, v, choice), Solver: v.Solver, Variant: v.Name, Revision: v.Revision,
		Backend: v.Backend, Preset: cmp.Or(s.Preset, "default"), Device: s.Device,
		Params: record.Values{}, Schedule: record.Values{}, Varied: choice,
		Instance: solvers.RefOf(inst, pathOf(name)),
		Budget:   p.Budget,
	}
	for _, d := range params {
		switch _, given := asked[d.Name]; {
		case d.Class != record.Schedule:
			u.Params[d.Name] = d.Value
		case given:
			u.Schedule[d.Name] = d.Value
		}
	}
	return u, nil
}
