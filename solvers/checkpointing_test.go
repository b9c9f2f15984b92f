package solvers_test

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// keptAt makes a run of so many iterations, and returns what was kept after each of them.
func keptAt(t testing.TB, cfg solvers.Config, b solvers.Budget) (res solvers.Result, all [][]byte) {
	t.Helper()
	b.Keeping = &solvers.Checkpointing{
		Every: 1, To: func(_ int64, run []byte) { all = append(all, run) },
	}
	res, err := solvers.Once(context.Background(), cfg, b)
	if err != nil {
		t.Fatal(err)
	}
	return res, all
}

// timeless is a result without its times.
func timeless(r solvers.Result) solvers.Result {
	r.Point.Wall, r.Point.CPU, r.Point.Spent, r.Gap = 0, 0, 0, 0
	h := make([]record.Point, len(r.History))
	for i, p := range r.History {
		p.Wall, p.CPU, p.Spent = 0, 0, 0
		h[i] = p
	}
	r.History = h
	return r
}

// A run that goes on from where another was kept gives what one gives that did not stop, by
// iterations and by evaluations, of islands too.
func TestKeeping(t *testing.T) {
	t.Parallel()
	inst, err := datasets.Uniform(60, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		solver string
		params record.Values
		budget solvers.Budget
	}{
		{"mmas", record.Of("ants", 4), solvers.Budget{Iterations: 12}},
		{"ils", nil, solvers.Budget{Stop: solvers.ForEvaluations(60)}},
		{"ga", record.Of("population", 12, "islands", 3), solvers.Budget{Iterations: 12}},
	} {
		cfg := solvers.Config{Solver: c.solver, Instance: inst, Seed: 5, Params: c.params}
		plain, err := solvers.Once(context.Background(), cfg, c.budget)
		if err != nil {
			t.Fatal(err)
		}
		made, all := keptAt(t, cfg, c.budget)
		if !reflect.DeepEqual(timeless(made), timeless(plain)) {
			t.Errorf("%s: keeping changes the result: %+v, %+v", c.solver, made.Point, plain.Point)
		}
		if len(all) == 0 {
			t.Fatalf("%s: nothing was kept", c.solver)
		}
		for _, i := range []int{0, len(all) / 2, len(all) - 1} {
			said := ""
			b := c.budget
			b.Keeping = &solvers.Checkpointing{From: all[i], Note: func(s string) { said = s }}
			again, err := solvers.Once(context.Background(), cfg, b)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(said, "it goes on from iteration ") {
				t.Errorf("%s: %s", c.solver, said)
			}
			if !reflect.DeepEqual(timeless(again), timeless(plain)) {
				t.Errorf("%s from %d: %+v, else %+v", c.solver, i, again.Point, plain.Point)
			}
		}
	}
}

// What was kept of another run, or is damaged, is left, and the run begins anew.
func TestKeepingOfAnother(t *testing.T) {
	t.Parallel()
	inst, err := datasets.Uniform(40, 3)
	if err != nil {
		t.Fatal(err)
	}
	other, err := datasets.Uniform(40, 4)
	if err != nil {
		t.Fatal(err)
	}
	cfg := solvers.Config{
		Solver: "mmas", Instance: inst, Seed: 5, Params: record.Of("ants", 4),
	}
	b := solvers.Budget{Iterations: 6}
	want, all := keptAt(t, cfg, b)
	last := all[len(all)-1]
	for what, c := range map[string]struct {
		change func(*solvers.Config)
		data   func() []byte
		want   string
	}{
		"another seed":     {func(c *solvers.Config) { c.Seed = 6 }, nil, "another run"},
		"another instance": {func(c *solvers.Config) { c.Instance = other }, nil, "another run"},
		"other parameters": {
			func(c *solvers.Config) { c.Params = record.Of("ants", 4, "rho", 0.7) }, nil, "rho",
		},
		"another solver": {
			func(c *solvers.Config) { c.Solver, c.Params = "ils", nil }, nil, "another run",
		},
		"cut short": {nil, func() []byte { return last[:len(last)-9] }, "begins anew"},
		"damaged": {nil, func() []byte {
			x := append([]byte(nil), last...)
			x[len(x)-40] ^= 1
			return x
		}, "checksum"},
		"nothing of it": {nil, func() []byte { return []byte("no") }, "not a run that was kept"},
	} {
		d := cfg
		if c.change != nil {
			c.change(&d)
		}
		from, said := last, ""
		if c.data != nil {
			from = c.data()
		}
		x := b
		x.Keeping = &solvers.Checkpointing{
			From: from, Note: func(s string) { said = s }, Every: time.Hour,
		}
		got, err := solvers.Once(context.Background(), d, x)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(said, "it begins anew") || !strings.Contains(said, c.want) {
			t.Errorf("%s: %s, want %s", what, said, c.want)
		}
		if c.change == nil && !reflect.DeepEqual(timeless(got), timeless(want)) {
			t.Errorf("%s: %+v, want %+v", what, got.Point, want.Point)
		}
	}
}

// Whatever is given as what was kept, the run ends with its own result.
func FuzzKept(f *testing.F) {
	inst, err := datasets.Uniform(12, 3)
	if err != nil {
		f.Fatal(err)
	}
	cfg := solvers.Config{Solver: "mmas", Instance: inst, Seed: 5, Params: record.Of("ants", 2)}
	want, all := keptAt(f, cfg, solvers.Budget{Iterations: 4})
	for _, x := range all {
		f.Add(x)
	}
	f.Add([]byte("metalab run\n\x00\x00\x00\x00\x00\x00\x00\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := solvers.Budget{Iterations: 4, Keeping: &solvers.Checkpointing{From: data}}
		got, err := solvers.Once(context.Background(), cfg, b)
		if err != nil {
			t.Fatal(err)
		}
		if got.Point.Iter != want.Point.Iter {
			t.Fatalf("it ends at %d", got.Point.Iter)
		}
	})
}
