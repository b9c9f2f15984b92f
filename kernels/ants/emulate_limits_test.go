package ants

// Runs of mmas in which trails fall to the lower limit at once: an edge that is rewarded later gets
// its deposit on top of that limit.
func init() {
	add := func(variant string, kv ...any) {
		emulations = append(emulations, trial{
			Solver: "mmas", Variant: variant, Cities: 33, Metric: "EUC_2D", Spread: 1000, Iterations: 6,
			Params: params(append(kv,
				"ants", 4, "rho", 0.05, "candidates", 3, "deposit", "iteration", "p_best", 0.0001)...),
		})
	}
	add("wrs", "warps", 2)
	add("rows", "selection", "rwm", "storage", "candidates", "warps", 2)
	add("rows", "selection", "wrs", "storage", "matrix", "warps", 2)
	add("thin")
}
