package cells

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"metalab/kernel/host"
	_ "metalab/kernel/host/rooms" // its verbs and algorithms
	"metalab/kernel/host/serve"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// begin serves a session with lines carried out, and returns a kernel of it.
func begin(t testing.TB, lines ...string) *Kernel {
	t.Helper()
	dir, err := os.MkdirTemp("", "mlc") // a short path: it is a socket's
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan struct{}), make(chan error, 1)
	o := host.Options{
		Session: "s", Socket: filepath.Join(dir, "r", "s.sock"),
		StateDir: filepath.Join(dir, "state"), Ready: func() { close(ready) },
	}
	go func() { done <- serve.Serve(ctx, o) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	<-ready
	c, err := wire.Dial(t.Context(), o.Socket, "test")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, line := range lines {
		call, err := words.Parse(line, words.Scope{Dir: "/nowhere"})
		if err == nil {
			err = words.Ask(t.Context(), c, c.NewCall(), call)[0].Err
		}
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	k := New(o.Socket)
	k.patience = 5 * time.Minute // the machine may be busy
	t.Cleanup(k.Close)
	return k
}

// In quotes the names that fit there are offered, and nothing elsewhere. The cursor is at |.
func TestComplete(t *testing.T) {
	k := begin(t, "open acs rand-50-1 as a", "open mmas rand-50-1 as long", "open tabu tai12a as q")
	t.Chdir(t.TempDir())
	for _, name := range []string{"mine.run", "map.tsp", "runs/old.run"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		code string
		want string // words, some of those that are offered; - before one that is not
	}{
		{`%%\na := lab.Open("a", "ac|`, "acs acs/seq acs/alt -as -mmas"},
		{`%%\na := lab.Open("a", "|", pr)`, "acs mmas ils tabu ga mmas/wrs"},
		{`lab.Open("|`, "a long q"},
		{`%%\npr := lab.Load("E1|")`, "E1k.0 -pr1002"},
		{`%%\npr := lab.Load("pr100|`, "pr1002"},
		{`lab.Load("ma|`, "map.tsp"},
		{`lab.Open("b", "acs", "E1|`, "E1k.0 -pr1002"},
		{`lab.Open("b", "acs", "ma|`, "map.tsp"},
		{`lab.Load("./ma|`, "./map.tsp"},
		{`lab.Get("lo|`, "long -a"},
		{`x := lab.Get("long").Set("rh|`, "rho"},
		{`a := lab.Open("long", "mmas", lab.Load("x"))\na.Set("rho", 0.5, "p|`, "p_best -q0"},
		{`a.Set("|`, "q0 ants beta -candidates"},
		{`l := lab.Get("long"); l.Set("deposit", "|`, "iteration best mixed"},
		{`nobody.Set("|`, "q0 p_best"},
		{`lab.Open("b", "acs", pr, lab.With("|`, "q0 candidates -p_best -deposit"},
		{
			`lab.Open("b", "mmas", lab.Load("pr1002"), lab.With("rho", 0.9, "local_search", "2|`,
			"2opt 2opt-rounds",
		},
		{`lab.Open("b", "mmas", pr, lab.Variant("|`, "wrs rows -seq"},
		{`lab.Open("b", "mmas/rows", pr, lab.Preset("paper|`, "paper paper-2opt"},
		{`lab.Open("b", "mmas", pr, lab.Variant("wrs"), lab.Preset("be|`, "best-local"},
		{`lab.Get("a").Fork("b", lab.With("cand|`, "candidates"},
		{`a.Fork("b", lab.On("|`, "cpu cuda"},
		{`a.Plot("t|`, "tour trails"},
		{`a.Plot("best, br|`, "branching -best"},
		{`lab.Plot("|`, "best tour heat"},
		{`a.PlotTo("x.svg", "to|`, "tour"},
		{`lab.Sliders(a, "q0", "an|`, "ants"},
		{`a.StepUntil("gap<1,st|`, "stall="},
		{`lab.Replay("|`, "mine.run runs/ -map.tsp"},
		{`lab.LoadRun("runs/|`, "runs/old.run"},
		{`lab.Bench("|`, "tours"},
		{`lab.Do("com|`, "compare"},
		{`a.Array("|`, "tour trails"},
		{"ü := \"𝛼\"; lab.Get(\"lo|\")", "long"},
		{"s := \"日本語 👍🏽\"; lab.Op|", "Open Option"},
		{"// 👍👍👍\\nlab.Get(\"lo|\")", "long"},
		{"%%\\n// 👍👍👍\\n%lab step l|", "long"},
		{"%|", "%lab %% %ls %reset %%writefile -%%time"},
		{"%%\\n  %l|", "%lab %list %ls -%reset -%%writefile"},
		{"x := 7 %|", ""},
		{`lab.Op|`, "Open Option -Watch"},
		{`fmt.Println("ac|`, ""},
		{`x := []string{"ac|`, ""},
		{`if x == "ac|`, ""},
		{`lab.Open("a", "acs") // "ac|`, ""},
		{"s := `ac|", ""},
		{`lab.Open("a", "zzz|`, ""},
		{`!ls "ac|`, ""},
		{`|`, ""},
	} {
		code := strings.ReplaceAll(c.code, `\n`, "\n")
		before, after, _ := strings.Cut(code, "|")
		pos := len([]rune(before))
		words, from, to, ok := k.Complete(before+after, pos)
		if ok != (c.want != "") {
			t.Errorf("%s: %q", c.code, words)
			continue
		}
		for w := range strings.FieldsSeq(c.want) {
			w, not := strings.CutPrefix(w, "-")
			if slices.Contains(words, w) == not {
				t.Errorf("%s: %q in %.200q is %v", c.code, w, words, !not)
			}
		}
		units := []rune(before + after)
		if len(words) > 0 && (to != pos || !strings.HasPrefix(words[0], string(units[from:to]))) {
			t.Errorf("%s: %q takes the place of %q", c.code, words[0], string(units[from:to]))
		}
	}
}

// A line of the prompt for which nothing fits has an answer, which is none: the Go language server,
// which would know nothing either, is not waited for.
func TestCompleteLineWithoutWords(t *testing.T) {
	k := begin(t, "open acs rand-50-1 as a")
	for _, code := range []string{"%lab step zz", "%%\nx := 1\n%lab set a nosuch", `lab.Do("step zz`} {
		words, _, _, ok := k.Complete(code, len([]rune(code)))
		if !ok || words == nil || len(words) > 0 {
			t.Errorf("%q: %q, %v; want an empty list that is an answer", code, words, ok)
		}
	}
}

// Without a host nothing is offered, and nobody waits for long.
func TestCompleteWithoutAHost(t *testing.T) {
	t.Parallel()
	if words, _, _, ok := New("/nowhere/s.sock").Complete(`lab.Get("a`, 10); ok {
		t.Errorf("%q", words)
	}
}

// gopls is asked once, again and again until it answers, and those who ask meanwhile wait.
func TestWarm(t *testing.T) {
	t.Parallel()
	var w warming
	w.wait() // nobody has asked: nobody waits
	path := filepath.Join(t.TempDir(), "main.go")
	asked := 0
	answer := make(chan bool)
	w.warm(path, func(line, column int) bool {
		if line != 2 || column != 8 {
			t.Errorf("asked at %d, %d", line, column)
		}
		asked++
		return <-answer
	})
	if err := os.WriteFile(path, []byte("package main\n// x\n_ = lab.Open\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	answer <- false
	answer <- true
	w.warm(path, func(int, int) bool { t.Error("asked once more"); return true })
	w.wait()
	if asked != 2 {
		t.Errorf("asked %d times, want 2", asked)
	}
}
