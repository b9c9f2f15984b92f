package own

import (
	"errors"
	"fmt"

	"metalab/gpu"
	"metalab/gpu/cuda"
	"metalab/gpu/ptx"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/moves"
	"metalab/solvers/own"
	"metalab/solvers/record"
)

// comparePlace is the place of the draws of a comparison.
const comparePlace = 9

// batchMost is how many moves are evaluated at once, and perSolution how many such evaluations
// there are from one solution drawn at random to the next.
const batchMost, perSolution = 16, 5

// interpreted is how many iterations of loops a thread may make where kernels are interpreted, and
// interpretedMoves how many moves of a neighbourhood are compared there at most: it is slow.
const interpreted, interpretedMoves = 1 << 24, 200

// Compare compares, for n random moves of each neighbourhood of a problem, the methods on the CPU
// with the kernels compiled from them, and the solutions and costs after some of the moves: on a
// GPU, or without one in an interpreter. If there is no comparison, Kernels.Not says why; wrong is
// a sentence about the first move that differs. Compare asks enough, which may be nil, before each
// batch of moves but the first, and ends once it is true.
func Compare(
	p *own.Problem, seed uint64, n int, enough func() bool,
) (k moves.Kernels, wrong string, err error) {
	k.On = "a GPU"
	e, err := compareOn(p, seed, OpenGPU)
	if gpu.IsUnavailable(err) {
		k.On, n = "an interpreter of the GPU's code, for there is no GPU", min(n, interpretedMoves)
		e, err = compareOn(p, seed, Interpreter(interpreted))
	}
	if err != nil {
		k.Not = err.Error()
		return k, "", nil
	}
	defer e.Close()
	w, err := moves.On(p)
	if err != nil {
		return k, "", err
	}
	for i, nb := range w.Neighbourhoods() {
		c := &comparison{
			e: e, w: w, nb: nb, k: i, draws: arith.NewStream(seed, uint64(i), 0, comparePlace),
		}
		done := moves.Checked{Name: nb.Name(), Size: nb.Size()}
		if err := e.refused[i]; err != nil {
			done.Delta = "not compiled: " + err.Error()
			k.Checked = append(k.Checked, done)
			continue
		}
		for done.Moves < n && nb.Size() > 0 && wrong == "" && err == nil {
			if enough != nil && enough() && (done.Moves > 0 || len(k.Checked) > 0) {
				break
			}
			m := min(batchMost, n-done.Moves)
			wrong, err = c.some(m)
			done.Moves += m
		}
		k.Checked = append(k.Checked, done)
		if wrong != "" || err != nil {
			return k, wrong, err
		}
	}
	return k, "", nil
}

// compareOn makes an engine.
func compareOn(p *own.Problem, seed uint64, open Opener) (*Engine, error) {
	env := &solvers.Env{Seed: seed, Run: "check of " + p.Name()}
	e, err := NewEngine(open)(&moves.Problem{Instance: p, Seed: seed, Env: env})
	if err != nil {
		return nil, err
	}
	return e.(*Engine), nil
}

// A comparison is of a neighbourhood.
type comparison struct {
	e     *Engine
	w     moves.Walk
	nb    moves.Neighbourhood
	k     int
	draws arith.Stream

	one            *compiled
	evaluate, make Kernel
	module         *ptx.Module
	batches        int
}

// ready compiles the kernels, and makes the arrays of moves and deltas.
func (c *comparison) ready() (err error) {
	if c.one != nil {
		return nil
	}
	one := *c.e.scans[c.k]
	one.mine, one.each, one.room = nil, nil, 0
	if c.module, err = one.compile(evaluateKernel, makeKernel); err != nil {
		return notCompiled(c.e.p, err)
	}
	if c.evaluate, err = c.e.on.Load(c.module, evaluateKernel); err != nil {
		return err
	}
	if c.make, err = c.e.on.Load(c.module, makeKernel); err != nil {
		return err
	}
	if err := c.e.threads(&one, warp); err != nil { // before the team, which it frees
		return err
	}
	one.team = &team{blocks: batchMost}
	for i := range one.team.found {
		if one.team.found[i], err = c.e.on.Array(8 * batchMost); err != nil {
			return err
		}
	}
	c.one = &one
	return nil
}

// some compares n moves, and makes one of them.
func (c *comparison) some(n int) (wrong string, err error) {
	fault := c.e.p.Guard(func() { wrong, err = c.guarded(n) })
	return wrong, errors.Join(fault, err)
}

func (c *comparison) guarded(n int) (wrong string, err error) {
	if c.batches%perSolution == 0 {
		c.w.Random(&c.draws)
		now := c.w.Solution()
		s := moves.State{Now: now, Top: now, Low: c.w.Cost()}
		if err := c.e.Load([]moves.State{s}); err != nil {
			return "", err
		}
	}
	if err := c.ready(); err != nil {
		return "", err
	}
	c.batches++
	at := make([]int64, batchMost)
	for i := range at {
		at[i] = min(int64(float64(c.nb.Size())*c.draws.Float64()), c.nb.Size()-1)
	}
	got := make([]float64, batchMost)
	if err := c.launch(c.evaluate, at, got); err != nil {
		return "", err
	}
	if r, ok := c.w.(moves.Renewer); ok { // as the kernels draw, in the first scan of walk 0
		r.Renew(c.e.problem.Seed, c.e.heads[0].Clock+1, 0)
	}
	sense := c.e.p.Form().Sense()
	for i := range n {
		if d := c.w.Delta(c.nb.Move(at[i])); d != got[i] {
			return fmt.Sprintf("move %d of %s changes the value by %v on the CPU and by %v in the kernel "+
				"that is compiled of the same methods", at[i], c.nb.Name(), sense.Value(d),
				sense.Value(got[i])), nil
		}
	}
	last := n - 1
	at[0], got[0] = at[last], got[last]
	c.w.Apply(c.nb.Move(at[0]))
	if err := c.launch(c.make, at, got); err != nil {
		return "", err
	}
	now := c.w.Solution().Clone()
	if err := c.e.now.Download(0, c.e.solution(now)); err != nil {
		return "", err
	}
	if a, b := fmt.Sprint(c.w.Solution()), fmt.Sprint(now); a != b {
		return fmt.Sprintf("after move %d of %s the solution is %s on the CPU and %s in the kernel",
			at[0], c.nb.Name(), entries(c.w.Solution()), entries(now)), nil
	}
	if a, b := c.w.Cost(), c.e.heads[0].Cost; a != b {
		return fmt.Sprintf("after move %d of %s the value is %v on the CPU and %v in the kernel", at[0],
			c.nb.Name(), sense.Value(a), sense.Value(b)), nil
	}
	return "", nil
}

// entries are the entries of a solution.
func entries(s record.Solution) string {
	switch {
	case s.Bits != nil:
		return fmt.Sprint(s.Bits)
	case s.Real != nil:
		return fmt.Sprint(s.Real)
	}
	return fmt.Sprint(s.Perm)
}

// launch runs a kernel on the walk with the numbers of moves and their deltas.
func (c *comparison) launch(k Kernel, at []int64, deltas []float64) error {
	e := c.e
	nb, err := moves.NeighbourhoodOf(e.p, c.k, 0)
	if err != nil {
		return err
	}
	found := c.one.team.found
	err = errors.Join(
		found[0].Upload(0, bytesOf(deltas)), found[1].Upload(0, bytesOf(at)),
		e.head.Upload(0, bytesOf(e.heads)), e.word.Upload(0, bytesOf([]uint64{ptx.NoError})),
	)
	if err != nil {
		return err
	}
	args := c.one.arguments(e, warp, e.job(nb))
	if _, err := k.Launch(cuda.Shape{Blocks: 1, Threads: warp}, args...); err != nil {
		return err
	}
	if err := e.said(c.module); err != nil {
		return err
	}
	return errors.Join(found[0].Download(0, bytesOf(deltas)), e.head.Download(0, bytesOf(e.heads)))
}
