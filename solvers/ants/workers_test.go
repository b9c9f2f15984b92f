package ants

import (
	"context"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// bare makes an algorithm without a run round it.
func bare(tb testing.TB, solver string, n, ants int, local string, pool *solvers.Pool) solvers.Algorithm {
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
	var c *common
	switch a := alg.(type) {
	case *system:
		c = &a.common
	case *maxmin:
		c = &a.common
	case *sequence:
		c = &a.common
	}
	c.ants, c.localSearch = ants, local
	if err := alg.Init(&solvers.Env{Seed: 5, Pool: pool}); err != nil {
		tb.Fatal(err)
	}
	return alg
}

// TestWorkers makes the same run with pools of several sizes.
func TestWorkers(t *testing.T) {
	t.Parallel()
	for _, solver := range []string{"as", "mmas", "acs"} {
		for _, local := range localWords {
			t.Run(solver+" "+local, func(t *testing.T) {
				t.Parallel()
				var want []uint64
				for _, size := range []int{1, 2, 3, 7} {
					got := digests(t, solver, local, size)
					if want == nil {
						want = got
					}
					for i := range got {
						if got[i] != want[i] {
							t.Fatalf("with %d workers iteration %d has digest %x, with 1 worker %x", size, i+1, got[i], want[i])
						}
					}
				}
			})
		}
	}
}

func digests(t *testing.T, solver, local string, size int) (out []uint64) {
	pool := solvers.NewPool(size)
	defer pool.Close()
	n := 150
	if local == localNone {
		n = 1700 // more slots than trails.blocks does alone
	}
	alg := bare(t, solver, n, 9, local, pool)
	p := record.Point{Measures: make([]float64, len(alg.Measures()))}
	for it := range int64(8) {
		if err := alg.Iterate(context.Background(), it+1, &p); err != nil {
			t.Fatal(err)
		}
		out = append(out, p.Digest)
	}
	return out
}

func TestNoAllocation(t *testing.T) {
	for _, solver := range []string{"as", "mmas", "acs"} {
		for _, local := range localWords {
			pool := solvers.NewPool(1)
			alg := bare(t, solver, 120, 8, local, pool)
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
				t.Errorf("%s with local search %s: %v allocations an iteration, want 0", solver, local, a)
			}
			pool.Close()
		}
	}
}
