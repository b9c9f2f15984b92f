// Package grow lets a program that lacks rooms of the host become the whole one.
//
// Half of what the prompt must compile at its first start is for experiments, machines and pages:
// SQLite, Parquet, NATS. So go run ./repl compiles the core alone, and a program that called [Into]
// compiles the whole one while its user types, or when a verb of a room that it lacks is asked for
// ([host.HandleGrowth]). The host then goes on as the whole program, in the same process, with the
// runs as they stand. From then on the core starts the whole program directly ([Become]).
//
// # Where it is kept
//
// It lies in the user's folder of caches, under metalab/programs, in a folder for each build of the
// core, which the build ID of the core names; the latest few stay. Beside it is a list of its
// sources with sizes and times: where one has changed, it is compiled again. Two sessions that
// compile it wait for each other by a lock, and what is compiled takes its place by a rename. Ahead
// of need it is compiled with the lowest priority, until somebody waits for it.
//
// # What is refused
//
// A host that went on with other sources than it began with would continue a run with another
// algorithm, unnoticed. So the core is made again from the sources, with the tags, flags and
// settings of cgo that it tells of itself, and must come out as the program that runs; Go's cache
// has that in most cases. Where it does not, where there is no Go, or where a module is missing
// that cannot be fetched, an error says so, and the core goes on with what it has.
package grow
