// Package guest runs solvers that a researcher declares in a notebook cell or at the
// prompt, as workers of the host.
//
// What is typed is in package metalab/kernel/lab, under Declare and Solver; what host and
// worker say to each other in metalab/kernel/wire, under EnvWorker. This package is the
// host's side: it keeps a copy of the program that declared the solver, cuts the solver's
// own source out of it, starts a worker for each run, and is an algorithm of package
// metalab/solvers to everybody else, so that all that runs can do, runs of declared solvers
// can do.
//
// A problem that somebody declares, under DeclareProblem, is an instance whose searches run in such
// workers: this package compiles what its source needs together with metalab/kernel/lab/problem,
// which links the searches, and each pair of problem and search is an algorithm as a declared
// solver is. A declared solver on a declared problem runs in a worker that is compiled of the
// source of both, with that package, by which lab.Problem evaluates: no call leaves it for a
// neighbour.
//
// # What may happen to a worker
//
// An error or a panic in the solver, the end of its process in whatever way, and an
// iteration that does not end after it was given up cost the run nothing: it is paused at
// its last whole iteration, with one line that says what happened and where in the source,
// and the next step tries again with a new worker. So a mistake is mended by declaring the
// solver anew. Workers end with their run, and when the host ends in whatever way, for the
// pipe that they read from ends then.
//
// An iteration that was given up has a second to end; then its worker is ended, whether somebody
// needs it or not, and everybody is told. A limit of time on a step ends an iteration that goes
// on long after it.
//
// # What is checked
//
// No best is taken on trust. The worker computes every better one again where that is quick;
// with the iterations comes their best solution, whose value the host computes by the instance's
// own cost function before they count; and at the end of a step it does so where the worker has
// gone ahead. The run halts before an iteration whose best is wrong.
//
// What makes runs that cannot be made again is looked for in the source at the declaration:
// random numbers other than a solver's own are refused, clocks, maps, goroutines and variables
// outside of the solver are told. The first few iterations are made a second time, which must
// give the same.
//
// # What is recorded
//
// A run's record has the parameter code, a hash of the source, the source itself in its
// head and at each change of code, that of a problem somebody declared, and the program's SHA-256.
// It replays in every session in which the same source was declared, whatever else the cells of
// that session hold; and in others, where the user allows it: Restore compiles what the record
// holds.
package guest
