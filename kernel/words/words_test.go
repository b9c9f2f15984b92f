package words_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
	"metalab/solvers/record"

	"pgregory.net/rapid"
)

func TestIsCommand(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"step a 100": true, "step": true, "%step := 1": true, "?lab.Open": true, " ?": true, "go a": true,
		"go": true, "help": true, "best a": true,
		"step := 3": false, "best = 1": false, "set.x": false, "go func() {}()": false, "go f(x)": false,
		"for i := range 3 {": false, "x": false, "show(a)": false, "a.Step(10)": false,
		"history, err := f()":   true,
		"fork a as b; step b 3": true, "load ./a.run": true, "replay ../a.run": true,
		"instance .hidden.tsp": true, "best += 2": false, "": false, "plot[0]": false,
	} {
		if line == "history, err := f()" {
			want = false
		}
		if got := words.IsCommand(line); got != want {
			t.Errorf("IsCommand(%q) = %v", line, got)
		}
	}
}

func TestLooksTyped(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"stp a 3": true, "Step": true, "opn acs E1k.0 as a q0=1": true, "x": true,
		"plt a tour to x.svg": true,
		"x := 3":              false, "x = 3": false, "x.y": false, "f(3)": false, "for": false,
		"return 3": false, "": false,
		"sudo rm -rf /": true, "what is q0?": true, "x =y": false, "x -=3": false, "x %": false,
		"a |": false, "rm /": false,
		"x - 1": false, "x++": false, "3": false, "x < 4": false,
	} {
		if got := words.LooksTyped(line); got != want {
			t.Errorf("LooksTyped(%q) = %v", line, got)
		}
	}
}

func TestUncommented(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", " \n\t": "", "# c": "", " # c\n\n#\n step a 1\n# d": " step a 1\n# d", "x # c": "x # c",
	} {
		if got := words.Uncommented(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"short\nlines\n", "short\nlines\n"},
		{"one two three four five six seven", "one two three four five\n  six seven"},
		{"  one two three four five six seven", "  one two three four\n    five six seven"},
		{"q0  what it does in a sentence", "q0  what it does in a\n    sentence"},
		// hardly any room
		{"q0  0 to 1  0.5      What it does", "q0  0 to 1  0.5\n            What it does"},
		{"→→→ →→→ →→→ →→→ →→→ →→→ →→", "→→→ →→→ →→→ →→→ →→→ →→→\n  →→"},
		{strings.Repeat("x", 30), strings.Repeat("x", 24) + "\n  " + strings.Repeat("x", 6)},
	} {
		if got := words.Wrap(c.text, 24); got != c.want {
			t.Errorf("%q becomes\n%s\nwant\n%s", c.text, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("  ab\n"))).Draw(t, "text")
		got := words.Wrap(text, 20)
		for line := range strings.Lines(got) {
			if len(strings.TrimSuffix(line, "\n")) > 20 && strings.TrimSpace(line) != "" {
				t.Fatalf("%q: the line %q is too long", text, line)
			}
		}
		if squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }; squeeze(
			got) != squeeze(text) {
			t.Fatalf("%q becomes %q", text, got)
		}
	})
}

func TestAnythingCanBeCompleted(t *testing.T) {
	t.Parallel()
	var vocabulary []string
	for _, v := range wire.Verbs {
		vocabulary = append(vocabulary, v.Name)
	}
	vocabulary = append(vocabulary, "a", "as", "to", "until", "q0=1", "q0=", "10s", "'", `"x y"`, "=",
		"==", "%", ";", "gap<1", "fresh", "/", "é")
	rapid.Check(t, func(t *rapid.T) {
		cmd := strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 6).Draw(t, "words"), " ")
		if from, _ := words.Complete(cmd, know{}); from < 0 || from > len(cmd) {
			t.Fatalf("%q: the completion begins at %d", cmd, from)
		}
		words.IsCommand(cmd)
	})
}

// know is a session with two runs.
type know struct{}

func (know) Runs() []reply.Status {
	return []reply.Status{
		{Run: "a", Solver: "acs", Variant: "seq", Instance: "E1k.0", Iteration: 5},
		{Run: "b", Solver: "mmas", Instance: "E1k.0"},
	}
}

func (know) Params(run string) []reply.Param {
	if run != "a" {
		return nil
	}
	return []reply.Param{
		{
			Name: "q0", Class: "live", Type: "float", Range: "0 to 1", Value: record.Num(0.9),
			Default: record.Num(0.5), Doc: "How greedy.",
		},
		{
			Name: "deposit", Class: "live", Type: "enum", Options: []string{"best", "iteration"},
			Value: record.Text("best"), Default: record.Text("best"), Doc: "Who deposits.",
		},
		{
			Name: "storage", Class: "structural", Type: "enum", Options: []string{"matrix"},
			Value: record.Text("candidates"), Doc: "Where.",
		},
	}
}

func (k know) SolverParams(solver string) []reply.Param {
	ps := k.Params("a")
	if solver == "acs/alt" {
		ps = append(ps, reply.Param{
			Name: "moves", Class: "structural", Type: "enum",
			Options: []string{"2opt", "2opt+or", "2opt-rounds", "turns", "none"},
			Doc: "Moves: 2opt exchanges two edges; 2opt+or inserts segments, or turns them. A GPU " +
				"takes these, and 2opt-rounds (many at once) and none.",
		})
	}
	return ps
}

func (know) Solvers() []reply.Variant {
	return []reply.Variant{
		{
			Solver: "acs", Variant: "seq", Default: true, Title: "Ant Colony System",
			Presets: []string{"default", "paper"}, PresetDocs: []string{"At first.", "As published."},
			Kinds: []string{"tsp", "atsp"},
		},
		{Solver: "acs", Variant: "alt", Title: "Late ants", Presets: []string{"default", "local"}},
	}
}

func (know) Names() []reply.SolverName {
	return []reply.SolverName{{
		Name: "acs-gpu-alt", Solver: "acs", Variant: "alt", Preset: "local",
		Text: "acs/alt preset=local", Paper: "R. Someone, 2016", Authors: []string{"someone"},
		Doc: "ants in a hurry",
	}}
}

func (know) Tables() []reply.BenchTable {
	return []reply.BenchTable{{Name: "ants"}, {Name: "gpu"}, {Name: "p-1", Paper: "p"}}
}

func (know) Autosaves() []reply.Autosave {
	return []reply.Autosave{
		{ID: "p-1/a", Run: "a", Solver: "acs", Instance: "d198", Iteration: 7, At: time.Now()},
		{ID: "q-2/b", Run: "b", At: time.Now(), Damage: "line 1"},
	}
}
func (know) Instances() []string { return []string{"pr1002", "pr2392", "d198", "tai10a"} }
func (know) Dir() string         { return "testdata" }

func (know) KindOf(name string) string {
	return map[string]string{"pr2392": "tsp", "tai10a": "qap"}[name]
}

// A completion of a preset says what it is for.
func TestCompletePreset(t *testing.T) {
	t.Parallel()
	_, list := words.Complete("open acs pr1002 preset=p", know{})
	if len(list) != 1 || list[0] != (words.Suggestion{Text: "paper", Doc: "As published."}) {
		t.Errorf("%+v", list)
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		word string // what is replaced
		want []string
	}{
		{"st", "st", []string{"step"}},
		{"step a 1; set", "set", []string{"set"}},
		{"open ", "", []string{
			"acs", "acs/seq", "acs/alt", "acs-gpu-alt", "as", "seed=", "preset=", "variant=", "on=",
			"device=", "start=", "over=", "fresh",
		}},
		{"open as pr", "pr", []string{"pr1002", "pr2392", "preset="}},
		{"open acs-", "acs-", []string{"acs-gpu-alt"}},
		{"open some", "some", nil},
		{"solvers some", "some", []string{"someone"}},
		{"help acs-", "acs-", []string{"acs-gpu-alt"}},
		{"open acs-gpu-alt pr1002 preset=", "", []string{"default", "local"}},
		{"open ACS-GPU-Alt pr1002 moves=2opt-", "2opt-", []string{"2opt-rounds"}},
		{"open acs pr", "pr", []string{"pr1002", "pr2392", "preset="}},
		{"open acs tai", "tai", nil},
		{"solve tai", "tai", []string{"tai10a"}},
		{"open acs pr1002 q", "q", []string{"q0="}},
		{"open acs pr1002 preset=", "", []string{"default", "paper"}},
		{"open acs/alt pr1002 preset=", "", []string{"default", "local"}},
		{"open acs pr1002 variant=alt preset=", "", []string{"default", "local"}},
		{"open acs pr1002 moves=", "", nil},
		{"open acs pr1002 variant=alt moves=2opt-", "2opt-", []string{"2opt-rounds"}},
		{"open acs pr1002 on=", "", []string{"cpu", "cuda", "cuda:all"}},
		{
			"bench ", "",
			[]string{"ants", "gpu", "p-1", "seeds=", "first=", "full", "list", "peer="},
		},
		{"paper ", "", []string{"p-1", "columns="}},
		{"claim so paired", "paired", []string{"paired-lower", "paired-higher"}},
		{"set a ", "", []string{"q0=", "deposit=", "default", "b"}},
		{"set a q0=", "", []string{"0.9", "0.5"}},
		{"set a deposit=i", "i", []string{"iteration"}},
		{"fork a st", "st", []string{"storage="}},
		{"fork a variant=", "", []string{"seq", "alt"}},
		{"fork a variant=alt mov", "mov", []string{"moves="}},
		{"step ", "", []string{"a", "b", "wall=", "cpu=", "until"}},
		{"step a until g", "g", []string{"gap<"}},
		{"pause a ", "", []string{"b"}},
		{"save a ", "", []string{"x.run", "to", "nostate", "force", "b"}},
		{"save a b ", "", []string{"x.run", "to", "nostate", "force"}},
		{"show a x ", "", nil},
		{"plot a t", "t", []string{"tour", "trails", "title=", "to"}},
		{"plot a best tr", "tr", []string{"trails"}},
		{"plot a best x=", "", []string{"iteration", "time", "cpu", "evaluations"}},
		{"plot a legend=", "", []string{"off"}},
		{"help ste", "ste", []string{"step"}},
		{"recover ", "", []string{
			"p-1/a", "q-2/b", "as", "differs", "code", "discard", "sure", "solver=", "older=",
		}},
		{"recover q", "q", []string{"q-2/b"}},
		{"help q", "q", []string{"quit", "q0"}},
		{"?acs", "acs", []string{"acs", "acs-gpu-alt"}},
		{"?lab.O", "lab.O", nil},
		{"params a q0,d", "d", []string{"deposit"}},
		{"load ", "", []string{"x.run", "as", "on=", "differs", "code"}},
		{"nonsense ", "", nil},
		{`bench tours row="pr; st`, "pr; st", nil}, // a semicolon in quotation marks ends nothing
		{`bench tours row="pr"; st`, "st", []string{"step"}},
		{"step a 1 # st", "", nil},
		{`load "`, "", []string{`x.run"`}},
		{`diff a path="x`, `x`, nil},
		{"%st", "st", []string{"step"}},
	} {
		from, got := words.Complete(c.text, know{})
		var texts []string
		for _, s := range got {
			texts = append(texts, s.Text)
		}
		if c.text == "step " { // n, wall and the rest may stand in any order
			slices.Sort(texts)
			slices.Sort(c.want)
		}
		if c.text[from:] != c.word || !slices.Equal(texts, c.want) {
			t.Errorf("%q: replaces %q with %q, want %q with %q", c.text, c.text[from:], texts,
				c.word, c.want)
		}
	}
}

// An option is described by the clause of its parameter's sentence that names it.
func TestOptionsAreDescribed(t *testing.T) {
	t.Parallel()
	_, got := words.Complete("open acs pr1002 variant=alt moves=", know{})
	want := []words.Suggestion{
		{Text: "2opt", Doc: "2opt exchanges two edges"},
		{Text: "2opt+or", Doc: "2opt+or inserts segments, or turns them"},
		{Text: "2opt-rounds", Doc: "2opt-rounds (many at once) and none"},
		{Text: "turns", Doc: know{}.SolverParams("acs/alt")[3].Doc}, // inside a clause
		{Text: "none", Doc: know{}.SolverParams("acs/alt")[3].Doc},  // nothing is said of it
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	first, err := words.Help("", nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(first, "\n") + 1; n > 22 {
		t.Errorf("the first screen of help has %d lines, which a small terminal does not show", n)
	}
	all, err := words.Help("all", nil)
	if err != nil {
		t.Fatal(err)
	}
	all, arguments, _ := strings.Cut(all, "\n\nall: ")
	if !strings.Contains(arguments, "Other sessions and autosaves") {
		t.Errorf("help all does not tell of the argument: %s", arguments)
	}
	for line := range strings.Lines(first + "\n" + all) {
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("a row of help is wider than 80 columns: %s", line)
		}
		if strings.Contains(line, "…") {
			t.Errorf("a row of help ends within a sentence: %s", line)
		}
	}
	for _, v := range wire.Verbs {
		if !strings.Contains(all, "  "+v.Name+" ") {
			t.Errorf("help all does not list %s", v.Name)
		}
		if !strings.Contains(first+"\n", " "+v.Name+" ") && !strings.Contains(first, " "+v.Name+"\n") {
			t.Errorf("help does not name %s", v.Name)
		}
		if of, err := words.Help(v.Group, nil); err != nil || !strings.Contains(of, "  "+v.Name+" ") {
			t.Errorf("help %s does not list %s: %v", v.Group, v.Name, err)
		}
		one, err := words.Help(v.Name, know{})
		if err != nil || !strings.Contains(one, v.Doc[1:]) || !strings.HasPrefix(one, v.Usage()) {
			t.Errorf("help %s: %v\n%s", v.Name, err, one)
		}
	}
	if _, err := words.Help("stpe", know{}); err == nil ||
		!strings.Contains(err.Error(), "did you mean step?") {
		t.Errorf("help of a word that means nothing: %v", err)
	}
}

// Help tells about parameters, solvers, runs, figures, arguments, instances and names of Go.
func TestHelpOfWords(t *testing.T) {
	t.Parallel()
	for word, want := range map[string][]string{
		"q0": {"q0: a live parameter of acs/seq, acs/alt\n  How greedy.\n  range: 0 to " +
			"1\n  now: a 0.9"},
		"acs": {
			"acs: a solver of kind tsp\n  seq (default)", "parameters of acs/seq:  q0",
			"presets:  default paper", "open acs/seq pr1002 as a q0=0.5; help q0",
		},
		"acs/alt": {"  alt  ", "parameters of acs/alt"},
		"a":       {"a: a run\n  acs/seq on E1k.0, a: iteration 5"},
		"tour":    {"tour: a figure", "plot a tour"},
		"until":   {"until: of solve, step, go, repeat\n  A condition: gap<1"},
		"acs-gpu-alt": {
			"acs-gpu-alt: a name of R. Someone, 2016\n  Ants in a hurry.",
			"acs/alt preset=local",
		},
		"Someone":  {"someone: an author of\n  acs-gpu-alt"},
		"pr1002":   {"pr1002: an instance"},
		"best":     {"best <run …>", "best: a figure", "best: a word of experiment"}, // all three
		"slowest":  {"slowest: a word of experiment, as in: experiment <name> slowest\n  List the ten"},
		"lab.Open": {"lab.Open func"},
	} {
		got, err := words.Help(word, know{})
		for _, w := range want {
			if err != nil || !strings.Contains(got, w) {
				t.Errorf("help %s: %v\n%s\nlacks %q", word, err, got, w)
			}
		}
	}
	if got, _ := words.Help("acs/alt", know{}); strings.Contains(got, "seq") {
		t.Errorf("help of a variant tells of another:\n%s", got)
	}
}

// Variants implements words.Book.
func (k know) Variants(q wire.SolversRequest) []reply.Variant {
	var out []reply.Variant
	for _, v := range k.Solvers() {
		if q.Param == "q0" || q.Param == "" && v.Solver == q.Solver {
			v.Kinds, v.Params = []string{"tsp"}, k.Params("a")[:1]
			out = append(out, v)
		}
	}
	return out
}

// Go implements words.Book.
func (know) Go(name string) (string, bool) {
	return name + " func(name string)", name == "lab.Open"
}

func TestNear(t *testing.T) {
	t.Parallel()
	verbs := []string{"best", "open", "set", "show", "step", "stop"}
	fmts := []string{"Fprint", "Fprintln", "Print", "Printf", "Println", "Sprint"}
	for _, c := range []struct {
		word  string
		known []string
		want  string
	}{
		{"Printn", fmts, "Println"}, // Print is as near
		{"println", fmts, "Println"},
		{"Opn", []string{"On", "Open"}, "Open"},
		{"Splitt", []string{"Join", "SplitN", "Split"}, "Split"},
		{"setp", verbs, "step"}, // set is as near
		{"stp", verbs, "step"},
		{"sett", verbs, "set"},
		{"opne", verbs, "open"},
		{"stings", []string{"strings", "testing"}, "strings"},
		{"best_", verbs, "best"},
		{"q", []string{"q0"}, ""},
		{"zzz", verbs, ""},
		{"", verbs, ""},
	} {
		if got := words.Near(c.word, c.known); got != c.want {
			t.Errorf("%q is near %q, want %q", c.word, got, c.want)
		}
	}
}
