package guest_test

import (
	"cmp"
	"os"
	"strings"
	"testing"

	"metalab/kernel/guest"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// solving declares solvers beside the problems of declaring: Climb knows a problem by its form and
// its neighbourhoods alone, Fill by its type, Drift that of real vectors.
const solving = `
type Climb struct {
	T     float64 ` + "`param:\"temperature,0..50\" doc:\"of the acceptance\"`" + `
	Moves int     ` + "`param:\"moves,1..50\" doc:\"moves of an iteration\"`" + `
	Taken int     ` + "`measure:\"taken\"`" + `

	w        *lab.Walk
	best     []int
	bestCost float64
}

func (c *Climb) Init(p *lab.Problem, r *lab.Rand) error {
	names := p.Neighbourhoods()
	w, err := p.Walk(names[len(names)-2])
	if err != nil {
		return err
	}
	x := r.Perm(p.N)
	for i := range x {
		switch p.Form {
		case "bits":
			x[i] = r.IntN(2)
		case "values":
			x[i] = r.IntN(p.K)
		}
	}
	w.Load(x)
	c.w, c.best, c.bestCost = w, x, w.Cost()
	if c.bestCost != p.Cost(x) {
		return fmt.Errorf("%v and %v", c.bestCost, p.Cost(x))
	}
	return nil
}

func (c *Climb) Step(_ int64, r *lab.Rand) (float64, error) {
	c.Taken = 0
	for range c.Moves {
		if k := r.IntN(c.w.Moves()); r.Accept(c.w.Delta(k), c.T) {
			c.w.Apply(k)
			c.Taken++
		}
		if v := c.w.Cost(); v < c.bestCost {
			c.bestCost, c.best = v, c.w.Solution()
		}
	}
	return c.w.Cost(), nil
}

func (c *Climb) Best() (float64, []int) { return c.bestCost, c.best }

type Odd struct {
	Climb
	Fault string ` + "`param:\"fault,best|short|move|neighbourhood\"`" + `
}

func (o *Odd) Init(p *lab.Problem, r *lab.Rand) error {
	if o.Fault == "neighbourhood" {
		_, err := p.Walk("2opt")
		return err
	}
	return o.Climb.Init(p, r)
}

func (o *Odd) Step(it int64, r *lab.Rand) (float64, error) {
	if o.Fault == "move" {
		return o.w.Delta(o.w.Moves()), nil
	}
	return o.Climb.Step(it, r)
}

func (o *Odd) Best() (float64, []int) {
	switch o.Fault {
	case "best":
		return o.bestCost - 1, o.best
	case "short":
		return o.bestCost, o.best[1:]
	}
	return o.Climb.Best()
}

type Fill struct {
	p              *lab.Problem
	sack           *Sack ` + "`state:\"-\"`" + `
	x              []uint8
	best           []int
	cost, bestCost float64
}

func (f *Fill) ints() []int {
	out := make([]int, len(f.x))
	for i, b := range f.x {
		out[i] = int(b)
	}
	return out
}

func (f *Fill) Init(p *lab.Problem, _ *lab.Rand) error {
	f.p, f.sack, f.x = p, p.Own().(*Sack), make([]uint8, p.N)
	f.cost = -float64(f.sack.Cost(f.x))
	f.best, f.bestCost = f.ints(), f.cost
	return nil
}

func (f *Fill) Changed([]string) {
	f.cost, f.bestCost = f.p.Cost(f.ints()), f.p.Cost(f.best)
}

func (f *Fill) Step(_ int64, r *lab.Rand) (float64, error) {
	f.sack.Load(f.x)
	i := r.IntN(len(f.x))
	if d := -float64(f.sack.Delta(f.x, i)); r.Accept(d, 0.5) {
		f.x[i] ^= 1
		f.cost += d
	}
	if f.cost < f.bestCost {
		f.bestCost, f.best = f.cost, f.ints()
	}
	return f.cost, nil
}

func (f *Fill) Best() (float64, []int) { return f.bestCost, f.best }

type Drift struct {
	Width float64 ` + "`param:\"width,0..10\" doc:\"of a step\"`" + `

	p              *lab.Problem
	x, best        []float64
	cost, bestCost float64
}

func (d *Drift) Init(p *lab.Problem, r *lab.Rand) error {
	d.p, d.x = p, make([]float64, p.N)
	for i := range d.x {
		d.x[i] = p.Low + (p.High-p.Low)*r.Float64()
	}
	d.cost = p.CostReals(d.x)
	d.best, d.bestCost = append([]float64(nil), d.x...), d.cost
	return nil
}

func (d *Drift) Step(_ int64, r *lab.Rand) (float64, error) {
	y := append([]float64(nil), d.x...)
	for i := range y {
		y[i] = max(d.p.Low, min(d.p.High, y[i]+d.Width*(r.Float64()-0.5)))
	}
	if c := d.p.CostReals(y); r.Accept(c-d.cost, 0.1) {
		d.x, d.cost = y, c
	}
	if d.cost < d.bestCost {
		d.best, d.bestCost = append(d.best[:0], d.x...), d.cost
	}
	return d.cost, nil
}

func (d *Drift) Best() (float64, []int) { panic("Best of real vectors") }

func (d *Drift) BestReals() (float64, []float64) { return d.bestCost, d.best }

type Astray struct {
	Drift
	Fault string ` + "`param:\"fault,best|box|short\"`" + `
}

func (a *Astray) BestReals() (float64, []float64) {
	switch a.Fault {
	case "best":
		return a.bestCost - 1, a.best
	case "box":
		return a.bestCost, append([]float64{a.p.High + 1}, a.best[1:]...)
	}
	return a.bestCost, a.best[1:]
}
`

// declareSolver declares a solver of a file that declares all; constructors are written there.
func declareSolver(t *testing.T, s *guest.Session, name, typ, source string) *guest.Code {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/main.go", []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := guest.Build(t.Context(), dir+"/main.go", dir+"/solver"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c, _, err := s.Declare(t.Context(), wire.DeclareRequest{
		Solver: name, Program: dir + "/solver", Source: []byte(source), Type: typ,
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// climbing is the file, with lines replaced.
func climbing(replace ...string) string {
	source := strings.Replace(declaring, "func main() {\n", solving+`
func main() {
	lab.Declare("climb", func() lab.Solver { return &Climb{T: 1, Moves: 5} })
	lab.Declare("odd", func() lab.Solver { return &Odd{Climb: Climb{T: 1, Moves: 5}, Fault: "best"} })
	lab.Declare("fill", func() lab.Solver { return &Fill{} })
	lab.Declare("drift", func() lab.Solver { return &Drift{Width: 0.5} })
	lab.Declare("astray", func() lab.Solver { return &Astray{Fault: "best"} })
`, 1)
	return strings.NewReplacer(replace...).Replace(source)
}

// bothDeclared is a session with a solver and the problem.
func bothDeclared(
	t *testing.T, s *guest.Session, solver, problem string, replace ...string,
) *guest.Instance {
	t.Helper()
	typ := strings.ToUpper(solver[:1]) + solver[1:]
	declareSolver(t, s, solver, typ, climbing(replace...))
	return declaredProblem(t, s, problem, climbing(replace...))
}

// Declared solvers keep the laws on declared problems.
func TestPairedConform(t *testing.T) {
	s := newSession(t)
	for _, c := range []struct{ solver, problem string }{
		{"climb", "line"}, {"fill", "sack"}, {"drift", "bowl"},
	} {
		t.Run(c.problem+"/"+c.solver, func(t *testing.T) {
			conform.Check(t, conform.Case{
				Solver: c.solver, Instance: bothDeclared(t, s, c.solver, c.problem), Seed: 5,
				Iterations: 8, Trials: 2,
				// A penalty that changes gives the best another value, so it stays here.
				Ranges: map[string][2]float64{"penalty": {5, 5}},
			})
		})
	}
}

// A parameter of the problem is set while a run goes on, and by a fork: the best has the value that
// its solution has then. The record holds the source of both, from which another session makes it
// again.
func TestPairedParameter(t *testing.T) {
	s := newSession(t)
	in := bothDeclared(t, s, "fill", "sack")
	r, err := solvers.Open(solvers.Config{
		Solver: "fill", Instance: in, Seed: 2, Params: record.Of("penalty", 0),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	ctx := t.Context()
	step := func(r *solvers.Run) float64 {
		t.Helper()
		if err := r.Step(ctx, 300); err != nil {
			t.Fatal(err)
		}
		if b, err := r.Best(ctx); err != nil || b.Value != r.Last().Best {
			t.Fatalf("best %v, %v, and the last point has %v", b.Value, err, r.Last().Best)
		}
		return r.Last().Best
	}
	var all float64 // without a penalty all items are the best
	for i := range 18 {
		all += float64(i%5 + 3)
	}
	if got := step(r); got != -all {
		t.Fatalf("without a penalty the best is %v, want %v", got, -all)
	}
	fork, err := r.Fork(ctx, solvers.Fork{Name: "f", With: record.Of("penalty", 30), Who: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer fork.Close()
	if _, err := r.Set(ctx, record.Values{"penalty": record.Num(30)}, "test"); err != nil {
		t.Fatal(err)
	}
	for _, r := range []*solvers.Run{r, fork} {
		if b, err := r.Best(ctx); err != nil || b.Value <= -all {
			t.Fatalf("%s: with a penalty the best is %v, %v", r.Name(), b.Value, err)
		}
	}
	if a, b := step(r), step(fork); a != b || a > -20 || a < -70 {
		t.Errorf("with a penalty the bests are %v and %v", a, b)
	}
	rec, err := fork.Record(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if d, err := solvers.Replay(ctx, rec, in, solvers.ReplayOptions{}); err != nil || d != nil {
		t.Errorf("replay: %v, %v", d, err)
	}
	codes := guest.Codes(rec)
	if len(codes) != 2 || codes[0].Problem() != "sack" || codes[1].Problem() != "" ||
		!strings.Contains(codes[1].Source, "type Fill") {
		t.Fatalf("codes of the record: %+v", codes)
	}
	s.Close()
	r.Close()
	fork.Close()
	again := newSession(t)
	if got := again.Lacking(rec); len(got) != 2 {
		t.Fatalf("another session lacks %+v", got)
	}
	done := 0
	if err := again.Restore(ctx, "fill", again.Lacking(rec), func(n int) { done = n }); err != nil ||
		done != 2 || again.Missing(rec) != nil {
		t.Fatalf("%d restored, %v, missing %v", done, err, again.Missing(rec))
	}
	if in, err = again.ProblemOf(rec.Header.Instance); err != nil {
		t.Fatal(err)
	}
	if d, err := solvers.Replay(ctx, rec, in, solvers.ReplayOptions{}); err != nil || d != nil {
		t.Errorf("replay in another session: %v, %v", d, err)
	}
}

// New code of the solver goes on with the state of the old one.
func TestPairedHandOver(t *testing.T) {
	s := newSession(t)
	in := bothDeclared(t, s, "climb", "ring")
	r, err := solvers.Open(solvers.Config{Solver: "climb", Instance: in, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(t.Context(), 20); err != nil {
		t.Fatal(err)
	}
	c := declareSolver(t, s, "climb", "Climb", climbing("c.Taken++", "c.Taken += 2"))
	if err := handOver(t, r, c); err != nil {
		t.Fatal(err)
	}
	if err := r.Step(t.Context(), 20); err != nil {
		t.Fatal(err)
	}
	rec, err := r.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d, err := solvers.Replay(t.Context(), rec, in, solvers.ReplayOptions{})
	if err != nil || d != nil {
		t.Errorf("replay: %v, %v", d, err)
	}
	if n := len(guest.Codes(rec)); n != 3 {
		t.Errorf("%d codes in the record, want 3", n)
	}
	// A change of the problem's own source makes it another problem, which this run is not on.
	declareSolver(t, s, "fill", "Fill", climbing("i%5+3", "i%5+4"))
	sack := declaredProblem(t, s, "sack", climbing())
	_, err = solvers.Open(solvers.Config{Solver: "fill", Instance: sack, Seed: 1})
	if err == nil || !strings.Contains(err.Error(), "Sack.Cost is not the same in sack and in fill") {
		t.Errorf("a solver with another Sack: %v", err)
	}
}

// What cannot be searched, and what goes wrong on the way, is told with the place.
func TestPairedErrors(t *testing.T) {
	s := newSession(t)
	in := bothDeclared(t, s, "odd", "line")
	for fault, want := range map[string]string{
		"neighbourhood": "line has no neighbourhood \"2opt\"; there are swap, insertion",
		"best":          "the best is not what it says: it claims ",
		"short":         "the best is not what it says: its solution is not one: it has 8 numbers",
		"move":          "panic: lab: move 36 of a Walk, want 0 to 35, in (*Odd).Step: return o.w.Delta(",
	} {
		if err := stepped(t, in, "odd", record.Values{"fault": record.Text(fault)}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", fault, err, want)
		}
	}
	bowl := bothDeclared(t, s, "astray", "bowl")
	for fault, want := range map[string]string{
		"best":  "the best is not what it says: it claims ",
		"box":   "its solution is not one: bowl: number 0 is 5, want -2 to 4",
		"short": "the best is not what it says: its solution is not one: it has 2 numbers, want 3",
	} {
		if err := stepped(t, bowl, "astray", record.Values{"fault": record.Text(fault)}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", fault, err, want)
		}
	}
	for name, c := range map[string]struct{ solver, problem, old, now, want string }{
		"real numbers": {
			"climb", "bowl", "", "", "real vectors, and *main.Climb has no method BestReals()",
		},
		"one parameter": {
			"climb", "sack", "moves,1..50", "penalty,1..50", "sack has a parameter penalty",
		},
		"the problem's panic": {
			"climb", "ring", "if a == x[(i+1)%len(x)]", "if i > 0 && a == x[i+1]",
			"index out of range [12] with length 12, in Ring.Cost: if i > 0 && a == x[i+1] {",
		},
		"nobody computes the costs anew": {
			"fill", "sack", "f.cost, f.bestCost = f.p.Cost(f.ints()), f.p.Cost(f.best)", "",
			"after a change of [penalty] of sack the best is not what it says",
		},
	} {
		in := bothDeclared(t, s, c.solver, c.problem, cmp.Or(c.old, "no such line"), c.now)
		var set record.Values
		if c.solver == "fill" {
			set = record.Of("penalty", 30)
		}
		if err := stepped(t, in, c.solver, set); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// stepped is what goes wrong in a run whose parameters change after some iterations.
func stepped(t *testing.T, in *guest.Instance, solver string, set record.Values) error {
	t.Helper()
	first := record.Values{}
	for n := range set {
		if first[n] = record.Num(0); n == "fault" {
			first[n] = set[n]
		}
	}
	r, err := solvers.Open(solvers.Config{Solver: solver, Instance: in, Seed: 1, Params: first})
	if err != nil {
		return err
	}
	defer r.Close()
	if err := r.Step(t.Context(), 200); err != nil {
		return err
	}
	if _, err := r.Set(t.Context(), set, "test"); err != nil {
		return err
	}
	return r.Step(t.Context(), 1)
}
