package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// walkCell declares a solver of one's own.
const walkCell = `type Walk struct {
	T float64 ` + "`param:\"temperature,0..1e6\" doc:\"temperature of the acceptance\"`" + `
	Taken int ` + "`measure:\"taken\"`" + `
	p *lab.Problem
	tour, best []int
	cost, bestCost float64
}

func (w *Walk) Init(p *lab.Problem, r *lab.Rand) error {
	w.p, w.tour = p, r.Perm(p.N)
	w.cost = p.Length(w.tour)
	w.best, w.bestCost = slices.Clone(w.tour), w.cost
	return nil
}

func (w *Walk) Step(it int64, r *lab.Rand) (float64, error) {
	i, j := r.IntN(w.p.N), r.IntN(w.p.N)
	w.tour[i], w.tour[j] = w.tour[j], w.tour[i]
	c := w.p.Length(w.tour)
	if !r.Accept(c-w.cost, w.T) {
		w.tour[i], w.tour[j] = w.tour[j], w.tour[i]
	} else {
		w.cost, w.Taken = c, w.Taken+1
	}
	if w.cost < w.bestCost {
		w.bestCost = w.cost
		copy(w.best, w.tour)
	}
	return w.cost, nil
}

func (w *Walk) Best() (float64, []int) { return w.bestCost, w.best }
`

const declareCell = "\n%%\nfmt.Println(lab.Declare(\"walk\", func() lab.Solver { return " +
	"&Walk{T: 1000} }))\n"

// A solver is declared in one cell, stepped in another, declared anew in a third, replayed
// in a fourth, and there again after a restart.
func TestOwnSolver(t *testing.T) {
	t.Parallel()
	s := start(t)
	record := filepath.Join(s.temporary(), "w.run")
	has := func(got string, wants ...string) {
		t.Helper()
		for _, w := range wants {
			if !strings.Contains(got, w) {
				t.Errorf("%q is missing in %s", w, got)
			}
		}
	}
	first := s.run(walkCell + declareCell)
	has(first, "walk: declared, code ", "temperature")
	has(s.run("%%\nw := lab.Open(\"w\", \"walk\", "+
		"lab.Load(\"rand-100-1\"))\nfmt.Println(w.Step(1000))\nw.Set(\"temperature\", "+
		"50)\nfmt.Println(w.Step(500))"), "w: iteration 1000,", "w: iteration 1500,")
	res, err := s.Do(t.Context(),
		"%%\nw := lab.Get(\"w\")\nlab.Show(w.Plot(\"tour\"), w.Plot(\"taken\"))\nlab.Show(w)")
	if err != nil || res.Failed != "" || len(res.Outputs) != 3 {
		t.Errorf("pictures: %v, %q, %d outputs", err, res.Failed, len(res.Outputs))
	}
	// What it prints is seen.
	s.run(strings.Replace(walkCell, "	c := w.p.Length", "	if it%10 == 0 {\n		fmt.Println(\"at\", "+
		"it)\n	}\n	c := w.p.Length", 1) + strings.Replace(declareCell, "walk", "talk", 1))
	has(s.run("%%\nlab.Open(\"t\", \"talk\", "+
		"lab.Load(\"rand-100-1\")).Step(25)\nlab.Get(\"t\").Step(1)"), "at 10\nat 20\n")
	// A cell that is run again changes nothing.
	has(s.run(walkCell+declareCell), "declared as before")
	// An iteration that fails tells where, and the run goes on with the mended code.
	broken := strings.Replace(walkCell, "	c := w.p.Length",
		"	if it == 1520 {\n		w.best = w.best[:w.Taken-w.Taken]\n		w.best[0]++\n	}\n	c := w.p.Length", 1)
	has(s.run(broken+declareCell), "w goes on with code ", "from iteration 1501")
	if res, err = s.Do(t.Context(), "%%\nlab.Get(\"w\").Step(100)"); err != nil {
		t.Fatal(err)
	}
	has(res.Failed+res.Outputs.Stderr(),
		"step: iteration 1520: walk: panic: runtime error: index out of range [0] with length 0, in "+
			"(*Walk).Step: w.best[0]++; the iteration was not made: the run stands at iteration 1519")
	if strings.Contains(res.Failed+res.Outputs.Stderr(), "goroutine") {
		t.Errorf("a stack: %s", res.Outputs.Stderr())
	}
	s.run(walkCell + declareCell)
	has(s.run("%%\nw := lab.Get(\"w\")\nfmt.Println(w.Step(81), w.Journal())\nw.Save("+quote(record)+
		")\nfmt.Println(lab.Replay("+quote(record)+"))"),
		"w: iteration 1600,", "1500: code ", "1519: stopped: iteration 1520: walk: panic", "1519: code ",
		"replayed 1600 iterations: identical")
	// A cell may not do other things first, for its worker would do them too.
	if res, err = s.Do(t.Context(), "%%\nlab.Runs()\nlab.Declare(\"other\", func() lab.Solver { "+
		"return &Walk{T: 1} })"); err != nil {
		t.Fatal(err)
	}
	has(res.Failed+res.Outputs.Stderr(), "let Declare come first")

	// The prompt that is attached steps it too, and declares the same source as before.
	has(s.prompt("step w 5; solvers walk"), "w: iteration 1605,", "declared in this session")

	// Without the solver one line says whose source the record holds; with it the record replays.
	s.Stop()
	s.gone()
	s = start(t)
	if res, err = s.Do(t.Context(), "%%\nlab.Replay("+quote(record)+")"); err != nil {
		t.Fatal(err)
	}
	has(res.Failed+res.Outputs.Stderr(),
		"is of walk, a solver of somebody's own, whose source it holds (2 codes, ",
		"compiles and runs it, and it may do all that you may")
	s.run(broken + declareCell)
	s.run("%%\nfmt.Println(1)")
	s.run(walkCell + declareCell)
	has(s.run("%%\nfmt.Println(lab.Replay("+quote(record)+"))"), "replayed 1600 iterations: identical")
}

func quote(path string) string { return "`" + path + "`" }
