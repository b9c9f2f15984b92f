package reply_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"metalab/kernel/reply"
	"metalab/solvers/record"

	"pgregory.net/rapid"
)

func TestNum(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Draw(t, "v")
		b, err := json.Marshal(reply.Num(v))
		if err != nil {
			t.Fatal(err)
		}
		var n reply.Num
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

func TestEscape(t *testing.T) {
	t.Parallel()
	r := &reply.RunReply{Status: reply.Status{Run: `<script>"&'`}}
	if h := r.HTML(); strings.Contains(h, "<script>") || strings.Contains(h, `"&'`) {
		t.Errorf("HTML is not escaped: %s", h)
	}
	j := &reply.JournalReply{Changes: []reply.Change{{Change: record.Change{
		Kind: "stop", Who: "\x1b[31mx",
	}}}}
	if strings.Contains(j.String(), "\x1b") {
		t.Error("a name can write to the terminal")
	}
}

// A table of runs drops columns where it would be too wide, and no run.
func TestRunsFit(t *testing.T) {
	t.Parallel()
	r := &reply.RunsReply{Runs: []reply.Status{
		{
			Run: "first", Solver: "ils", Variant: "2opt-rounds", Instance: "rand-10000-17", Backend: "cuda",
			State: "stepping", Iteration: 29622, Best: 1.0724986e7, Gap: 12.345, WallS: 4000, CPUS: 4000,
		},
		{
			Run: "b", Solver: "acs", Variant: "seq", Instance: "E1k.0", Backend: "cpu", State: "paused",
			Iteration: 1, Best: 23e6, Gap: 1, WallS: 0.1, CPUS: 0.1,
		},
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
		text := reply.Text(r, c.cols)
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

// A module of Go has a line for each kernel, and no name writes to the terminal.
func TestModuleLines(t *testing.T) {
	t.Parallel()
	r := &reply.ModuleReply{GPUModule: reply.GPUModule{
		Path: "k\x1b.go", NoGPU: "none", Go: []reply.GoKernel{
			{Kernel: "one", Params: []reply.GoParam{{Param: "x", Type: "f32", Slice: true}}},
			{Kernel: "t\x07wo"},
		},
	}}
	want := "k?.go: compiled, and not loaded: none\n  one"
	if s := r.String(); !strings.HasPrefix(s, want) || !strings.Contains(s, "\n  t?") ||
		strings.Count(s, "?") != 2 {
		t.Errorf("got %q", s)
	}
}
