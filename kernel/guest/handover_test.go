package guest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/guest"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// walker is a program with a solver that changes from test to test.
const walker = `package main

import (
	"slices"
	"metalab/kernel/lab"
)

type Walk struct {
	PARAM
	p *lab.Problem
	tour, best []int
	cost, bestCost float64
	FIELD
}

func (w *Walk) Init(p *lab.Problem, r *lab.Rand) error {
	w.p, w.tour = p, r.Perm(p.N)
	w.cost = p.Length(w.tour)
	w.best, w.bestCost = slices.Clone(w.tour), w.cost
	return nil
}

func (w *Walk) Step(it int64, r *lab.Rand) (float64, error) {
	for range MOVES {
		i, j := r.IntN(w.p.N), r.IntN(w.p.N)
		w.tour[i], w.tour[j] = w.tour[j], w.tour[i]
		c := w.p.Length(w.tour)
		if !r.Accept(c-w.cost, 1) {
			w.tour[i], w.tour[j] = w.tour[j], w.tour[i]
			continue
		}
		if w.cost = c; c < w.bestCost {
			w.bestCost = c
			copy(w.best, w.tour)
		}
	}
	return w.cost, nil
}

func (w *Walk) Best() (float64, []int) { return w.bestCost, w.best }

func main() { lab.Declare("walk", func() lab.Solver { return &Walk{} }) }
`

// build compiles a walker and declares it.
func build(t *testing.T, s *guest.Session, param, field, moves string,
	replace ...string,
) *guest.Code {
	t.Helper()
	dir := t.TempDir()
	src := strings.NewReplacer(append(replace, "PARAM", param, "FIELD", field, "MOVES",
		moves)...).Replace(walker)
	if err := os.WriteFile(dir+"/main.go", []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", dir+"/walk",
		dir+"/main.go").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, src)
	}
	c, _, err := s.Declare(t.Context(), wire.DeclareRequest{
		Solver: "walk", Program: dir + "/walk", Source: []byte(src), Type: "Walk",
		Line: strings.Count(src, "\n"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// handOver makes a run go on with the latest code as the host does.
func handOver(t *testing.T, r *solvers.Run, c *guest.Code) error {
	t.Helper()
	var err error
	if verr := r.View(t.Context(), func(a solvers.Algorithm) { err = guest.Amend(a) }); verr != nil ||
		err != nil {
		return err
	}
	if _, err := r.Set(t.Context(), record.Values{"code": record.Text(c.ID)}, "test"); err != nil {
		return err
	}
	if verr := r.View(t.Context(),
		func(a solvers.Algorithm) { err = guest.Try(t.Context(), a) }); verr != nil {
		return verr
	}
	return err
}

// New code goes on with the state, a run may go back, and all of it replays.
func TestHandOver(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs")
	}
	s, notes := session(t)
	one := build(t, s, "", "", "3")
	if again := build(t, s, "", "", "3"); again.ID != one.ID {
		t.Errorf("the same source is code %s and %s", one.ID, again.ID)
	}
	r := open(t, "walk", "rand-40-1", nil)
	step := func(n int) {
		t.Helper()
		if err := r.Step(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	step(50)
	before := r.Last()
	two := build(t, s, "Moves int `param:\"moves,0..9\"`", "count map[string]int", "w.Moves+1")
	if two.ID == one.ID {
		t.Fatal("other source has the same code")
	}
	if err := handOver(t, r, two); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(notes(), "field count is new") {
		t.Errorf("notices: %s", notes())
	}
	step(20)
	if r.Last().Best > before.Best {
		t.Error("the best is lost")
	}
	if _, err := r.Set(t.Context(), record.Values{"moves": record.Num(7)}, "test"); err != nil {
		t.Fatal("the new parameter:", err)
	}
	step(20)
	if _, err := r.Set(t.Context(), record.Values{"code": record.Text(one.ID)}, "test"); err != nil {
		t.Fatal(err)
	}
	step(20)
	// A fork goes on with either.
	f, err := r.Fork(t.Context(),
		solvers.Fork{Name: "f", With: record.Values{"code": record.Text(two.ID)}})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Step(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	for _, r := range []*solvers.Run{r, f} {
		path := filepath.Join(t.TempDir(), "w.run")
		if err := r.Save(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		rec, err := record.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(rec.Header.Sources[one.ID], "for range 3") ||
			!strings.Contains(rec.Journal[0].Sources[two.ID], "for range w.Moves") {
			t.Errorf("the record lacks a source: %v", rec.Journal)
		}
		if d, err := solvers.Replay(t.Context(), rec, r.Instance(), solvers.ReplayOptions{}); d != nil ||
			err != nil {
			t.Errorf("replay: %v, %v", d, err)
		}
		l, err := solvers.Load(t.Context(), path, r.Instance(), "l")
		if err != nil {
			t.Fatal(err)
		}
		if l.Last().Digest != r.Last().Digest {
			t.Error("loaded, it stands elsewhere")
		}
		l.Close()
	}
	// Code that cannot take the state over leaves the run where it was.
	three := build(t, s, "Moves int `param:\"moves,0..9\"`", "", "2", "cost, bestCost float64",
		"cost float64; bestCost float32", "w.bestCost = slices.Clone(w.tour), w.cost",
		"w.bestCost = slices.Clone(w.tour), float32(w.cost)",
		"c < w.bestCost", "float32(c) < w.bestCost", "w.bestCost = c\n", "w.bestCost = float32(c)\n",
		"return w.bestCost, w.best", "return float64(w.bestCost), w.best")
	at := r.Last()
	if err := handOver(t, r, three); err == nil ||
		!strings.Contains(err.Error(), "a field that holds it") {
		t.Errorf("a best of another type: %v", err)
	}
	if err := r.Step(t.Context(), 1); err == nil {
		t.Error("it goes on")
	}
	if _, err := r.Set(t.Context(), record.Values{"code": record.Text(one.ID)}, "test"); err != nil {
		t.Fatal(err)
	}
	step(1)
	if r.Last().Iter != at.Iter+1 {
		t.Errorf("after it: %v", r.Last())
	}
}
