package moves

import (
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/internal/worth"
	"metalab/solvers/record"
)

// Scans that would be over before a helper wakes are not dealt out; those of large instances are.
func TestSmallScansAreNotDealtOut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		solver, instance string
		dealt            bool
	}{
		{"tabu", "tai10a", false},
		{"hill", "tai20a", false},
		{"vnd", "tai20a", false},
		{"tabu", "qap-100", false},
		{"tabu", "qap-900", true},
		{"tabu", "berlin52", false},
		{"hill", "berlin52", false},
		{"tabu", "E1k.0", true},
		{"tabu", "gnp-50-50-1", false},
		{"hill", "gnp-50-50-1", false},
		{"hill", "gnp-2000-50-1", true},
		{"tabu", "ppp-31x33-1", false},
		{"tabu", "ppp-101x117-1", true},
	} {
		var inst datasets.Instance
		var err error
		if n, ok := strings.CutPrefix(c.instance, "qap-"); ok {
			size, _ := strconv.Atoi(n)
			inst = randomQAP(t, size, false, true, true, 100, 3)
		} else if inst, err = datasets.Load(c.instance); err != nil {
			t.Fatal(err)
		}
		pool := solvers.NewPool(4)
		pool.Worth = worth.Default
		alg, err := map[string]func(datasets.Instance) (solvers.Algorithm, error){
			"tabu": newTabu, "hill": newHill, "vnd": newVND,
		}[c.solver](inst)
		if err != nil {
			t.Fatal(err)
		}
		env := &solvers.Env{Seed: 3, Pool: pool, Progress: new(atomic.Uint32)}
		if err := alg.Init(env); err != nil {
			t.Fatal(err)
		}
		pool.Resize(4)
		p := &record.Point{Measures: make([]float64, len(alg.Measures()))}
		before := int64(0) // the first scan fills matrices
		for it := range int64(3) {
			if err := alg.Iterate(t.Context(), it+1, p); err != nil {
				t.Fatal(err)
			}
			if it == 0 {
				before = pool.Woken()
			}
		}
		if n := pool.Woken() - before; c.dealt != (n > 0) {
			t.Errorf("%s on %s: helpers were woken %d times", c.solver, c.instance, n)
		}
		pool.Close()
	}
}
