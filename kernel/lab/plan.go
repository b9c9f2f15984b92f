package lab

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// A Plan describes an experiment: each solver on each backend with each preset and each choice of
// parameters, on each instance, with each seed, with equal budgets. Use it for plans that a program
// computes; [Experiment] accepts the line of the prompt.
//
//	lab.Plan{
//		Solvers: []string{"acs", "mmas/wrs"}, Instances: []string{"d198", "pcb442"},
//		Iterations: 500, Params: map[string]any{"ants": 32, "beta": []float64{2, 3}},
//	}.Make("e1")
type Plan struct {
	Solvers   []string // such as "acs" or "mmas/wrs"; none: those of the experiment
	Instances []string // names or files; none: those of the experiment
	On        []string // backends, "cpu", "cuda" or "cuda:0,1"; none: cpu
	Presets   []string // named sets of parameters; none: the defaults
	Seeds     int      // number of seeds; 0: 10, or as planned
	First     any      // the first seed, a whole number; nil or 0: 1, or as planned

	// Set at most one budget for each unit; all 0: as planned.
	Iterations  int64
	Evaluations int64
	CPU         time.Duration // of a core
	Wall        time.Duration

	// Params holds values of parameters by name: a number, a word, true or false. A slice has several
	// values, and the plan combines each with each of the other parameters'.
	Params map[string]any

	// Over says who runs the units: "embed", workers that join the broker of this machine, or the
	// nats:// address of a broker; empty: all cores of this machine.
	Over string

	Background bool // return at once
	Again      bool // run failed units again
}

// Make runs the plan's experiment under a name, on all cores. A file stores it: the same call
// resumes it after an interrupt, and a larger number of seeds runs only the missing ones. An
// interrupt loses only the units in progress.
func (p Plan) Make(name string) *reply.ExperimentReply {
	if name == "" {
		refusePlan("Plan", `Make needs the name of the experiment, as in Make("e1")`)
	}
	q := wire.ExperimentRequest{
		Name: name, Solvers: listed("Plan", "Solvers", p.Solvers),
		Instances: listed("Plan", "Instances", p.Instances), On: listed("Plan", "On", p.On),
		Preset: listed("Plan", "Presets", p.Presets), N: p.Iterations, Evaluations: p.Evaluations,
		Wall: reply.Num(p.Wall.Seconds()), CPU: reply.Num(p.CPU.Seconds()),
		Over: p.Over, Background: p.Background, Again: p.Again,
		Params: choices("Plan", p.Params, false),
	}
	if p.Seeds != 0 {
		q.Seeds = &p.Seeds
	}
	q.First = seedOf("Plan: First", p.First)
	budgets := []bool{p.Iterations != 0, p.Evaluations != 0, p.Wall != 0, p.CPU != 0}
	checkBudgets("Plan", budgets, p.Wall, p.CPU)
	var rep reply.ExperimentReply
	study("experiment", q, &rep)
	return &rep
}

// A Range is the interval of a parameter's values, ends included, in which a [Tuning] searches.
// With Log it searches by their logarithms, if both ends are above 0.
type Range struct {
	Low, High float64
	Log       bool
}

// A Tuning is a search for good values of a run's parameters. Use it for searches that a program
// computes; [Tune] accepts the line of the prompt.
//
//	lab.Tuning{
//		Params: map[string]any{"q0": lab.Range{Low: 0.5, High: 0.99}, "ants": []int{10, 20, 40}},
//		Iterations: 200, Units: 500,
//	}.Make(a)
type Tuning struct {
	// Params holds the parameters to search, by name: a Range, or a slice of values.
	Params map[string]any

	Instances []string // none: the run's
	Seeds     int      // largest number per instance; 0: 10
	Units     int      // largest number in a race; 0: 1000
	Trials    int      // choices to try, of the other methods; 0: 27
	Method    string   // "race", "random", "grid", …; empty: race
	Test      string   // of a race; empty: friedman
	Seed      any      // of the choices, a whole number; nil or 0: 1
	Name      string   // of the experiment that stores it; empty: derived from the run's

	// Set at most one budget for each unit; all 0: as many iterations as the run has done.
	Iterations  int64
	Evaluations int64
	CPU         time.Duration // of a core
	Wall        time.Duration

	On         string // the GPUs for the units of a run on GPUs, such as "cuda:0,1"; empty: all
	Over       string // who runs the units, as in a Plan; empty: this machine
	Background bool   // return at once
}

// Make runs the search, on all cores, and returns the best choice as a line to open. A file stores
// it: the same call resumes it after an interrupt.
func (t Tuning) Make(run *Run) *reply.TuneReply {
	q := wire.TuneRequest{
		Run: names("Tuning", []*Run{run})[0], Instances: listed("Tuning", "Instances", t.Instances),
		N: t.Iterations, Evaluations: t.Evaluations, Wall: reply.Num(t.Wall.Seconds()),
		CPU: reply.Num(t.CPU.Seconds()), Method: t.Method, Units: t.Units, Trials: t.Trials,
		Test: t.Test, As: t.Name, On: t.On, Over: t.Over, Background: t.Background,
		Params: choices("Tuning", t.Params, true),
	}
	if t.Seeds != 0 {
		q.Seeds = &t.Seeds
	}
	q.Seed = seedOf("Tuning: Seed", t.Seed)
	budgets := []bool{t.Iterations != 0, t.Evaluations != 0, t.Wall != 0, t.CPU != 0}
	checkBudgets("Tuning", budgets, t.Wall, t.CPU)
	var rep reply.TuneReply
	study("tune", q, &rep)
	return &rep
}

// refuse fails for a field of a plan.
func refusePlan(what, format string, args ...any) {
	fail(&Error{wire.CodeRequest, "lab: " + what + ": " + fmt.Sprintf(format, args...)})
}

// seedOf is a seed that a plan may name.
func seedOf(what string, x any) *uint64 {
	if x == nil {
		return nil
	}
	if s := whole(what, x); s != 0 {
		return &s
	}
	return nil
}

// checkBudgets allows one budget; of times those that are long enough for an iteration.
func checkBudgets(what string, given []bool, times ...time.Duration) {
	for _, d := range times {
		if d != 0 {
			checkTime(what, d)
		}
	}
	n := 0
	for _, g := range given {
		if g {
			n++
		}
	}
	if n > 1 {
		refusePlan(what, "%d budgets, want one of Iterations, Evaluations, CPU and Wall", n)
	}
}

// listed is a list of names as the prompt has it.
func listed(what, field string, all []string) string {
	for i, s := range all {
		if s == "" || strings.ContainsAny(s, ", \t\n") {
			refusePlan(what, "%s[%d] is %q, want a name without commas and spaces: each is an element "+
				"of its own", field, i, s)
		}
	}
	return strings.Join(all, ",")
}

// choices returns values of parameters in the prompt's form, with commas between several. If
// several is set, a parameter needs a range or at least two values.
func choices(what string, params map[string]any, several bool) record.Values {
	out := record.Values{}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		x := params[name]
		if r, ok := x.(Range); ok {
			if !several {
				refusePlan(what, "%s is a Range, want values: a Tuning searches ranges", name)
			}
			out[name] = record.Text(r.text(what, name))
			continue
		}
		list := reflect.ValueOf(x)
		if list.Kind() != reflect.Slice && list.Kind() != reflect.Array {
			v, ok := value(x)
			switch {
			case !ok:
				refusePlan(what, "%s is a %T, want a number, a word, true or false, or a slice of them",
					name, x)
			case several:
				refusePlan(what, "%s is %v, want a lab.Range or a slice of values", name, x)
			}
			out[name] = v
			continue
		}
		if list.Len() == 0 || several && list.Len() < 2 {
			refusePlan(what, "%s has %d values, want %d or more", name, list.Len(),
				map[bool]int{true: 2, false: 1}[several])
		}
		texts := make([]string, list.Len())
		for i := range texts {
			v, ok := value(list.Index(i).Interface())
			if !ok {
				refusePlan(what, "%s[%d] is a %T, want a number, a word, true or false", name, i,
					list.Index(i).Interface())
			}
			texts[i] = v.String()
			if texts[i] == "" || strings.ContainsAny(texts[i], ", \t\n") {
				refusePlan(what, "%s[%d] is %q, want a word without commas and spaces", name, i, texts[i])
			}
		}
		if len(texts) == 1 {
			out[name] = record.Parse(texts[0])
			continue
		}
		out[name] = record.Text(strings.Join(texts, ","))
	}
	return out
}

// text is the range as the prompt has it.
func (r Range) text(what, name string) string {
	if !(r.Low < r.High) || math.IsInf(r.Low, 0) || math.IsInf(r.High, 0) || r.Log && r.Low <= 0 {
		refusePlan(what, "%s is a Range from %v to %v, want finite ends of which Low is below High, "+
			"both above 0 by Log", name, r.Low, r.High)
	}
	s := record.Num(r.Low).String() + ".." + record.Num(r.High).String()
	if r.Log {
		s += ":log"
	}
	return s
}
