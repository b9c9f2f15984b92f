package ants

import (
	"testing"

	"metalab/kernels/internal/gputest"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

// What mmas/rows adds to the runs that a device and the CPU make.
func init() {
	add := func(list *[]trial, cities int, metric string, spread float64, iterations int, kv ...any) {
		*list = append(*list, trial{
			Solver: "mmas", Variant: "rows", Cities: cities, Metric: metric,
			Spread: spread, Iterations: iterations, Params: params(kv...),
		})
	}
	for i, selection := range []string{"rwm", "wrs", "groups"} {
		for k, tabu := range []string{"lc", "ct", "bt"} {
			all := []any{"candidates", 0, "selection", selection, "tabu", tabu}
			with := func(kv ...any) []any { return append(append([]any{}, all...), kv...) }
			add(&goldens, 97, "ATT", 5000, 8, with("ants", 9, "warps", 1+k, "alpha", 1.5)...)
			add(&goldens, 300, "EUC_2D", 1000, 5, with("ants", 6, "warps", 3-k)...)
			add(&twins, 5, "EUC_2D", 100, 12, with("ants", 40)...)
			add(&twins, 64, "EUC_2D", 20, 130,
				with("ants", 33, "warps", 1+3*i+k, "reset", 20, "rho", 0.5, "p_best", 0.5)...)
			add(&twins, 198, "EUC_2D", 1e5, 200, with("warps", 10-3*k, "ants", 50)...)
			add(&twins, 1002, "CEIL_2D", 300, 3, with("warps", []int{8, 3, 9}[k], "ants", 140)...)
			add(&twins, 2100, "EUC_2D", 20000, 2, with("warps", 0, "ants", 40, "deposit", "best")...)
		}
		if selection == "groups" {
			continue // with lists that is wrs
		}
		for k, storage := range []string{"candidates", "matrix", "candidates", "matrix"} {
			lists := []any{"selection", selection, "storage", storage}
			if k > 1 { // by other tabu lists, which change no tour
				lists = append(lists, "tabu", []string{"lc", "bt"}[(i+k)%2])
				with := func(kv ...any) []any { return append(append([]any{}, lists...), kv...) }
				add(&twins, 198, "EUC_2D", 1e5, 50, with("warps", 3, "ants", 60)...)
				add(&twins, 1002, "ATT", 15000, 3, with("warps", 9, "ants", 70, "candidates", 5)...)
				add(&twins, 2100, "CEIL_2D", 300, 2, with("candidates", 8, "ants", 40)...)
				if k == 2 { // keys without cities
					add(&twins, 8301, "EUC_2D", 90000, 1, with("candidates", 9, "ants", 20)...)
				}
				continue
			}
			with := func(kv ...any) []any { return append(append([]any{}, lists...), kv...) }
			add(&goldens, 198, "CEIL_2D", 60, 8, with("ants", 20, "candidates", 12)...)
			add(&twins, 5, "EUC_2D", 100, 12, with("ants", 40)...)
			add(&twins, 198, "EUC_2D", 1e5, 200, with("warps", 3, "ants", 60)...)
			add(&twins, 1002, "ATT", 15000, 3, with("warps", 31, "ants", 70)...)
			add(&twins, 2100, "CEIL_2D", 300, 3, with("candidates", 8, "ants", 40, "alpha", 2.5)...)
		}
	}
}

func TestConformRows(t *testing.T) {
	gputest.Need(t)
	for _, v := range []record.Values{
		params("candidates", 0, "selection", "rwm", "tabu", "ct"),
		params("candidates", 0, "selection", "wrs", "tabu", "bt"),
		params("candidates", 0, "selection", "groups", "tabu", "bt"),
		params("candidates", 7, "selection", "rwm"), params("candidates", 7, "storage", "matrix"),
	} {
		v["ants"] = record.Num(5)
		conform.Check(t, conform.Case{
			Solver: "mmas", Variant: "rows", Backend: "cuda", Instance: goldens[0].instance(t), Seed: 11,
			Iterations: 12,
			Params:     v, Trials: 8,
			Ranges: map[string][2]float64{"ants": {1, 12}},
			Structural: []record.Values{
				params("candidates", 3), params("candidates", 0),
				params("tabu", "lc", "selection", "wrs", "storage", "matrix"),
			},
		})
	}
}
