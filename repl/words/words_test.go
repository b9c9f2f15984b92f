package words_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"metalab/kernel/wire"
	"metalab/repl/words"
	"metalab/solvers/record"

	"pgregory.net/rapid"
)

func TestCommands(t *testing.T) {
	t.Parallel()
	got, err := words.Commands("open acs E1k.0 as a; step a 10 # ten\n# all\n\nplot a to \"x;y.svg\";;set a q0=1")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"open acs E1k.0 as a", "step a 10", `plot a to "x;y.svg"`, "set a q0=1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if _, err := words.Commands("a\nb 'c"); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("an open quote: %v", err)
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	one := words.Scope{Runs: []string{"a"}, Dir: "/d"}
	two := words.Scope{Runs: []string{"a", "b"}, Dir: "/d"}
	for _, c := range []struct {
		cmd  string
		sc   words.Scope
		want string // JSON of the arguments
	}{
		{"open acs E1k.0 as a seed=7 ants=10", two, `{"as":"a","instance":"E1k.0","params":{"ants":10},"seed":7,"solver":"acs"}`},
		{"open mmas ./x.tsp fresh storage=matrix", two, `{"fresh":true,"instance":"/d/x.tsp","params":{"storage":"matrix"},"solver":"mmas"}`},
		{"step a 100", two, `{"n":100,"run":"a"}`},
		{"step a 1e6", two, `{"n":1000000,"run":"a"}`},
		{"step 100", one, `{"n":100,"run":"a"}`},
		{"step", one, `{"run":"a"}`},
		{"step a 10s", two, `{"run":"a","wall":10}`},
		{"step a 2m", two, `{"run":"a","wall":120}`},
		{"step a 10cpu", two, `{"cpu":10,"run":"a"}`},
		{"step a until gap<1", two, `{"run":"a","until":"gap<1"}`},
		{"step a until gap < 1, stall=500", two, `{"run":"a","until":"gap<1,stall=500"}`},
		{"set a q0=0.98 local_period=4", two, `{"params":{"local_period":4,"q0":0.98},"run":"a"}`},
		{"set q0=0.98", one, `{"params":{"q0":0.98},"run":"a"}`},
		{"set a q0 0.98", two, `{"params":{"q0":0.98},"run":"a"}`},
		{"%set a q0=1", two, `{"params":{"q0":1},"run":"a"}`},
		{"fork a as b q0=0.9 on=cuda", two, `{"as":"b","on":"cuda","params":{"q0":0.9},"run":"a"}`},
		{"plot a b tour", two, `{"figure":"tour","runs":["a","b"]}`},
		{"plot tour to t.svg", one, `{"figure":"tour","runs":["a"],"to":"/d/t.svg"}`},
		{"plot a", two, `{"runs":["a"]}`},
		{"compare a b", two, `{"runs":["a","b"]}`},
		{"save a 'my run.run'", two, `{"path":"/d/my run.run","run":"a"}`},
		{"save x.run", one, `{"path":"/d/x.run","run":"a"}`},
		{"diff a b.run", two, `{"a":"a","b":"/d/b.run"}`},
		{"repeat a 10 n=1000", two, `{"n":1000,"run":"a","seeds":10}`},
		{"repeat 10", one, `{"run":"a","seeds":10}`},
		{"runs all", two, `{"all":true}`},
		{"go", one, `{"run":"a"}`},
	} {
		got, err := words.Parse(c.cmd, c.sc)
		if err != nil {
			t.Errorf("%s: %v", c.cmd, err)
			continue
		}
		var j bytes.Buffer
		enc := json.NewEncoder(&j)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(got.Args); err != nil || strings.TrimSpace(j.String()) != c.want {
			t.Errorf("%s:\n%s, want\n%s (%v)", c.cmd, j.String(), c.want, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	two := words.Scope{Runs: []string{"a", "b"}, Dir: "/d"}
	for cmd, want := range map[string]string{
		"stepp a":           `"stepp" is not a verb, did you mean step?`,
		"open acs":          "instance is missing",
		"step":              "which run? there are a, b",
		"step a ten":        `n is "ten", want an integer`,
		"step a 1 2":        `"2" is one word too many`,
		"set a q0":          `"q0" is not name=value`,
		"set a q0=":         "q0= has no value",
		"set a q0=1 q0=2":   "q0 is given twice, as 1 and 2",
		"show a q0=1":       `it has no argument "q0"`,
		"open acs E1k.0 as": `nothing stands after "as"`,
		"":                  "nothing was typed",
	} {
		if _, err := words.Parse(cmd, two); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want it to contain %q", cmd, err, want)
		}
	}
	if _, err := words.Parse("step 10", words.Scope{}); err == nil {
		t.Error("a step without any run is accepted")
	}
}

func TestIsCommand(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"step a 100": true, "step": true, "%step := 1": true, "go a": true, "go": true, "help": true, "best a": true,
		"step := 3": false, "best = 1": false, "set.x": false, "go func() {}()": false, "go f(x)": false,
		"for i := range 3 {": false, "x": false, "show(a)": false, "a.Step(10)": false, "history, err := f()": true,
		"fork a as b; step b 3": true, "best += 2": false, "": false, "plot[0]": false,
	} {
		if line == "history, err := f()" {
			want = false
		}
		if got := words.IsCommand(line); got != want {
			t.Errorf("IsCommand(%q) = %v", line, got)
		}
	}
}

func TestParseNeverPanics(t *testing.T) {
	t.Parallel()
	sc := words.Scope{Runs: []string{"a"}, Dir: "/d"}
	var vocabulary []string
	for _, v := range wire.Verbs {
		vocabulary = append(vocabulary, v.Name)
	}
	vocabulary = append(vocabulary, "a", "as", "to", "until", "q0=1", "10", "10s", "'", `"x y"`, "=", "==", "%", ";", "gap<1", "fresh", "seed=-1", "-5", "é")
	rapid.Check(t, func(t *rapid.T) {
		cmd := strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 6).Draw(t, "words"), " ")
		if c, err := words.Parse(cmd, sc); err == nil && c.Verb.Name == "" {
			t.Fatalf("%q is a command without a verb", cmd)
		}
		words.IsCommand(cmd)
		words.Complete(cmd, know{})
		if _, err := words.Commands(cmd); err != nil && !strings.Contains(err.Error(), "quote") {
			t.Fatal(err)
		}
	})
}

// know is a session with two runs.
type know struct{}

func (know) Runs() []wire.Status {
	return []wire.Status{{Run: "a", Solver: "acs", Instance: "E1k.0", Iteration: 5}, {Run: "b", Solver: "mmas", Instance: "E1k.0"}}
}

func (know) Params(run string) []wire.Param {
	if run != "a" {
		return nil
	}
	return []wire.Param{
		{Name: "q0", Class: "live", Type: "float", Range: "0 to 1", Value: record.Num(0.9), Default: record.Num(0.5), Doc: "How greedy."},
		{Name: "deposit", Class: "live", Type: "enum", Options: []string{"best", "iteration"}, Value: record.Text("best"), Default: record.Text("best"), Doc: "Who deposits."},
		{Name: "storage", Class: "structural", Type: "enum", Options: []string{"matrix"}, Value: record.Text("candidates"), Doc: "Where."},
	}
}
func (k know) SolverParams(string) []wire.Param { return k.Params("a") }
func (know) Solvers() []wire.Variant {
	return []wire.Variant{{Solver: "acs", Variant: "seq", Default: true, Title: "Ant Colony System", Presets: []string{"paper"}}}
}
func (know) Instances() []string { return []string{"pr1002", "pr2392", "d198"} }
func (know) Dir() string         { return "testdata" }

func TestComplete(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		word string // what is replaced
		want []string
	}{
		{"st", "st", []string{"step"}},
		{"step a 1; se", "se", []string{"set"}},
		{"open ", "", []string{"acs", "acs/seq", "as", "seed=", "preset=", "variant=", "on=", "device=", "fresh"}},
		{"open acs pr", "pr", []string{"pr1002", "pr2392", "preset="}},
		{"open acs pr1002 q", "q", []string{"q0="}},
		{"open acs pr1002 preset=", "", []string{"default", "paper"}},
		{"set a ", "", []string{"q0=", "deposit="}},
		{"set a q0=", "", []string{"0.9", "0.5"}},
		{"set a deposit=i", "i", []string{"iteration"}},
		{"fork a st", "st", []string{"storage="}},
		{"step ", "", []string{"a", "b", "wall=", "cpu=", "until"}},
		{"step a until g", "g", []string{"gap<"}},
		{"plot a t", "t", []string{"tour", "trails", "to"}},
		{"help ste", "ste", []string{"step"}},
		{"load ", "", []string{"x.run", "as"}},
		{"nonsense ", "", nil},
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
			t.Errorf("%q: replaces %q with %q, want %q with %q", c.text, c.text[from:], texts, c.word, c.want)
		}
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	all, err := words.Help("")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range wire.Verbs {
		if !strings.Contains(all, "  "+v.Name+" ") {
			t.Errorf("help does not list %s", v.Name)
		}
		one, err := words.Help(v.Name)
		if err != nil || !strings.Contains(one, v.Doc) {
			t.Errorf("help %s: %v\n%s", v.Name, err, one)
		}
	}
	if _, err := words.Help("stpe"); err == nil || !strings.Contains(err.Error(), "did you mean step?") {
		t.Errorf("help of a word that is no verb: %v", err)
	}
}
