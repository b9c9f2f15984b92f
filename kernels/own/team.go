package own

import (
	"errors"
	"time"

	"metalab/gpu/cuda"
	"metalab/gpu/ptx"
	"metalab/kernels/own/walks"
	"metalab/solvers/own"
)

// A team is the kernels of a neighbourhood by which several blocks look at the moves of a walk.
type team struct {
	module     *ptx.Module
	part, join Kernel
	found      [2]Array // deltas and indices, by block
	blocks     int      // that found is for
}

// array is an array of the team, or another where there is none.
func (t *team) array(i int, other Array) Array {
	if t == nil || t.found[i] == nil {
		return other
	}
	return t.found[i]
}

// gather compiles the kernels of a team, and makes room for so many blocks.
func (e *Engine) gather(c *compiled, blocks int) (err error) {
	if c.team == nil {
		t := &team{}
		if t.module, err = c.compile(partKernel, joinKernel); err != nil {
			return notCompiled(e.p, err)
		}
		if t.part, err = e.on.Load(t.module, partKernel); err != nil {
			return err
		}
		if t.join, err = e.on.Load(t.module, joinKernel); err != nil {
			return err
		}
		c.team = t
	}
	t := c.team
	if t.blocks >= blocks {
		return nil
	}
	if err := t.free(); err != nil {
		return err
	}
	for i := range t.found {
		if t.found[i], err = e.on.Array(8 * int64(blocks)); err != nil {
			return err
		}
	}
	t.blocks = blocks
	return nil
}

func (t *team) free() (err error) {
	if t == nil {
		return nil
	}
	for i, a := range t.found {
		if a != nil {
			err = errors.Join(err, a.Free())
		}
		t.found[i] = nil
	}
	t.blocks = 0
	return err
}

// joining is how many threads of a block choose among those that the blocks of a walk have found.
const joining = 64

// together runs the scans with several blocks for each walk. If a thread fails, later scans have
// continued, so the walks go back and the other kernel finds which failed first.
func (e *Engine) together(
	c *compiled, threads int, job walks.Job, scans int,
) (time.Duration, error) {
	blocks := e.walks * int(job.Parts)
	if err := e.gather(c, blocks); err != nil {
		return 0, err
	}
	if err := e.threads(c, max(threads*blocks, joining*e.walks)); err != nil {
		return 0, err
	}
	if err := e.word.Upload(0, bytesOf([]uint64{ptx.NoError})); err != nil {
		return 0, err
	}
	start := time.Now()
	args := c.arguments(e, threads*blocks, job)
	last := c.arguments(e, joining*e.walks, job)
	err := e.on.Batch(func() error {
		for range scans {
			err := c.team.part.Queue(cuda.Shape{Blocks: blocks, Threads: threads}, args...)
			if err == nil {
				err = c.team.join.Queue(cuda.Shape{Blocks: e.walks, Threads: joining}, last...)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = e.said(c.team.module) // waits
	}
	took := time.Since(start)
	if fault := (*own.Fault)(nil); errors.As(err, &fault) {
		if err := e.restore(); err != nil {
			return 0, err
		}
		if err := e.head.Upload(0, bytesOf(e.heads)); err != nil {
			return 0, err
		}
		return e.launch(c, threads, job)
	}
	return took, err
}
