package rounds

import (
	"cmp"
	"fmt"

	"metalab/kernels/launch"
	"metalab/solvers/rounds"
	"metalab/solvers/wave"
)

// tuner finds by a device's clock with how many warps a chain's kicks are fastest, in the regular
// iterations. The search from all cities is one iteration, and not tuned.
type tuner struct {
	launch.Tuner
	search launch.Stage
	chains int // of the next launch
	own    int // warps of a chain that are asked for, or the program's choice
}

// begin must be called before all else.
func (t *tuner) begin(c launch.Clock) {
	t.Clock = c
	t.search = launch.Stage{
		Name:   "search",
		What:   func() string { return fmt.Sprintf("search of %d chains", t.chains) },
		Own:    func() wave.Config { return launch.Blocks(t.chains, t.own) },
		Shapes: func() []wave.Config { return launch.BlockShapes(t.chains, 1, 2, 4, 6, 8, 10, 16) },
	}
	t.Add(&t.search)
}

// next settles the launch of an iteration. own is the program's own choice of warps.
func (t *tuner) next(j rounds.Job, chains, own int) error {
	if chains != t.chains {
		t.chains = chains
		t.Again()
	}
	t.Schedule(j.Warps == 0, j.Trials)
	t.own = cmp.Or(j.Warps, own)
	if j.Descend {
		return t.Fix(&t.search)
	}
	return t.Settle(&t.search)
}

// queue queues the iteration by f, which receives the warps of a chain.
func (t *tuner) queue(j rounds.Job, f func(j rounds.Job) error) error {
	search := func() error {
		j.Warps = t.search.Config().Block / launch.Warp
		return f(j)
	}
	if j.Descend {
		return t.Part(t.search.Name, search)
	}
	return t.Launch(&t.search, search)
}
