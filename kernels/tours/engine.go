package tours

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers"
	"metalab/solvers/ils"
	"metalab/solvers/tours"
)

var (
	_ ils.BestEngine = (*Engine)(nil)
	_ solvers.Sharer = (*Engine)(nil)
	_ solvers.Timer  = (*Engine)(nil)
	_ solvers.Waver  = (*Engine)(nil)
)

// launchTime is the longest time of a launch, as a rule: between launches the host checks whether
// to abandon the iteration.
const launchTime = 50 * time.Millisecond

// Engine makes the iterations of ils/best on a GPU. The chains' tours stay in its memory.
type Engine struct {
	launch.Tuner
	launch.Base
	q      *problem
	kernel *gpu.Kernel
	block  int   // threads of a block
	grid   int   // blocks that are resident at once
	passes int   // of a launch
	made   int64 // passes of the last iteration, if of one chain

	places     any // a buffer of the plane's
	near, room *gpu.Buffer[int32]
	states     *gpu.Buffer[chain]
	pinned     *gpu.Pinned[chain]
	records    *gpu.Buffer[pass]
	bars       *gpu.Buffer[uint32]
	free       []func() error // of what depends on the lists and the chains
}

// NewEngine opens the device of p.Env and loads the kernel.
func NewEngine(p *ils.BestProblem) (ils.BestEngine, error) { return newEngine(p) }

func newEngine(p *ils.BestProblem) (*Engine, error) {
	q, err := prepare(p)
	if err != nil {
		return nil, err
	}
	e := &Engine{q: q, block: threads, passes: 1000}
	if err := e.Open(p.Env); err != nil {
		return nil, fmt.Errorf("kernels/tours: %w", err)
	}
	e.Clock = launch.Events(e.Dev)
	if err := e.Dev.Do(context.Background(), e.open); err != nil {
		e.Close()
		return nil, fmt.Errorf("kernels/tours: %w", err)
	}
	return e, nil
}

// open loads the kernel; on the device's thread.
func (e *Engine) open() error {
	code, err := image("best")
	if err != nil {
		return err
	}
	kernels, err := e.Base.Load(code)
	if err != nil {
		return err
	}
	if e.kernel, err = kernels.Get(e.q.kernel); err != nil {
		return err
	}
	e.grid, err = e.kernel.MaxCooperativeGrid(e.block, 0)
	if err == nil && e.grid < 1 {
		err = fmt.Errorf("a block of %d threads is not resident on this GPU (%s)", e.block,
			e.Dev.Info().Name)
	}
	return err
}

// Use makes room for the lists and the chains.
func (e *Engine) Use(near tours.Neighbours, op tours.BestOperator, chains int) error {
	return e.Dev.Do(context.Background(), func() error {
		e.release()
		e.q.use(near, op)
		bytes := func(n int) int64 { return e.q.bytes(near.K, n, e.grid) }
		err := e.Admit(bytes(chains), func(room int64) []string {
			if n := launch.Fitting(chains, room, bytes); n > 0 {
				return []string{launch.Takes(fmt.Sprintf("%d chains", n), bytes(n))}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("kernels/tours: %w", err)
		}
		if e.places == nil {
			switch {
			case e.q.whole != nil:
				e.places, err = gpu.Upload(e.Dev, e.q.whole)
			case e.q.real != nil:
				e.places, err = gpu.Upload(e.Dev, e.q.real)
			default:
				e.places, err = gpu.Upload(e.Dev, e.q.matrix)
			}
			if err != nil {
				e.places = nil
				return err
			}
		}
		ids := near.ID
		if len(ids) == 0 {
			ids = []int32{0}
		}
		if e.near, err = gpu.Upload(e.Dev, ids); err != nil {
			return err
		}
		e.free = append(e.free, e.near.Free)
		e.room, err = take[int32](e, buffers*int(e.q.job.Stride)*chains, err)
		e.states, err = take[chain](e, chains, err)
		e.records, err = take[pass](e, 2*e.grid, err)
		e.bars, err = take[uint32](e, barrierWords*chains, err)
		if err != nil {
			return err
		}
		if e.pinned, err = gpu.NewPinned[chain](e.Dev, chains); err != nil {
			return err
		}
		e.free = append(e.free, e.pinned.Free)
		return nil
	})
}

// take allocates n elements, unless there was an error.
func take[T any](e *Engine, n int, err error) (*gpu.Buffer[T], error) {
	if err != nil {
		return nil, err
	}
	b, err := gpu.Alloc[T](e.Dev, n)
	if err == nil {
		e.free = append(e.free, b.Free)
	}
	return b, err
}

// release frees what depends on the lists and the chains.
func (e *Engine) release() {
	for _, free := range e.free {
		_ = free()
	}
	e.free = nil
}

// Iterate looks at ctx between launches.
func (e *Engine) Iterate(ctx context.Context, j ils.BestJob, chains []ils.BestChain) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return e.Dev.Do(ctx, func() error {
		states, idle := e.pinned.Slice(), 0
		for a := range chains {
			c := &chains[a]
			states[a] = state(c, states[a])
			if c.Idle {
				idle++
			} else if !c.Loaded {
				if err := e.buffer(a, 0).Upload(c.Tour); err != nil {
					return err
				}
			}
		}
		if err := errors.Join(e.pinned.Upload(nil, e.states), e.First()); err != nil {
			return err
		}
		b := e.q.of(j, len(chains)-idle)
		b.share(j.Blocks, e.grid, e.block, e.Dev.Info().SMs)
		b.Chains = int32(len(chains)) // a group of blocks passes over those that are done
		if err := e.Part("search", func() error { return e.search(ctx, b) }); err != nil {
			return err
		}
		if err := errors.Join(e.Last(), e.Dev.Sync(), e.Read()); err != nil {
			return err
		}
		if e.made = 0; len(chains) == 1 {
			e.made = states[0].Moves + 1 + int64(j.Kicks)
		}
		n := int(e.q.job.N)
		tour, top := make([]int32, n), make([]int32, n)
		for a := range chains {
			if chains[a].Idle {
				continue
			}
			s := &states[a]
			err := errors.Join(
				e.buffer(a, int(s.Base)).DownloadTo(tour), e.buffer(a, buffers-1).DownloadTo(top),
			)
			if err != nil {
				return err
			}
			s.report(&chains[a], tour, top)
		}
		return nil
	})
}

// Spans are the search of the last iteration and, if there is one chain, a pass of it on the
// average, with the move that follows; the kicks are counted in.
func (e *Engine) Spans() []solvers.Span {
	spans := e.Tuner.Spans()
	if len(spans) == 1 && e.made > 0 {
		spans = append(spans, solvers.Span{Name: "pass", Time: spans[0].Time / time.Duration(e.made)})
	}
	return spans
}

// buffer is a buffer of a chain.
func (e *Engine) buffer(a, b int) *gpu.Buffer[int32] {
	from := (a*buffers + b) * int(e.q.job.Stride)
	return e.room.Slice(from, from+int(e.q.job.N))
}

// search launches the kernel until all chains are done.
func (e *Engine) search(ctx context.Context, b job) error {
	for {
		start := time.Now()
		if err := e.launch(b); err != nil {
			return err
		}
		if err := e.Dev.Sync(); err != nil {
			return err
		}
		states := e.pinned.Slice()[:b.Chains]
		if !slices.ContainsFunc(states, func(s chain) bool { return s.Done == 0 }) {
			return nil
		}
		switch took := time.Since(start); {
		case took > launchTime:
			e.passes = max(10, e.passes/2)
		case took < launchTime/2:
			e.passes = min(2*e.passes, 1<<20)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// launch queues a launch and the copy of the chains' states.
func (e *Engine) launch(b job) error {
	b.Passes = int32(e.passes)
	if err := e.bars.Zero(nil); err != nil {
		return err
	}
	c := gpu.Config{
		Grid: gpu.Dim{X: int(b.Groups * b.Blocks)}, Block: gpu.Dim{X: e.block}, Cooperative: true,
	}
	err := e.kernel.Launch(c, b, e.places, e.near, e.room, e.states, e.records, e.bars)
	if err != nil {
		return err
	}
	return e.pinned.Download(nil, e.states)
}
