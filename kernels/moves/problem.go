package moves

import (
	"fmt"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/solvers/moves"
	"metalab/solvers/wave"
)

// A problem is what the engine needs of one: the instance and the walks' solutions and memories on
// the device, and the kernels. A problem is a file here, a source of kernels with its name, and a
// line of problems; its emulation in the tests is one of emulations.
type problem interface {
	// image is the name of the compiled source, and kernels are those that are used.
	image() string
	kernels() []string

	// fixed is how many bytes the instance takes on the device, perWalk how many a walk takes beside
	// its head (a walk), and scratch how many launches of so many threads of each walk take at most.
	fixed() int64
	perWalk() int64
	scratch(walks int, threads int64) int64

	// upload copies the instance to the device; room makes room for so many walks; free frees all
	// that room and adopt have allocated.
	upload(d *gpu.Device) error
	room(d *gpu.Device, walks int) error
	free() error

	// put copies the solutions and the memory of a walk to the device, and get copies them to slices
	// that have the right lengths.
	put(a int, s *moves.State) error
	get(a int, s *moves.State) error

	// copies are the lanes that put and get copy.
	copies() []mirrored

	// plan fills n, size and flips of the kernels' job for the neighbourhood with number o.number. An
	// error says which neighbourhood the kernels do not have.
	plan(o *job, j *moves.Job) error

	// adopt makes room for a launch of grid blocks in all.
	adopt(d *gpu.Device, grid, block int) error

	// renew queues what follows from new solutions, or from moves that kept no account of it: it is
	// called before each iteration, with stale after Load and Put.
	renew(e *Engine, stale bool) error

	// evaluate queues the evaluation of the neighbours of all walks that are due, and step their
	// choices and moves. given are moves that the host made (two or three positions each, see
	// neighbours), and deltas gets all fitnesses; both may be 0.
	evaluate(e *Engine, c gpu.Config, o job, given, deltas uint64) error
	step(e *Engine, o job) error

	// hash queues the computation of the solutions' hashes.
	hash(e *Engine) error

	// judge copies the memory of all walks to the host, and returns a function that tells whether a
	// move of walk a is overdue, and whether it is tabu: for reduce=host.
	judge(o job) (func(a int, m moves.Move, clock, limit int64) (late, tabu bool), error)
}

// A resident problem has kernels that make all scans of an iteration in a launch or in few.
type resident interface {
	// whole queues all scans of an iteration, in these neighbourhoods, the smallest first: those that
	// walk.left says. It returns false, and queues nothing, if the kernels cannot do that.
	whole(e *Engine, c gpu.Config, jobs []job) (bool, error)
}

// A shaped problem has launches that are not the engine's: own is the one without tuning, and
// shapes are those that the tuner tries. None, or no threads, means those of the engine.
type shaped interface {
	own(e *Engine) wave.Config
	shapes(e *Engine) []wave.Config
}

// A spreading problem has several threads for a neighbour: spread makes a launch that has so many
// neighbours at once of one with so many threads.
type spreading interface {
	spread(c wave.Config) wave.Config
}

// problems are those that the kernels take.
var problems = []struct {
	kind datasets.Kind
	make func(datasets.Instance) (problem, error)
}{
	{datasets.KindQAP, newQAP},
	{datasets.KindPPP, newPPP},
	{datasets.KindWeierstrass, newBall},
	{datasets.KindTSP, newTSP},
	{datasets.KindATSP, newTSP},
	{datasets.KindColouring, newColouring},
}

// Kinds are the problems that the kernels take.
func Kinds() []datasets.Kind {
	var out []datasets.Kind
	for _, p := range problems {
		out = append(out, p.kind)
	}
	return out
}

func newProblem(inst datasets.Instance) (problem, error) {
	for _, p := range problems {
		if p.kind == inst.Kind() {
			return p.make(inst)
		}
	}
	return nil, fmt.Errorf("kernels for %s on a GPU: there are none", inst.Kind())
}

// errNeighbourhood says that the kernels lack a neighbourhood.
func errNeighbourhood(inst datasets.Instance, number int32) error {
	name := fmt.Sprint(number)
	if w, err := moves.On(inst); err == nil && int(number) < len(w.Neighbourhoods()) {
		name = w.Neighbourhoods()[number].Name()
	}
	return fmt.Errorf("the kernels have no neighbourhood %s on %s: use backend cpu", name, inst.Name())
}
