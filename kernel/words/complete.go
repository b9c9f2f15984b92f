package words

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A Suggestion completes what is being typed.
type Suggestion struct {
	Text string // takes the place of the word from the start that Complete returns
	Doc  string // one sentence
}

// Knowledge is what completion knows of the session; its methods must be quick and
// may answer with nothing.
type Knowledge interface {
	Runs() []reply.Status
	Params(run string) []reply.Param
	SolverParams(solver string) []reply.Param // of a solver, or of a solver/variant
	Solvers() []reply.Variant
	Instances() []string
	Tables() []reply.BenchTable
	Autosaves() []reply.Autosave
	Dir() string
}

// Complete returns the completions of the command at the end of text, and the byte at
// which the word that they replace begins.
func Complete(text string, k Knowledge) (from int, out []Suggestion) {
	if word, ok := strings.CutPrefix(strings.TrimLeft(text, " "), "?"); ok {
		from, out = Complete("help "+word, k)
		return from + len(text) - len("help "+word), out
	}
	line := LastLine(text)
	if line.Comment {
		return len(text), nil
	}
	toks := line.Tokens
	var word Token // that is being typed
	word.From, word.To = len(text), len(text)
	if n := len(toks); n > 0 && toks[n-1].To == len(text) {
		word, toks = toks[n-1], toks[:n-1]
	}
	if len(toks) == 0 {
		name, force := strings.CutPrefix(word.Text, "%")
		for _, v := range wire.Verbs {
			if strings.HasPrefix(v.Name, name) && !word.Quoted {
				out = append(out, Suggestion{v.Name, v.Doc})
			}
		}
		if force {
			word.From++
		}
		return word.From, out
	}
	v, ok := wire.Find(strings.TrimPrefix(toks[0].Text, "%"))
	if !ok {
		return word.From, nil
	}
	c := completion{verb: v, given: toks[1:], know: k}
	raw := text[word.From:]
	if i := strings.IndexAny(raw, `"'`); i >= 0 {
		// Only what stands between one quotation mark and the cursor can be completed.
		name := strings.TrimSuffix(raw[:i], "=")
		if !word.Open || strings.Contains(raw[i+1:], raw[i:i+1]) || i > 0 && (name == raw[:i] || !IsName(name)) {
			return len(text), nil
		}
		c.mark = raw[i : i+1]
		return c.assigned(name, word.From+i+1, raw[i+1:])
	}
	return c.complete(word.From, raw)
}

type completion struct {
	verb  wire.Verb
	given []Token // between the verb and the word
	know  Knowledge
	mark  string // the quotation mark that the word stands in, not closed yet
}

// assigned completes the value of an argument by name, or by place where name is empty.
func (c completion) assigned(name string, at int, value string) (int, []Suggestion) {
	if name == "" {
		args := c.next()
		if a, ok := c.announced(); ok {
			args = []wire.Arg{a}
		}
		return c.values(args, at, value)
	}
	if a, ok := c.verb.Arg(name); ok && a.Kind != wire.KindParams {
		return c.value(a, at, value)
	}
	return at, c.paramValues(name, value)
}

func (c completion) complete(at int, word string) (int, []Suggestion) {
	if a, ok := c.announced(); ok {
		return c.value(a, at, word)
	}
	if name, value, ok := strings.Cut(word, "="); ok && IsName(name) {
		return c.assigned(name, at+len(name)+1, value)
	}
	args := c.next()
	var again []wire.Arg // another run, which is meant less often than what follows
	if len(args) > 0 && args[0].Many && len(c.given) > 0 {
		args, again = args[1:], args[:1]
	}
	from, out := c.values(args, at, word)
	if from != at {
		return from, out // a path: the word is cut elsewhere
	}
	for _, a := range c.verb.Args {
		if c.has(a) || !a.Typed() {
			continue
		}
		switch {
		case a.Kind == wire.KindParams:
			for _, p := range c.params() {
				if strings.HasPrefix(p.Name, word) && !c.named(p.Name) && (c.verb.Name != "set" || p.Class != "structural") {
					out = append(out, Suggestion{p.Name + "=", describe(p)})
				}
			}
		case a.Word != "" && strings.HasPrefix(a.Word, word):
			out = append(out, Suggestion{a.Word, a.Doc})
		case a.Kind == wire.KindTruth && !a.Place && strings.HasPrefix(a.Name, word):
			out = append(out, Suggestion{a.Name, a.Doc})
		case !a.Place && a.Word == "" && strings.HasPrefix(a.Name, word):
			out = append(out, Suggestion{a.Name + "=", a.Doc})
		}
	}
	_, runs := c.values(again, at, word)
	return at, append(out, runs...)
}

// values completes the word in the place of any of some arguments.
func (c completion) values(args []wire.Arg, at int, word string) (int, []Suggestion) {
	var out []Suggestion
	for _, a := range args {
		from, vs := c.value(a, at, word)
		if from != at {
			return from, vs
		}
		out = append(out, vs...)
	}
	return at, out
}

// announced is the argument whose word stands before, as "as" or "to".
func (c completion) announced() (wire.Arg, bool) {
	if n := len(c.given); n > 0 && !c.solver(n-1) {
		return c.word(c.given[n-1])
	}
	return wire.Arg{}, false
}

// next are the arguments in whose place the word may stand: where a run was named and several
// may be, it is another one, or what follows.
func (c completion) next() []wire.Arg {
	var placed []string // what was given by place
	for i, t := range c.given {
		if strings.Contains(t.Text, "=") {
			continue
		}
		if _, ok := c.word(t); ok && !c.solver(i) {
			continue
		}
		if i > 0 && !c.solver(i-1) {
			if _, ok := c.word(c.given[i-1]); ok {
				continue
			}
		}
		placed = append(placed, t.Text)
	}
	var out []wire.Arg
	for _, a := range c.verb.Args {
		if !a.Place {
			continue
		}
		if a.Kind == wire.KindRuns {
			return append(out, a) // any number
		}
		if len(placed) == 0 {
			return append(out, a)
		}
		placed = placed[1:]
		for a.Many && len(placed) > 0 && c.isRun(placed[0]) {
			placed = placed[1:]
		}
		if a.Many && len(placed) == 0 {
			out = append(out, a)
		}
	}
	return out
}

func (c completion) isRun(w string) bool {
	return slices.ContainsFunc(c.know.Runs(), func(r reply.Status) bool { return r.Run == w })
}

// solver reports whether the i-th word stands in the place of a solver, where "as" is the
// Ant System.
func (c completion) solver(i int) bool {
	a, ok := c.verb.Arg("solver")
	return ok && a.Required && i == 0
}

// word returns the argument that t introduces, as "as".
func (c completion) word(t Token) (wire.Arg, bool) {
	for _, a := range c.verb.Args {
		if a.Word != "" && a.Word == t.Text && !t.Quoted {
			return a, true
		}
	}
	return wire.Arg{}, false
}

func (c completion) has(a wire.Arg) bool {
	if a.Kind == wire.KindParams {
		return false
	}
	return c.named(a.Name) || slices.ContainsFunc(c.given, func(t Token) bool {
		return t.Text == a.Word && a.Word != "" || t.Text == a.Name && a.Kind == wire.KindTruth
	})
}

func (c completion) named(name string) bool {
	return slices.ContainsFunc(c.given, func(t Token) bool { return strings.HasPrefix(t.Text, name+"=") })
}

// params are the parameters that the command may change.
func (c completion) params() []reply.Param {
	if len(c.given) == 0 {
		return nil
	}
	first := c.given[0].Text
	if a, ok := c.verb.Arg("solver"); ok && a.Place {
		return c.know.SolverParams(c.opened())
	}
	if ps := c.know.Params(first); ps != nil {
		return ps
	}
	if rs := c.know.Runs(); len(rs) == 1 {
		return c.know.Params(rs[0].Run)
	}
	return nil
}

// opened is the solver, or solver/variant, that the command opens.
func (c completion) opened() string {
	solver := c.given[0].Text
	if strings.Contains(solver, "/") {
		return solver
	}
	for _, t := range c.given[1:] {
		if variant, ok := strings.CutPrefix(t.Text, "variant="); ok && variant != "" {
			return solver + "/" + variant
		}
	}
	return solver
}

// describe says what a parameter takes and means.
func describe(p reply.Param) string {
	s := "now " + p.Value.String() + ", " + p.Range
	if p.Unit != "" {
		s += " " + p.Unit
	}
	return s + ". " + p.Doc
}

func (c completion) paramValues(name, value string) []Suggestion {
	var out []Suggestion
	for _, p := range c.params() {
		if p.Name != name {
			continue
		}
		words := p.Options
		if p.Type == "truth" {
			words = []string{"true", "false"}
		}
		for _, w := range words {
			if strings.HasPrefix(w, value) {
				out = append(out, Suggestion{w, about(w, p.Doc)})
			}
		}
		if len(words) == 0 && value == "" {
			out = append(out, Suggestion{p.Value.String(), describe(p)})
			if p.Default != p.Value {
				out = append(out, Suggestion{p.Default.String(), "the default"})
			}
		}
	}
	return out
}

// about is what doc, a parameter's, says of an option: from the first clause or member of a
// list that begins with it, up to the next semicolon or full stop; all of doc where there is
// no such place, or nothing but the option's name.
func about(option, doc string) string {
	for from := 0; ; {
		i := strings.Index(doc[from:], option)
		if i < 0 {
			return doc
		}
		from += i
		rest := doc[from+len(option):]
		if opens(doc[:from]) && (rest == "" || !inOption(rest[0])) {
			end := strings.IndexAny(rest, ";.")
			if end < 0 {
				end = len(rest)
			}
			if !strings.Contains(strings.TrimSpace(rest[:end]), " ") {
				return doc
			}
			return option + rest[:end]
		}
		from += len(option)
	}
}

// opens reports whether an option may be introduced after before.
func opens(before string) bool {
	return before == "" || slices.ContainsFunc([]string{": ", "; ", ". ", ", ", " and "}, func(end string) bool {
		return strings.HasSuffix(before, end)
	})
}

// inOption reports whether b may stand in the name of an option, as in 2opt-rounds and 2opt+or.
func inOption(b byte) bool {
	return b == '-' || b == '+' || b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

const mostInstances = 200 // a list that nobody reads to its end

// value completes the value of an argument.
func (c completion) value(a wire.Arg, at int, word string) (int, []Suggestion) {
	var out []Suggestion
	if i := strings.LastIndexByte(word, ','); a.List && i >= 0 {
		at, word = at+i+1, word[i+1:]
	}
	add := func(text, doc string) {
		if strings.HasPrefix(text, word) && len(out) < mostInstances {
			out = append(out, Suggestion{text, doc})
		}
	}
	switch a.Kind {
	case wire.KindRun, wire.KindRuns, wire.KindRecord:
		for _, r := range c.know.Runs() {
			if a.Kind != wire.KindRuns && !a.Many || !slices.ContainsFunc(c.given, func(t Token) bool { return t.Text == r.Run }) {
				add(r.Run, fmt.Sprintf("%s on %s, iteration %d, best %s", r.Solver, r.Instance, r.Iteration, r.Best))
			}
		}
		switch {
		case a.Kind == wire.KindRuns && len(c.given) > 0:
			if f, ok := c.verb.Arg("figure"); ok {
				_, fs := c.value(f, at, word)
				out = append(out, fs...)
			}
		case a.Kind == wire.KindRecord:
			from, fs := c.files(at, word, ".run")
			if from == at {
				return at, append(out, fs...)
			}
			return from, fs
		}
	case wire.KindSolver:
		for _, v := range c.know.Solvers() {
			if v.Default {
				add(v.Solver, v.Title)
			}
		}
		for _, v := range c.know.Solvers() {
			add(v.Solver+"/"+v.Variant, v.Title)
		}
	case wire.KindInstance:
		if strings.ContainsRune(word, '/') {
			return c.files(at, word, "")
		}
		for _, n := range c.know.Instances() {
			add(n, "")
		}
	case wire.KindFigure:
		for _, f := range wire.Figures {
			add(f.Name, f.Doc)
		}
	case wire.KindPath:
		ext := ""
		if c.verb.Name == "load" || c.verb.Name == "replay" {
			ext = ".run"
		}
		return c.files(at, word, ext)
	case wire.KindTruth:
		add("true", a.Doc)
		add("false", a.Doc)
	case wire.KindCond:
		for _, s := range []Suggestion{
			{"gap<", "percent above the best known value"},
			{"best<=", "value of the best"},
			{"stall=", "iterations without a better best"},
			{"iteration=", "that iteration"},
			{"time=", "of iterating, as 10s"},
			{"cpu=", "CPU time, as 10s"},
		} {
			add(s.Text, s.Doc)
		}
	case wire.KindWord:
		switch a.Name {
		case "word":
			c.words(add)
		case "names":
			for _, p := range c.params() {
				add(p.Name, describe(p))
			}
		case "on":
			add("cpu", "this machine's cores")
			add("cuda", "a GPU of NVIDIA")
		case "preset":
			add("default", "what is taken when no preset is named")
			for _, v := range c.know.Solvers() {
				if len(c.given) == 0 || v.Solver+"/"+v.Variant != c.opened() && (!v.Default || v.Solver != c.opened()) {
					continue
				}
				for i, p := range v.Presets {
					switch {
					case p == "default":
					case i < len(v.PresetDocs):
						add(p, v.PresetDocs[i])
					default:
						add(p, "of "+v.Solver+"/"+v.Variant)
					}
				}
			}
		case "id":
			for _, s := range c.know.Autosaves() {
				what := s.Stand()
				if s.Solver != "" {
					what = s.Solver + " on " + s.Instance + ", " + what
				}
				add(s.ID, what)
			}
		case "table":
			for _, t := range c.know.Tables() {
				add(t.Name, t.Title)
			}
		case "x":
			for _, x := range wire.Axes {
				add(x.Name, x.Doc)
			}
		case "title", "legend":
			add("off", "no "+a.Name)
		case "variant":
			for _, v := range c.know.Solvers() {
				if len(c.given) > 0 && v.Solver == c.given[0].Text {
					add(v.Variant, v.Title)
				}
			}
		}
	}
	return at, out
}

// files completes a path; ext, when not empty, is the ending of the files that fit.
func (c completion) files(at int, word, ext string) (int, []Suggestion) {
	dir, base := filepath.Split(word)
	look := dir
	if !filepath.IsAbs(look) {
		look = filepath.Join(c.know.Dir(), dir)
	}
	entries, err := os.ReadDir(look)
	if err != nil {
		return at, nil
	}
	var out []Suggestion
	for _, e := range entries {
		n := e.Name()
		if !strings.HasPrefix(n, base) || strings.HasPrefix(n, ".") && base == "" || len(out) == mostInstances {
			continue
		}
		switch {
		case e.IsDir():
			out = append(out, Suggestion{c.file(n + "/"), "folder"})
		case ext == "" || strings.HasSuffix(n, ext):
			out = append(out, Suggestion{c.file(n), ""})
		}
	}
	return at + len(dir), out
}

// file is a file's name as it is typed: in quotation marks where it needs them. Behind a
// folder the mark stays open, for what is in it.
func (c completion) file(name string) string {
	mark := c.mark
	if mark == "" && strings.ContainsAny(name, " ;\t'\"") {
		if mark = `"`; strings.Contains(name, mark) {
			mark = "'"
		}
		name = mark + name
	}
	if strings.HasSuffix(name, "/") {
		return name
	}
	return name + mark
}

// words adds what help tells about.
func (c completion) words(add func(text, doc string)) {
	for _, v := range wire.Verbs {
		add(v.Name, v.Doc)
	}
	for _, v := range c.know.Solvers() {
		if v.Default {
			add(v.Solver, v.Title)
		}
	}
	seen := map[string]bool{}
	for _, r := range c.know.Runs() {
		for _, p := range c.know.Params(r.Run) {
			if !seen[p.Name] {
				seen[p.Name] = true
				add(p.Name, p.Doc)
			}
		}
	}
	for _, f := range wire.Figures {
		add(f.Name, f.Doc)
	}
}
