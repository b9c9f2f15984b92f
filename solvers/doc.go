// Package solvers is the engine: it opens a search on an instance, and steps, tunes, forks, saves,
// replays and compares it.
//
//	import _ "metalab/solvers/ants" // registers as, acs and mmas
//
//	r, err := solvers.Open(solvers.Config{Solver: "mmas", Instance: inst, Seed: 42})
//	defer r.Close()
//	err = r.Step(ctx, 100)
//	made, err := r.Set(ctx, record.Of("rho", 0.9), "me") // from the next iteration on
//	fmt.Println(r.Last().Best)
//
// [Once] is a whole run in one call, [Repeat] one for each of several seeds:
//
//	res, err := solvers.Once(ctx, solvers.Config{Solver: "mmas", Instance: inst, Seed: 42},
//		solvers.Budget{Iterations: 100}) // res.Point.Best, res.Gap, res.Solution, res.History
//
// Public: solvers/internal/api/api.txt lists the declarations that programs may rely on.
//
// # The words
//
// A solver (mmas) has variants (wrs), each a trajectory of its own, on one or more backends (cpu,
// cuda): a [Variant] is one of these, registered by [Register]. An [Algorithm] iterates. A [Run]
// owns it, in one goroutine, and executes every command between two iterations. The run's journal
// holds all changes, its history the points of iterations, its record both (package record).
// Parameters are live (change by Set), structural (by Fork) or schedule (they change no result); a
// [Preset] is a named set of them. A [Stop] ends a step early. [Run.Watch] reports what happens to
// a run.
//
// A run on GPUs uses a set of them, [Config].Devices, which share its work. The set is of class
// schedule, and [Run.Move] changes it. If a device fails, the run continues on others.
//
// # Islands
//
// With the parameter islands a run is several parallel searches, each with a seed of its own, which
// send each other their best solutions; see [MaxIslands]. Step, Set, Fork, Save and Replay work as
// for any other run. [Run.Islands] returns the state of each island. [Run.IslandRecord] returns the
// record of one, and a replay of it runs all islands. The algorithm of an island must be an
// [Admitter].
//
// # Adding a solver
//
// Write an [Algorithm]. Its fields are the parameters, which Declare names with their ranges. After
// Init its results may depend only on the instance, the seed, the parameters, the iteration and the
// state; draw random numbers by package arith. Snapshot writes the state, Restore reads it.
// Register the variant from init, with its presets as a table. Raise Revision whenever the same
// record would give another result. Variants that read each other's states name one Family, and a
// fork can change from one to the other. Further interfaces (Changer, Tracer, LengthReporter,
// Trailer, Timer, Finisher, Admitter, ...) add abilities. Then check the laws with package conform.
package solvers
