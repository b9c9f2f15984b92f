package words

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metalab/kernel/wire"
)

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
	for _, choice := range a.Choices {
		add(choice.Name, choice.Doc)
	}
	switch a.Kind {
	case wire.KindRun, wire.KindRuns, wire.KindRecord:
		for _, r := range c.know.Runs() {
			if a.Kind != wire.KindRuns && !a.Many ||
				!slices.ContainsFunc(c.given, func(t Token) bool { return t.Text == r.Run }) {
				add(r.Run, fmt.Sprintf("%s on %s, iteration %d, best %s", r.Solver, r.Instance,
					r.Iteration, r.Best))
			}
		}
		switch {
		case a.Records && word != "":
			if from, fs := c.files(at, word, wire.RecordExt); len(fs) > 0 {
				return from, append(out, fs...)
			}
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
		c.solvers(add)
		c.papers(a, add)
	case wire.KindInstance:
		if strings.ContainsRune(word, '/') {
			return c.files(at, word, "")
		}
		c.instances(add)
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
		for _, form := range wire.Conds {
			add(form.Name, form.Doc)
		}
	case wire.KindWord:
		c.words(a, add)
	}
	return at, out
}

// solvers adds the solvers, and then their variants.
func (c completion) solvers(add func(text, doc string)) {
	for _, v := range c.know.Solvers() {
		if v.Default {
			add(v.Solver, v.Title)
		}
	}
	for _, v := range c.know.Solvers() {
		add(v.Solver+"/"+v.Variant, v.Title)
	}
}

// instances adds the instances that the solver of the line takes.
func (c completion) instances(add func(text, doc string)) {
	kinds := c.kinds()
	for _, n := range c.know.Instances() {
		kind := c.know.KindOf(n)
		if kinds == nil || kind == "" || slices.Contains(kinds, kind) {
			add(n, "")
		}
	}
}

// words adds the words that may stand in the place of an argument, where they are those of the
// session.
func (c completion) words(a wire.Arg, add func(text, doc string)) {
	switch a.Name {
	case "word":
		c.helpWords(add)
	case "names":
		for _, p := range c.params() {
			add(p.Name, describe(p))
		}
	case "preset":
		c.presets(add)
	case "variant":
		solver := c.whose()
		for _, v := range c.know.Solvers() {
			if v.Solver == solver {
				add(v.Variant, v.Title)
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
			if c.verb.Name != "paper" || t.Paper != "" {
				add(t.Name, t.Title)
			}
		}
	}
}

// whose is the solver that the command opens, or that of the run that it forks; empty: none is
// named.
func (c completion) whose() string {
	if len(c.given) == 0 {
		return ""
	}
	if c.verb.Name != "fork" && c.verb.Name != "sweep" {
		return c.given[0].Text
	}
	for _, r := range c.know.Runs() {
		if r.Run == c.given[0].Text {
			return r.Solver
		}
	}
	return ""
}

// kinds are the kinds of instances that the solver takes which is named; nil where none is.
func (c completion) kinds() (kinds []string) {
	solver, variant, _ := strings.Cut(c.whose(), "/")
	for _, v := range c.know.Solvers() {
		if v.Solver == solver && (variant == "" || v.Variant == variant) {
			kinds = append(kinds, v.Kinds...)
		}
	}
	return kinds
}

// papers adds papers' names of solvers where one is to be named, and authors where one may be.
func (c completion) papers(a wire.Arg, add func(text, doc string)) {
	if !a.Place {
		return
	}
	names := c.know.Names()
	for _, n := range names {
		add(n.Name, n.Doc+": "+n.Text)
	}
	if !a.Required {
		for _, who := range authors(names) {
			add(who, "what papers of this author have")
		}
	}
}

// presets adds the presets of the variant that the command opens.
func (c completion) presets(add func(text, doc string)) {
	add("default", "what is taken when no preset is named")
	for _, v := range c.know.Solvers() {
		if len(c.given) == 0 || v.Solver+"/"+v.Variant != c.opened() &&
			(!v.Default || v.Solver != c.opened()) {
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
}

// helpWords adds what help tells about.
func (c completion) helpWords(add func(text, doc string)) {
	for _, v := range wire.Verbs {
		add(v.Name, v.Doc)
	}
	for _, v := range c.know.Solvers() {
		if v.Default {
			add(v.Solver, v.Title)
		}
	}
	for _, n := range c.know.Names() {
		add(n.Name, n.Doc)
	}
	for _, who := range authors(c.know.Names()) {
		add(who, "what papers of this author have")
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
		if !strings.HasPrefix(n, base) || strings.HasPrefix(n, ".") && base == "" ||
			len(out) == mostInstances {
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
