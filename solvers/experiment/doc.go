// Package experiment plans and runs experiments: solvers on instances, with several values of
// parameters, over several seeds, each with an equal budget. Public: solvers/internal/api/api.txt
// lists the declarations that programs may rely on.
//
//	plan := experiment.Plan{
//		Settings:  []experiment.Setting{{Solver: "acs"}, {Solver: "mmas"}},
//		Instances: []string{"d198", "pcb442"},
//		Seeds:     10, First: 1,
//		Budget:    record.Budget{Iterations: 1000},
//	}
//	load := func(ctx context.Context, name string) (datasets.Instance, error) {
//		return datasets.LoadContext(ctx, name)
//	}
//	units, err := plan.Units(ctx, load)
//	store, err := sqlite.Open("experiments.sqlite")
//	added, err := store.Add(ctx, "e1", plan, units)
//	info, err := experiment.Make(ctx, store, "e1", experiment.Options{Load: load})
//	groups, err := experiment.Groups(store.Rows(ctx, "e1"))
//
// A second Make, also after a crash or with more seeds, runs only the units that have no result. A
// failed unit becomes a row with its error. All GPUs share the units for GPUs, which wait if there
// is no GPU. [Groups] returns the rows of a table; [BestAt] and [Efforts] compare traces at equal
// efforts.
//
// # The words
//
// A [Plan] describes an experiment. A [Unit] is one run of it: a solver and variant with all its
// parameters, on an instance, with a seed and a budget. The key of a unit is a hash of all that
// decides its result, so every experiment recognizes a finished unit. A [Result] is the outcome of
// a unit; its trace is a list of [TracePoint], one for each new best. Units of one [Setting] and
// one choice of the varied parameters share a label; tables have a row per label.
//
// A [Store] stores experiments by name: plan, units, results and traces. A [Queue] hands out the
// remaining units. Both are interfaces, so that several machines can share an experiment. [Memory]
// is a store in memory, package sqlite one in a file. The verbs experiment, sweep and chart are in
// metalab/kernel/host/experiments, workers in metalab/kernel/host/machines.
package experiment
