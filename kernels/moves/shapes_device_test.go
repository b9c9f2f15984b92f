//go:build cuda

package moves

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// onDevice is what a device is given.
var onDevice = most{size: 130, walks: 400, work: 200_000, threads: 1 << 20}

// TestShapes changes launches at random; see conform.CheckShapes.
func TestShapes(t *testing.T) {
	gputest.Need(t)
	eachShapes(t, onDevice, conform.CheckShapes)
}

// pairShapes are blocks of a walk and their threads.
var pairShapes = [][2]int{
	{1, 32}, {1, 64}, {1, 128}, {1, 256}, {2, 128}, {2, 256}, {4, 256}, {7, 64},
}

// TestShapesInPairs follows a launch by one of another shape, in all orders.
func TestShapesInPairs(t *testing.T) {
	gputest.Need(t)
	for _, name := range []string{"nug30", "tai50a"} {
		inst := assignment(t, name)
		params := func() record.Values { return record.Of("walks", 17, "trials", 0, "scans", 20) }
		want := points(t, open(t, "cpu", inst, params()), 6)
		for _, a := range pairShapes {
			for _, b := range pairShapes {
				t.Run(fmt.Sprint(name, a, b), func(t *testing.T) {
					r := open(t, "cuda", inst, params())
					got := []record.Point{}
					for _, s := range [][2]int{a, b, a} {
						set := record.Of("wave", s[0]*s[1], "block", s[1])
						if _, err := r.Set(t.Context(), set, "test"); err != nil {
							t.Fatal(err)
						}
						got = append(got, points(t, r, 2)...)
					}
					identical(t, got, want)
				})
			}
		}
	}
}

// TestTunedShapes has the runs whose values were false when the tuner changed launches.
func TestTunedShapes(t *testing.T) {
	gputest.Need(t)
	for _, c := range []struct {
		solver, instance string
		walks, steps     int
	}{
		{"tabu", "tai100a", 396, 60},
		{"tabu", "nug30", 64, 60},
		{"tabu", "nug30", 396, 60},
		{"tabu", "tai50a", 17, 60},
		{"tabu", "tai50a", 132, 60},
		{"hill", "nug30", 396, 60},
		{"hill", "tai50a", 64, 40},
	} {
		t.Run(fmt.Sprint(c.solver, c.instance, c.walks), func(t *testing.T) {
			inst := assignment(t, c.instance)
			var got [2][]record.Point
			for i, backend := range []string{"cuda", "cpu"} {
				r := openBy(t, c.solver, backend, inst, record.Of("walks", c.walks))
				got[i] = points(t, r, c.steps)
			}
			identical(t, got[0], got[1])
		})
	}
}

// assignment is a published instance where METALAB_DATA has it, else a random one of its size.
func assignment(t *testing.T, name string) datasets.Instance {
	t.Helper()
	if os.Getenv("METALAB_DATA") != "" {
		return load(t, name)
	}
	n, err := strconv.Atoi(strings.Trim(name, "abcdefghijklmnopqrstuvwxyz"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("METALAB_DATA is not set: a random assignment in place of %s", name)
	return randomQAP(t, n, 0)
}

func open(t *testing.T, backend string, inst datasets.Instance, params record.Values) *solvers.Run {
	return openBy(t, "tabu", backend, inst, params)
}

func openBy(
	t *testing.T, solver, backend string, inst datasets.Instance, params record.Values,
) *solvers.Run {
	t.Helper()
	r, err := solvers.Open(solvers.Config{
		Name: "shapes", Solver: solver, Backend: backend, Instance: inst, Seed: 1, Params: params,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// points makes iterations, and looks at the best by the cost function.
func points(t *testing.T, r *solvers.Run, n int) (list []record.Point) {
	t.Helper()
	for p, err := range r.Steps(t.Context(), n) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	if _, err := r.Best(t.Context()); err != nil {
		t.Fatal(err)
	}
	return list
}

// identical fails at the first of two runs' points that differs.
func identical(t *testing.T, got, want []record.Point) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d points, want %d", len(got), len(want))
	}
	for i, p := range got {
		if q := want[i]; p.Digest != q.Digest || p.Best != q.Best || p.Mean != q.Mean {
			t.Fatalf("iteration %d: best %v, mean %v, digest %016x; the CPU has %v, %v, %016x", p.Iter,
				p.Best, p.Mean, p.Digest, q.Best, q.Mean, q.Digest)
		}
	}
}
