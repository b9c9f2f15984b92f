package own_test

import (
	"context"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	problems "metalab/solvers/own"
	"metalab/solvers/record"
)

// BenchmarkAssignments gives the scans of tabu search on tai100a, each with its move, in a CPU
// second: built in, and as somebody would write it, with tables that moves keep and without.
func BenchmarkAssignments(b *testing.B) {
	loaded, err := datasets.Load("tai100a")
	if err != nil {
		b.Fatal(err)
	}
	q := loaded.(*datasets.QAP)
	form := record.Form{Kind: record.FormPermutation, N: q.N}
	for _, c := range []struct {
		name string
		make func() any
	}{
		{"built in", nil},
		{"tabled", func() any { return newTabled(q) }},
		{"rowed", func() any { return newRowed(q) }},
		{"plain", func() any { return newAssignment(q) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			cfg := solvers.Config{
				Solver: "tabu", Instance: q, Seed: 1, Params: record.Of("workers", 1, "scans", 100),
			}
			if c.make != nil {
				if cfg.Instance, err = problems.New("q", form, c.make); err != nil {
					b.Fatal(err)
				}
			}
			r, err := solvers.Open(cfg)
			if err != nil {
				b.Fatal(err)
			}
			defer r.Close()
			b.ResetTimer()
			if err := r.Step(context.Background(), b.N); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)*100/r.Last().CPU, "scans/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}
