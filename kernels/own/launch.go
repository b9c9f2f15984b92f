package own

import (
	"errors"
	"fmt"
	"reflect"
	"time"

	"metalab/gpu/cuda"
	"metalab/gpu/ptx"
	"metalab/kernels/own/walks"
	"metalab/solvers/own"
)

// launch runs the kernel, and explains what of it fails.
func (e *Engine) launch(c *compiled, threads int, job walks.Job) (time.Duration, error) {
	if err := e.threads(c, threads*e.walks); err != nil {
		return 0, err
	}
	if err := e.word.Upload(0, bytesOf([]uint64{ptx.NoError})); err != nil {
		return 0, err
	}
	args := c.arguments(e, threads*e.walks, job)
	took, err := c.kernel.Launch(cuda.Shape{Blocks: e.walks, Threads: threads}, args...)
	if err != nil {
		return 0, err
	}
	return took, e.said(c.module)
}

// said is what the threads of a launch have left in the error word.
func (e *Engine) said(m *ptx.Module) error {
	word := []uint64{0}
	if err := e.word.Download(0, bytesOf(word)); err != nil {
		return err
	}
	if err := m.Explain(word[0]); err != nil {
		return e.failed(err)
	}
	return nil
}

// failed is what a thread's failure says, at the line of the problem's source.
func (e *Engine) failed(err error) error {
	var f *ptx.Failure
	if !errors.As(err, &f) {
		return err
	}
	what := f.What
	return &own.Fault{
		Text: fmt.Sprintf("on the GPU: %s (line %d:%d, thread %d)", what, f.Pos.Line, f.Pos.Column,
			f.Thread), Line: f.Pos.Line,
	}
}

// arguments are those of the kernels, flattened; threads are those of a launch.
func (c *compiled) arguments(e *Engine, threads int, j walks.Job) (args []any) {
	v := reflect.ValueOf(j)
	for i := range v.NumField() {
		args = append(args, v.Field(i).Interface())
	}
	n, w := int64(e.p.Size()), int64(e.walks)
	slice := func(a Array, n int64) { args = append(args, a, n) }
	slice(e.head, w)
	slice(e.now, w*n)
	slice(e.top, w*n)
	slice(e.until, w*e.memory())
	mine := int64(0)
	if c.mine != nil {
		mine = int64(threads) * n
	}
	slice(or(c.mine, e.word), mine)
	if e.marks != nil {
		slice(e.marks, w*n)
	} else {
		slice(e.word, 0)
	}
	blocks := int64(0)
	if c.team != nil {
		blocks = int64(c.team.blocks)
	}
	slice(c.team.array(0, e.word), blocks)
	slice(c.team.array(1, e.word), blocks)
	for i, l := range c.leaves {
		count := w
		switch {
		case l.slice() && e.shared[i]:
			count = int64(e.lens[i])
		case l.slice():
			count = w * int64(e.lens[i])
		}
		slice(e.fields[i], count)
		if l.eval {
			slice(or(c.each[i], e.word), int64(threads)*int64(e.lens[i]))
		}
	}
	return append(args, Budget, e.word)
}

// or is a, or b where a is none.
func or(a, b Array) Array {
	if a == nil {
		return b
	}
	return a
}
