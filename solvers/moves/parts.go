package moves

// A Choice is a move's number and its change of the cost. A Found holds the best moves of a part of
// a neighbourhood: of all, of the overdue ones, and of those that are not tabu. In climbing the
// engines define their meaning.
type Choice struct {
	Delta int64
	Index uint64
}

// Found is described at Choice.
type Found struct{ All, Late, Open Choice }

// A Parting engine can be one of several that share out the neighbourhoods of the same walks. Each
// has all walks, looks at its part of a neighbourhood, tells the others of the best moves there,
// and makes the move that follows from what all have told. So all have the same walks after each
// scan.
type Parting interface {
	Climber

	// Worth tells whether the neighbourhoods of a job are so large that several engines make its
	// scans sooner than one.
	Worth(j Job) bool

	// Part says before Climb that the engine has part k of n; of 1 it has all. It calls meet with
	// what it has found of each walk as often as the other engines do, and gets what all have found:
	// of the first part, then of the second, and so on. An error says that another engine has failed.
	Part(k, n int, meet func([]Found) ([]Found, error))
}
