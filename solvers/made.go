package solvers

import "sync/atomic"

// made counts iterations; see [IterationsMade].
var made atomic.Int64

// IterationsMade returns the number of iterations that this process has run, of all runs,
// experiments and replays. An iteration of islands counts once.
func IterationsMade() int64 { return made.Load() }
