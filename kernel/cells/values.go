package cells

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// wordsLimit is the time limit for the host's words in a completion.
const wordsLimit = 2 * time.Second

// ask asks the host for what a completion wants; no answer is none.
func (k *Kernel) ask(verb string, request, reply any) bool {
	ctx, cancel := context.WithTimeout(context.Background(), k.patience)
	defer cancel()
	c, err := k.host(ctx)
	return err == nil && c.Do(ctx, verb, request, reply) == nil
}

// values are the words that an argument may be.
func (k *Kernel) values(a arg) []string {
	if a.inLab() {
		return k.ofFunction(a)
	}
	switch a.callee {
	case "Set":
		return k.given(&a, k.params(a.run(), "live"))
	case "Plot":
		return k.figures(a.run())
	case "PlotTo":
		if a.n == 1 {
			return k.figures(a.run())
		}
	case "StepUntil", "GoUntil":
		return conditions
	case "Array":
		return wire.Arrays
	case "Fork":
		return k.runs()
	}
	return nil
}

// ofFunction are the words of an argument of a function of lab.
func (k *Kernel) ofFunction(a arg) []string {
	switch a.callee {
	case "Open":
		switch a.n {
		case 0:
			return k.runs()
		case 1:
			return k.solvers()
		case 2:
			return k.loaded(a.word)
		}
	case "Get":
		return k.runs()
	case "Solvers":
		return k.solvers()
	case "Load":
		return k.loaded(a.word)
	case "Instances":
		return k.instances()
	case "Recover":
		var r reply.RecoverReply
		k.ask("recover", wire.RecoverRequest{}, &r)
		var out []string
		for _, s := range r.Autosaves {
			out = append(out, s.Run)
		}
		for _, s := range r.Autosaves {
			out = append(out, s.ID)
		}
		return out
	case "LoadRun", "Replay":
		if a.n == 0 {
			return files(a.word, ".run")
		}
	case "Diff":
		return append(k.runs(), files(a.word, ".run")...)
	case "With":
		return k.ofWith(a)
	case "Preset", "Variant":
		return k.ofSolver(a)
	case "On":
		return []string{"cpu", "cuda", "cuda:all"}
	case "Plot", "WatchFigure":
		if a.n == 0 {
			return k.figures("")
		}
	case "Sliders":
		if a.n > 0 {
			return names(k.params(runCalled(a.name(), a.all), "live"))
		}
	case "StepUntil":
		return conditions
	case "Bench":
		if a.n == 0 {
			var r reply.BenchReply
			k.ask("bench", wire.BenchRequest{}, &r)
			var out []string
			for _, t := range r.Tables {
				out = append(out, t.Name)
			}
			return out
		}
	case "Attach":
		ctx, cancel := context.WithTimeout(context.Background(), k.patience)
		defer cancel()
		var out []string
		for _, h := range wire.Sessions(ctx) {
			out = append(out, h.Session)
		}
		return out
	}
	return nil
}

// loaded are the names and files that Load takes.
func (k *Kernel) loaded(word string) []string {
	if strings.ContainsRune(word, '/') {
		return files(word, "")
	}
	own := slices.Concat(files(word, ".tsp"), files(word, ".csv"), files(word, ".tsv"))
	return append(k.instances(), own...)
}

// lists are the functions and methods whose words are lists with commas.
var lists = []string{"Plot", "PlotTo", "WatchFigure", "StepUntil", "GoUntil"}

// conditions lists the beginnings of a step's conditions.
var conditions = []string{"gap<", "best<=", "stall=", "iteration=", "time=", "cpu="}

// ofWith are the words of names and values in turn, for the run that is opened or forked.
func (k *Kernel) ofWith(a arg) []string {
	o := a.outer
	switch {
	case o == nil:
		return nil
	case o.callee == "Open":
		return k.given(&a, k.solverParams(solverOf(o)))
	case o.callee == "Fork":
		return k.given(&a, k.params(runOf(o.of, a.all), ""))
	}
	return nil
}

// solverOf is the solver that a call of Open names, with its variant where that is named too.
func solverOf(o *arg) string {
	s := o.text(1)
	for i, t := range o.before {
		if t.text == "Variant" && i+2 < len(o.before) && !strings.Contains(s, "/") {
			s += "/" + o.before[i+2].text
		}
	}
	return s
}

// ofSolver are the presets or variants of the solver that is opened.
func (k *Kernel) ofSolver(a arg) []string {
	if a.outer == nil || a.outer.callee != "Open" {
		return nil
	}
	name, variant, _ := strings.Cut(solverOf(a.outer), "/")
	var out []string
	for _, v := range k.variants("") {
		switch {
		case v.Solver != name:
		case a.callee == "Variant":
			out = append(out, v.Variant)
		case v.Variant == variant || variant == "" && v.Default:
			out = append(out, v.Presets...)
		}
	}
	return out
}

// given are, in turn, the names of parameters and the words that the one before may be.
func (k *Kernel) given(a *arg, ps []reply.Param) []string {
	if a.n%2 == 0 {
		return names(ps)
	}
	for _, p := range ps {
		if p.Name == a.lastText() {
			return p.Options
		}
	}
	return nil
}

func names(ps []reply.Param) []string {
	out := make([]string, len(ps))
	for i, p := range ps {
		out[i] = p.Name
	}
	return out
}

// params are the parameters of a run, of a class or of all but schedules; where there is no such
// run, those of all runs, and where there is none, those of all solvers.
func (k *Kernel) params(run, class string) []reply.Param {
	runs := k.runs()
	if slices.Contains(runs, run) {
		runs = []string{run}
	}
	var out []reply.Param
	add := func(ps []reply.Param) {
		for _, p := range ps {
			known := slices.ContainsFunc(out, func(o reply.Param) bool { return o.Name == p.Name })
			if !known && (p.Class == class || class == "" && p.Class != "schedule") {
				out = append(out, p)
			}
		}
	}
	for _, n := range runs {
		var r reply.ParamsReply
		k.ask("params", wire.RunRequest{Run: n}, &r)
		add(r.Params)
	}
	if len(runs) == 0 {
		asked := map[string]bool{}
		for _, v := range k.variants("") {
			if !asked[v.Solver] {
				asked[v.Solver] = true
				add(k.solverParams(v.Solver))
			}
		}
	}
	return out
}

func (k *Kernel) variants(solver string) []reply.Variant { return k.about(solver).Variants }

// about returns the host's description of a solver, or of all.
func (k *Kernel) about(solver string) *reply.SolversReply {
	var r reply.SolversReply
	k.ask("solvers", wire.SolversRequest{Solver: solver}, &r)
	return &r
}

// solverParams are the parameters of a solver, or of a solver/variant.
func (k *Kernel) solverParams(solver string) []reply.Param {
	vs := k.variants(solver)
	for _, v := range vs {
		if v.Default || len(vs) == 1 {
			return v.Params
		}
	}
	return nil
}

// solvers are the solvers, behind them their variants, and the names that papers have for some.
func (k *Kernel) solvers() []string {
	var out, more []string
	all := k.about("")
	for _, v := range all.Variants {
		if !slices.Contains(out, v.Solver) {
			out = append(out, v.Solver)
		}
		more = append(more, v.Solver+"/"+v.Variant)
	}
	for _, n := range all.Names {
		more = append(more, n.Name)
	}
	return append(out, more...)
}

func (k *Kernel) instances() []string { return k.listed.get(k.listWait, k.list) }

// list asks the host for the names of instances: it looks through folders for them.
func (k *Kernel) list() []string {
	var r reply.InstancesReply
	k.ask("instances", wire.InstancesRequest{}, &r)
	kinds := make(map[string]string, len(r.Instances))
	for _, i := range r.Instances {
		kinds[i.Name] = i.Kind
	}
	k.kinds.Store(kinds)
	return r.Names
}

// figures are the figures, and the measures of a run, where one is named.
func (k *Kernel) figures(run string) []string {
	var out []string
	for _, f := range wire.Figures {
		out = append(out, f.Name)
	}
	var r reply.ShowReply
	if run != "" && slices.Contains(k.runs(), run) && k.ask("show", wire.RunRequest{Run: run}, &r) {
		out = append(out, r.Measures...)
	}
	return out
}

// files returns the files and folders with which a path may continue, from the notebook's folder;
// ext is the ending of the files' names.
func files(word, ext string) []string {
	dir, base := filepath.Split(word)
	entries, err := os.ReadDir(filepath.Join(".", dir))
	if filepath.IsAbs(dir) {
		entries, err = os.ReadDir(dir)
	}
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		switch n := e.Name(); {
		case !strings.HasPrefix(n, base) || strings.HasPrefix(n, "."):
		case e.IsDir():
			out = append(out, dir+n+"/")
		case strings.HasSuffix(strings.TrimSuffix(n, ".gz"), ext):
			out = append(out, dir+n)
		}
	}
	return out
}
