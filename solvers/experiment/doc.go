// Package experiment plans and makes experiments: solvers on instances, with several values of
// parameters, over several seeds, each for an equal budget.
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
// What is made twice, killed in between or made with more seeds later does nothing twice. A unit
// that fails is a row with its error. Units of GPUs are shared out over all GPUs, and stay waiting
// where there is none. [Groups] makes the rows of a table, [BestAt] and [Efforts]
// views within equal efforts.
//
// # The words
//
// A [Plan] says what is to be made. A [Unit] is one run of it: a solver and variant with all its
// parameters, on an instance, with a seed, for a budget. Its key is a hash of all that decides its
// result, so a unit that was made is known again wherever it is asked for. A [Result] is what came
// of a unit; its trace is a list of [TracePoint], one for each new best. Units of one [Setting] and
// one choice of the varied parameters have one label, which is what tables have rows of.
//
// A [Store] keeps experiments by name: plan, units, results and traces. A [Queue] hands out the
// units that are left. Both are interfaces, so that several machines may share an experiment.
// [Memory] is a store without a file, package sqlite has one with. The verbs experiment, sweep and
// chart are in metalab/kernel/host/experiments, workers in metalab/kernel/host/machines.
package experiment
