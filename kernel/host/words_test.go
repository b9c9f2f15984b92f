package host_test

import (
	"context"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// go returns at once, ends at the first of its limits, and everybody is told.
func TestGoUntil(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a; step a 5")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	events := l.C.Events(ctx, 0)
	note := func() string {
		t.Helper()
		for e, err := range events {
			if err != nil {
				t.Fatal(err)
			}
			if e.Kind == wire.EventNotice {
				return e.Note
			}
		}
		return ""
	}
	if r := l.Do("go a until iteration=3").(*reply.RunReply); r.State != "paused" ||
		!strings.Contains(r.String(), "at iteration 3 already") {
		t.Errorf("a limit that is reached: %s", r)
	}
	if r := l.Do("go a until iteration=300, time=1h").(*reply.RunReply); r.Verb != "go" {
		t.Errorf("go: %+v", r)
	}
	if n := note(); !strings.HasPrefix(n, "a: iteration 300, best ") ||
		!strings.HasSuffix(n, "; stopped: at iteration 300") {
		t.Errorf("notice %q", n)
	}
	l.Do("go a 50")
	if n := note(); !strings.HasSuffix(n, "; stopped: after 50 iterations") ||
		l.Show("a").Iteration != 350 {
		t.Errorf("notice %q at iteration %d", n, l.Show("a").Iteration)
	}
	l.Fails("go a until gap<1", wire.CodeRequest, "no best value of rand-20-1 is known")
	l.Do("go a 10m; pause a")
	if s := l.Show("a"); s.State != "paused" {
		t.Errorf("state %s", s.State)
	}
}

// An instance in the solver's place, and arguments of other verbs, are answered with the line that
// is meant.
func TestOpenSlips(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	for line, want := range map[string]string{
		"open rand-20-1":              "the solver stands before it: open ils rand-20-1;",
		"open pr1002 mmas":            "the solver stands before it: open mmas pr1002;",
		"open PR1002":                 "PR1002 is an instance",
		"open mine.tsp acs":           "mine.tsp is an instance",
		"open tai50a":                 "open tabu tai50a;",
		"open acs":                    "instance is missing",
		"open acsx rand-20-1":         `no solver is called "acsx"`,
		"open acs rand-20-1 time=60":  "step a 60s",
		"open acs rand-20-1 seeds=10": "repeat a 10",
	} {
		l.Fails(line, wire.CodeRequest, want)
	}
	l.Do("open walk rand-20-1 as z")
	l.Fails("fork z as y iterations=7", wire.CodeRequest, "step y 1000")
}

// A step tells its own iterations and times, not those of the run.
func TestStepTellsItsOwn(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-50-1 as a; step a 20000")
	r := l.Do("step a 1").(*reply.StepReply)
	if r.Made != 1 || !(r.StepWallS > 0) || r.StepWallS*10 > r.WallS || r.StepCPUS*10 > r.CPUS ||
		!strings.Contains(r.String(), "; 1 iteration in ") {
		t.Errorf("%+v\n%s", r, r)
	}
	if s := l.Do("step a until iteration=5").String(); !strings.Contains(s,
		"no iteration was made; stopped: at iteration 5 already") {
		t.Error(s)
	}
	set, journal := l.Do("set a moves=5").String(), l.Do("journal a").String()
	if !strings.HasSuffix(set, "from iteration 20002") ||
		!strings.Contains(journal, "20001: moves 3 → 5 from iteration 20002 (test)") &&
			!strings.Contains(journal, "→ 5 from iteration 20002") {
		t.Errorf("set says %q, the journal %q", set, journal)
	}
}

// What means something else where runs are named is no name of a run.
func TestNamesOfRuns(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	for name, want := range map[string]string{
		"step": "a verb", "100": "a number", "1e3": "a number", "10s": "a time", "10cpu": "a time",
		"until": "a word of commands",
		"all":   "a word of commands", "off": "a word of commands", "tour": "a figure", "a/b": "letters",
	} {
		l.Fails("open walk rand-20-1 as "+name, wire.CodeRequest, want)
		if name != "a/b" {
			l.Fails("open walk rand-20-1 as x fresh; fork x as "+name, wire.CodeRequest, want)
		}
	}
	l.Do("open walk rand-20-1 as best2; open walk rand-20-1 as 2opt; open walk rand-20-1 as steps")
}

// Tables of parameters say what they do only of those that are named, or where that is asked for.
func TestParamsInShort(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open acs rand-100-1 as a")
	short, full := l.Do("params a").String(), l.Do("params a full").String()
	const doc = "Probability of taking the candidate"
	if strings.Contains(short, doc) || !strings.Contains(full, doc) ||
		strings.Count(short, "\n") != strings.Count(full, "\n")+1 {
		t.Errorf("in short:\n%s\nin full:\n%s", short, full)
	}
	two := l.Do("params a q0 ants").String()
	if !strings.HasPrefix(two, "q0 of a: 0.98; live, 0 to 1\n  "+doc) ||
		!strings.Contains(two, "\nants of a: 10;") || strings.Contains(two, "beta") {
		t.Errorf("of two:\n%s", two)
	}
	l.Fails("params a q7", wire.CodeRequest, `a has no parameter "q7"`, "q0")
	colonies := len(l.Do("solvers acs").(*reply.SolversReply).Variants)
	if s := l.Do("solvers param=q0").(*reply.SolversReply); len(s.Variants) != colonies ||
		s.Variants[1].Solver != "acs" || len(s.Variants[1].Params) != 1 {
		t.Errorf("solvers with q0: %+v", s.Variants)
	}
	l.Fails("solvers param=q7", wire.CodeRequest, `no solver has a parameter "q7"`)
	if s := l.Do("solvers acs").String(); strings.Contains(s, doc) ||
		!strings.Contains(l.Do("solvers acs full").String(), doc) {
		t.Errorf("solvers acs:\n%s", s)
	}
}
