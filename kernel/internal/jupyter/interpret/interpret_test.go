package interpret

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"metalab/kernel/internal/jupyter"
	"metalab/kernel/internal/jupyter/execute"
	"metalab/kernel/internal/jupyter/session"
)

// TestMain makes the test binary the kernel, its host and its guard as well.
func TestMain(m *testing.M) {
	run := map[string]func(context.Context, []string) error{
		"kernel": Run, "host": session.Host, "guard": session.Guard,
	}
	if len(os.Args) > 1 && run[os.Args[1]] != nil {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		defer stop()
		if err := run[os.Args[1]](ctx, os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// start starts the kernel of a notebook, with folders of its own.
func start(t *testing.T) *execute.Runner {
	t.Helper()
	dir, err := os.MkdirTemp("", "mi") // short, for sockets lie in it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env := []string{}
	for name, sub := range map[string]string{
		"XDG_RUNTIME_DIR": "r", "METALAB_STATE": "s", "TMPDIR": "t",
	} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
		env = append(env, name+"="+filepath.Join(dir, sub))
	}
	spec := jupyter.Spec{Argv: []string{self, "kernel", "{connection_file}"}}
	r, err := execute.Start(t.Context(), spec, filepath.Join(dir, "n.ipynb"), env...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Stop)
	return r
}

// said is what a cell showed, an output a line: what was printed, or the media types.
func said(outputs execute.Outputs) string {
	var b strings.Builder
	for _, o := range outputs {
		switch o.Kind {
		case "stream":
			b.WriteString(o.Text)
		case "display_data":
			fmt.Fprintf(&b, "shown: %v\n", o.Data["text/plain"])
		}
	}
	return strings.TrimSpace(b.String())
}

// TestCells carries out cells one after the other in one kernel: what is printed and shown, in its
// order, what stays, and how a cell fails.
func TestCells(t *testing.T) {
	t.Parallel()
	r := start(t)
	for i, c := range []struct{ code, shows, fails string }{
		{"x := 41", "", ""},
		{"x++\nx", "42", ""},
		{"%%\nfmt.Print(\"é \"); fmt.Println(x)", "é 42", ""},
		{"func double(n int) int { return 2 * n }", "", ""},
		{"double(x)", "84", ""},
		{"func main() { fmt.Println(\"in main\", x) }", "in main 42", ""},
		{"fmt.Println(\"first\")\nunknown()", "", "line 2: undefined: unknown"},
		{"for { x++", "", "line 1: "},
		{"panic(\"oh\")", "", "line 1: panic: oh"},
		{"os.Exit(2)", "", "ends this input only"},
		{"x", "42", ""},
		{"fmt.Fprintln(os.Stderr, \"to err\")", "to err", ""},
		{"lab.Get(\"nobody\")", "", "line 1: there is no run \"nobody\""},
		{"%lab open ils E1k.0 as a seed=3; step a 5", "shown: a: ils\nshown: a: iteration 5", ""},
		{"fmt.Println(\"before\"); lab.Show(lab.Runs()); fmt.Println(\"behind\")", "before\nshown:", ""},
		{"lab.Get(\"a\").Plot(\"best\")", "shown: best of a", ""},
		{"lab.Sliders(lab.Get(\"a\"))", "shown: ", ""},
		{"a := lab.Get(\"a\")\na.Set(\"kicks\", -1)", "", "line 2: set: a: "},
		{
			"type row struct{ Name string; Gap float64 }\n[]row{{\"x\", 1.5}}",
			"shown: Name  Gap", "",
		},
		{"map[string]int{\"b\": 2, \"a\": 1}", "shown: a  1", ""},
		{"%env A=1", "", "line 1: %env is of the kernel that compiles cells"},
		{"!ls", "", "line 1: !ls is of the kernel that compiles cells"},
		{"%%time\nx", "", "line 1: %%time is no command of this kernel"},
		{"%%python\nx", "", "line 1: %%python is no command of this kernel; it has %lab"},
		{
			"import \"net/http\"", "",
			"is not built into this program, but a cell that begins with %%go is compiled",
		},
		{
			"out, err := exec.Command(\"echo\", \"by another\").Output()\nfmt.Println(string(out), err)",
			"by another", "",
		},
		{"%lab step a 5", "a: iteration 10", ""},
	} {
		res, err := r.Do(t.Context(), c.code)
		if err != nil {
			t.Fatalf("cell %d: %v", i+1, err)
		}
		if (res.Failed == "") != (c.fails == "") || !strings.Contains(res.Failed, c.fails) {
			t.Errorf("%s: failed with %q, want %q", c.code, res.Failed, c.fails)
		}
		if strings.Contains(res.Failed, "prompt/") { // of the interpreter's own making
			t.Errorf("%s: failed with %q", c.code, res.Failed)
		}
		got := said(res.Outputs)
		for want := range strings.Lines(c.shows) {
			_, rest, found := strings.Cut(got, strings.TrimSpace(want))
			if got = rest; !found {
				t.Errorf("%s: shows\n%s\nwant %s", c.code, said(res.Outputs), c.shows)
				break
			}
		}
		if res.Count != i+1 {
			t.Errorf("%s: is cell %d, want %d", c.code, res.Count, i+1)
		}
	}
}

// TestInterrupt stops a loop and a step; the session and its run go on.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	r := start(t)
	if res, err := r.Do(t.Context(), "a := lab.Open(\"a\", \"ils\", \"E1k.0\")"); err != nil ||
		res.Failed != "" {
		t.Fatal(res.Failed, err)
	}
	for _, code := range []string{"for i := 0; ; i++ {}", "a.Step(1 << 40)"} {
		done := make(chan struct{})
		ended := make(chan struct{})
		go func() { // until the cell ends: it may not have begun when the first one comes
			defer close(ended)
			for {
				select {
				case <-done:
					return
				case <-time.After(200 * time.Millisecond):
					if err := r.Interrupt(); err != nil {
						t.Error(err)
						return
					}
				}
			}
		}()
		res, err := r.Do(t.Context(), code)
		close(done)
		<-ended
		if err != nil || !strings.Contains(res.Failed, "interrupted") {
			t.Errorf("%s: %q, %v", code, res.Failed, err)
		}
	}
	for {
		res, err := r.Do(t.Context(), "a.Step(1); 6 * 7")
		if strings.Contains(res.Failed, "interrupted") {
			continue // by the last of them
		}
		if err != nil || !strings.HasSuffix(said(res.Outputs), "42") {
			t.Errorf("afterwards: %q %q, %v", said(res.Outputs), res.Failed, err)
		}
		return
	}
}

// TestSource makes Go of cells without a change of the numbers of lines.
func TestSource(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"%%\nx := 1":                    "\nx := 1",
		"%main\nx":                      "\nx",
		"x := 1\n%lab step a 5":         "x := 1\nlab.Show(lab.Do(\"step a 5\"))",
		"%lab runs":                     "lab.Show(lab.Do(\"runs\"))",
		"%noautoget\nfunc main() {}":    "\nfunc main() {}\nmain()",
		"// a comment with %% in it\nx": "// a comment with %% in it\nx",
	} {
		got := source(code)
		if text := strings.TrimSuffix(got.text, "\n;"); text != want || got.err != nil {
			t.Errorf("%q is %q, %v; want %q", code, got.text, got.err, want)
		}
	}
	for _, code := range []string{"%env A=1", "x\n!ls", "%%bash\nls", "%%writefile a\nb"} {
		if got := source(code); got.err == nil {
			t.Errorf("%q is %q", code, got.text)
		}
	}
}

// TestWhole holds back the beginnings of marks and of characters, and nothing else.
func TestWhole(t *testing.T) {
	t.Parallel()
	mark := []byte("\x00mark\x00")
	for text, want := range map[string]int{
		"": 0, "plain": 5, "é": 2, "x\xc3": 1, "x\xe2\x82": 1, "€": 3, "\xff": 1, "x\x00ma": 1,
		"x\x00no": 4, "x\x00": 1,
	} {
		if got := whole([]byte(text), mark); got != want {
			t.Errorf("of %q %d bytes are whole, want %d", text, got, want)
		}
	}
}

// TestOffers completes in cells: what works here, members of variables of earlier cells and of this
// one, also below lines that are no Go.
func TestOffers(t *testing.T) {
	t.Parallel()
	r := start(t)
	res, err := r.Do(t.Context(), "%lab open ils rand-50-1 as a\na := lab.Get(\"a\")")
	if err != nil || res.Failed != "" {
		t.Fatal(res.Failed, err)
	}
	for code, want := range map[string]string{
		"a.Se":              "Seeds Set",
		"%%\na.Se":          "Seeds Set",
		"%lab runs\na.Se":   "Seeds Set",
		"b := a\nb.Se":      "Seeds Set",
		"a.Step(3).Itera":   "Iteration",
		"s := \"é\"; a.Und": "Undo",
		"%":                 "%lab %% %main %autoget %noautoget %%go",
		"%l":                "%lab",
		"x\n%%":             "",
	} {
		id, err := r.Send(r.Socket, "complete_request",
			map[string]any{"code": code, "cursor_pos": len([]rune(code))})
		if err != nil {
			t.Fatal(err)
		}
		m, err := r.Reply(id)
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Matches []string }
		if err := json.Unmarshal(m.Content, &got); err != nil ||
			strings.Join(got.Matches, " ") != want {
			t.Errorf("%q is offered %q, %v; want %q", code, got.Matches, err, want)
		}
	}
}
