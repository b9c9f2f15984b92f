package wire_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// The arguments of a verb are the fields of its request.
func TestRequestsMatchTheTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, v := range wire.Verbs {
		if seen[v.Name] {
			t.Errorf("verb %s stands twice in the table", v.Name)
		}
		seen[v.Name] = true
		if v.Doc == "" || strings.HasSuffix(v.Doc, ".") || v.Example == "" {
			t.Errorf("verb %s: doc %q, example %q", v.Name, v.Doc, v.Example)
		}
		ok := false
		for _, g := range wire.Groups {
			ok = ok || g == v.Group
		}
		if !ok {
			t.Errorf("verb %s is in group %q, which help does not show", v.Name, v.Group)
		}
		if v.Front {
			if v.NewRequest() != nil || v.NewReply() != nil {
				t.Errorf("verb %s is a front end's and has a request or a reply", v.Name)
			}
			continue
		}
		fields := map[string]bool{}
		rt := reflect.TypeOf(v.NewRequest()).Elem()
		for _, f := range reflect.VisibleFields(rt) {
			if f.Anonymous {
				continue
			}
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			fields[name] = true
			if _, ok := v.Arg(name); !ok {
				t.Errorf("verb %s: field %s of its request is no argument", v.Name, name)
			}
		}
		for _, a := range v.Args {
			if !fields[a.Name] {
				t.Errorf("verb %s: argument %s is no field of its request", v.Name, a.Name)
			}
			if a.Doc == "" {
				t.Errorf("verb %s: argument %s has no sentence", v.Name, a.Name)
			}
		}
		raw, err := json.Marshal(v.NewReply())
		if err != nil {
			t.Errorf("verb %s: an empty reply: %v", v.Name, err)
		}
		if !strings.HasPrefix(string(raw), `{"verb":`) {
			t.Errorf("verb %s: its reply does not begin with the verb: %.40s", v.Name, raw)
		}
		r, err := wire.Decode(v.Name, raw)
		if err != nil {
			t.Fatalf("verb %s: %v", v.Name, err)
		}
		_, _ = r.String(), r.HTML() // of empty replies: no panic
	}
}

// The examples of the table can be typed.
func TestExamplesParse(t *testing.T) {
	t.Parallel()
	for _, v := range wire.Verbs {
		for _, line := range wire.Split(v.Example) {
			c, err := wire.Parse(line, wire.Scope{Runs: []string{"a", "b"}, Dir: "/d"})
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
	ab := wire.Scope{Runs: []string{"a", "b"}, Dir: "/d"}
	cur := wire.Scope{Runs: []string{"a", "b"}, Current: "a", Dir: "/d"}
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
		scope wire.Scope
		want  map[string]any
	}{
		{"open acs pr1002 as a seed=42 preset=paper ants=256", wire.Scope{}, map[string]any{
			"solver": "acs", "instance": "pr1002", "as": "a", "seed": u64(42), "preset": "paper", "params": vs("ants", record.Num(256)),
		}},
		{"open acs/seq x/y.tsp fresh", ab, map[string]any{"solver": "acs/seq", "instance": "/d/x/y.tsp", "fresh": true}},
		{"open acs pr1002 local_search=none", ab, map[string]any{"solver": "acs", "instance": "pr1002", "params": vs("local_search", record.Text("none"))}},
		{"step a 100", ab, map[string]any{"run": "a", "n": u64(100)}},
		{"step 100", cur, map[string]any{"run": "a", "n": u64(100)}},
		{"step b 10s", cur, map[string]any{"run": "b", "wall": 10.0}},
		{"step 10cpu", cur, map[string]any{"run": "a", "cpu": 10.0}},
		{"step a 500 500ms", ab, map[string]any{"run": "a", "n": u64(500), "wall": 0.5}},
		{"step a until gap<1", ab, map[string]any{"run": "a", "until": "gap<1"}},
		{"step a until gap < 1, stall = 500", ab, map[string]any{"run": "a", "until": "gap < 1, stall = 500"}},
		{"step a 100", wire.Scope{}, map[string]any{"run": "a", "n": u64(100)}},
		{"set a q0=0.98 local_period=4", ab, map[string]any{"run": "a", "params": vs("q0", record.Num(.98), "local_period", record.Num(4))}},
		{"set q0 0.98", cur, map[string]any{"run": "a", "params": vs("q0", record.Num(.98))}},
		{"set b q0 0.98", cur, map[string]any{"run": "b", "params": vs("q0", record.Num(.98))}},
		{"fork a as b q0=0.9 on=cuda", ab, map[string]any{"run": "a", "as": "b", "on": "cuda", "params": vs("q0", record.Num(.9))}},
		{"plot a tour", ab, map[string]any{"runs": []string{"a"}, "figure": "tour"}},
		{"plot a b", ab, map[string]any{"runs": []string{"a", "b"}}},
		{"plot a b best", ab, map[string]any{"runs": []string{"a", "b"}, "figure": "best"}},
		{"step c 10", ab, map[string]any{"run": "c", "n": u64(10)}}, // the host says that there is none
		{"plot tour", cur, map[string]any{"runs": []string{"a"}, "figure": "tour"}},
		{"plot a tour x.svg", ab, map[string]any{"runs": []string{"a"}, "figure": "tour", "to": "/d/x.svg"}},
		{"plot a b best tour x=cpu title='two runs' all", ab, map[string]any{"runs": []string{"a", "b"}, "figure": "best,tour", "x": "cpu", "title": "two runs", "all": true}},
		{"watch a best tour columns=1", ab, map[string]any{"runs": []string{"a"}, "figure": "best,tour", "columns": uint64(1)}},
		{"plot a to 'my x.png'", ab, map[string]any{"runs": []string{"a"}, "to": "/d/my x.png"}},
		{"plot a tour", wire.Scope{}, map[string]any{"runs": []string{"a"}, "figure": "tour"}},
		{"compare a b", wire.Scope{}, map[string]any{"runs": []string{"a", "b"}}},
		{"save a a.run", ab, map[string]any{"run": "a", "path": "/d/a.run"}},
		{"save /tmp/x", cur, map[string]any{"run": "a", "path": "/tmp/x"}},
		{"diff a b.run", ab, map[string]any{"a": "a", "b": "/d/b.run"}},
		{"repeat a 20 n=1000 # of many", ab, map[string]any{"run": "a", "seeds": u64(20), "n": u64(1000)}},
		{"runs all", ab, map[string]any{"all": true}},
		{"history a 20", ab, map[string]any{"run": "a", "last": u64(20)}},
		{"instances", ab, map[string]any{}},
		{"save a", ab, map[string]any{"run": "a", "path": "/d/a.run"}},
		{"save", cur, map[string]any{"run": "a", "path": "/d/a.run"}},
		{"set q0 0.5 beta 3", cur, map[string]any{"run": "a", "params": vs("q0", record.Num(.5), "beta", record.Num(3))}},
		{"go a until gap<1", ab, map[string]any{"run": "a", "until": "gap<1"}},
	} {
		got, err := wire.Parse(c.line, c.scope)
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
	scope := wire.Scope{Runs: []string{"a", "b", "c"}, Current: "c", Dir: "/d"}
	for line, want := range map[string][]map[string]any{
		"step a b 100":       {{"run": "a", "n": uint64(100)}, {"run": "b", "n": uint64(100)}},
		"step 10s b":         {{"run": "b", "wall": 10.0}},
		"pause all":          {{"run": "a"}, {"run": "b"}, {"run": "c"}},
		"save b c":           {{"run": "b", "path": "/d/b.run"}, {"run": "c", "path": "/d/c.run"}},
		"pause":              {{"run": "c"}},
		"go a c until gap<1": {{"run": "a", "until": "gap<1"}, {"run": "c", "until": "gap<1"}},
	} {
		call, err := wire.Parse(line, scope)
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
	for line, want := range map[string]string{"step": "which run?", "watch zz": `"zz" is no open run (there are: a)`} {
		if _, err := wire.Parse(line, wire.Scope{Runs: []string{"a"}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s, and no run was used: %v, want %s", line, err, want)
		}
	}
	call, err := wire.Parse("plot zz", scope)
	if err != nil {
		t.Fatal(err)
	}
	if err := call.Hint(&wire.Error{Code: wire.CodeRequest, Message: "x"}); err.Error() != `x; "zz" is no open run either (there are: a, b, c)` || wire.CodeOf(err) != wire.CodeRequest {
		t.Errorf("hint: %v", err)
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	ab := wire.Scope{Runs: []string{"a", "b"}, Current: "b"}
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
		{"step a 1 2", `"2" has no place: n is 1 already`},
		{"step a abc", `"abc" is no open run (there are: a, b), no integer for n, no time (as 10s or 10cpu) and no condition (as until gap<1)`},
		{"step zz 3", `"zz" is no open run (there are: a, b); usage`},
		{"step a b a 3", "a is named twice"},
		{"go zz", `"zz" is no open run (there are: a, b)`},
		{"set zz q0=0.5", `"zz" is no open run (there are: a, b), and has no value`},
		{"set zz q0 0.5", `"zz" is no open run (there are: a, b)`},
		{"set a q0=", "q0 has no value"},
		{"open as x seed=", "seed has no value"},
		{"fork a zz", "stands behind the word as: as zz"},
		{"show a zz", `"zz" is no open run`},
		{"replay a.run b.run", "one word too many"},
		{"save a b x.run", "path names one file for 2 runs; without it they go into a.run, b.run"},
		{"pause a -y", "no options with a dash"},
		{"step a 1e18", `n is "1e18", want an integer`},
		{"step a -5s", `n is "-5s", want an integer`},
		{"set a q0", `"q0" has no value`},
		{"open acs", "instance is missing"},
		{"open acs x seed=y", "want an integer"},
		{"open acs x seed=1 seed=2", "given twice"},
		{"set a q0=1 q0=2", "given twice"},
		{"save a 'x", "not closed"},
		{"open acs x fresh=maybe", "true or false"},
		{"close", "which run? close needs its name (there are: a, b)"}, // not the run of the last command
	} {
		ab := ab
		if c.line == "close" {
			ab.Current = "a"
		}
		_, err := wire.Parse(c.line, ab)
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
	got := wire.Split("a; b 'x;y' # c; d\n# e\n\n f ;g#h")
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
			Figure: "tour,trails", PlotLook: wire.PlotLook{Columns: 1, Size: "8cmx6cm"},
		},
		"best x=time range=..60 title='a b' legend=off all": {
			Figure: "best", PlotLook: wire.PlotLook{X: "time", Range: "..60", Title: "a b", Legend: "off", All: true},
		},
	} {
		want.Runs = []string{"a", "b"}
		got, err := wire.ParsePlot(figure, want.Runs)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%q: %v %s", figure, err, d)
		}
	}
	for figure, want := range map[string]string{"best y=cpu": `there is no argument "y"`, "best columns=two": `columns is "two"`, "'best": "not closed"} {
		if _, err := wire.ParsePlot(figure, []string{"a"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", figure, err, want)
		}
	}
}

func TestConds(t *testing.T) {
	t.Parallel()
	got, err := wire.ParseConds("gap<1, best<=2579 ,stall=500,iteration>=10,time=2m,cpu=1.5,gap<=0.5%")
	if err != nil {
		t.Fatal(err)
	}
	want := []wire.Cond{
		{"gap", 1, true},
		{"best", 2579, false},
		{"stall", 500, false},
		{"iteration", 10, false},
		{"time", 120, false},
		{"cpu", 1.5, false},
		{"gap", .5, false},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, bad := range []string{"", "gap", "gap<", "gap>1", "best==3", "stall<5", "stall=1.5", "time=x", "x=1", "gap<nan", "gap<inf", "stall=-1", ",", "gap<1,"} {
		if c, err := wire.ParseConds(bad); err == nil {
			t.Errorf("%q gives %v, want an error", bad, c)
		}
	}
}

func TestNum(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Draw(t, "v")
		b, err := json.Marshal(wire.Num(v))
		if err != nil {
			t.Fatal(err)
		}
		var n wire.Num
		if err := json.Unmarshal(b, &n); err != nil {
			t.Fatal(err)
		}
		if math.IsInf(v, 0) || math.IsNaN(v) {
			if string(b) != "null" || n.Known() {
				t.Fatalf("%v is %s and comes back as %v", v, b, n)
			}
		} else if float64(n) != v {
			t.Fatalf("%v comes back as %v", v, float64(n))
		}
	})
}

func TestSessionNames(t *testing.T) {
	for _, bad := range []string{"", ".x", "-x", "a b", "a/b", "ä", strings.Repeat("x", 41)} {
		if wire.CheckSession(bad) == nil {
			t.Errorf("%q is taken for a name", bad)
		}
	}
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	p, err := wire.SocketPath("s1")
	if err != nil || !strings.HasSuffix(p, "/metalab/s1.sock") {
		t.Errorf("socket of s1: %q, %v", p, err)
	}
	if _, err := wire.SocketPath("/" + strings.Repeat("x", 120)); err == nil || !strings.Contains(err.Error(), "121 bytes") {
		t.Errorf("a path that is too long: %v", err)
	}
	if _, err := wire.Dial(t.Context(), "nobody", ""); wire.CodeOf(err) != wire.CodeHost {
		t.Errorf("a session that is not there: %v", err)
	}
	if s := wire.Sessions(t.Context()); len(s) != 0 {
		t.Errorf("sessions in an empty folder: %v", s)
	}
}

func TestEscape(t *testing.T) {
	t.Parallel()
	r := &wire.RunReply{Status: wire.Status{Run: `<script>"&'`}}
	if h := r.HTML(); strings.Contains(h, "<script>") || strings.Contains(h, `"&'`) {
		t.Errorf("HTML is not escaped: %s", h)
	}
	j := &wire.JournalReply{Changes: []wire.Change{{Kind: "stop", Who: "\x1b[31mx"}}}
	if strings.Contains(j.String(), "\x1b") {
		t.Error("a name can write to the terminal")
	}
}

func FuzzParse(f *testing.F) {
	for _, v := range wire.Verbs {
		f.Add(v.Example)
	}
	f.Add("set a 'q0'=\"1 until=")
	f.Fuzz(func(t *testing.T, line string) {
		for _, s := range wire.Split(line) {
			for _, scope := range []wire.Scope{{}, {Runs: []string{"a", "b"}, Current: "b", Dir: "/d"}} {
				c, err := wire.Parse(s, scope)
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

// A table of runs drops columns where it would be too wide, and no run.
func TestRunsFit(t *testing.T) {
	t.Parallel()
	r := &wire.RunsReply{Runs: []wire.Status{
		{Run: "first", Solver: "ils", Variant: "2opt-rounds", Instance: "rand-10000-17", Backend: "cuda", State: "stepping", Iteration: 29622, Best: 1.0724986e7, Gap: 12.345, WallS: 4000, CPUS: 4000},
		{Run: "b", Solver: "acs", Variant: "seq", Instance: "E1k.0", Backend: "cpu", State: "paused", Iteration: 1, Best: 23e6, Gap: 1, WallS: 0.1, CPUS: 0.1},
	}}
	for _, c := range []struct {
		cols int
		has  []string
		not  []string
	}{
		{0, []string{"cpu", "backend", "1h6m40s", "12.345"}, nil},
		{200, []string{"cpu", "backend", "1h6m40s", "12.345"}, nil},
		{80, []string{"first", "10724986", "stepping"}, []string{"1h6m40s", "cuda"}},
	} {
		text := wire.Text(r, c.cols)
		for line := range strings.SplitSeq(text, "\n") {
			if c.cols > 0 && utf8.RuneCountInString(line) > c.cols {
				t.Errorf("for %d columns: %s", c.cols, line)
			}
		}
		for _, w := range c.has {
			if !strings.Contains(text, w) {
				t.Errorf("for %d columns there is no %q:\n%s", c.cols, w, text)
			}
		}
		for _, w := range c.not {
			if strings.Contains(text, w) {
				t.Errorf("for %d columns there is %q:\n%s", c.cols, w, text)
			}
		}
	}
}
