package own_test

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	problems "metalab/solvers/own"
	"metalab/solvers/record"
)

//go:embed problems_test.go
var text string

func numbers(n, most int) []int64 {
	draws := arith.NewStream(9, 0, 0, 0)
	v := make([]int64, n)
	for i := range v {
		v[i] = 1 + int64(draws.IntN(most))
	}
	return v
}

// ints are numbers as the quadratic assignment problem has them.
func ints(n int) (v []int32) {
	for _, x := range numbers(n, 20) {
		v = append(v, int32(x))
	}
	return v
}

var _ = (*knapsack).text // which no kernel is made of

// A trial is a problem, with the neighbourhoods that are searched.
type trial struct {
	name  string
	form  record.Form
	make  func() any
	names []string
}

func trials() []trial {
	bits := func(n int) record.Form { return record.Form{Kind: record.FormBits, N: n} }
	permutation := func(n int) record.Form { return record.Form{Kind: record.FormPermutation, N: n} }
	most := bits(14)
	most.Maximise = true
	return []trial{
		{"knapsack", most, func() any {
			return &knapsack{weight: numbers(14, 50), value: numbers(14, 40), capacity: 120, penalty: 10}
		}, []string{"hamming1", "hamming2", "hamming3"}},
		{"onemax", bits(12), func() any {
			return onemax{[5]float64{0.5, -0.25, 0.125, -1, 0.75}}
		}, []string{"hamming1", "hamming2"}},
		{"plain", bits(10), func() any { return &plain{numbers(10, 9)} }, []string{
			"hamming1", "hamming3",
		}},
		{"route", permutation(9), func() any { return &route{numbers(9, 99)} }, []string{
			"swap", "insertion", "reverse", "3exchange",
		}},
		{"shop", permutation(7), func() any { return newShop(7, 3) }, []string{"insertion", "swap"}},
		{"values", record.Form{Kind: record.FormValues, N: 11, K: 3}, func() any {
			return &values{weight: numbers(11, 30), counts: make([]int64, 3)}
		}, []string{"change", "swap"}},
		{
			"assignment", permutation(7), func() any {
				q, err := datasets.NewQAP("q", 7, ints(49), ints(49))
				if err != nil {
					panic(err)
				}
				return newAssignment(q)
			}, []string{"swap"},
		},
		{
			"tabled", permutation(7), func() any {
				q, err := datasets.NewQAP("q", 7, ints(49), ints(49))
				if err != nil {
					panic(err)
				}
				return newTabled(q)
			}, []string{"swap", "insertion"},
		},
		{
			"rowed", permutation(7), func() any {
				q, err := datasets.NewQAP("q", 7, ints(49), ints(49))
				if err != nil {
					panic(err)
				}
				return newRowed(q)
			}, []string{"swap", "insertion"},
		},
		{
			"rotated", permutation(9), func() any { return &rotated{route{numbers(9, 99)}} },
			[]string{"own"},
		},
	}
}

func (c trial) problem(t testing.TB) *problems.Problem {
	t.Helper()
	p, err := problems.New(c.name, c.form, c.make)
	if err != nil {
		t.Fatal(err)
	}
	p.Told("problems_test.go", text)
	return p
}

// history makes a run and returns its points, without times, and its best solution.
func history(t testing.TB, cfg solvers.Config, n int) []string {
	t.Helper()
	r, err := solvers.Open(cfg)
	if err != nil {
		t.Fatalf("%s: %v", cfg.Backend, err)
	}
	defer r.Close()
	var out []string
	for p, err := range r.Steps(context.Background(), n) {
		if err != nil {
			t.Fatalf("%s: %v", cfg.Backend, err)
		}
		out = append(out, fmt.Sprint(p.Iter, p.Best, p.IterBest, p.Mean, p.Digest, p.Evals, p.Measures))
	}
	b, err := r.Best(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return append(out, fmt.Sprint(b.Value, b.Solution))
}

// The kernels make the same history as the CPU, by tabu search or by a climb in each neighbourhood,
// with several ways to draw times and to choose; on a GPU by both in each.
func TestTwins(t *testing.T) {
	machine(t)
	t.Parallel()
	k := 0
	for _, c := range trials() {
		for _, name := range c.names {
			k++
			if testing.Short() && k%5 != 2 {
				continue
			}
			climb := record.Of("select", []string{"best", "first", "random"}[k%3])
			tabu := record.Of("tenures", []string{"uniform", "cube", "fixed"}[k%3], "tenure", 3)
			for solver, vs := range map[string]record.Values{"tabu": tabu, "hill": climb} {
				if interpreted && (solver == "tabu") != (k%2 == 0) {
					continue
				}
				for n, v := range record.Of("neighbourhood", name, "walks", 3, "scans", 4, "exchange", 2,
					"trials", 1) {
					vs[n] = v
				}
				t.Run(fmt.Sprint(c.name, "/", name, "/", solver), func(t *testing.T) {
					t.Parallel()
					cfg := solvers.Config{Solver: solver, Instance: c.problem(t), Seed: 5, Params: vs}
					cfg.Backend = "cpu"
					want := history(t, cfg, 4)
					cfg.Backend = "cuda"
					if got := history(t, cfg, 4); !reflect.DeepEqual(got, want) {
						t.Errorf("cuda:\n%q\ncpu:\n%q", got, want)
					}
				})
			}
		}
	}
}

// What cannot be compiled, and what fails, is said with its line.
func TestFaults(t *testing.T) {
	machine(t)
	t.Parallel()
	line := func(code string) string {
		for i, l := range strings.Split(text, "\n") {
			if strings.Contains(l, code) {
				return fmt.Sprint(i + 1)
			}
		}
		t.Fatalf("no line with %q", code)
		return ""
	}
	form := record.Form{Kind: record.FormBits, N: 6}
	for _, c := range []struct {
		name string
		make func() any
		code string // the line of which the error tells
		want string
	}{
		{
			"ragged", func() any { return &ragged{[][]int64{{0, 1}}} }, "type ragged",
			"field rows is a [][]int64, and the GPU has numbers, arrays, structures and slices of these: " +
				"of a matrix make one slice, row after row, m[i*n+j]; on=cpu takes it as it is",
		},
		{"grown", func() any { return grown{} }, "math.Sin", "math.Sin"},
		{
			"faulty", func() any { return &faulty{make([]int64, 5)} }, "return f.at[n]",
			"on the GPU: index out of range (line ",
		},
		{
			"several", func() any { return &faulty{make([]int64, 5)} }, "return f.at[n]",
			"on the GPU: index out of range (line ",
		},
		{
			"endless", func() any { return &endless{} }, "for x[0] == 1 && x[1] == 0",
			"on the GPU: given up: the budget of loop iterations is spent (line ",
		},
	} {
		if c.name == "endless" && !interpreted {
			continue // it is given up after some ten seconds
		}
		form, bits := form, make([]int8, 70)
		if copy(bits, []int8{0, 0, 0, 1, 1, 1}); c.name == "several" { // blocks a walk
			form.N = len(bits)
		}
		p, err := problems.New(c.name, form, c.make)
		if err != nil {
			t.Fatal(err)
		}
		p.Told("problems_test.go", text)
		cfg := solvers.Config{
			Solver: "tabu", Instance: p, Backend: "cuda",
			Params: record.Of("walks", 2, "scans", 3, "wave", 128, "block", 32),
			Start:  &record.Start{Solution: record.Solution{Bits: bits[:form.N]}},
		}
		r, err := solvers.Open(cfg)
		for i := 0; i < 20 && err == nil; i++ {
			err = r.Step(context.Background(), 1)
		}
		fault := (*problems.Fault)(nil)
		if err == nil || !errors.As(err, &fault) || !strings.Contains(err.Error(), c.want) ||
			fmt.Sprint(fault.Line) != line(c.code) {
			t.Errorf("%s: %v, want %q at line %s", c.name, err, c.want, line(c.code))
		}
		if r != nil {
			r.Close()
		}
	}
}

// A parameter of the problem that changes, saving, loading and going over to the other backend
// change nothing else.
func TestLive(t *testing.T) {
	machine(t)
	t.Parallel()
	var want []string
	for _, backend := range []string{"cpu", "cuda"} {
		p := trials()[0].problem(t)
		b, err := newBare(p, backend)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		step := func(from, to int64) {
			for it := from; it <= to; it++ {
				q, err := b.Iterate(context.Background(), it)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, fmt.Sprint(q.Best, q.IterBest, q.Mean, q.Digest, q.Evals))
			}
		}
		step(1, 3)
		state, err := b.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		p.Prepare(func(v any) { v.(*knapsack).penalty = 1 })
		if err := b.Restore(state); err != nil {
			t.Fatal(err)
		}
		step(4, 6)
		if state, err = b.Snapshot(); err != nil {
			t.Fatal(err)
		}
		for _, other := range []string{"cpu", "cuda"} { // a state goes on anywhere
			o, err := newBare(p, other)
			if err == nil {
				err = o.Restore(state)
			}
			if err != nil {
				t.Fatal(err)
			}
			b = o
			step(7, 8)
		}
		if want == nil {
			want = got
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("cuda:\n%q\ncpu:\n%q", got, want)
		}
	}
}

func newBare(p *problems.Problem, backend string) (*solvers.Stepper, error) {
	v, err := solvers.Find("tabu", "", backend)
	if err != nil {
		return nil, err
	}
	b, err := solvers.NewStepper(v, p)
	if err != nil {
		return nil, err
	}
	return b, b.Init(3, record.Of("walks", 2, "scans", 3, "neighbourhood", "hamming2"), nil)
}

// A descent over several neighbourhoods, and the numbers of threads, change nothing.
func TestDescents(t *testing.T) {
	machine(t)
	t.Parallel()
	for _, name := range []string{"values"} {
		for _, c := range trials() {
			if c.name != name {
				continue
			}
			vs := record.Of("walks", 2, "scans", 5, "depth", 2)
			cfg := solvers.Config{Solver: "vnd", Instance: c.problem(t), Seed: 2, Params: vs}
			cfg.Backend = "cpu"
			want := history(t, cfg, 5)
			cfg.Backend = "cuda"
			for _, threads := range []int{0, 96} {
				vs["wave"] = record.Num(float64(threads))
				if got := history(t, cfg, 5); !reflect.DeepEqual(got, want) {
					t.Errorf("%s with %d threads:\n%q\ncpu:\n%q", name, threads, got, want)
				}
			}
		}
	}
}
