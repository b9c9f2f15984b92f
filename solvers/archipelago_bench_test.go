package solvers_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// How many times faster islands are made on as many cores, or machines of one core, as there are
// of them, than on one, by the CPU time of each of their iterations, so that it does not depend on
// what else the machine does; without messages and the exchange itself. The time of all is divided
// by that which passes where islands wait for each other
//
//	lockstep  after each iteration, as in one process
//	epoch     at the end of each epoch, as over machines
//	async     at the end of an iteration of the run, with migration_mode=async
func BenchmarkIslands(b *testing.B) {
	const epochs, period = 4, 10
	inst, err := datasets.Uniform(200, 1)
	if err != nil {
		b.Fatal(err)
	}
	for _, islands := range []int{1, 2, 4, 8, 16, 32} {
		b.Run(fmt.Sprint(islands), func(b *testing.B) {
			var lockstep, epoch, async float64
			for b.Loop() {
				r, err := solvers.Open(solvers.Config{
					Solver: "mmas", Instance: inst, Seed: 7, Params: record.Of("islands", islands,
						"migration_period", period, "ants", 16),
				})
				if err != nil {
					b.Fatal(err)
				}
				times := make([][]float64, islands) // by island and iteration
				for range epochs * period {
					if err := r.Step(context.Background(), 1); err != nil {
						b.Fatal(err)
					}
					for i, t := range solvers.IslandsSpent(r) {
						times[i] = append(times[i], t.Seconds())
					}
				}
				r.Close()
				lockstep += speedup(times, 1)
				epoch += speedup(times, period)
				async += speedupAsync(times, period)
			}
			n := float64(b.N)
			b.ReportMetric(lockstep/n, "lockstep")
			b.ReportMetric(epoch/n, "epoch")
			b.ReportMetric(async/n, "async")
		})
	}
}

// speedup is that of islands which wait for each other after so many iterations.
func speedup(times [][]float64, every int) float64 {
	all, passed := 0.0, 0.0
	for at := 0; at < len(times[0]); at += every {
		most := 0.0
		for _, t := range times {
			sum := 0.0
			for _, x := range t[at : at+every] {
				sum += x
			}
			all += sum
			most = max(most, sum)
		}
		passed += most
	}
	return all / passed
}

// speedupAsync is that of islands of which the one that is free makes the next iteration, until so
// many times their number have begun.
func speedupAsync(times [][]float64, every int) float64 {
	n := len(times)
	all, passed := 0.0, 0.0
	made := make([]int, n)
	for range len(times[0]) / every {
		free := make([]float64, n) // when each is
		for range n * every {
			i := 0
			for k := range free {
				if free[k] < free[i] {
					i = k
				}
			}
			x := times[i][made[i]%len(times[i])]
			made[i]++
			free[i] += x
			all += x
		}
		passed += slices.Max(free)
	}
	return all / passed
}
