// Package guest runs solvers that a researcher declares in a notebook cell or at the prompt, as
// workers of the host.
//
// Package metalab/kernel/lab has the user's side, under Declare and Solver, and metalab/kernel/wire
// the protocol between host and worker, under EnvWorker. This package is the host's side: it keeps
// a copy of the program that declared the solver, cuts the solver's own source out of it, and
// starts a worker for each run. To all other code it is an algorithm of package metalab/solvers, so
// runs of declared solvers have all features of runs.
//
// A declared problem, under DeclareProblem, is an instance whose searches run in such workers: this
// package compiles its source together with metalab/kernel/lab/problem, which links the searches,
// and each pair of problem and search is an algorithm like a declared solver. A declared solver on
// a declared problem runs in a worker compiled from the source of both, with that package, through
// which lab.Problem evaluates neighbours without leaving the process.
//
// # Failures of a worker
//
// An error or a panic in the solver, any end of its process, and an abandoned iteration that does
// not end cost the run nothing: it is paused at its last whole iteration, with a line about the
// failure and its place in the source, and the next step tries again with a new worker. So users
// fix a mistake by declaring the solver again. Workers end with their run, and with the host,
// whatever ends it, because the pipe that they read then ends.
//
// An abandoned iteration has a second to end; then the host kills its worker, whether somebody
// needs it or not, and tells everybody. A time limit on a step ends an iteration that exceeds it by
// far.
//
// # What is checked
//
// The host trusts no best. The worker recomputes every improvement if that is quick. It sends the
// best solution with the iterations, and the host computes its value by the instance's own cost
// function before they count, or at the end of a step if the worker is ahead. The run halts before
// an iteration with a wrong best.
//
// At the declaration the host searches the source for code that prevents replays: it refuses random
// numbers other than the solver's own, and warns about clocks, maps, goroutines and variables
// outside of the solver. It runs the first few iterations twice, with equal results.
//
// # What is recorded
//
// A run's record has the parameter code, a hash of the source, the source itself in its head and at
// each change of code, that of a declared problem, and the program's SHA-256. It replays in every
// session that declares the same source, whatever its cells hold besides; and in others, if the
// user allows it: Restore compiles the record's source.
package guest
