package prompt

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// walk declares a solver of one's own, line by line.
const walk = `
type Walk struct {
	T float64 ` + "`param:\"temperature,0..1000\"`" + `
	p *lab.Problem
	tour, best []int
	cost, bestCost float64
}
const worse = 0
func (w *Walk) Init(p *lab.Problem, r *lab.Rand) error {
	w.p, w.tour = p, r.Perm(p.N)
	w.cost = p.Length(w.tour)
	w.best, w.bestCost = slices.Clone(w.tour), w.cost
	return nil
}
func (w *Walk) Step(it int64, r *lab.Rand) (float64, error) {
	i, j := r.IntN(w.p.N), r.IntN(w.p.N)
	w.tour[i], w.tour[j] = w.tour[j], w.tour[i]
	if c := w.p.Length(w.tour); r.Accept(c-w.cost, w.T) {
		w.cost = c
	} else {
		w.tour[i], w.tour[j] = w.tour[j], w.tour[i]
	}
	if w.cost < w.bestCost {
		w.bestCost = w.cost
		copy(w.best, w.tour)
	}
	return w.cost + worse, nil
}
func (w *Walk) Best() (float64, []int) { return w.bestCost, w.best }
lab.Declare("walk", func() lab.Solver { return &Walk{T: 10} })
`

// A solver that is declared at the prompt is opened like any other; declared anew it goes on,
// and its record replays where the same was declared.
func TestDeclare(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("go"); err != nil || testing.Short() {
		t.Skip("compiles programs")
	}
	dir := shortDir(t)
	out, errs, code := repl(t, dir, walk+`
open walk rand-50-1 as w; step w 500; set w temperature=500; step w 500; save w one.run
replay one.run
const worse = 1e-9 - 1e-9
lab.Declare("walk", func() lab.Solver { return &Walk{T: 20} })
step w 100
set w temperature=20
step w 100
journal w
save w two.run; replay two.run
`, nil)
	for _, want := range []string{
		"walk: declared, code ", "w: iteration 1000,", "one.run: replayed 1000 iterations: identical",
		"w goes on with code ", "w: iteration 1200,", "1000: code ", "1100: temperature 500 → 20",
		"two.run: replayed 1200 iterations: identical",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if code != 0 || t.Failed() {
		t.Fatalf("code %d: %s\n%s", code, errs, out)
	}
	// Another session: what is missing is said, and there once it was declared.
	path := filepath.Join(dir, "one.run")
	_, errs, code = repl(t, dir, "", nil, "-c", "replay "+path)
	if code == 0 || strings.Count(strings.TrimSpace(errs), "\n") > 0 ||
		!strings.Contains(errs, "(replay "+path+" code=yes) compiles and runs it") {
		t.Errorf("without the solver: code %d, %s", code, errs)
	}
	out, errs, code = repl(t, dir, walk+"replay "+path+"\nload "+path+" as anew\nstep anew 10\n",
		nil)
	if code != 0 || !strings.Contains(out, "replayed 1000 iterations: identical") ||
		!strings.Contains(out, "anew: iteration 1010,") {
		t.Errorf("with the solver: code %d, %s%s", code, out, errs)
	}
}

// A solver that was mended again and again is loaded and replayed in a new session by the sources
// that its record holds, after the user has said so; they are printed and written before.
func TestRecordedSource(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("go"); err != nil || testing.Short() {
		t.Skip("compiles programs")
	}
	const mended = 4
	dir := shortDir(t)
	text := walk + "open walk rand-50-1 as w; step w 50\n"
	for i := range mended {
		text += fmt.Sprintf("const worse = %d - %d\nlab.Declare(\"walk\", func() lab.Solver { return "+
			"&Walk{T: 10} })\nstep w 50\n", i+1, i+1)
	}
	out, errs, code := repl(t, dir, text+"save w; step w 7; best w\n", nil)
	if code != 0 {
		t.Fatalf("code %d: %s%s", code, out, errs)
	}
	last := out[strings.LastIndex(strings.TrimSpace(out), "\n")+1:]
	// Nothing is run without the user's word, and what would be is told.
	for _, line := range []string{"load w.run", "replay w.run", "diff w.run w.run"} {
		_, errs, code = repl(t, dir, "", nil, "-c", line)
		if code != 1 || !strings.Contains(errs, "5 codes, ") || !strings.Contains(errs, " lines") ||
			!strings.Contains(errs, "source "+dir+"/w.run prints it") ||
			!strings.Contains(errs, "code=yes") {
			t.Errorf("%s: code %d, %s", line, code, errs)
		}
	}
	// The line that is named works from everywhere.
	out, errs, code = repl(t, shortDir(t), "", nil, "-c", "source "+dir+"/w.run")
	if code != 0 || strings.Count(out, "func (w *Walk) Step") != 5 ||
		!strings.Contains(out, "worse = 3 - 3") {
		t.Errorf("code %d, %s%s", code, out, errs)
	}
	out, errs, code = repl(t, dir, "", nil, "-c", "load w.run code=yes; step w 7; best w; replay "+
		"w.run; save w source to v.go; show w source; save w v.run; source w.run to w.go")
	if code != 0 || !strings.Contains(out, "walk, declared from the source in w.run: 5 codes") ||
		!strings.Contains(out, "replayed 250 iterations: identical") || !strings.Contains(out, last) {
		t.Errorf("code %d, %s%s", code, out, errs)
	}
	for _, name := range []string{"v.go", "w.go"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(b), "worse = 4 - 4") {
			t.Errorf("%s: %v: %s", name, err, b)
		}
	}
	// What the loaded run's record holds is good for the next session, and what this session
	// declares stays the solver's code.
	out, errs, code = repl(t, dir, walk+"replay v.run code=yes\nopen walk rand-50-1 as new; step new "+
		"5; source new\n", nil)
	if code != 0 || !strings.Contains(out, "replayed 257 iterations: identical") ||
		!strings.Contains(out, "worse = 0") || strings.Contains(out, "worse = 4") {
		t.Errorf("code %d, %s%s", code, out, errs)
	}
	// A source that is not the one that its name says is not run.
	b, err := os.ReadFile(filepath.Join(dir, "w.run"))
	if err != nil {
		t.Fatal(err)
	}
	b = bytes.ReplaceAll(b, []byte("worse = 3 - 3"), []byte("worse = 4 - 3"))
	if err := os.WriteFile(filepath.Join(dir, "false.run"), b, 0o600); err != nil {
		t.Fatal(err)
	}
	_, errs, code = repl(t, dir, "", nil, "-c", "load false.run code=yes")
	if code != 1 || !strings.Contains(errs, "run the cell that declares it") {
		t.Errorf("a false source: code %d, %s", code, errs)
	}
}

// What cannot be a program of its own is told in a line.
func TestDeclareErrors(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("go"); err != nil || testing.Short() {
		t.Skip("compiles programs")
	}
	for line, says := range map[string]string{
		`x := &Walk{T: 5.5}
lab.Declare("walk", func() lab.Solver { return x })`: "the variable x",
		`name := "walk"
lab.Declare(name, func() lab.Solver { return &Walk{T: 1} })`: "the name is a string in the " +
			"call itself",
		`lab.Declare("acs", func() lab.Solver { return &Walk{T: 1} })`: "metalab's own",
		`lab.Declare("walk", func() lab.Solver { return &Walk{T: -1} })`: "temperature is -1 by " +
			"default, want 0 to 1000",
	} {
		_, errs, code := repl(t, shortDir(t), walk+line+"\n", nil)
		if code == 0 || !strings.Contains(errs, says) || strings.Count(strings.TrimSpace(errs),
			"\n") > 0 {
			t.Errorf("%s\ncode %d: %s, want %q in one line", line, code, errs, says)
		}
	}
}
