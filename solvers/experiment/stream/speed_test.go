package stream_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/experiment/stream"
	"metalab/solvers/experiment/stream/broker"
	"metalab/solvers/record"
)

// BenchmarkIslands has as many islands as workers, processes of one core each: how many times
// faster they are than the same islands on one core of one process. The history is the same.
func BenchmarkIslands(b *testing.B) {
	for _, n := range []int{1, 2, 4, 8, 16} {
		if n > 2*runtime.NumCPU() {
			break
		}
		b.Run(fmt.Sprintf("islands=%d", n), func(b *testing.B) {
			for range b.N {
				speedUp(b, n)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

func speedUp(b *testing.B, n int) {
	b.Helper()
	const iterations = 150
	inst, err := datasets.Uniform(1000, 3)
	if err != nil {
		b.Fatal(err)
	}
	open := func() *solvers.Run {
		r, err := solvers.Open(solvers.Config{
			Solver: "ga", Instance: inst, Seed: 5, Params: record.Of("islands", n, "migration_period", 10),
		})
		if err != nil {
			b.Fatal(err)
		}
		return r
	}
	took := func(r *solvers.Run) float64 {
		if err := r.Step(b.Context(), 10); err != nil { // a worker fetches the instance and begins
			b.Fatal(err)
		}
		began := time.Now()
		if err := r.Step(b.Context(), iterations); err != nil {
			b.Fatal(err)
		}
		return time.Since(began).Seconds()
	}
	port := freePort(b)
	br, err := broker.Start(broker.Options{Token: secret, Dir: b.TempDir(), Port: port})
	if err != nil {
		b.Fatal(err)
	}
	defer br.Close()
	for i := range n {
		p := &process{role: "worker", name: fmt.Sprintf("w%d", i)}
		p.start(b, port, "")
		defer p.kill()
	}
	ctx, end := context.WithTimeout(b.Context(), time.Minute)
	defer end()
	if _, err := stream.AwaitWorkers(ctx, address(br), n); err != nil {
		b.Fatal(err)
	}
	s, err := stream.OpenIslands(b.Context(), address(br), stream.Timing{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	over, here := open(), open()
	defer here.Close()
	defer over.Close()
	if err := over.PlaceIslands(b.Context(), s); err != nil {
		b.Fatal(err)
	}
	abroad := took(over)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	home := took(here)
	if p, q := over.Last(), here.Last(); p.Digest != q.Digest || p.Best != q.Best {
		b.Fatalf("over workers %+v, here %+v", p, q)
	}
	b.ReportMetric(abroad, "s")
	b.ReportMetric(home, "s-on-one-core")
	b.ReportMetric(home/abroad, "times-faster")
}
