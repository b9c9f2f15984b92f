package moves_test

import (
	"context"
	"math"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/own"
	"metalab/solvers/record"
)

// BenchmarkRobustTabu gives the scans, each with its move, in a second on one core. Taillard's
// own program makes 191,000, 65,000 and 15,800 on the kind of machine where they were
// first run.
func BenchmarkRobustTabu(b *testing.B) {
	for _, n := range []int{30, 50, 100} {
		q := taillard(b, n)
		b.Run(q.Name(), func(b *testing.B) { perSecond(b, q, "tabu", nil, "scans/s", 1) })
	}
}

// BenchmarkPerceptron gives the entries of the matrix that the neighbours evaluated in a
// second on one core stand for: rows times flips, once for each neighbour.
func BenchmarkPerceptron(b *testing.B) {
	p, _, err := datasets.NewPPP(1301, 1317, 1)
	if err != nil {
		b.Fatal(err)
	}
	for _, nb := range []string{"hamming1", "hamming2"} {
		b.Run(nb, func(b *testing.B) {
			size := float64(p.N)
			entries := float64(p.M)
			if nb == "hamming2" {
				size *= float64(p.N-1) / 2
				entries *= 2
			}
			perSecond(
				b, p, "tabu", record.Values{"neighbourhood": record.Text(nb)}, "entries/s", size*entries,
			)
		})
	}
}

// BenchmarkShared is a scan of a neighbourhood of 499,500 moves by one core and by all.
func BenchmarkShared(b *testing.B) {
	q := taillard(b, 1000)
	for _, workers := range []float64{1, 0} {
		b.Run(map[float64]string{1: "one", 0: "all"}[workers], func(b *testing.B) {
			perSecond(b, q, "tabu", record.Values{"workers": record.Num(workers)}, "scans/s", 1)
		})
	}
}

// perSecond steps b.N iterations and reports scans times scale in a second.
func perSecond(
	b *testing.B, inst datasets.Instance, solver string, with record.Values, unit string,
	scale float64,
) {
	b.Helper()
	params := record.Values{"workers": record.Num(1)}
	for name, v := range with {
		params[name] = v
	}
	r, err := solvers.Open(solvers.Config{Solver: solver, Instance: inst, Seed: 1, Params: params})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	ps, err := r.Params(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	scans := 1.0
	for _, p := range ps {
		if p.Name == "scans" {
			scans, _ = p.Value.Float()
		}
	}
	b.ResetTimer()
	if err := r.Step(context.Background(), b.N); err != nil {
		b.Fatal(err)
	}
	// By CPU time, which other work on the machine disturbs least.
	cpu := r.Last().CPU
	b.ReportMetric(scans*float64(b.N)*scale/cpu, unit)
	b.ReportMetric(cpu/b.Elapsed().Seconds(), "cores")
	b.ReportMetric(0, "ns/op")
}

// A scan of a knapsack of 1,000 items beside a loop over the same delta written by hand.
func BenchmarkOwnKnapsack(b *testing.B) {
	const n = 1000
	b.Run("tabu", func(b *testing.B) {
		p, err := own.New("knapsack", record.Form{Kind: record.FormBits, N: n, Maximise: true},
			func() any { return newKnapsack(n) })
		if err != nil {
			b.Fatal(err)
		}
		r, err := solvers.Open(solvers.Config{
			Solver: "tabu", Instance: p, Seed: 1, Params: record.Of("scans", 1000),
		})
		if err != nil {
			b.Fatal(err)
		}
		defer r.Close()
		b.ResetTimer()
		if err := r.Step(b.Context(), b.N); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(b.N)*1000*n/b.Elapsed().Seconds()/1e6, "Mneighbours/s")
	})
	b.Run("by hand", func(b *testing.B) {
		k := newKnapsack(n)
		x, until := make([]uint8, n), make([]int, n)
		k.Load(x)
		for it := 1; b.Loop(); it++ {
			for scan := range 1000 {
				at, most := -1, int64(math.MinInt64)
				for i := range x {
					d := k.Delta(x, i)
					if d > most && until[i] <= 1000*it+scan {
						at, most = i, d
					}
				}
				k.Apply(x, at)
				x[at] ^= 1
				until[at] = 1000*it + scan + 20
			}
		}
		b.ReportMetric(float64(b.N)*1000*n/b.Elapsed().Seconds()/1e6, "Mneighbours/s")
	})
}
