package main

import (
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
	dir := t.TempDir()
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
		!strings.Contains(errs, "run the cell that declares it") {
		t.Errorf("without the solver: code %d, %s", code, errs)
	}
	out, errs, code = repl(t, dir, walk+"replay "+path+"\nload "+path+" as anew\nstep anew 10\n",
		nil)
	if code != 0 || !strings.Contains(out, "replayed 1000 iterations: identical") ||
		!strings.Contains(out, "anew: iteration 1010,") {
		t.Errorf("with the solver: code %d, %s%s", code, out, errs)
	}
}

// What cannot be a program of its own is told in a line.
func TestDeclareErrors(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("go"); err != nil || testing.Short() {
		t.Skip("compiles programs")
	}
	for line, says := range map[string]string{
		`x := 5.5
lab.Declare("walk", func() lab.Solver { return &Walk{T: x} })`: "the variable x",
		`name := "walk"
lab.Declare(name, func() lab.Solver { return &Walk{T: 1} })`: "the name is a string in the " +
			"line itself",
		`lab.Declare("acs", func() lab.Solver { return &Walk{T: 1} })`: "metalab's own",
		`lab.Declare("walk", func() lab.Solver { return &Walk{T: -1} })`: "temperature is -1 by " +
			"default, want 0 to 1000",
	} {
		_, errs, code := repl(t, t.TempDir(), walk+line+"\n", nil)
		if code == 0 || !strings.Contains(errs, says) || strings.Count(strings.TrimSpace(errs),
			"\n") > 0 {
			t.Errorf("%s\ncode %d: %s, want %q in one line", line, code, errs, says)
		}
	}
}
