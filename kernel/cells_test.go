package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"metalab/kernel/internal/jupyter"
	"metalab/kernel/internal/jupyter/execute"
	"metalab/kernel/internal/jupyter/messages"
)

// The prelude leaves no trace: the first cell is In[1], and lab is there without an import.
func TestPrelude(t *testing.T) {
	t.Parallel()
	s := start(t)
	res, err := s.Do(t.Context(), "%%\nfmt.Println(lab.Runs())")
	if err != nil || res.Failed != "" || res.Count != 1 ||
		!strings.Contains(text(res.Outputs), "no runs") {
		t.Errorf("the first cell: %+v, %v", res, err)
	}
	s.run("%%\nlab.Open(\"a\", \"acs\", lab.Load(\"rand-50-1\"))")
	s.run("%reset")
	if got := s.run("%%\nfmt.Println(lab.Runs())"); !strings.Contains(got, "rand-50-1") {
		t.Errorf("after %%reset: %s", got)
	}
}

// A run of one cell is there in the next, for another process, and for the prompt.
func TestRunsOutliveCells(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.run("%%\nlab.Open(\"a\", \"acs\", lab.Load(\"rand-50-1\"), lab.Seed(3)).Step(10)")
	if got := s.run("%%\nfmt.Println(lab.Get(\"a\").Step(5))"); !strings.Contains(got,
		"iteration 15,") {
		t.Errorf("the second cell: %s", got)
	}
	// The same cell again attaches.
	s.run("%%\nlab.Open(\"a\", \"acs\", lab.Load(\"rand-50-1\"), lab.Seed(3)).Step(10)")
	if out := s.prompt("step a 5; set a q0=0.5"); !strings.Contains(out, "iteration 30,") {
		t.Fatalf("the prompt: %s", out)
	}
	got := s.run("%%\na := lab.Get(\"a\")\nfmt.Println(a.Step(1))\nfmt.Println(a.Journal())")
	if !strings.Contains(got, "iteration 31,") || !strings.Contains(got, "q0") ||
		!strings.Contains(got, "prompt") {
		t.Errorf("after the prompt: %s", got)
	}
}

// What goes wrong is one line.
func TestErrorsAreOneLine(t *testing.T) {
	t.Parallel()
	s := start(t)
	res, err := s.Do(t.Context(),
		"%%\nlab.Open(\"a\", \"acs\", lab.Load(\"rand-50-1\"), lab.With(\"q0\", "+
			"7))\nfmt.Println(\"unreached\")")
	if err != nil {
		t.Fatal(err)
	}
	// One output: the error in its own words.
	if len(res.Outputs) != 1 || res.Outputs[0].Kind != "error" {
		t.Fatalf("a wrong parameter: %+v", res.Outputs)
	}
	got := execute.Plain(res.Outputs[0].Text)
	if !strings.Contains(res.Failed, got) || !strings.Contains(got, "q0") ||
		strings.Contains(got, "\n") || strings.Contains(got, "exit status") {
		t.Errorf("a wrong parameter: %q: %q", res.Failed, got)
	}
	s.run("func pick(i int) int { return []int{1, 2, 3}[i] }\n%%\nlab.Open(\"b\", \"acs\", " +
		"lab.Load(\"rand-50-1\"))")
	for code, want := range map[string][]string{
		"a := lab.Open(\"a\", \"acs\", lab.Load(\"pr1002\"))\na.Step(10)": {
			`line 1: a := lab.Open("a", "acs", lab.Load("pr1… stands outside of a function: write %% as ` +
				`the first line of the cell, statements stand below it`,
		},
		"import \"fmt\"\nfmt.Println(1)": {
			`line 2: fmt.Println(1) stands outside of a function: write %% as the first line of the cell, ` +
				`statements stand below it`,
		},
		"x := 5\n%%\nfmt.Println(x)": {
			`line 1: x := 5 stands above %%, where only imports, types, functions, var and const stand: ` +
				`move it below, or write var x = 5`,
		},
		"for range 3 {\n\tfmt.Println(1)\n}\n%%\nfmt.Println(2)": {
			`line 1: for range 3 { stands above %%, where only imports, types, functions, var and const ` +
				`stand: move it below`,
		},
		"%%\nfmt.Println(1)\n}\nfmt.Println(2)": {
			`line 4: fmt.Println(2) stands outside of a function: the } of line 3 is one too many`,
		},
		"%%\nfor i := range 3 {\n\tfmt.Println(i)": {
			`something is still open where the cell ends: a } or a ) is missing`,
		},
		"import numpy as np": {
			`line 1: import numpy as np is no Go; an import of Go is import "math", and lab needs none`,
		},
		"%%\nx := 1\ny := 2": {"line 2: declared and not used: x; use it, " +
			"or write _ = x", "line 3: declared and not used: y; use it, or write _ = y"},
		"%%\nb.Step(10)": {
			`line 2: undefined: b; variables end with their cell, the run goes on: b := lab.Get("b")`,
		},
		"%%\nfmt.Println(nosuch)": {"line 2: undefined: nosuch; variables end with " +
			"their cell, functions, types and runs stay"},
		"%%\nlab.Gat(\"b\")": {"line 2: undefined: lab.Gat; is Get meant?"},
		"%%\nfmt.Println(1":  {"line 2: missing ',' before newline in argument list"},
		"%%\n\nfmt.Println(pick(5))": {"cell [2], line 1: panic: index out of range [5] " +
			"with length 3, in pick, called from line 3"},
		"%%\nlab.Get(\"zz\")":                    {`line 2: there is no run "zz"; there are: b`},
		"%%\nvar m map[string]int\nm[\"x\"] = 1": {"line 3: panic: assignment to entry in nil map"},
		"%%\n<-make(chan int)":                   {"line 2: all goroutines are asleep - deadlock!"},
		"%%\nos.Exit(3)":                         {"the cell's program ended with exit status 3"},
	} {
		res, err := s.Do(t.Context(), code)
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Outputs) != 1 || res.Outputs[0].Kind != "error" {
			t.Errorf("%s shows %+v", code, res.Outputs)
			continue
		}
		o := res.Outputs[0]
		for i, l := range o.Trace {
			o.Trace[i] = execute.Plain(l)
		}
		if !slices.Equal(o.Trace, want) || o.Text != want[0] {
			t.Errorf("%s says %q and %q, want %q", code, o.Text, o.Trace, want)
		}
	}
	// What a cell has printed before stays.
	res, err = s.Do(t.Context(),
		"%%\nfmt.Println(\"said\")\nfmt.Fprintln(os.Stderr, \"and that\")\npanic(\"why not\")")
	if err != nil || res.Failed != "ERROR: line 4: panic: why not" ||
		!strings.Contains(text(res.Outputs), "said") || !strings.Contains(text(res.Outputs), "and that") {
		t.Errorf("another end: %q %s, %v", res.Failed, text(res.Outputs), err)
	}
	if got := s.run(
		"%%\nfmt.Println(\"caught:\", lab.Try(func() { lab.Get(\"zz\") }))"); !strings.Contains(got,
		`caught: there is no run "zz"`) {
		t.Errorf("Try: %s", got)
	}
}

// An interrupt pauses the run, and the cell says so.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.run("%%\nlab.Open(\"a\", \"acs\", lab.Load(\"rand-200-1\"), lab.With(\"ants\", 4)).Step(1)")
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	go func() {
		s.stands(t.Context(), 2)
		cancel(enough)
	}()
	res, err := s.Do(ctx, "%%\nlab.Get(\"a\").Step(1_000_000_000)\nfmt.Println(\"unreached\")")
	if !errors.Is(err, enough) || !strings.HasPrefix(res.Failed, "ERROR: interrupted; a: iteration") ||
		strings.Contains(text(res.Outputs), "unreached") {
		t.Errorf("an interrupted step: %v, %q: %s%s", err, res.Failed, text(res.Outputs),
			res.Outputs.Stderr())
	}
	if got := s.run("%%\nfmt.Println(lab.Get(\"a\").Step(1).State)"); !strings.Contains(got,
		"paused") {
		t.Errorf("after it: %s", got)
	}
}

// A loop that does not end is stopped, and the cell says so in plain words; the next one goes on.
func TestInterruptedLoop(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.run("%%\nlab.Open(\"a\", \"acs\", lab.Load(\"rand-50-1\")).Step(1)")
	for _, loop := range []string{
		"for { }", "for { time.Sleep(time.Second) }",
		"signal.Ignore(os.Interrupt)\nfor { }", // which is killed some seconds later
	} {
		before := filepath.Join(s.dir, "begun")
		os.Remove(before)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			defer cancel()
			for ; t.Context().Err() == nil; time.Sleep(10 * time.Millisecond) {
				if _, err := os.Stat(before); err == nil {
					return
				}
			}
		}()
		res, err := s.Do(ctx, fmt.Sprintf("import \"os/signal\"\nvar _ = signal.Stop\n%%%%\n"+
			"fmt.Println(\"said\")\nos.WriteFile(%q, nil, 0o600)\n%s", before, loop))
		if !errors.Is(err, context.Canceled) || res.Failed != "ERROR: interrupted: the program of "+
			"this cell was stopped; what runs have done stays, the next cell can go on" {
			t.Errorf("%s, stopped: %v, %q", loop, err, res.Failed)
		}
		if got := text(res.Outputs); !strings.Contains(got, "said") || strings.Contains(got, "^C") {
			t.Errorf("%s, stopped, shows %q", loop, got)
		}
	}
	if got := s.run("%%\nlab.Get(\"a\").Step(1)"); !strings.Contains(got, "a: iteration 2,") {
		t.Errorf("after it: %s", got)
	}
	// One that was not stopped and fails by a signal does not say that it was.
	res, err := s.Do(t.Context(), "%%\nsyscall.Kill(os.Getpid(), syscall.SIGTERM)\nselect {}")
	if err != nil || !strings.HasPrefix(res.Failed, "ERROR: the cell's program ended with signal") {
		t.Errorf("a cell that a signal ends: %q, %v", res.Failed, err)
	}
}

// Watch redraws one picture, keeps the last, and waits for no browser.
func TestWatch(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.run("%%\nlab.Open(\"a\", \"acs\", lab.Load(\"rand-200-1\"), lab.With(\"ants\", 4)).Go()")
	res, err := s.Do(t.Context(),
		"%%\na := lab.Get(\"a\")\ntime.AfterFunc(1200*time.Millisecond, func() { a.Pause() "+
			"})\nlab.Watch(a)")
	if err != nil || res.Failed != "" {
		t.Fatal(err, res.Failed, res.Outputs.Stderr())
	}
	var pictures, words []string
	for _, o := range res.Outputs {
		if b, ok := o.Data["image/png"].(string); ok {
			about, _ := o.Metadata["image/png"].(map[string]any)
			w, _ := about["alt"].(string)
			pictures, words = append(pictures, b), append(words, w)
			if wide, _ := about["width"].(float64); wide != 800 {
				t.Errorf("a picture is %v wide", about["width"])
			}
		}
	}
	if len(pictures) != 1 || !strings.Contains(text(res.Outputs), "a: iteration") {
		t.Fatalf("%d pictures, text %s", len(pictures), text(res.Outputs))
	}
	// The curve and the tour in one.
	if !strings.Contains(words[0], "tour length") || !strings.Contains(words[0], "200 cities") {
		t.Errorf("the picture shows: %s", words[0])
	}
}

// When the sources were edited after the kernel was installed, the first cell says so, once.
func TestEditedSources(t *testing.T) {
	t.Parallel()
	h := kernel(t)
	spec, dir := h.Spec, t.TempDir()
	p := jupyter.Place{Dir: dir}
	b, err := os.ReadFile(spec.Argv[0])
	if err == nil {
		err = errors.Join(os.MkdirAll(filepath.Join(dir, "bin"), 0o755),
			os.WriteFile(p.Bin("metalab-kernel"), b, 0o755))
	}
	if err != nil {
		t.Fatal(err)
	}
	other := spec
	other.Argv = slices.Clone(spec.Argv)
	other.Argv[slices.Index(other.Argv, "-sources")+1] = "0123456789abcdef"
	spec.Argv = slices.Clone(spec.Argv)
	spec.Argv[0], other.Argv[0] = p.Bin("metalab-kernel"), p.Bin("metalab-kernel")
	for _, c := range []struct {
		name              string
		installed, starts jupyter.Spec
		says              bool
	}{
		{"edited", other, other, true},
		{"edited, installed anew, and restarted with the arguments of before", spec, other, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.installed.Write(p.SpecFile()); err != nil {
				t.Fatal(err)
			}
			s := startIn(t, home{c.starts, h.dir})
			s.run("%%\nfmt.Println(1)")
			for i, want := range []bool{c.says, false} {
				res, err := s.Do(t.Context(), "%%\nfmt.Println(lab.Runs())")
				if err != nil || res.Failed != "" {
					t.Fatal(err, res.Failed)
				}
				if got := res.Outputs.Stderr(); strings.Contains(got, "go run ./kernel install") != want {
					t.Errorf("cell %d: %q", i+1, got)
				}
			}
		})
	}
}

// A long call shows how far it is, and what stays says so without a bar.
func TestProgress(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.run("%%\nlab.Open(\"a\", \"acs\", lab.Load(\"rand-200-1\"), lab.With(\"ants\", 4)).Step(1)")
	for code, want := range map[string]string{
		`lab.Get("a").StepFor(3*time.Second)`:            "a: iteration",
		`lab.Do("step a 3s");`:                           "a: iteration",
		`lab.Repeat(lab.Get("a"), 40, 1000);`:            " of 40: repeat a",
		`lab.Show(lab.Get("a").StepFor(time.Second))`:    "a: iteration",
		`lab.Show(lab.Get("a").Step(1)); _ = lab.Runs()`: "a: iteration",
	} {
		res, err := s.Do(t.Context(), "%%\n"+code)
		if err != nil || res.Failed != "" {
			t.Fatal(code, err, res.Failed)
		}
		if len(res.Outputs) != 1 || !strings.Contains(text(res.Outputs), want) {
			t.Fatalf("%s shows %d outputs: %s", code, len(res.Outputs), text(res.Outputs))
		}
		if h, _ := res.Outputs[0].Data["text/html"].(string); h == "" ||
			strings.Contains(h, "<progress") {
			t.Errorf("%s leaves %q", code, h)
		}
	}
}

// Cells that wait behind one that fails or is stopped are aborted; what is sent afterwards runs.
func TestAborted(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.run("%%\nlab.Open(\"a\", \"acs\", lab.Load(\"rand-200-1\"), lab.With(\"ants\", 4)).Step(1)")
	at := int64(1)
	for _, c := range []struct {
		name, code string
		stop, goOn bool
	}{
		{name: "a panic", code: "%%\npanic(\"stop here\")"},
		{name: "no Go", code: "%%\nx := 3"},
		{name: "no command", code: "%%time\nf()"},
		{name: "an error of lab", code: "%lab step nosuch 3"},
		{name: "a step that is stopped", code: "%%\nlab.Get(\"a\").Step(1_000_000_000)", stop: true},
		{name: "a loop that is stopped", code: "%%\nlab.Get(\"a\").Step(2)\nfor {\n}", stop: true},
		{name: "a panic that may be", code: "%%\npanic(\"stop here\")", goOn: true},
	} {
		want := []string{"error", "aborted", "aborted"}
		if c.goOn {
			want = []string{"error", "ok", "ok"}
		}
		codes := []string{c.code, "%%\nfmt.Println(1)", "%lab best a"}
		if !c.stop { // all stand in the queue before the one that fails begins
			codes = append([]string{"%%\ntime.Sleep(2 * time.Second)"}, codes...)
			want = append([]string{"ok"}, want...)
		}
		var ids []string
		for _, code := range codes {
			id, err := s.Send(s.Socket, "execute_request", messages.Execute{
				Code: code, Store: true, StopErr: !c.goOn, Exprs: map[string]any{},
			})
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
		if c.stop {
			s.stands(t.Context(), at+2)
			if err := s.Interrupt(); err != nil {
				t.Fatal(err)
			}
		}
		for i, id := range ids {
			m, err := s.Reply(id)
			var r struct{ Status string }
			if err == nil {
				err = json.Unmarshal(m.Content, &r)
			}
			if err != nil || r.Status != want[i] {
				t.Errorf("%s: cell %d is answered %q, want %q (%v)", c.name, i+1, r.Status, want[i], err)
			}
		}
		got := s.run("%%\nfmt.Println(lab.Get(\"a\").Show().Iteration)")
		if _, err := fmt.Sscan(got, &at); err != nil {
			t.Errorf("%s: afterwards: %s", c.name, got)
		}
	}
}
