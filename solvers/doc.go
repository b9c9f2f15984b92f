// Package solvers is the engine: it opens a search on an instance and makes it something that can
// be stepped, tuned while it runs, forked, saved, replayed and compared.
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
// # The words
//
// A solver (mmas) has variants (wrs), each a trajectory of its own, on one or more backends (cpu,
// cuda): a [Variant] is one of these, registered by [Register]. An [Algorithm] makes iterations; a
// [Run] owns it, in one goroutine, and carries every command out between two iterations. Its
// journal has all changes, its history the points of iterations, its record both (package
// record). Parameters are live (change by Set), structural (by Fork) or schedule (they change no
// result); a [Preset] is a named set of them. A [Stop] ends a step early. [Run.Watch] tells what
// happens to a run.
//
// A run on GPUs is on a set of them, [Config].Devices, over which its work is shared out: the set
// is of class schedule, [Run.Move] changes it, and where a device fails the run goes on on others.
//
// # Islands
//
// With the parameter islands a run is several searches side by side, each with a seed of its own,
// which send each other their best solutions; see [MaxIslands]. It is stepped, changed, forked,
// saved and replayed like any other run. [Run.Islands] tells of each, and [Run.IslandRecord] is the
// record of one, which a replay makes again with the others. A search that can be one of islands is
// an [Admitter].
//
// # Adding a solver
//
// Write an [Algorithm]: its fields are the parameters, which Declare names with their ranges. All
// that it does after Init is a function of instance, seed, parameters, iteration and state; draws
// are those of package arith. Snapshot writes the state, Restore reads it. Register the variant
// from init, with its presets as a table; raise Revision whenever the same record would give
// another result. Variants that read each other's states name one Family, and a fork goes from one
// to the other. What more it can do it says by further interfaces (Changer, Tracer, Lengther,
// Trailer, Timer, Ender, Admitter, ...). Then hold it to the laws with package conform.
package solvers
