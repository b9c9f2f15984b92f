package guest_test

import (
	"context"
	"os/exec"
	"strings"
	"testing"

	"metalab/kernel/guest"
	"metalab/kernel/wire"
	"metalab/solvers"
	_ "metalab/solvers/anneal"
	_ "metalab/solvers/cmaes"
	"metalab/solvers/conform"
	_ "metalab/solvers/recombine"
	"metalab/solvers/record"
)

// declaring declares problems of every form, each with what differs in one line.
const declaring = `package main

import (
	"fmt"

	"metalab/kernel/lab"
)

const items = 18

type Sack struct {
	Penalty float64 ` + "`param:\"penalty,0..50\" doc:\"of a unit too much\"`" + `
	held    int64
}

func weight(i int) int64 { return int64(7*i%11 + 1) }

func (s *Sack) over(h int64) int64 { return int64(s.Penalty) * max(h-40, 0) }

func (s *Sack) Cost(x []uint8) int64 {
	var held, value int64
	for i, b := range x {
		held += int64(b) * weight(i)
		value += int64(b) * int64(i%5+3)
	}
	return value - s.over(held)
}

func (s *Sack) Load(x []uint8) {
	s.held = 0
	for i, b := range x {
		s.held += int64(b) * weight(i)
	}
}

func (s *Sack) Apply(x []uint8, i int) { s.held += weight(i) * (1 - 2*int64(x[i])) }

func (s *Sack) Delta(x []uint8, i int) int64 {
	d := 1 - 2*int64(x[i])
	return d*int64(i%5+3) - s.over(s.held+d*weight(i)) + s.over(s.held)
}

type Line struct{}

func (Line) Cost(p []int32) float64 {
	sum := 0.0
	for i := 1; i < len(p); i++ {
		sum += float64(max(p[i]-p[i-1], p[i-1]-p[i])) / 3
	}
	return sum
}

type Ring struct{}

func (Ring) Cost(x []int32) int64 {
	var n int64
	for i, a := range x {
		if a == x[(i+1)%len(x)] {
			n++
		}
	}
	return n
}

type Bowl struct{}

func (Bowl) Cost(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64((v - 1) * (v - 1))
	}
	return sum
}

func unrelated() { fmt.Println("of another cell") }

func main() {
	lab.DeclareProblem("sack", func() any { return &Sack{Penalty: 5} }, lab.Bits(items), lab.Maximise,
		lab.BestKnown(70, "nobody"))
	lab.DeclareProblem("line", func() any { return Line{} }, lab.Permutation(9))
	lab.DeclareProblem("ring", func() any { return Ring{} }, lab.Values(12, 3))
	lab.DeclareProblem("bowl", func() any { return Bowl{} }, lab.Reals(3, -2, 4))
}
`

// problem declares one of them.
func declaredProblem(t *testing.T, s *guest.Session, name, source string) *guest.Instance {
	t.Helper()
	in, _, err := s.DeclareProblem(t.Context(), wire.DeclareRequest{
		Solver: name, Problem: true, Source: []byte(source),
	})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func newSession(t *testing.T) *guest.Session {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil || testing.Short() {
		t.Skip("compiles programs")
	}
	s := guest.NewSession(t.TempDir(), func(string) {})
	t.Cleanup(s.Close)
	return s
}

// Searches on declared problems keep the laws across the processes.
func TestProblemConform(t *testing.T) {
	s := newSession(t)
	declared := map[string]*guest.Instance{}
	for _, name := range []string{"sack", "line", "ring", "bowl"} {
		declared[name] = declaredProblem(t, s, name, declaring)
	}
	for _, c := range []struct{ name, solver string }{
		{"sack", "tabu"},
		{"sack", "hill"},
		{"line", "vnd"},
		{"line", "tabu"},
		{"ring", "anneal"},
		{"ring", "tabu"},
		{"bowl", "tabu"},
		{"bowl", "anneal"},
		{"sack", "ga"},
		{"bowl", "ga"},
		{"bowl", "cmaes"},
		{"line", "ils"},
		{"ring", "ils"},
	} {
		t.Run(c.name+"/"+c.solver, func(t *testing.T) {
			// A penalty that changes gives the best another value, so it stays here.
			variant := map[string]string{"ga": "generational", "ils": "moves"}[c.solver]
			conform.Check(t, conform.Case{
				Solver: c.solver, Variant: variant, Instance: declared[c.name], Seed: 5, Iterations: 8,
				Trials: 3, Ranges: map[string][2]float64{
					"walks": {1, 4}, "scans": {1, 10}, "neighbours": {1, 40}, "moves": {1, 100},
					"kick": {1, 9}, "restarts": {0, 9}, "workers": {0, 3}, "wave": {0, 512},
					"trials": {0, 3}, "penalty": {5, 5}, "population": {2, 20},
				},
			})
		})
	}
}

// A parameter of the problem is set while a run goes on: the best then has the value that its
// solution has, whatever it was, and the record replays.
func TestProblemParameter(t *testing.T) {
	s := newSession(t)
	in := declaredProblem(t, s, "sack", declaring)
	r, err := solvers.Open(solvers.Config{
		Solver: "tabu", Instance: in, Seed: 2, Params: record.Of("penalty", 0, "walks", 3, "scans", 2),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	ctx := context.Background()
	step := func(n int) float64 {
		t.Helper()
		if err := r.Step(ctx, n); err != nil {
			t.Fatal(err)
		}
		return r.Last().Best
	}
	// Without a penalty all items are the best.
	var all float64
	for i := range 18 {
		all += float64(i%5 + 3)
	}
	if got := step(30); got != -all {
		t.Fatalf("without a penalty the best is %v, want %v", got, -all)
	}
	if _, err := r.Set(ctx, record.Values{"penalty": record.Num(50)}, "test"); err != nil {
		t.Fatal(err)
	}
	if b, err := r.Best(ctx); err != nil || b.Value <= -all {
		t.Fatalf("with a penalty the best is %v, %v", b.Value, err)
	}
	if got := step(60); got < -70 || got > -40 {
		t.Errorf("with a penalty the best is %v", got)
	}
	rec, err := r.Record(ctx)
	if err != nil {
		t.Fatal(err)
	}
	d, err := solvers.Replay(ctx, rec, in, solvers.ReplayOptions{})
	if err != nil || d != nil {
		t.Errorf("replay: %v, %v", d, err)
	}
	if b, ok := in.BestKnown(); !ok || b.Value != -70 {
		t.Errorf("best known: %v", b)
	}
	if c := guest.Codes(rec); len(c) != 1 || !strings.Contains(c[0].Source, "type Sack") ||
		strings.Contains(c[0].Source, "unrelated") || strings.Contains(c[0].Source, "Bowl") {
		t.Errorf("codes of the record: %+v", c)
	}
}

// What is declared again is the same problem, other source another one, whose runs stay apart.
func TestProblemAgain(t *testing.T) {
	s := newSession(t)
	one := declaredProblem(t, s, "ring", declaring)
	if declaredProblem(t, s, "ring", strings.Replace(declaring, "of another cell", "x", 1)) != one {
		t.Error("another cell makes it another problem")
	}
	two := declaredProblem(t, s, "ring", strings.Replace(declaring, "n++", "n += 2", 1))
	if two.SHA256() == one.SHA256() || s.Problem("ring") != two {
		t.Error("another source is the same problem")
	}
	x := record.Solution{Perm: make([]int32, 12)}
	a, err1 := one.CostOf(x)
	b, err2 := two.CostOf(x)
	if a != 12 || b != 24 || err1 != nil || err2 != nil {
		t.Errorf("costs %v and %v, %v and %v", a, b, err1, err2)
	}
	got, err := s.ProblemOf(record.InstanceRef{Name: "ring", SHA256: one.SHA256()})
	if got != one || err != nil {
		t.Errorf("the first: %v, %v", got, err)
	}
	for _, bad := range [][]int32{nil, make([]int32, 11), append(make([]int32, 11), 3)} {
		if _, err := one.CostOf(record.Solution{Perm: bad}); err == nil {
			t.Errorf("%v has a cost", bad)
		}
	}
}

// Mistakes of a declaration, and of a method, are told with the place.
func TestProblemErrors(t *testing.T) {
	s := newSession(t)
	for name, c := range map[string]struct{ name, old, now, want string }{
		"a name that is there":  {"tabu", "", "", "is the name of a solver"},
		"a name of an instance": {"pr1002", "", "", "is the name of an instance"},
		"no such call":          {"other", "", "", "does not call lab.DeclareProblem"},
		"a variable of a cell":  {"sack", "lab.Bits(items)", "lab.Bits(n)", "undefined: n"},
		"no form":               {"ring", ", lab.Values(12, 3)", "", "none of the options says"},
		"too few":               {"ring", "lab.Values(12, 3)", "lab.Values(0, 3)", "0 entries"},
		"another form":          {"ring", "lab.Values(12, 3)", "lab.Bits(3)", "method Cost(x []uint8)"},
		"a parameter's default": {"sack", "Penalty: 5", "Penalty: 51", "penalty is 51 by default"},
		"a clash of parameters": {"sack", "penalty,0..50", "walks,0..50", "parameter walks"},
		"a constructor's panic": {"ring", "return Ring{}", "panic(7)", "panic: 7, in "},
		"numbers by chance":     {"line", "/ 3", "/ (3 + rand.Float64())", "other numbers each time"},
		"a delta with a wrong i": {
			"sack", "Delta(x []uint8, i int) int64 {", "Delta(x []uint8, i int, _ bool) int64 {",
			"want func([]uint8, int) int64",
		},
	} {
		source := strings.Replace(declaring, c.old, c.now, 1)
		if strings.Contains(c.now, "rand.") {
			source = strings.Replace(source, "\"fmt\"", "\"fmt\"\n\t\"math/rand\"", 1)
		}
		in, _, err := s.DeclareProblem(t.Context(), wire.DeclareRequest{
			Solver: c.name, Problem: true, Source: []byte(source),
		})
		if err == nil && name == "a clash of parameters" {
			_, err = solvers.Open(solvers.Config{Solver: "tabu", Instance: in, Seed: 1})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	for name, c := range map[string]struct{ old, now, want string }{
		"an index": {
			"if a == x[(i+1)%len(x)]", "if a == x[i+1]",
			"index out of range [12] with length 12, in Ring.Cost: if a == x[i+1] {",
		},
		"too large": {"n++", "n += 1 << 60", "beyond which whole numbers are not exact"},
	} {
		in := declaredProblem(t, s, "ring", strings.Replace(declaring, c.old, c.now, 1))
		_, err := solvers.Open(solvers.Config{Solver: "tabu", Instance: in, Seed: 1})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	in := declaredProblem(t, s, "bowl", strings.Replace(declaring, "return sum\n}\n\nfunc unrelated",
		"return sum / (sum - sum)\n}\n\nfunc unrelated", 1))
	if _, err := in.CostOf(record.Solution{Real: make([]float64, 3)}); err == nil ||
		!strings.Contains(err.Error(), "is +Inf, want a number") {
		t.Errorf("no number: %v", err)
	}
}

// A solution is drawn by the method Plot, with the values that parameters have; what goes wrong
// in it is told with its place.
func TestProblemDraw(t *testing.T) {
	s := newSession(t)
	const head = "func unrelated() {"
	plot := func(body string) *guest.Instance {
		return declaredProblem(t, s, "sack", strings.Replace(declaring, head,
			"func (s *Sack) Plot(x []uint8) *lab.Drawing {\n"+body+"\n}\n\n"+head, 1))
	}
	x := record.Solution{Bits: make([]int8, 18)}
	x.Bits[3] = 1
	params := []record.Param{
		{Name: "penalty", Value: record.Num(7)}, {Name: "walks", Value: record.Num(2)},
	}
	d, err := plot("d := &lab.Drawing{X: \"item\"}\n"+
		"d.Bar(0, 0, float64(x[3]), s.Penalty, 2)\nreturn d").Draw(t.Context(), x, params)
	if err != nil || d.X != "item" || len(d.Shapes) != 1 || d.Shapes[0].X[0] != 0 ||
		d.Shapes[0].Y[0] != 0 || d.Shapes[0].X[1] != 1 ||
		d.Shapes[0].Y[1] != 7 || d.Shapes[0].Colour != 2 {
		t.Errorf("%+v, %v", d, err)
	}
	for body, want := range map[string]string{
		"return nil": "Plot of sack returns nil",
		"return &lab.Drawing{Title: fmt.Sprint(x[len(x)+2])}": "index out of range [20] with " +
			"length 18, in (*Sack).Plot: return &lab.Drawing",
		"d := &lab.Drawing{}\nd.Text(0, 1/(s.Penalty-7), \"\")\nreturn d": "Plot of sack returns a " +
			"drawing with shape 0, text: place 0 is at (0, +Inf), want numbers",
	} {
		if _, err := plot(body).Draw(t.Context(), x, params); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
	if _, err := declaredProblem(t, s, "sack", declaring).Draw(t.Context(), x, nil); err == nil ||
		!strings.Contains(err.Error(), "sack has no method Plot(x []uint8) *lab.Drawing") {
		t.Errorf("without the method: %v", err)
	}
}

// Check finds deltas that differ from costs, and costs that differ from themselves.
func TestProblemCheck(t *testing.T) {
	s := newSession(t)
	q := wire.WorkerCheck{Seed: 1, Moves: 200}
	in := declaredProblem(t, s, "sack", declaring)
	c, err := in.Check(t.Context(), q)
	if err != nil || len(c.Neighbourhoods) != 3 || c.Neighbourhoods[1].Moves != 153 &&
		c.Neighbourhoods[1].Moves != 200 || c.Neighbourhoods[0].Delta != "Delta" ||
		c.Neighbourhoods[1].Delta != "" {
		t.Errorf("%+v, %v", c, err)
	}
	for old, now := range map[string][2]string{
		"d := 1 - 2*int64(x[i])": {
			"d := 1 - 2*int64(x[i])\n\tif i == 7 {\n\t\treturn 100\n\t}",
			"move 7 of hamming1, at 7: Delta says 100, and Cost goes from ",
		},
		"s.held += weight(i) * (1": {"s.held += 2 * weight(i) * (1", "Delta says "},
		"return value - s.over(held)\n": {
			"s.held++\n\treturn value - s.over(held) + s.held%2\n", "and asked again ",
		},
	} {
		in := declaredProblem(t, s, "sack", strings.Replace(declaring, old, now[0], 1))
		if _, err := in.Check(t.Context(), q); err == nil || !strings.Contains(err.Error(), now[1]) {
			t.Errorf("%s: %v, want %q", now[0], err, now[1])
		}
	}
}
