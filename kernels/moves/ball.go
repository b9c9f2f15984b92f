package moves

import (
	"errors"
	"fmt"
	"math/bits"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/solvers/moves"
	"metalab/solvers/wave"
)

// ballArg is the kernels' ball: the function and the walks' data, by addresses of the device.
type ballArg struct {
	Weights, X, Top, Present, Until     uint64
	Radius                              float64
	Terms, Base, Shift, Largest, Single int32
	Pad                                 int32
}

// ball is the problem of real vectors: Weierstrass functions, the neighbours in the crowns of a
// ball.
type ball struct {
	inst    *datasets.Weierstrass
	arg     ballArg
	now     lanes[float64]
	top     lanes[float64]
	present lanes[float64]
	until   lanes[int64]
	single  bool // the present values are in float32
}

// Limits of the kernels: of coordinates, of terms, and of cubes.
const (
	mostCoordinates = 256
	mostTerms       = 200
	cells           = 1 << 12
)

func newBall(inst datasets.Instance) (problem, error) {
	w, ok := inst.(*datasets.Weierstrass)
	if !ok {
		return nil, fmt.Errorf("%s is a %T, want a Weierstrass function", inst.Name(), inst)
	}
	if w.N > mostCoordinates || w.Terms > mostTerms {
		return nil, fmt.Errorf("%s has %d coordinates and %d terms, and a GPU takes at most %d and %d: "+
			"use backend cpu", w.Name(), w.N, w.Terms, mostCoordinates, mostTerms)
	}
	b := &ball{inst: w, arg: ballArg{Terms: int32(w.Terms), Base: int32(w.B)}}
	if w.B&(w.B-1) == 0 {
		b.arg.Shift = int32(bits.TrailingZeros(uint(w.B)))
	}
	if w.Max {
		b.arg.Largest = 1
	}
	return b, nil
}

// weights are those of a function's terms.
func weights(w *datasets.Weierstrass) (out []float64) {
	for i := range w.Terms {
		out = append(out, w.Weight(i+1))
	}
	return out
}

func (b *ball) image() string { return "ball" }

func (b *ball) kernels() []string {
	return []string{"ball_single", "ball_double", "ball_move", "ball_load", "ball_hash"}
}

func (b *ball) fixed() int64 { return 8 * int64(b.inst.Terms) }

func (b *ball) perWalk() int64 { return 16*int64(b.inst.N) + 8 + 8*cells }

func (b *ball) scratch(int, int64) int64 { return 0 }

func (b *ball) upload(d *gpu.Device) (err error) {
	b.arg.Weights, err = address(d, weights(b.inst), err)
	return err
}

func (b *ball) room(d *gpu.Device, walks int) (err error) {
	err = b.now.room(d, walks, b.inst.N, err)
	err = b.top.room(d, walks, b.inst.N, err)
	err = b.present.room(d, walks, 1, err)
	err = b.until.room(d, walks, cells, err)
	a := &b.arg
	a.X, a.Top, a.Present, a.Until = b.now.at(), b.top.at(), b.present.at(), b.until.at()
	return err
}

func (b *ball) free() error {
	return errors.Join(b.now.free(), b.top.free(), b.present.free(), b.until.free())
}

func (b *ball) put(a int, s *moves.State) error {
	return errors.Join(b.now.put(a, s.Now.Real), b.top.put(a, s.Top.Real), b.until.put(a, s.Until))
}

func (b *ball) get(a int, s *moves.State) error {
	return errors.Join(b.now.get(a, s.Now.Real), b.top.get(a, s.Top.Real), b.until.get(a, s.Until))
}

func (b *ball) copies() []mirrored { return []mirrored{&b.now, &b.top, &b.until} }

// plan also takes what the iteration asks for of the neighbours.
func (b *ball) plan(o *job, j *moves.Job) error {
	o.N, o.Flips, o.Size, o.Real = int32(b.inst.N), 1, uint64(j.Neighbours), 1
	b.arg.Radius, b.arg.Single = j.Radius, 0
	if j.Precision == "single" {
		b.arg.Single = 1
	}
	return nil
}

func (b *ball) adopt(*gpu.Device, int, int) error { return nil }

func (b *ball) renew(e *Engine, stale bool) error {
	if !stale && b.single == (b.arg.Single == 1) {
		return nil
	}
	b.single = b.arg.Single == 1
	return e.launch("ball_load", b.each(e), e.jobs[0], b.arg)
}

// each is a launch of a block a walk: of many threads, for they compute the terms of a value.
func (b *ball) each(e *Engine) gpu.Config {
	return gpu.Config{Grid: gpu.Dim{X: e.walks}, Block: gpu.Dim{X: 512}}
}

// scan is the kernel that evaluates neighbours.
func (b *ball) scan() string {
	if b.arg.Single == 1 {
		return "ball_single"
	}
	return "ball_double"
}

func (b *ball) evaluate(e *Engine, c gpu.Config, o job, _, deltas uint64) error {
	return e.launch(b.scan(), c, o, b.arg, e.heads, deltas, e.parts)
}

func (b *ball) step(e *Engine, o job) error {
	return e.launch("ball_move", b.each(e), o, b.arg, e.heads, e.parts)
}

func (b *ball) hash(e *Engine) error {
	return e.launch("ball_hash", e.perWalk(1), e.jobs[0], b.arg, e.heads)
}

// own implements shaped: a thread a coordinate.
func (b *ball) own(e *Engine) wave.Config { return b.shape(e, 128) }

func (b *ball) shape(e *Engine, block int) wave.Config {
	c := b.spread(wave.Config{Threads: e.size(), Block: block})
	c.Threads = max(int64(block), min(c.Threads, int64(mostThreads/e.busy())))
	return c
}

// spread implements spreading: a block has as many neighbours as it has threads for coordinates.
func (b *ball) spread(c wave.Config) wave.Config {
	group := int64(max(1, min(c.Block, mostCoordinates)/b.inst.N))
	c.Threads = (c.Threads + group - 1) / group * int64(c.Block)
	return c
}

// shapes implements shaped.
func (b *ball) shapes(e *Engine) (out []wave.Config) {
	for _, block := range []int{32, 64, 96, 128, 256} {
		c := b.shape(e, block)
		for part := range 3 {
			out = append(out, wave.Config{Threads: max(int64(block), c.Threads>>part), Block: block})
		}
	}
	return out
}

func (b *ball) judge(
	o job,
) (func(a int, m moves.Move, clock, limit int64) (late, tabu bool), error) {
	x, err := b.now.buf.Download()
	if err != nil {
		return nil, err
	}
	times, err := b.until.buf.Download()
	return celled(b, o, x, times), err
}

// celled tells of moves of points what the memory of cells says.
func celled(
	b *ball, o job, x []float64, times []int64,
) func(a int, m moves.Move, clock, limit int64) (late, tabu bool) {
	n, walk := b.inst.N, -1
	var cell func(moves.Move) int
	return func(a int, m moves.Move, clock, _ int64) (late, tabu bool) {
		if a != walk {
			walk = a
			cell = moves.CellOf(b.inst, x[a*n:(a+1)*n], moves.Ball{
				Neighbours: int(o.Size), Radius: b.arg.Radius, Seed: o.Seed, Clock: clock, Walk: a,
			})
		}
		return false, times[a*cells+cell(m)] >= clock
	}
}
