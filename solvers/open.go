package solvers

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"metalab/datasets"
	"metalab/solvers/record"
)

// Config says what to open. A run can change only its live and schedule parameters.
type Config struct {
	Name     string // of the run; empty means the solver's name
	Solver   string
	Variant  string // empty: the solver's default, see Choose
	Backend  string // empty: "cpu"
	Instance datasets.Instance
	Path     string // of the instance's file, if it was read from one named by path
	Seed     uint64
	Preset   string        // empty: "default"
	Params   record.Values // they override the preset
	// where the search begins; Open checks its solution and fills in value and hash. Nil: the
	// algorithm's own
	Start *record.Start
	// ordinals of the GPUs that share the work of a CUDA variant, in ascending order; nil: the one
	// with the most free memory
	Devices []int

	only  *int            // make the part of this agent alone; see Divisible
	later []record.Change // what to change later; of runs without a record of their own
}

// Open checks the configuration, builds the algorithm's first state and returns the run, paused
// before iteration 1.
func Open(cfg Config) (r *Run, err error) {
	if absent(cfg.Instance) {
		return nil, fmt.Errorf("solvers: open: %w", errNoInstance)
	}
	if perr := guard(func() { r, err = open(cfg) }); perr != nil {
		return nil, fmt.Errorf("solvers: open %s on %s: %w", cfg.Solver, cfg.Instance.Name(), perr)
	}
	return r, err
}

func open(cfg Config) (*Run, error) {
	v, _, err := Choose(cfg)
	if err != nil {
		return nil, fmt.Errorf("solvers: open: %w", err)
	}
	r := newRun(cmp.Or(cfg.Name, cfg.Solver), cfg.Instance)
	r.only = cfg.only
	start, err := begin(cfg.Start, cfg.Instance)
	if err != nil {
		return nil, fmt.Errorf(
			"solvers: open %s/%s on %s: %w", v.Solver, v.Name, cfg.Instance.Name(), err,
		)
	}
	if err := r.build(plans{
		variant: v, seed: cfg.Seed, preset: cmp.Or(cfg.Preset, "default"), params: cfg.Params,
		devices: cfg.Devices, start: start,
	}); err != nil {
		return nil, fmt.Errorf(
			"solvers: open %s/%s on %s: %w", v.Solver, v.Name, cfg.Instance.Name(), err,
		)
	}
	r.header = record.NewHeader()
	r.header.Run, r.header.Solver, r.header.Variant = r.name, v.Solver, v.Name
	r.header.Revision, r.header.Backend = v.Revision, v.Backend
	r.header.Seed, r.header.Preset = cfg.Seed, cmp.Or(cfg.Preset, "default")
	r.header.Instance = RefOf(cfg.Instance, cfg.Path)
	r.header.Params, r.header.Measures = r.params.Values(), r.names
	r.header.Sources = r.sources(r.header.Params)
	if s, ok := cfg.Instance.(interface{ SourceText() (id, text string) }); ok {
		id, text := s.SourceText()
		if r.header.Sources == nil {
			r.header.Sources = map[string]string{}
		}
		r.header.Sources[id] = text
	}
	r.header.Start = start
	r.header.StartedAt = r.created
	r.later = cfg.later
	r.start()
	return r, nil
}

// RefOf identifies an instance's data in a record. path is the file that the instance was read
// from, empty if it has a name.
func RefOf(inst datasets.Instance, path string) record.InstanceRef {
	ref := record.InstanceRef{
		Name: inst.Name(), Kind: string(inst.Kind()), Size: inst.Size(), SHA256: inst.SHA256(),
		Path: path, Maximise: SenseOf(inst) == record.Maximise,
		Unverified: datasets.Unverified(inst),
	}
	if b, ok := inst.BestKnown(); ok {
		ref.Best = &b.Value
	}
	if p, ok := inst.(interface{ Objectives() []string }); ok {
		ref.Own = p.Objectives()
	}
	return ref
}

// identity holds what a run never changes.
type identity struct {
	name    string
	inst    datasets.Instance
	names   []string // of the measures
	counts  string   // what is evaluated; see Counter
	only    *int     // the agent to whose part the run is restricted; nil: it is whole
	part    Part     // that part
	created time.Time
}

func newRun(name string, inst datasets.Instance) *Run {
	r := &Run{
		identity: identity{name: name, inst: inst, created: time.Now()},
		mailbox: mailbox{
			cmds: make(chan func()), quit: make(chan struct{}), done: make(chan struct{}),
			kept: make(chan struct{}, 1),
		},
		shared: shared{state: Paused, changed: make(chan struct{})},
	}
	r.last.Best, r.last.IterBest, r.last.Mean = math.Inf(1), math.Inf(1), math.Inf(1)
	return r
}

// plans are the parts that an algorithm of a run is built from.
type plans struct {
	variant Variant
	seed    uint64
	preset  string
	base    record.Values // what every parameter of the same name takes before params
	params  record.Values // over the preset
	devices []int
	start   *record.Start // what it begins at; nil: the algorithm's own
}

// build makes the algorithm of a new run.
func (r *Run) build(p plans) error {
	alg, params, env, err := r.assemble(p)
	if err != nil {
		return err
	}
	r.variant, r.alg, r.params, r.env = p.variant, alg, params, env
	r.placed()
	r.names = alg.Measures()
	if c, ok := alg.(Counter); ok {
		r.counts = c.Counts()
	}
	r.point.Measures = make([]float64, len(r.names))
	return nil
}

// assemble makes an algorithm in its first state.
func (r *Run) assemble(p plans) (Algorithm, *Params, *Env, error) {
	defer cpus.aside()()
	alg, params, err := prepare(p.variant, r.inst, p.preset, p.params, p.base)
	if err != nil {
		return nil, nil, nil, err
	}
	if p.start != nil {
		s, ok := starter(alg)
		if !ok {
			alg.Close()
			return nil, nil, nil, noStart(p.variant, r.inst)
		}
		s.StartAt(p.start.Solution.Clone())
	}
	if r.only != nil {
		if r.part, err = restrict(alg, p.variant, *r.only); err != nil {
			alg.Close()
			return nil, nil, nil, err
		}
	}
	env := &Env{
		Seed: p.seed, Pool: NewPool(0), Progress: &r.progress, Run: r.name,
		Devices: slices.Clone(p.devices), Tell: r.tell,
	}
	if err := alg.Init(env); err != nil {
		env.Pool.Close()
		alg.Close()
		return nil, nil, nil, err
	}
	return alg, params, env, nil
}

// takers says which variants of v's solver take a kind of instances, and on what, or, where none
// does, which solvers do; empty: none does.
func takers(v Variant, kind datasets.Kind) string {
	var names, others []string
	for _, o := range Variants() {
		switch {
		case !o.takes(kind):
		case o.Solver == v.Solver:
			names = append(names, o.Name+" on "+o.Backend)
		case !slices.Contains(others, o.Solver):
			others = append(others, o.Solver)
		}
	}
	switch {
	case len(names) > 0:
		return "; variants of " + v.Solver + " that take it: " + strings.Join(names, ", ")
	case len(others) > 0:
		return "; solvers that take it: " + strings.Join(others, ", ")
	}
	return ""
}

// prepare makes the algorithm of a variant with its parameters, before Init.
func prepare(
	v Variant, inst datasets.Instance, preset string, vs, base record.Values,
) (Algorithm, *Params, error) {
	if !v.takes(inst.Kind()) {
		kinds := make([]string, len(v.Kinds))
		for i, k := range v.Kinds {
			kinds[i] = string(k)
		}
		return nil, nil, fmt.Errorf(
			"it takes instances of kind %s, and %s is of kind %s%s", strings.Join(kinds, " or "),
			inst.Name(), inst.Kind(), takers(v, inst.Kind()),
		)
	}
	if err := v.suits(inst); err != nil {
		return nil, nil, err
	}
	p, err := v.Preset(preset)
	if err != nil {
		return nil, nil, err
	}
	alg, err := v.Make(inst)
	if err != nil {
		return nil, nil, err
	}
	if vs.Has(ParamIslands) || base.Has(ParamIslands) {
		if alg, err = newArchipelago(v, inst, alg); err != nil {
			return nil, nil, err
		}
	}
	params := &Params{size: inst.Size()}
	alg.Declare(params)
	if err := p.apply(inst, params); err != nil {
		return nil, nil, err
	}
	vs, base = params.renamed(vs), params.renamed(base)
	for _, e := range params.list {
		if _, asked := vs[e.Name]; asked {
			continue // another variant may not take what the base has
		}
		if w, ok := base[e.Name]; ok {
			if err := params.setAll(record.Values{e.Name: w}); err != nil {
				return nil, nil, err
			}
		}
	}
	if err := params.setAll(vs); err != nil {
		return nil, nil, err
	}
	return alg, params, nil
}

// Resolve checks a configuration without building a state. It returns the variant, and the
// parameters with the values that a run has at iteration 0.
func Resolve(cfg Config) (v Variant, ps []record.Param, err error) {
	if absent(cfg.Instance) {
		return Variant{}, nil, fmt.Errorf("solvers: resolve: %w", errNoInstance)
	}
	if perr := guard(func() { v, ps, err = resolve(cfg) }); perr != nil {
		return v, nil, fmt.Errorf("solvers: resolve %s on %s: %w", cfg.Solver, cfg.Instance.Name(), perr)
	}
	return v, ps, err
}

func resolve(cfg Config) (Variant, []record.Param, error) {
	v, _, err := Choose(cfg)
	if err != nil {
		return v, nil, fmt.Errorf("solvers: resolve: %w", err)
	}
	alg, params, err := prepare(v, cfg.Instance, cmp.Or(cfg.Preset, "default"), cfg.Params, nil)
	if err != nil {
		return v, nil, fmt.Errorf(
			"solvers: resolve %s/%s on %s: %w", v.Solver, v.Name, cfg.Instance.Name(), err,
		)
	}
	defer alg.Close()
	return v, params.List(), nil
}

// sources are the texts that values of parameters stand for, by value.
func (r *Run) sources(vs record.Values) map[string]string {
	s, ok := r.alg.(Sourcer)
	if !ok {
		return nil
	}
	out := map[string]string{}
	for _, n := range sortedNames(vs) {
		if text := s.Source(n, vs[n]); text != "" {
			out[vs[n].String()] = text
		}
	}
	return out
}
