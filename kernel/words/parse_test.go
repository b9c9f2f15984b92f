package words_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
	"metalab/solvers/record"
)

// The examples of the table can be typed.
func TestExamplesParse(t *testing.T) {
	t.Parallel()
	for _, v := range wire.Verbs {
		for _, line := range words.Split(v.Example) {
			c, err := words.Parse(line, words.Scope{Runs: []string{"a", "b"}, Dir: "/d"})
			if err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			if req := v.NewRequest(); req != nil {
				if err := c.Bind(req); err != nil {
					t.Errorf("%s: %v", line, err)
				}
			}
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	ab := words.Scope{Runs: []string{"a", "b"}, Dir: "/d"}
	cur := words.Scope{Runs: []string{"a", "b"}, Current: "a", Dir: "/d"}
	vs := func(nv ...any) record.Values {
		m := record.Values{}
		for i := 0; i < len(nv); i += 2 {
			m[nv[i].(string)] = nv[i+1].(record.Value)
		}
		return m
	}
	u64 := func(x int) any { return uint64(x) }
	for _, c := range []struct {
		line  string
		scope words.Scope
		want  map[string]any
	}{
		{"open acs pr1002 as a seed=42 preset=paper ants=256", words.Scope{}, map[string]any{
			"solver": "acs", "instance": "pr1002", "as": "a", "seed": u64(42), "preset": "paper",
			"params": vs("ants", record.Num(256)),
		}},
		{"open acs/seq x/y.tsp fresh", ab, map[string]any{
			"solver": "acs/seq", "instance": "/d/x/y.tsp",
			"fresh": true,
		}},
		{"open acs pr1002 local_search=none", ab, map[string]any{
			"solver": "acs", "instance": "pr1002",
			"params": vs("local_search", record.Text("none")),
		}},
		{"step a 100", ab, map[string]any{"run": "a", "n": u64(100)}},
		{"step 100", cur, map[string]any{"run": "a", "n": u64(100)}},
		{"step b 10s", cur, map[string]any{"run": "b", "wall": 10.0}},
		{"step 10cpu", cur, map[string]any{"run": "a", "cpu": 10.0}},
		{"step a 500 500ms", ab, map[string]any{"run": "a", "n": u64(500), "wall": 0.5}},
		{"step a until gap<1", ab, map[string]any{"run": "a", "until": "gap<1"}},
		{
			"step a until gap < 1, stall = 500", ab,
			map[string]any{"run": "a", "until": "gap < 1, stall = 500"},
		},
		{"step a until gap<1 100", ab, map[string]any{"run": "a", "until": "gap<1", "n": u64(100)}},
		{"step a until stall=5 7", ab, map[string]any{"run": "a", "until": "stall=5", "n": u64(7)}},
		{"step a until gap<0.02 5s", ab, map[string]any{"run": "a", "until": "gap<0.02", "wall": 5.0}},
		{
			"step a until gap <1 , time= 10 s 5cpu", ab,
			map[string]any{"run": "a", "until": "gap <1 , time= 10 s", "cpu": 5.0},
		},
		{"step a until gap<1 % 8", ab, map[string]any{"run": "a", "until": "gap<1 %", "n": u64(8)}},
		{
			"repeat a 5 until gap<9 background", ab,
			map[string]any{"run": "a", "seeds": u64(5), "until": "gap<9", "background": true},
		},
		{
			"solve pr1002 until gap<1 to x.tour",
			words.Scope{Dir: "/d"},
			map[string]any{"instance": "pr1002", "until": "gap<1", "to": "/d/x.tour"},
		},
		{"step a 10 seconds", ab, map[string]any{"run": "a", "wall": 10.0}},
		{"step a 0.5 cpu", ab, map[string]any{"run": "a", "cpu": 0.5}},
		{"step a 2 cpu minutes", ab, map[string]any{"run": "a", "cpu": 120.0}},
		{"step a 100 iterations", ab, map[string]any{"run": "a", "n": uint64(100)}},
		{"go a 1 iteration", ab, map[string]any{"run": "a", "n": uint64(1)}},
		{"step a 1min10s until gap<3", ab, map[string]any{"run": "a", "wall": 70.0, "until": "gap<3"}},
		{"step a 1 min 10 s 5", ab, map[string]any{"run": "a", "wall": 70.0, "n": u64(5)}},
		{"step a 100 10s 5cpu", ab, map[string]any{"run": "a", "n": u64(100), "wall": 10.0, "cpu": 5.0}},
		{"go a for 1h 30min", ab, map[string]any{"run": "a", "wall": 5400.0}},
		{"set a q0=0.7, beta 3", ab, map[string]any{
			"run": "a", "params": vs("q0", record.Num(.7), "beta", record.Num(3)),
		}},
		{"set a q0 = 0.7 , beta = 3", ab, map[string]any{
			"run": "a", "params": vs("q0", record.Num(.7), "beta", record.Num(3)),
		}},
		{"set a q0 to 0.5", ab, map[string]any{"run": "a", "params": vs("q0", record.Num(.5))}},
		{"set q0 to 0.5, beta to 3", cur, map[string]any{
			"run": "a", "params": vs("q0", record.Num(.5), "beta", record.Num(3)),
		}},
		{"open acs pr1002 as c q0=0.7, beta=3", ab, map[string]any{
			"solver": "acs", "instance": "pr1002", "as": "c",
			"params": vs("q0", record.Num(.7), "beta", record.Num(3)),
		}},
		{"best a to b.tour", ab, map[string]any{"runs": []string{"a"}, "path": "/d/b.tour"}},
		{"best to b.txt", cur, map[string]any{
			"runs": []string{"a"}, "path": "/d/b.txt", "best": true,
		}},
		{"experiment e1 import x.csv", ab, map[string]any{
			"name": "e1", "do": "import", "from": "/d/x.csv",
		}},
		{"experiment e1 export x.csv", ab, map[string]any{
			"name": "e1", "do": "export", "to": "/d/x.csv",
		}},
		{"step a for 1min", ab, map[string]any{"run": "a", "wall": 60.0}},
		{"step a for 2 hours 100", ab, map[string]any{"run": "a", "wall": 7200.0, "n": u64(100)}},
		{"step a wall=2min", ab, map[string]any{"run": "a", "wall": 120.0}},
		{"step a 100", words.Scope{}, map[string]any{"run": "a", "n": u64(100)}},
		{
			"set a q0=0.98 local_period=4", ab,
			map[string]any{"run": "a", "params": vs("q0", record.Num(.98), "local_period", record.Num(4))},
		},
		{"set a q0 = 0.98", ab, map[string]any{"run": "a", "params": vs("q0", record.Num(.98))}},
		{"set a q0= 0.98", ab, map[string]any{"run": "a", "params": vs("q0", record.Num(.98))}},
		{"set a q0 =0.98 beta = 3", ab, map[string]any{
			"run": "a", "params": vs("q0", record.Num(.98), "beta", record.Num(3)),
		}},
		{"step a wall = 5", ab, map[string]any{"run": "a", "wall": 5.0}},
		{"set q0 0.98", cur, map[string]any{"run": "a", "params": vs("q0", record.Num(.98))}},
		{"set b q0 0.98", cur, map[string]any{"run": "b", "params": vs("q0", record.Num(.98))}},
		{"fork a as b q0=0.9 on=cuda", ab, map[string]any{
			"run": "a", "as": "b", "on": "cuda",
			"params": vs("q0", record.Num(.9)),
		}},
		{"plot a tour", ab, map[string]any{"runs": []string{"a"}, "figure": "tour"}},
		{"plot a b", ab, map[string]any{"runs": []string{"a", "b"}}},
		{"plot a b best", ab, map[string]any{"runs": []string{"a", "b"}, "figure": "best"}},
		{"step c 10", ab, map[string]any{"run": "c", "n": u64(10)}}, // the host says that there is none
		{"plot tour", cur, map[string]any{"runs": []string{"a"}, "figure": "tour"}},
		{"plot a tour x.svg", ab, map[string]any{
			"runs": []string{"a"}, "figure": "tour",
			"to": "/d/x.svg",
		}},
		{"plot a b best tour x=cpu title='two runs' all", ab, map[string]any{
			"runs":   []string{"a", "b"},
			"figure": "best,tour", "x": "cpu", "title": "two runs", "all": true,
		}},
		{"watch a best tour columns=1", ab, map[string]any{
			"runs": []string{"a"}, "figure": "best,tour",
			"columns": uint64(1),
		}},
		{"plot a to 'my x.png'", ab, map[string]any{"runs": []string{"a"}, "to": "/d/my x.png"}},
		{"plot a tour", words.Scope{}, map[string]any{"runs": []string{"a"}, "figure": "tour"}},
		{"compare a b", words.Scope{}, map[string]any{"runs": []string{"a", "b"}}},
		{"save a a.run", ab, map[string]any{"run": "a", "path": "/d/a.run"}},
		{"save /tmp/x", cur, map[string]any{"run": "a", "path": "/tmp/x"}},
		{"export a.run a.html inline", ab, map[string]any{
			"runs": []string{"/d/a.run"}, "path": "/d/a.html", "inline": true,
		}},
		{"export a to a.tour", words.Scope{Runs: []string{"a", "b"}, Dir: "/d"}, map[string]any{
			"runs": []string{"a"}, "path": "/d/a.tour",
		}},
		{"export a b to s.csv seeds", words.Scope{Runs: []string{"a", "b"}, Dir: "/d"}, map[string]any{
			"runs": []string{"a", "b"}, "path": "/d/s.csv", "seeds": true,
		}},
		{"export e1 to p.html", words.Scope{Runs: []string{"a", "b"}, Dir: "/d"}, map[string]any{
			"runs": []string{"e1"}, "path": "/d/p.html",
		}},
		{"export e1 p.html", ab, map[string]any{
			"runs": []string{"e1"}, "path": "/d/p.html",
		}},
		{"export a a.html engine=e.js", ab, map[string]any{
			"runs": []string{"a"}, "path": "/d/a.html", "engine": "/d/e.js",
		}},
		{"diff a b.run", ab, map[string]any{"a": "a", "b": "/d/b.run"}},
		{"repeat a 20 n=1000 # of many", ab, map[string]any{
			"run": "a", "seeds": u64(20),
			"n": u64(1000),
		}},
		{"sweep a q0=1,2 iterations=1000", ab, map[string]any{
			"run": "a", "n": u64(1000), "params": vs("q0", record.Text("1,2")),
		}},
		{"runs all", ab, map[string]any{"all": true}},
		{"history a 20", ab, map[string]any{"run": "a", "last": u64(20)}},
		{"instances", ab, map[string]any{}},
		{"show a source", ab, map[string]any{"of": "a"}},
		{"save a source", ab, map[string]any{"of": "a", "to": "/d/a.go"}},
		{"save a to x.run", ab, map[string]any{"run": "a", "path": "/d/x.run"}},
		{"save a source to w.go", ab, map[string]any{"of": "a", "to": "/d/w.go"}},
		{"load w.run code=yes", ab, map[string]any{"path": "/d/w.run", "code": true}},
		{"save a", ab, map[string]any{"run": "a", "path": "/d/a.run"}},
		{"save", cur, map[string]any{"run": "a", "path": "/d/a.run"}},
		{
			"set q0 0.5 beta 3", cur,
			map[string]any{"run": "a", "params": vs("q0", record.Num(.5), "beta", record.Num(3))},
		},
		{"go a until gap<1", ab, map[string]any{"run": "a", "until": "gap<1"}},
	} {
		got, err := words.Parse(c.line, c.scope)
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		opt := cmp.Comparer(func(a, b record.Value) bool { return a == b })
		if d := cmp.Diff(c.want, got.Args, opt); d != "" {
			t.Errorf("%s: (-want +got)\n%s", c.line, d)
		}
	}
}

// A line that names several runs is a call for each of them.
func TestParseSeveral(t *testing.T) {
	t.Parallel()
	scope := words.Scope{Runs: []string{"a", "b", "c"}, Current: "c", Dir: "/d"}
	for line, want := range map[string][]map[string]any{
		"step a b 100":       {{"run": "a", "n": uint64(100)}, {"run": "b", "n": uint64(100)}},
		"step 10s b":         {{"run": "b", "wall": 10.0}},
		"pause all":          {{"run": "a"}, {"run": "b"}, {"run": "c"}},
		"save b c":           {{"run": "b", "path": "/d/b.run"}, {"run": "c", "path": "/d/c.run"}},
		"pause":              {{"run": "c"}},
		"go a c until gap<1": {{"run": "a", "until": "gap<1"}, {"run": "c", "until": "gap<1"}},
	} {
		call, err := words.Parse(line, scope)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		var got []map[string]any
		for _, c := range call.Each() {
			got = append(got, c.Args)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", line, d)
		}
	}
	for line, want := range map[string]string{
		"step":     "which run?",
		"watch zz": `"zz" is no open run (there are: a)`,
	} {
		if _, err := words.Parse(line, words.Scope{Runs: []string{"a"}}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s, and no run was used: %v, want %s", line, err, want)
		}
	}
	for line, guess := range map[string]string{
		"plot a zz": "zz", "plot a tour": "", "plot a best,tour": "", "plot a b": "",
	} {
		if call, err := words.Parse(line, scope); err != nil || call.Guess != guess {
			t.Errorf("%s: %q may be a run, want %q; %v", line, call.Guess, guess, err)
		}
	}
	call, err := words.Parse("plot zz", scope)
	if err != nil {
		t.Fatal(err)
	}
	if err := call.Hint(&wire.Error{
		Code:    wire.CodeRequest,
		Message: "x",
	}); err.Error() != `x; "zz" is no open run either (there are: a, b, c)` ||
		wire.CodeOf(err) != wire.CodeRequest {
		t.Errorf("hint: %v", err)
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	ab := words.Scope{Runs: []string{"a", "b"}, Current: "b"}
	for _, c := range []struct{ line, want string }{
		{"", "nothing"},
		{"stepp a", "did you mean step?"},
		{"frob", "no verb"},
		{"step a 1; step b 1", "2 commands were given, want one"},
		{"step until", "until what?"},
		{"step a foo=1", `no argument "foo"`},
		{"step a until", "until what?"},
		{"step a until gap>1", "small enough"},
		{"step a until foo<1", "unknown name"},
		{"step a until gap<1 foo", `"foo" is no open run`},
		{"step a until gap<1 00 2", `"2" has no place: n is 0 already`},
		{"step a until stall=5 0", "n is 0, want more, or none"},
		{"step a until gap<1 0s", "wall is 0, want more, or none"},
		{"step a until gap<0.02s", `condition "gap<0.02s": "0.02s" is not a value`},
		{"step a until gap < x", `condition "gap < x": "x" is not a value`},
		{"step a 5 until 'gap<1 100'", `"1 100" is not a value`},
		{"repeat a 5 until gap<1 5", `"5" has no place: seeds is 5 already`},
		{"step a 1 2", `"2" has no place: n is 1 already`},
		{
			"step a abc",
			`"abc" is no open run (there are: a, b), no integer for n, ` +
				`no time (as 10s or 10cpu) and no condition (as until gap<1)`,
		},
		{"step zz 3", `"zz" is no open run (there are: a, b); usage`},
		{"step a b a 3", "a is named twice"},
		{"go zz", `"zz" is no open run (there are: a, b)`},
		{"set zz q0=0.5", `"zz" is no open run (there are: a, b), and has no value`},
		{"set zz q0 0.5", `"zz" is no open run (there are: a, b)`},
		{"set zz q0 = 0.5", `"zz" is no open run (there are: a, b), and has no value`},
		{"experiment import x.csv", "which experiment? its name stands before import"},
		{"experiment import from x.csv", "which experiment? its name stands before import"},
		{"experiment export to x.csv", "as in: experiment e1 export"},
		{"set a q0=", "q0 has no value"},
		{"set a q0= beta=3", "q0 has no value"},
		{"set a q0 =", `"q0"`},
		{"open as x seed=", "seed has no value"},
		{"fork a zz", "stands behind the word as: as zz"},
		{"show a zz", `"zz" is no open run`},
		{"replay a.run b.run", "one word too many"},
		{"save a b x.run", "path names one file for 2 runs; without it they go into a.run, b.run"},
		{"pause a -y", "no options with a dash"},
		{"step a 1e18", `n is "1e18", want an integer`},
		{"step a 99999999999999999999", "n is 99999999999999999999, want an integer that 64 bits hold"},
		{"step a -5s", `n is "-5s", want an integer`},
		{"set a q0", `"q0" has no value`},
		{"q0=0.9, ants 20", "set changes a parameter of a run: set b q0=0.9 ants=20"},
		{"q0=0.9 ants=20", "set changes a parameter of a run: set b q0=0.9 ants=20"},
		{"stop", "did you mean pause?"},
		{"open acs x seed=y", "want an integer"},
		{"open acs x seed=1 seed=2", "given twice"},
		{"set a q0=1 q0=2", "given twice"},
		{"save a 'x", "not closed"},
		{"open acs x fresh=maybe", "yes or no"},
		{"close", "which run? close needs its name (there are: a, b)"}, // not the run of the last command
	} {
		ab := ab
		if c.line == "close" {
			ab.Current = "a"
		}
		_, err := words.Parse(c.line, ab)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want one with %q", c.line, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: the error has more than one line: %v", c.line, err)
		}
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	got := words.Split("a; b 'x;y' # c; d\n# e\n\n f ;g#h")
	want := []string{"a", "b 'x;y'", "f", "g#h"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestParsePlot(t *testing.T) {
	t.Parallel()
	for figure, want := range map[string]wire.PlotRequest{
		"":           {},
		"tour":       {Figure: "tour"},
		"best, tour": {Figure: "best,tour"},
		"tour trails columns=1 size=8cmx6cm": {
			Figure: "tour,trails", PlotLook: reply.PlotLook{Columns: 1, Size: "8cmx6cm"},
		},
		"best x=time range=..60 title='a b' legend=off all": {
			Figure: "best", PlotLook: reply.PlotLook{
				X: "time", Range: "..60", Title: "a b", Legend: "off",
				All: true,
			},
		},
	} {
		want.Runs = []string{"a", "b"}
		got, err := words.ParsePlot(figure, want.Runs)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%q: %v %s", figure, err, d)
		}
	}
	for figure, want := range map[string]string{
		"best y=cpu":       `there is no argument "y"`,
		"best columns=two": `columns is "two"`, "'best": "not closed",
	} {
		if _, err := words.ParsePlot(figure, []string{"a"}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", figure, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, v := range wire.Verbs {
		f.Add(v.Example)
	}
	f.Add("set a 'q0'=\"1 until=")
	f.Fuzz(func(t *testing.T, line string) {
		for _, s := range words.Split(line) {
			for _, scope := range []words.Scope{{}, {Runs: []string{"a", "b"}, Current: "b", Dir: "/d"}} {
				c, err := words.Parse(s, scope)
				if err != nil {
					continue
				}
				if c.Verb.Front {
					continue
				}
				if err := c.Bind(c.Verb.NewRequest()); err != nil && wire.CodeOf(err) != wire.CodeRequest {
					t.Errorf("%q: %v", s, err)
				}
			}
		}
	})
}
