package own_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"metalab/solvers"
	"metalab/solvers/conform"
	problems "metalab/solvers/own"
	"metalab/solvers/record"
)

// cooling are parameters by which walks are heated again, and one iteration takes several launches.
func cooling(neighbourhood string) record.Values {
	return record.Of("neighbourhood", neighbourhood, "walks", 2, "moves", 37, "cooling", 0.5,
		"cold", 0.3, "reheat", 0.8, "temperature", 0.7)
}

// Annealing draws and makes the same moves by kernels as on the CPU, in each neighbourhood; where
// they are interpreted, in some.
func TestAnneals(t *testing.T) {
	machine(t)
	t.Parallel()
	k := 0
	for _, c := range trials() {
		for _, name := range c.names {
			k++
			if interpreted && os.Getenv("METALAB_EMULATE") != "all" && k%3 != 0 && c.name != "rotated" {
				continue
			}
			t.Run(c.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				cfg := solvers.Config{
					Solver: "anneal", Instance: c.problem(t), Seed: 5, Params: cooling(name), Backend: "cpu",
				}
				want := history(t, cfg, 5)
				cfg.Backend = "cuda"
				if got := history(t, cfg, 5); !reflect.DeepEqual(got, want) {
					t.Errorf("cuda:\n%q\ncpu:\n%q", got, want)
				}
			})
		}
	}
}

// The laws hold: also where runs are forked, cancelled, saved, loaded and replayed.
func TestAnnealConform(t *testing.T) {
	machine(t)
	t.Parallel()
	if interpreted && os.Getenv("METALAB_EMULATE") != "all" {
		t.Skip("half a minute of interpreting: METALAB_EMULATE=all does it")
	}
	vs := cooling("hamming1")
	conform.Check(t, conform.Case{
		Solver: "anneal", Backend: "cuda", Instance: trials()[1].problem(t), Seed: 7, Params: vs,
		Ranges: map[string][2]float64{"moves": {1, 40}, "walks": {1, 3}, "workers": {0, 2}},
	})
}

// A state of one backend goes on in the other.
func TestAnnealGoesOver(t *testing.T) {
	machine(t)
	t.Parallel()
	var want []string
	for _, backends := range [][2]string{{"cpu", "cpu"}, {"cpu", "cuda"}, {"cuda", "cpu"}} {
		p := trials()[1].problem(t)
		var got []string
		var state []byte
		for i, on := range backends {
			v, err := solvers.Find("anneal", "", on)
			if err != nil {
				t.Fatal(err)
			}
			b, err := solvers.NewStepper(v, p)
			if err == nil {
				err = b.Init(3, cooling("hamming2"), nil)
			}
			if err == nil && i > 0 {
				err = b.Restore(state)
			}
			for it := int64(4*i + 1); it <= int64(4*i+4) && err == nil; it++ {
				var q *record.Point
				if q, err = b.Iterate(context.Background(), it); err == nil {
					got = append(got, fmt.Sprint(q.Best, q.IterBest, q.Mean, q.Digest, q.Measures))
				}
			}
			if err == nil {
				state, err = b.Snapshot()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if want == nil {
			want = got
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("%v:\n%q\ncpu alone:\n%q", backends, got, want)
		}
	}
}

// A method that fails is told, and the walks are as they were before the iteration.
func TestAnnealFaults(t *testing.T) {
	machine(t)
	t.Parallel()
	form := record.Form{Kind: record.FormBits, N: 14}
	p, err := problems.New("faulty", form, func() any { return &faulty{make([]int64, 13)} })
	if err != nil {
		t.Fatal(err)
	}
	p.Told("problems_test.go", text)
	start := func(on string) *solvers.Stepper {
		v, err := solvers.Find("anneal", "", on)
		if err != nil {
			t.Fatal(err)
		}
		b, err := solvers.NewStepper(v, p)
		if err == nil {
			err = b.Init(1, record.Of("moves", 40, "temperature", 90, "walks", 2), nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	far, near := start("cuda"), start("cpu")
	done := 0
	for it := int64(1); it < 50 && err == nil; it++ {
		if _, err = far.Iterate(context.Background(), it); err == nil {
			_, err = near.Iterate(context.Background(), it)
			done++
		}
	}
	fault := (*problems.Fault)(nil)
	if !errors.As(err, &fault) || !strings.Contains(err.Error(), "on the GPU: index out of range") {
		t.Fatalf("%v, want an index out of range on the GPU", err)
	}
	if done == 0 {
		t.Fatal("the first iteration failed, before which nothing was made")
	}
	got, err := far.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if want, err := near.Snapshot(); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the failed iteration left another state: %v\n%q\nwant\n%q", err, got, want)
	}
}
