package ants

import (
	"context"
	"errors"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants/cpu"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/local"
	"metalab/solvers/conform"
	"metalab/solvers/record"
	"metalab/solvers/tiles"
)

// bare makes an algorithm without a run round it.
func bare(tb testing.TB, solver string, n, ants int, search string,
	pool *solvers.Pool,
) solvers.Algorithm {
	tb.Helper()
	inst, err := datasets.DIMACS(false, n, 5)
	if err != nil {
		tb.Fatal(err)
	}
	v, err := solvers.Find(solver, "", "")
	if err != nil {
		tb.Fatal(err)
	}
	alg, err := v.New(inst)
	if err != nil {
		tb.Fatal(err)
	}
	p := &alg.(interface{ first() *colony }).first().params
	p.ants, p.localSearch = ants, search
	if err := alg.Init(&solvers.Env{Seed: 5, Pool: pool}); err != nil {
		tb.Fatal(err)
	}
	return alg
}

// TestWorkers makes the same run with pools of several sizes.
func TestWorkers(t *testing.T) {
	t.Parallel()
	for _, solver := range []string{"as", "mmas", "acs"} {
		for _, search := range local.Words {
			t.Run(solver+" "+search, func(t *testing.T) {
				t.Parallel()
				var want []uint64
				sizes, iterations := []int{1, 2, 3, 7}, 8
				if testing.Short() {
					sizes, iterations = []int{1, 3}, 3
				}
				for _, size := range sizes {
					got := digests(t, solver, search, size, iterations)
					if want == nil {
						want = got
					}
					for i := range got {
						if got[i] != want[i] {
							t.Fatalf("with %d workers iteration %d has digest %x, with 1 worker %x", size, i+1, got[i],
								want[i])
						}
					}
				}
			})
		}
	}
}

// digests are those of the first iterations, with so many workers.
func digests(t *testing.T, solver, search string, size, iterations int) (out []uint64) {
	pool := solvers.NewPool(size)
	defer pool.Close()
	n := 150
	if search == local.None {
		n = 1700 // more slots than a table's loops take alone
	}
	alg := bare(t, solver, n, 9, search, pool)
	p := record.Point{Measures: make([]float64, len(alg.Measures()))}
	for it := range int64(iterations) {
		if err := alg.Iterate(context.Background(), it+1, &p); err != nil {
			t.Fatal(err)
		}
		out = append(out, p.Digest)
	}
	return out
}

func TestNoAllocation(t *testing.T) {
	conform.Brief(t, "long runs between two counts of memory")
	for _, solver := range []string{"as", "mmas", "acs"} {
		for _, search := range local.Words {
			if search == local.Tiles {
				continue // cuts of the plane are made as they are needed
			}
			pool := solvers.NewPool(1)
			alg := bare(t, solver, 120, 8, search, pool)
			p := record.Point{Measures: make([]float64, len(alg.Measures()))}
			it := int64(0)
			iterate := func() {
				it++
				if err := alg.Iterate(context.Background(), it, &p); err != nil {
					t.Fatal(err)
				}
			}
			for range 200 {
				iterate()
			}
			if a := testing.AllocsPerRun(100, iterate); a != 0 {
				t.Errorf("%s with local search %s: %v allocations an iteration, want 0", solver, search, a)
			}
			pool.Close()
		}
	}
}

// closed is a crew that counts how often it was closed.
type closed struct {
	crew.Crew
	times int
}

func (c *closed) Close() { c.times++ }

func (c *closed) Take([]int32, *crew.Tours) error { return nil }

// TestCrewIsClosed: once, also where it could not be told the rules; an algorithm without one
// closes.
func TestCrewIsClosed(t *testing.T) {
	t.Parallel()
	inst, err := datasets.DIMACS(false, 30, 5)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range variants {
		for _, broken := range []bool{false, true} {
			var c *closed
			alg, err := v.on(Backend{Name: "counted", Open: func(s *crew.Setup) (crew.Crew, error) {
				k, err := cpu.Open(s, v.form)
				c = &closed{Crew: k}
				if broken {
					c.Crew = mute{k}
				}
				return cpu.SearchOnHost(c, s), err
			}, Tiles: tiles.NewCPU, SearchOnHost: true}).New(inst)
			if err != nil {
				t.Fatal(err)
			}
			alg.Close()
			err = alg.Init(&solvers.Env{Seed: 5, Pool: solvers.NewPool(1)})
			if errors.Is(err, errMute) != broken {
				t.Fatalf("%s/%s: %v", v.solver, v.name, err)
			}
			if !broken {
				alg.Close()
			}
			if c.times != 1 {
				t.Errorf("%s/%s, broken %v: its crew was closed %d times, want once", v.solver, v.name, broken,
					c.times)
			}
		}
	}
}

// mute is a crew that cannot be told rules.
type mute struct{ crew.Crew }

var errMute = errors.New("no rules")

func (mute) Rules(*crew.Rules) error { return errMute }
