package lab

import (
	"context"
	"fmt"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// An Instance is the data of a problem.
type Instance struct {
	reply.Instance
	ask  string // what it was asked for by
	told string // what Load printed
}

// HTML returns the card of the instance, with a small picture of it.
func (i *Instance) HTML() string {
	var r reply.InstanceReply
	ask("instance", wire.InstanceRequest{Name: from(i, "lab.Load").ask, Picture: true}, &r)
	r.Path = "" // the path belongs to this machine, and a notebook may store the card
	return r.HTML()
}

// Load loads an instance in the host: by its published or generated name, by its name in a folder
// of METALAB_DATA, or by the path of a file.
func Load(name string) *Instance {
	q := wire.InstanceRequest{Name: wire.AbsInstance(dir(), name)}
	var r reply.InstanceReply
	ask("instance", q, &r)
	if r.Warning != "" {
		fmt.Println(r.Warning)
	}
	return &Instance{Instance: r.Instance, ask: q.Name, told: r.Warning}
}

// An Option is an option of Open and Fork.
type Option func(*options)

type options struct {
	at                  *int64
	noChanges           bool
	seed                *uint64
	preset, variant, on string
	device              int
	fresh               bool
	start               string
	params              record.Values
}

// Preset selects a named set of parameters, such as "paper" or "best".
func Preset(name string) Option { return func(o *options) { o.preset = name } }

// Variant selects a variant of the solver, such as "seq".
func Variant(name string) Option { return func(o *options) { o.variant = name } }

// On selects a backend: "cpu" or "cuda", or certain GPUs, such as "cuda:1", "cuda:0,1" or
// "cuda:all".
func On(backend string) Option { return func(o *options) { o.on = backend } }

// Device selects a GPU by its number, like On("cuda:1").
func Device(n int) Option { return func(o *options) { o.device = n } }

// Fresh first closes the run with that name, if there is one.
func Fresh() Option { return func(o *options) { o.fresh = true } }

// Start begins at the solution in a file: a tour (TSPLIB's .tour), an assignment (QAPLIB's .sln) or
// the sides of a cut (0 and 1). The run's record holds it.
func Start(path string) Option { return func(o *options) { o.start = abs(path) } }

// With sets parameters, by alternating names and values, as in With("ants", 256, "q0", 0.9).
func With(namesAndValues ...any) Option {
	vs := values("With", namesAndValues)
	return func(o *options) {
		if o.params == nil {
			o.params = record.Values{}
		}
		for n, v := range vs {
			o.params[n] = v
		}
	}
}

// At makes Fork go back: the copy is the run as it stood after that iteration, before the changes
// at that iteration.
func At(iteration int) Option {
	i := int64(iteration)
	return func(o *options) { o.at = &i }
}

// NoChanges makes a fork ignore later changes of its parent; see Fork.
func NoChanges() Option { return func(o *options) { o.noChanges = true } }

func collect(opts []Option) options {
	var o options
	for i, f := range opts {
		if f == nil {
			failWith("lab: option %d is nil, want one as lab.Seed(1)", i+1)
		}
		f(&o)
	}
	return o
}

// values reads names and values in turn.
func values(what string, nv []any) record.Values {
	bad := func(format string, args ...any) {
		fail(&Error{wire.CodeRequest, "lab: " + what + ": " + fmt.Sprintf(format, args...)})
	}
	if len(nv) == 0 || len(nv)%2 != 0 {
		bad("%d arguments, want names and values in turn, as (\"q0\", 0.98)", len(nv))
	}
	vs := record.Values{}
	for i := 0; i < len(nv); i += 2 {
		name, ok := nv[i].(string)
		if !ok {
			bad("argument %d is %v, want the name of a parameter", i+1, nv[i])
		}
		v, ok := value(nv[i+1])
		if !ok {
			bad("%s is a %T, want a number, a word, true or false", name, nv[i+1])
		}
		vs[name] = v
	}
	return vs
}

func value(x any) (record.Value, bool) {
	switch x := x.(type) {
	case float64:
		return record.Num(x), true
	case float32:
		return record.Num(float64(x)), true
	case int:
		return record.Num(float64(x)), true
	case int32:
		return record.Num(float64(x)), true
	case int64:
		return record.Num(float64(x)), true
	case uint:
		return record.Num(float64(x)), true
	case uint32:
		return record.Num(float64(x)), true
	case uint64:
		return record.Num(float64(x)), true
	case string:
		return record.Text(x), true
	case bool:
		return record.Bool(x), true
	case record.Value:
		return x, true
	}
	return record.Value{}, false
}

// A Run is a run of the session, by its name.
type Run struct{ name string }

// Open opens a run of a solver on an instance under a name, or attaches to the run with that name
// if it has the same arguments; with other arguments it fails and lists the differences. The solver
// is a name such as "acs", or "acs/seq" with its variant. The instance is a result of Load, or an
// argument of Load: a name, or the path of a file.
func Open(name, solver string, instance any, opts ...Option) *Run {
	o := collect(opts)
	if o.at != nil || o.noChanges {
		fail(&Error{wire.CodeRequest, "lab: Open: At and NoChanges are options of Fork"})
	}
	var r reply.OpenReply
	inst := asked(instance)
	ask("open", wire.OpenRequest{
		Solver: solver, Instance: inst.ask, As: name, Seed: o.seed, Preset: o.preset,
		Variant: o.variant,
		On:      o.on, Device: o.device, Fresh: o.fresh, Start: o.start, Params: o.params,
	}, &r)
	if r.Warning != "" && r.Warning != inst.told && !r.Attached {
		fmt.Println(r.Warning)
	}
	if r.Before != nil {
		fmt.Printf("saved before: %s; lab.Recover(%q) goes on with it\n", r.Before, r.Run)
	}
	return &Run{r.Run}
}

// asked is the instance that is given to Open.
func asked(instance any) *Instance {
	switch i := instance.(type) {
	case string:
		return Load(i)
	case *Instance:
		if i != nil {
			return i
		}
	case nil:
	default:
		failWith("lab: Open: the instance is %#v, a %T, want its name, as \"pr1002\", or "+
			"lab.Load(\"pr1002\")", instance, instance)
	}
	failWith("lab: Open: no instance; give its name, as \"pr1002\", or lab.Load(\"pr1002\")")
	return nil
}

// Get returns the open run with a name.
func Get(name string) *Run {
	// does not wait for a long iteration
	ask("journal", wire.RunRequest{Run: name}, &reply.JournalReply{})
	return &Run{name}
}

// LoadRun opens a saved run in its saved state, under a name; if that is empty, the record's own.
func LoadRun(path, name string) *Run {
	var r reply.OpenReply
	ask("load", wire.LoadRequest{Path: abs(path), As: name}, &r)
	return &Run{r.Run}
}

// Recover opens the autosave of a closed run, or of one whose session has ended, for example by a
// restart of the kernel. run is its name (autosaves of the same notebook come first, then the
// latest) or an id from the list of lab.Do("recover"). The run gets its old name, or the given one.
func Recover(run string, name ...string) *Run {
	q := wire.RecoverRequest{ID: run}
	if run == "" || len(name) > 1 {
		fail(&Error{wire.CodeRequest, "lab: Recover: which run? as in lab.Recover(\"a\") or " +
			"lab.Recover(\"a\", \"b\"); lab.Do(\"recover\") lists them"})
	}
	if len(name) == 1 {
		q.As = name[0]
	}
	var r reply.RecoverReply
	ask("recover", q, &r)
	if r.Damage != "" {
		fmt.Println(r.Damage)
	}
	return &Run{r.Opened.Run}
}

// Name returns the run's name.
func (r *Run) Name() string { return r.id() }

// id is the name of the run; it fails where there is none.
func (r *Run) id() string {
	return from(r, "lab.Open").name
}

// String returns the card of the run.
func (r *Run) String() string { return r.Show().String() }

// HTML returns the card of the run for a page, with a small curve.
func (r *Run) HTML() string {
	return r.Show().Card(r.History().Points, r.Journal().Changes)
}

// Show returns the full status of the run.
func (r *Run) Show() *reply.ShowReply {
	var rep reply.ShowReply
	ask("show", wire.RunRequest{Run: r.id()}, &rep)
	return &rep
}

// Step makes n iterations and waits for them. An interrupt ends it after the last whole
// iteration.
func (r *Run) Step(n int) *reply.StepReply { return r.step(wire.StepRequest{N: int64(n)}) }

// StepFor makes iterations for a wall time of at least 1 ms.
func (r *Run) StepFor(d time.Duration) *reply.StepReply {
	checkTime("StepFor", d)
	return r.step(wire.StepRequest{Wall: reply.Num(d.Seconds())})
}

// StepCPU makes iterations for a CPU time of at least 1 ms.
func (r *Run) StepCPU(d time.Duration) *reply.StepReply {
	checkTime("StepCPU", d)
	return r.step(wire.StepRequest{CPU: reply.Num(d.Seconds())})
}

// checkTime refuses times that no iteration fits into: a number without a unit is nanoseconds.
func checkTime(what string, d time.Duration) {
	if d < time.Millisecond {
		failWith("lab: %s: %v, want 1ms or more; a number without a unit counts nanoseconds: seconds "+
			"are as 5*time.Second", what, d)
	}
}

// StepUntil makes iterations until a condition holds: "gap<1" (percent), "best<=259045"
// ("best>=259045" of a maximised objective), "stall=500", "iteration=1000", "time=10s" or
// "cpu=10s"; with commas, the first of several.
func (r *Run) StepUntil(condition string) *reply.StepReply {
	return r.step(wire.StepRequest{Until: condition})
}

func (r *Run) step(q wire.StepRequest) *reply.StepReply {
	q.Run = r.id()
	if q.N == 0 && q.Until == "" && !(q.Wall > 0) && !(q.CPU > 0) {
		return &reply.StepReply{Status: r.Show().Status}
	}
	c := Client()
	ctx, done := during()
	var rep reply.StepReply
	end := func(reply.Reply) bool { return false }
	if inCell() {
		end = stepping(c, r.id(), q)
	}
	err := c.Do(ctx, "step", q, &rep)
	done(err != nil)
	switch {
	case err == nil:
		if inCell() { // a prompt has printed it
			for _, line := range rep.Printed {
				fmt.Println(line)
			}
		}
		if end(&rep) {
			told(&rep)
		}
	case ctx.Err() == nil:
		end(nil)
	default:
		var now reply.ShowReply
		short, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		msg := "interrupted; " + r.id() + " can go on"
		if c.Do(short, "show", wire.RunRequest{Run: r.id()}, &now) == nil {
			msg = fmt.Sprintf("interrupted; %s", now.Line())
			end(now.Status)
		}
		fail(&Error{wire.CodeCanceled, msg})
	}
	check(err)
	return &rep
}

// Set changes parameters from the next iteration on, by alternating names and values.
func (r *Run) Set(namesAndValues ...any) *reply.SetReply {
	var rep reply.SetReply
	ask("set", wire.SetRequest{Run: r.id(), Params: values("Set", namesAndValues)}, &rep)
	return &rep
}

// Undo goes back to before the last change of parameters, by running the iterations up to it again.
// Recover opens the run as it was before Undo.
func (r *Run) Undo() *reply.UndoReply {
	var rep reply.UndoReply
	ask("undo", wire.RunRequest{Run: r.id()}, &rep)
	return &rep
}

// Go lets the run iterate until a Pause, and returns at once.
func (r *Run) Go() *reply.RunReply { return r.plain("go") }

// Pause ends Go and all steps of the run.
func (r *Run) Pause() *reply.RunReply { return r.plain("pause") }

// Close ends the run and frees its memory; Recover opens it again for a day.
func (r *Run) Close() *reply.RunReply { return r.plain("close") }

func (r *Run) plain(verb string) *reply.RunReply {
	var rep reply.RunReply
	ask(verb, wire.RunRequest{Run: r.id()}, &rep)
	return &rep
}

// Fork copies the run in its present state under another name. Options may change parameters, also
// structural ones, the seed, the backend, and the variant if it shares the state. Fork attaches to
// an existing fork with that name and the same arguments, so that a cell can run again.
//
// With At it copies the run as it stood earlier. The copy then repeats the run's later changes at
// the same iterations, except for parameters that the options name or that you set in the copy;
// with NoChanges it repeats none.
func (r *Run) Fork(name string, opts ...Option) *Run {
	o := collect(opts)
	if o.preset != "" || o.start != "" {
		fail(&Error{wire.CodeRequest, "lab: Fork: a fork keeps its parent's preset and start; " +
			"open another run, or set parameters with lab.With"})
	}
	var rep reply.OpenReply
	ask("fork", wire.ForkRequest{
		Run: r.id(), As: name, Seed: o.seed, Variant: o.variant, On: o.on, Device: o.device,
		Fresh: o.fresh, Params: o.params, At: o.at, NoChanges: o.noChanges,
	}, &rep)
	return &Run{rep.Run}
}

// Params returns the parameters with values, ranges and effects.
func (r *Run) Params() *reply.ParamsReply {
	var rep reply.ParamsReply
	ask("params", wire.ParamsRequest{Run: r.id()}, &rep)
	return &rep
}

// Best returns the best solution, with its value recomputed by the cost function.
func (r *Run) Best() *reply.BestReply {
	var rep reply.BestReply
	ask("best", wire.BestRequest{Run: r.id()}, &rep)
	return &rep
}

// Solution returns the best solution itself, in the instance's numbering from 0.
func (r *Run) Solution() record.Solution {
	var rep reply.BestReply
	ask("best", wire.BestRequest{Run: r.id(), Solution: true}, &rep)
	if rep.Solution == nil {
		return record.Solution{}
	}
	return *rep.Solution
}

// History returns the kept points.
func (r *Run) History() *reply.HistoryReply {
	var rep reply.HistoryReply
	ask("history", wire.HistoryRequest{Run: r.id()}, &rep)
	return &rep
}

// Journal returns every change that was made to the run.
func (r *Run) Journal() *reply.JournalReply {
	var rep reply.JournalReply
	ask("journal", wire.RunRequest{Run: r.id()}, &rep)
	return &rep
}

// Waves returns the trials and the choice of the tuner of the run's schedule, which measures time.
// It changes no result.
func (r *Run) Waves() *reply.WavesReply {
	var rep reply.WavesReply
	ask("waves", wire.RunRequest{Run: r.id()}, &rep)
	return &rep
}

// Plot draws a figure of the run: "best", "tour", "trails", "heat", "branching", "lengths", "spans"
// (on a device), "assignment" (QAP), "multiset" (PPP), "slice" (Weierstrass), "neighbourhood",
// "solution" (of a problem of your own with a method Plot) or a measure of its solver. It draws
// several, such as "best tour", side by side; the function Plot lists the other options.
func (r *Run) Plot(figure string) *reply.PlotReply { return Plot(figure, r) }

// Islands returns the state of the islands of a run with the parameter islands. Do("islands a
// over=embed") lets workers run their iterations.
func (r *Run) Islands() *reply.IslandsReply {
	var rep reply.IslandsReply
	ask("islands", wire.IslandsRequest{Run: r.id()}, &rep)
	return &rep
}

// Array fetches a large array: "tour", "lengths", "coordinates" or "trails"; see wire.Arrays.
func (r *Run) Array(name string) wire.Array {
	c, run := Client(), r.id()
	ctx, done := during()
	a, err := c.Array(ctx, run, name)
	done(err != nil)
	check(err)
	return a
}
