package conform

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"

	"pgregory.net/rapid"
)

// A Case is a variant and what it is tried on.
type Case struct {
	Solver, Variant, Backend string
	// small: all laws together make some thousand iterations
	Instance   datasets.Instance
	Seed       uint64
	Params     record.Values // over the default preset
	Iterations int           // of one trial; 24 when 0

	// Ranges narrows the values that are tried for a parameter, by name, where the
	// legal range holds values that take too long.
	Ranges map[string][2]float64

	// Trials is the number of random interleavings; 25 when 0. Each makes some ten
	// iterations twice, so more find more where iterations are quick.
	Trials int

	// Structural are structural changes that a fork must be able to make.
	Structural []record.Values

	// Presets are those to open; nil for all of the variant.
	Presets []string
}

func (c Case) open(t testing.TB, name string) *solvers.Run {
	t.Helper()
	r, err := solvers.Open(solvers.Config{
		Name: name, Solver: c.Solver, Variant: c.Variant, Backend: c.Backend,
		Instance: c.Instance, Seed: c.Seed, Params: c.Params,
	})
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(r.Close)
	return r
}

// Check holds the variant to the laws. A variant that is not deterministic is held
// only to those that bind it.
func Check(t *testing.T, c Case) {
	t.Helper()
	if c.Iterations == 0 {
		c.Iterations = 24
	}
	if c.Trials == 0 {
		c.Trials = 25
	}
	if testing.Short() { // less of the same
		c.Iterations, c.Trials = min(c.Iterations, 12), min(c.Trials, 3)
	}
	v, err := solvers.Find(c.Solver, c.Variant, c.Backend)
	if err != nil {
		t.Fatal(err)
	}
	c.Variant, c.Backend = v.Name, v.Backend
	t.Run("best", func(t *testing.T) { checkBest(t, c) })
	t.Run("set", func(t *testing.T) { checkSet(t, c) })
	t.Run("declarations", func(t *testing.T) { checkDeclarations(t, c, v) })
	if !v.Deterministic {
		t.Run("refuses replay", func(t *testing.T) { checkRefusal(t, c) })
		return
	}
	t.Run("steps", func(t *testing.T) { checkSteps(t, c) })
	t.Run("seeds", func(t *testing.T) { checkSeeds(t, c) })
	t.Run("repeats", func(t *testing.T) { checkRepeats(t, c) })
	t.Run("workers", func(t *testing.T) { checkSchedule(t, c) })
	t.Run("structural", func(t *testing.T) { checkStructural(t, c) })
	t.Run("start", func(t *testing.T) { checkStart(t, c, v) })
	t.Run("interleavings", func(t *testing.T) { checkInterleavings(t, c) })
	if c.Backend != "cpu" {
		t.Run("twin", func(t *testing.T) { checkTwin(t, c) })
	}
}

func step(t testing.TB, r *solvers.Run, n int) {
	t.Helper()
	if err := r.Step(context.Background(), n); err != nil {
		t.Fatalf("step %d at %d: %v", n, r.Last().Iter, err)
	}
}

func onPaper(t testing.TB, r *solvers.Run) *record.Record {
	t.Helper()
	rec, err := r.Record(context.Background())
	if err != nil {
		t.Fatalf("record: %v", err)
	}
	return rec
}

// same fails when two runs differ in anything that is compared.
func same(t testing.TB, what string, a, b *record.Record) {
	t.Helper()
	if a.End != b.End || a.Digest != b.Digest {
		t.Fatalf(
			"%s: end %d with digest %016x, and %d with %016x", what, a.End, a.Digest, b.End, b.Digest,
		)
	}
	if x, y := comparable(a), comparable(b); x != y {
		t.Fatalf("%s: the records differ:\n%s\n%s", what, x, y)
	}
}

// comparable is what a record says less what is never compared.
func comparable(r *record.Record) string {
	var b bytes.Buffer
	for _, p := range r.Points {
		p.Wall, p.CPU = 0, 0
		b.Write(record.AppendPoint(nil, p, r.Header.Measures))
	}
	fmt.Fprintf(&b, "%v %v %v", r.Best.Iter, r.Best.Value, r.Best.Solution)
	return b.String()
}

func checkSteps(t *testing.T, c Case) {
	a, b := c.open(t, "at once"), c.open(t, "one by one")
	step(t, a, c.Iterations)
	for range c.Iterations {
		step(t, b, 1)
	}
	same(t, "Step(n) and n times Step(1)", onPaper(t, a), onPaper(t, b))
	rec := onPaper(t, a)
	d, err := solvers.Replay(context.Background(), rec, c.Instance, solvers.ReplayOptions{})
	if err != nil || d != nil {
		t.Fatalf("replay: difference %v, error %v", d, err)
	}
	rec.Points[len(rec.Points)/2].Digest++
	if d, err = solvers.Replay(
		context.Background(), rec, c.Instance, solvers.ReplayOptions{},
	); err != nil || d == nil {
		t.Fatalf("replay does not see a record that was falsified: difference %v, error %v", d, err)
	}
}

func checkSeeds(t *testing.T, c Case) {
	a := c.open(t, "a")
	c.Seed++
	b := c.open(t, "b")
	step(t, a, c.Iterations)
	step(t, b, c.Iterations)
	if onPaper(t, a).Digest == onPaper(t, b).Digest {
		t.Error("two seeds give the same run")
	}
}

// checkRepeats holds the seeds of a repeat, side by side, to the run by itself, through a file.
func checkRepeats(t *testing.T, c Case) {
	a := c.open(t, "a")
	n := min(c.Iterations, 6)
	step(t, a, n)
	q := solvers.Repeats{Seeds: 3, Budget: record.Budget{Iterations: int64(n)}}
	s, _, err := a.Repeat(context.Background(), q)
	if err != nil {
		t.Fatalf("repeat: %v", err)
	}
	if p := a.Last(); len(s.Seeds) != 3 || s.Seeds[0].Digest != p.Digest || s.Seeds[0].Best != p.Best {
		t.Fatalf("the seed of the run gives %v, and the run %v", s.Seeds, p)
	}
	var b bytes.Buffer
	if err := onPaper(t, a).Encode(&b); err != nil {
		t.Fatal(err)
	}
	rec, err := record.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	o := solvers.ReplayOptions{Repeats: true}
	if d, err := solvers.Replay(context.Background(), rec, c.Instance, o); err != nil || d != nil {
		t.Fatalf("replay of the repeats: difference %v, error %v", d, err)
	}
}

func checkBest(t *testing.T, c Case) {
	r := c.open(t, "a")
	last, evals := math.Inf(1), int64(0)
	for p, err := range r.Steps(context.Background(), c.Iterations) {
		if err != nil {
			t.Fatal(err)
		}
		if p.Evals < evals || (p.Evals > 0) != (r.Counts() != "") {
			t.Fatalf(
				"iteration %d: %d evaluations after %d, and it counts %q", p.Iter, p.Evals, evals, r.Counts(),
			)
		}
		evals = p.Evals
		if p.Best > last || p.Best > p.IterBest {
			t.Fatalf("iteration %d: best %v after %v, iteration best %v", p.Iter, p.Best, last, p.IterBest)
		}
		if p.Mean < p.IterBest {
			t.Fatalf("iteration %d: mean %v is below the iteration's best %v", p.Iter, p.Mean, p.IterBest)
		}
		if p.Improved != (p.Best < last) {
			t.Fatalf(
				"iteration %d: improved is %v, best went from %v to %v", p.Iter, p.Improved, last, p.Best,
			)
		}
		last = p.Best
		b, err := r.Best(context.Background()) // computes the cost again
		if err != nil {
			t.Fatalf("iteration %d: %v", p.Iter, err)
		}
		if b.Value != p.Best {
			t.Fatalf("iteration %d: best solution has %v, the point says %v", p.Iter, b.Value, p.Best)
		}
	}
}

func checkDeclarations(t *testing.T, c Case, v solvers.Variant) {
	if v.Title == "" || v.Revision < 1 || len(v.Kinds) == 0 {
		t.Errorf("the variant lacks a title, a revision or kinds: %+v", v)
	}
	r := c.open(t, "a")
	ps, err := r.Params(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		if p.Doc == "" {
			t.Errorf("parameter %s has no sentence", p.Name)
		}
		if (p.Type == record.Float || p.Type == record.Int) && p.Min >= p.Max {
			t.Errorf("parameter %s has the range %v to %v", p.Name, p.Min, p.Max)
		}
	}
	said := map[string]string{}
	for _, p := range v.AllPresets() {
		if !strings.HasSuffix(p.Doc, ".") || said[p.Doc] != "" {
			t.Errorf("preset %s has the sentence %q, %s the same", p.Name, p.Doc, said[p.Doc])
		}
		said[p.Doc] = p.Name
		if c.Presets != nil && !slices.Contains(c.Presets, p.Name) {
			continue
		}
		name := p.Name
		q, err := solvers.Open(solvers.Config{
			Solver: c.Solver, Variant: c.Variant, Backend: c.Backend, Instance: c.Instance, Preset: name,
		})
		if err != nil {
			t.Errorf("preset %s: %v", name, err)
			continue
		}
		if best, err := q.Params(context.Background()); name == "best" &&
			(err != nil || defaultsOf(best) != defaultsOf(ps)) {
			t.Errorf("preset best is not the default: %s, %s, %v", defaultsOf(best), defaultsOf(ps), err)
		}
		q.Close()
	}
}

// defaultsOf are the values that parameters have where none is given.
func defaultsOf(ps []record.Param) string {
	var b strings.Builder
	for _, p := range ps {
		fmt.Fprintf(&b, "%s=%s ", p.Name, p.Default)
	}
	return b.String()
}

func checkRefusal(t *testing.T, c Case) {
	r := c.open(t, "a")
	step(t, r, 1)
	if _, err := solvers.Replay(
		context.Background(), onPaper(t, r), c.Instance, solvers.ReplayOptions{},
	); err == nil {
		t.Error("a replay of a variant that races is not refused")
	}
}

// checkSet looks at single changes: refused ones change nothing, accepted ones are in
// the journal at the right iteration.
func checkSet(t *testing.T, c Case) {
	ctx := context.Background()
	r := c.open(t, "a")
	step(t, r, 3)
	ps, err := r.Params(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		bad := record.Text("no such value")
		if p.Type == record.Float || p.Type == record.Int {
			bad = record.Num(math.Nextafter(p.Max, math.Inf(1)) + 1)
		}
		if _, err := r.Set(ctx, record.Values{p.Name: bad}, "test"); err == nil {
			t.Errorf("%s=%v is accepted", p.Name, bad)
		}
		if p.Class == record.Structural {
			if v, ok := c.another(p, 1); ok {
				_, err := r.Set(ctx, record.Values{p.Name: v}, "test")
				var fixed *solvers.StructuralError
				if !errors.As(err, &fixed) || fixed.Name != p.Name || fixed.Now != p.Value {
					t.Errorf("structural %s=%v mid-run: error %v", p.Name, v, err)
				}
			}
			continue
		}
		v, ok := c.another(p, 1)
		if !ok {
			continue
		}
		before := len(r.Journal())
		made, err := r.Set(ctx, record.Values{p.Name: v}, "test")
		if err != nil {
			t.Errorf("%s=%v: %v", p.Name, v, err)
			continue
		}
		j := r.Journal()
		if len(j) != before+1 || len(made) != 1 || !reflect.DeepEqual(made[0], j[before]) {
			t.Errorf("%s=%v: the journal has %v as new entries, and %v is returned, want one",
				p.Name, v, j[before:], made)
			continue
		}
		e := made[0]
		if at := r.Last().Iter; e.Iter != at || e.Name != p.Name || e.Old != p.Value || e.New != v ||
			e.Who != "test" {
			t.Errorf("%s=%v after iteration %d: entry %+v", p.Name, v, at, e)
		}
		step(t, r, 1)
		if _, err := r.Set(ctx, record.Values{p.Name: p.Value}, "test"); err != nil {
			t.Errorf("%s back to %v: %v", p.Name, p.Value, err)
		}
	}
	if _, err := r.Set(ctx, record.Values{"no_such_parameter": record.Num(1)}, "test"); err == nil {
		t.Error("a parameter that does not exist is accepted")
	}
}

// another returns a legal value of p that is not its present one, the k-th of some.
func (c Case) another(p record.Param, k int) (record.Value, bool) {
	lo, hi := p.Min, p.Max
	if g, ok := c.Ranges[p.Name]; ok {
		lo, hi = max(lo, g[0]), min(hi, g[1])
	}
	now, _ := p.Value.Float()
	var vs []record.Value
	switch p.Type {
	case record.Int:
		if _, ok := c.Ranges[p.Name]; !ok {
			lo, hi = max(lo, 1), min(hi, max(2*now, 4)) // not the largest: it may take for ever
		}
		for _, x := range []float64{lo, math.Floor((lo + hi) / 2), hi, now + 1, now - 1} {
			if x >= p.Min && x <= p.Max && x <= max(hi, now) {
				vs = append(vs, record.Num(x))
			}
		}
	case record.Float:
		for _, f := range []float64{0, 0.25, 0.5, 0.9, 1} {
			vs = append(vs, record.Num(lo+f*(min(hi, lo+10)-lo)))
		}
	case record.Enum:
		for _, w := range p.Options {
			vs = append(vs, record.Text(w))
		}
	default:
		vs = []record.Value{record.Bool(true), record.Bool(false)}
	}
	vs = slices.DeleteFunc(vs, func(v record.Value) bool { return v == p.Value })
	if len(vs) == 0 {
		return record.Value{}, false
	}
	return vs[k%len(vs)], true
}

func checkSchedule(t *testing.T, c Case) {
	ctx := context.Background()
	ref := c.open(t, "ref")
	step(t, ref, c.Iterations)
	want := onPaper(t, ref)
	ps, err := ref.Params(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		if p.Class != record.Schedule {
			continue
		}
		for k := range 4 {
			v, ok := c.another(p, k)
			if !ok {
				continue
			}
			r := c.open(t, "a")
			step(t, r, c.Iterations/2)
			if _, err := r.Set(ctx, record.Values{p.Name: v}, "test"); err != nil {
				t.Fatal(err)
			}
			step(t, r, c.Iterations-c.Iterations/2)
			same(t, fmt.Sprintf("%s=%v", p.Name, v), want, onPaper(t, r))
		}
	}
}

func checkStructural(t *testing.T, c Case) {
	ctx := context.Background()
	for i, with := range c.Structural {
		r := c.open(t, "a")
		step(t, r, c.Iterations/2)
		f, err := r.Fork(ctx, solvers.Fork{Name: "f", With: with})
		if err != nil {
			t.Errorf("fork with %v: %v", with, err)
			continue
		}
		t.Cleanup(f.Close)
		step(t, f, c.Iterations/2)
		if d, err := solvers.Replay(
			ctx, onPaper(t, f), c.Instance, solvers.ReplayOptions{},
		); err != nil || d != nil {
			t.Errorf("fork %d with %v does not replay: difference %v, error %v", i, with, d, err)
		}
	}
}

func checkTwin(t *testing.T, c Case) {
	a := c.open(t, "device")
	c.Backend = "cpu"
	b := c.open(t, "cpu")
	step(t, a, c.Iterations)
	step(t, b, c.Iterations)
	same(t, "the device and the CPU", onPaper(t, a), onPaper(t, b))
}

// operations are what checkInterleavings does, the more often named the more often. Go and
// pause are not among them: on a busy machine a small instance makes a great many iterations
// between the two, all of which would be replayed. The tests of package solvers have them.
var operations = []int{0, 0, 0, 1, 2, 2, 2, 3, 3, 4, 4, 5, 5}

// checkInterleavings does random things to a run and compares it with a run that had
// only its changes made, at the same iterations.
func checkInterleavings(t *testing.T, c Case) {
	ctx := context.Background()
	trials := 0
	rapid.Check(t, func(rt *rapid.T) {
		// rapid asks for a hundred unless its flag says otherwise; failures are
		// tried again, so the count ends nothing that has failed.
		if trials++; trials > c.Trials && !t.Failed() {
			return
		}
		r, err := solvers.Open(solvers.Config{
			Name: "a", Solver: c.Solver, Variant: c.Variant, Backend: c.Backend,
			Instance: c.Instance, Seed: c.Seed, Params: c.Params,
		})
		if err != nil {
			rt.Fatal(err)
		}
		defer func() { r.Close() }()
		ops := rapid.SliceOfN(rapid.SampledFrom(operations), 1, 8).Draw(rt, "operations")
		for _, op := range ops {
			k := rapid.IntRange(1, 5).Draw(rt, "k")
			switch op {
			case 0, 1:
				if err := r.Step(ctx, k); err != nil {
					rt.Fatal(err)
				}
			case 2: // set
				ps, err := r.Params(ctx)
				if err != nil {
					rt.Fatal(err)
				}
				p := rapid.SampledFrom(ps).Draw(rt, "parameter")
				if v, ok := c.another(p, k); ok && p.Class != record.Structural {
					if _, err := r.Set(ctx, record.Values{p.Name: v}, "test"); err != nil {
						rt.Fatal(err)
					}
				}
			case 3: // fork, and go on with the copy
				f, err := r.Fork(ctx, solvers.Fork{Name: "b"})
				if err != nil {
					rt.Fatal(err)
				}
				r.Close()
				r = f
			case 4: // through files and back
				r = throughFiles(ctx, rt, r, c)
			case 5: // cancel somewhere
				cc, cancel := context.WithCancel(ctx)
				go cancel()
				_ = r.Step(cc, k)
			}
		}
		rec, err := r.Record(ctx)
		if err != nil {
			rt.Fatal(err)
		}
		d, err := solvers.Replay(ctx, rec, c.Instance, solvers.ReplayOptions{})
		if err != nil || d != nil {
			rt.Fatalf("replay: difference %v, error %v", d, err)
		}
	})
}

func throughFiles(ctx context.Context, t *rapid.T, r *solvers.Run, c Case) *solvers.Run {
	rec, err := r.Record(ctx)
	if err != nil {
		t.Fatal(err)
	}
	state, err := r.Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "lose the state") {
		state = nil
	}
	r.Close()
	var b bytes.Buffer
	if err := rec.Encode(&b); err != nil {
		t.Fatal(err)
	}
	back, err := record.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	n, err := solvers.Revive(ctx, back, state, c.Instance, "a")
	if err != nil {
		t.Fatal(err)
	}
	return n
}
