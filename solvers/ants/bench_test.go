package ants_test

import (
	"context"
	"os"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	_ "metalab/solvers/ants"
	"metalab/solvers/record"
)

// acotsp is what ACOTSP 1.03 (T. Stuetzle, C, gcc -O3) needs for a choice with 20
// candidates and as many ants as cities, in ns of one core of the machine that
// these benchmarks were first run on.
var acotsp = map[string]float64{"d198": 102, "pcb442": 124, "pr1002": 163, "pr2392": 288}

// load is a published instance where METALAB_DATA says where the data is, else a
// generated one of a thousand cities.
func load(tb testing.TB, name string) *datasets.TSP {
	tb.Helper()
	if os.Getenv("METALAB_DATA") == "" {
		name = "E1k.0"
	}
	inst, err := datasets.LoadTSP(name)
	if err != nil {
		tb.Fatal(err)
	}
	return inst
}

func BenchmarkAS(b *testing.B)   { benchmark(b, "as", nil) }
func BenchmarkMMAS(b *testing.B) { benchmark(b, "mmas", record.Values{"rho": record.Num(0.98)}) }
func BenchmarkACS(b *testing.B) {
	benchmark(b, "acs", record.Values{"ants": record.Num(10), "q0": record.Num(0.9)})
}

// benchmark reports the CPU time of a choice and of a tour, all updates included.
func benchmark(b *testing.B, solver string, with record.Values) {
	for _, name := range []string{"d198", "pcb442", "pr1002", "pr2392"} {
		b.Run(name, func(b *testing.B) {
			inst := load(b, name)
			n := inst.Size()
			ps := record.Values{
				"ants": record.Num(float64(n)), "candidates": record.Num(20), "beta": record.Num(2),
				"local_search": record.Text("none"),
			}
			for k, v := range with {
				ps[k] = v
			}
			r, err := solvers.Open(solvers.Config{Solver: solver, Instance: inst, Seed: 1, Params: ps})
			if err != nil {
				b.Fatal(err)
			}
			defer r.Close()
			ants, _ := ps["ants"].Float()
			its := 0
			for b.Loop() {
				if err := r.Step(context.Background(), 1); err != nil {
					b.Fatal(err)
				}
				its++
			}
			tours := ants * float64(its)
			cpu := r.Last().CPU
			b.ReportMetric(tours/cpu, "tours/s")
			b.ReportMetric(cpu*1e9/(tours*float64(n)), "ns/choice")
			b.ReportMetric(acotsp[name], "ns/choice-ACOTSP")
		})
	}
}
