package moves

import (
	"errors"
	"fmt"

	"metalab/gpu"
	"metalab/solvers/moves"
	"metalab/solvers/wave"
)

// A partible problem has kernels that scan a part of the blocks of a launch, so that several
// devices can share out a scan.
type partible interface {
	// worth is how many neighbours a scan of one device has, at least, if it takes longer than what
	// devices need to tell each other of their best moves: some 60 us.
	worth() uint64

	// search queues a scan by the blocks of o. If o.Parted is set, it applies no move and stores the
	// best moves of each walk in e.parts, behind those of the blocks.
	search(e *Engine, c gpu.Config, o job) error
}

// part is the engine's part of scans that several share, and what they have agreed upon.
type part struct {
	k, n   int
	meet   func([]found) ([]found, error)
	agreed wave.Config
}

// shared tells whether other engines have parts of the scans.
func (p *part) shared() bool { return p.n > 1 }

// mostParted is the number of queued scans of a shared climb before the host checks whether all are
// done.
const mostParted = 8

// shareAll has tests share out small neighbourhoods, too.
var shareAll bool

// Worth implements moves.Parting.
func (e *Engine) Worth(j moves.Job) bool {
	p, ok := e.of.(partible)
	if !ok || j.Generate == onCPU || j.Reduce == onHost || j.Letter {
		return false
	}
	jobs, err := jobsOf(e.of, e.problem.Seed, j)
	return err == nil && (shareAll || jobs[len(jobs)-1].Size >= p.worth())
}

// Part implements moves.Parting.
func (e *Engine) Part(k, n int, meet func([]moves.Found) ([]moves.Found, error)) {
	if e.part.k != k || e.part.n != n {
		e.Again()
		e.adopted = wave.Config{}
	}
	e.part = part{k: k, n: n, meet: meet}
}

// agree finds the launch of all engines that share the scans: as many threads as the first would
// launch for each of them, in blocks that all take.
func (e *Engine) agree() error {
	c := e.own()
	if c.Threads *= int64(e.part.n); e.asked.Threads > 0 {
		c.Threads = min(int64(e.asked.Threads), e.size())
	}
	for _, k := range e.loaded {
		c.Block = min(c.Block, k.Info().MaxBlock)
	}
	told, err := e.part.meet([]found{{All: choice{Delta: c.Threads, Index: uint64(c.Block)}}})
	if err != nil {
		return err
	}
	c.Threads = told[0].All.Delta
	for _, t := range told {
		c.Block = min(c.Block, int(t.All.Index))
	}
	e.part.agreed = c
	return nil
}

// together makes scans with the other engines, with the configuration of the stage.
func (e *Engine) together(c gpu.Config) error {
	passes := e.passes()
	if e.jobs[0].Pick != tabu {
		passes = min(passes, mostParted)
	}
	for range passes {
		for _, o := range e.jobs {
			if err := e.shared(c, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// shared makes a scan in one neighbourhood.
func (e *Engine) shared(c gpu.Config, o job) error {
	p, ok := e.of.(partible)
	if !ok {
		return fmt.Errorf("moves: scans on %s cannot be shared", e.problem.Instance.Name())
	}
	blocks := int(o.Blocks)
	first, last := e.part.k*blocks/e.part.n, (e.part.k+1)*blocks/e.part.n
	mine := make([]found, e.walks)
	for a := range mine {
		mine[a] = noFound
	}
	if first < last {
		part := o
		part.First, part.Span, part.Parted = int32(first), int32(last-first), 1
		c.Grid.X = (last - first) * e.walks
		if err := p.search(e, c, part); err != nil {
			return err
		}
		var err error
		if mine, err = e.parts.Slice(c.Grid.X, c.Grid.X+e.walks).Download(); err != nil {
			return err
		}
	}
	all, err := e.part.meet(mine)
	if err != nil {
		return err
	}
	told := make([]found, 0, len(all))
	for a := range e.walks {
		for k := range e.part.n {
			told = append(told, all[k*e.walks+a])
		}
	}
	if err := e.parts.Slice(0, len(told)).Upload(told); err != nil {
		return err
	}
	e.moved = true
	o.Blocks, o.Span = int32(e.part.n), int32(e.part.n)
	return e.of.step(e, o)
}

// partRoom makes room for what launches of so many blocks in all find.
func (e *Engine) partRoom(grid int) error {
	if !e.part.shared() {
		return grow(e.Dev, &e.parts, grid)
	}
	return errors.Join(
		e.graph.Drop(),
		grow(e.Dev, &e.parts, max(grid+e.walks, e.walks*e.part.n)),
	)
}

// searched ends a part of a scan by a kernel whose blocks only look.
func (e *Engine) searched(kernel string, o job) error {
	if o.Parted == 0 {
		return nil
	}
	c := gpu.Config{Grid: gpu.Dim{X: e.walks}, Block: gpu.Dim{X: 512}}
	return e.launch(kernel, c, o, e.heads, e.parts)
}

var _ moves.Parting = (*Engine)(nil)
