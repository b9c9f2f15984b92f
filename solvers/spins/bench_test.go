package spins

import (
	"context"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
)

// BenchmarkSweeps tries flips on one core, at the middle of a cooling.
func BenchmarkSweeps(b *testing.B) {
	for _, name := range []string{"G1", "G22", "G55", "G63", "G70", "G81"} {
		b.Run(name, func(b *testing.B) {
			inst, _, err := datasets.Generate(name)
			if err != nil {
				b.Fatal(err)
			}
			pool := solvers.NewPool(1)
			defer pool.Close()
			p := &Problem{Net: NewNet(inst.(*datasets.Cut)), Walks: 64, Env: &solvers.Env{Pool: pool}}
			e := newCores(p)
			if err := e.Load(p.start()); err != nil {
				b.Fatal(err)
			}
			var levels Levels
			out := make([]Group, p.Groups())
			const sweeps, iterations = 16, 40
			it := int64(0)
			cool := func() { // from hot to cold
				for k := range iterations {
					it++
					levels.Set(p.Net, 0.35-0.3*float64(k)/iterations, p.Net.most())
					job := Job{Iteration: it, Sweeps: sweeps, Levels: &levels}
					if err := e.Iterate(context.Background(), job, out); err != nil {
						b.Fatal(err)
					}
				}
			}
			for b.Loop() {
				cool()
			}
			tried := float64(it) * sweeps * 64 * float64(p.Net.N)
			b.ReportMetric(tried/b.Elapsed().Seconds(), "flips/s")
		})
	}
}
