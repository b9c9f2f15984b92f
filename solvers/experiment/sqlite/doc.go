// Package sqlite keeps experiments in one SQLite file, which pandas, R, DuckDB and any SQL tool can
// read, also while it is being written (it is in WAL mode: copy FILE-wal with it, or the connection
// that copies it). SCHEMA.md says what is in it.
//
//	s, err := sqlite.Open("experiments.sqlite")
//	defer s.Close()
//	added, err := s.Add(ctx, "beta", plan, units)
//	info, err := experiment.Make(ctx, s, "beta", experiment.Options{Load: load})
//
// Each result is written in a transaction of its own, or with others that come at the same time,
// and is on the disk before [experiment.Queue].Finish returns. A process that is killed therefore
// loses the units under way and nothing else. One process at a time makes the units of an
// experiment: it holds a lock on a file beside the database, which its end frees in any case.
// Several processes may make several experiments of one file.
//
// It is the only package that imports modernc.org/sqlite and libc, and no cell links it.
package sqlite
