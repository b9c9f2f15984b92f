package conform

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/internal/worth"
	"metalab/solvers/record"
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

	// Trials is the number of random interleavings; 10 when 0, and 25 where [IsLong]. Each makes
	// some ten iterations twice, so more find more where iterations are quick.
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
	worth.Set(1) // loops of small instances are dealt out too
	if c.Iterations == 0 {
		c.Iterations = 24
	}
	if c.Trials == 0 {
		c.Trials = 10
		if IsLong() {
			c.Trials = 25
		}
	}
	if testing.Short() { // less of the same
		c.Iterations, c.Trials = min(c.Iterations, 8), min(c.Trials, 2)
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

func recordOf(t testing.TB, r *solvers.Run) *record.Record {
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
	same(t, "Step(n) and n times Step(1)", recordOf(t, a), recordOf(t, b))
	rec := recordOf(t, a)
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
	if recordOf(t, a).Digest == recordOf(t, b).Digest {
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
	if err := recordOf(t, a).Encode(&b); err != nil {
		t.Fatal(err)
	}
	rec, err := record.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	o := solvers.ReplayOptions{Repeats: true}
	d, err := solvers.Replay(context.Background(), rec, c.Instance, o)
	if !solvers.Waits(c.Params) {
		if !errors.Is(err, solvers.ErrNotDeterministic) {
			t.Fatalf("replay of repeats that no journal tells of: difference %v, error %v", d, err)
		}
		return
	}
	if err != nil || d != nil {
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

func checkRefusal(t *testing.T, c Case) {
	r := c.open(t, "a")
	step(t, r, 1)
	if _, err := solvers.Replay(
		context.Background(), recordOf(t, r), c.Instance, solvers.ReplayOptions{},
	); err == nil {
		t.Error("a replay of a variant that races is not refused")
	}
}

func checkTwin(t *testing.T, c Case) {
	a := c.open(t, "device")
	c.Backend = "cpu"
	b := c.open(t, "cpu")
	step(t, a, c.Iterations)
	step(t, b, c.Iterations)
	same(t, "the device and the CPU", recordOf(t, a), recordOf(t, b))
}
