package ils

import (
	"context"
	"math"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// A BestProblem holds the data for an engine of the variant best.
type BestProblem struct {
	Space *tours.Space // symmetric
	Seed  uint64
	Env   *solvers.Env
}

// A BestJob is an iteration.
type BestJob struct {
	Iter   int64
	Kicks  int  // of each chain, one after the other
	Always bool // keep every tour, not only those that are not longer
	Blocks int  // of a chain on a GPU; 0: the engine chooses; it changes no result
}

// A BestChain is a chain in an iteration. Its tours are in internal numbers.
type BestChain struct {
	Tour   []int32 // before the iteration
	Length int64   // its length; afterwards that of Next
	Loaded bool    // Tour is the Next of the engine's last iteration
	Idle   bool    // another engine has it: it is here for its number alone, and has no tours

	// Results. Tours begin with city 0 and go on to the smaller of its two neighbours.
	Next  []int32 // the tour after the iteration
	Top   []int32 // the first of the shortest tours that the search led to after a kick
	Least int64   // its length
	Moves int64
	// accepted and improving kicks
	Kept, Gained int
}

// A BestEngine makes the iterations of the variant best: of each chain a search, which makes moves
// only if the tour is no local optimum, and then the kicks, each with a search. [tours.Best]
// defines the searches and kicks. Its methods are called from one goroutine at a time.
type BestEngine interface {
	// Use sets the lists and the operator, and makes room for as many chains, which must then be
	// loaded again. It is called before the first iteration and after changes.
	Use(near tours.Neighbours, op tours.BestOperator, chains int) error

	// Iterate makes an iteration. After an error all chains must be loaded again.
	Iterate(ctx context.Context, job BestJob, chains []BestChain) error

	// Close frees what the garbage collector does not free.
	Close()
}

// bestCPU is the engine whose chains are workspaces of package tours.
type bestCPU struct {
	BestProblem
	near tours.Neighbours
	op   tours.BestOperator
	work []*tours.Best
}

// NewBestCPU makes the engine that runs on the CPU.
func NewBestCPU(p *BestProblem) (BestEngine, error) { return &bestCPU{BestProblem: *p}, nil }

func (e *bestCPU) Use(near tours.Neighbours, op tours.BestOperator, chains int) error {
	e.near, e.op, e.work = near, op, make([]*tours.Best, chains)
	return nil
}

func (e *bestCPU) Close() {}

func (e *bestCPU) Iterate(ctx context.Context, job BestJob, chains []BestChain) error {
	errs := make([]error, len(chains))
	e.Env.Pool.Run(len(chains), func(a, _ int) {
		if !chains[a].Idle {
			errs[a] = e.chain(ctx, &job, a, &chains[a])
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (e *bestCPU) chain(ctx context.Context, job *BestJob, a int, c *BestChain) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if e.work[a] == nil {
		e.work[a], c.Loaded = tours.NewBest(e.Space, e.near, e.op), false
	}
	w := e.work[a]
	if !c.Loaded {
		w.Load(c.Tour)
	}
	gain, moves, err := w.Run(ctx)
	if err != nil {
		return err
	}
	c.Length, c.Moves, c.Least, c.Kept, c.Gained = c.Length-gain, moves, math.MaxInt64, 0, 0
	w.Commit()
	draws := arith.NewStream(e.Seed, uint64(job.Iter), uint32(a), drawKick)
	for range job.Kicks {
		if err := ctx.Err(); err != nil { // a search of a few cities does not look
			return err
		}
		longer := w.Kick(&draws)
		gain, moves, err := w.Run(ctx)
		if err != nil {
			return err
		}
		c.Moves += moves
		if change := longer - gain; change <= 0 || job.Always {
			c.Length += change
			c.Kept++
			if change < 0 {
				c.Gained++
			}
			w.Commit()
		} else {
			w.Undo()
		}
		if c.Length < c.Least { // if every tour is accepted, the best may be left again
			c.Least = c.Length
			w.Store(c.Top)
		}
	}
	w.Store(c.Next)
	if c.Length < c.Least {
		c.Least = c.Length
		copy(c.Top, c.Next)
	}
	return nil
}
