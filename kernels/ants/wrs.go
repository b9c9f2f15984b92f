package ants

import (
	"math"

	"metalab/gpu"
	"metalab/solvers"
	walkers "metalab/solvers/ants"
	"metalab/solvers/wave"
)

// wrs is the crew of mmas/wrs.
type wrs struct {
	maxmin
	near, few *gpu.Kernel // nil with many cities
	far       *gpu.Kernel
	recip     *gpu.Buffer[float32]
	shape     int // the graph's: the ants of a block
	shared    int // and the shared memory of that, without the lists
}

// hireWRS opens a crew of mmas/wrs on the device of env.
func hireWRS(env *solvers.Env, g *walkers.Ground) (walkers.MaxMinCrew, error) {
	w := &wrs{}
	w.wide = g.Space.N >= wideFrom
	if err := w.start(env, g); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

func (w *wrs) start(env *solvers.Env, g *walkers.Ground) (err error) {
	if w.more == nil {
		w.more = func(int) int64 { return slotBytes(g.Space.N, 4) }
	}
	if err = w.open(env, g, "wrs"); err != nil {
		return err
	}
	far := "walk_long"
	if short(w.n) && !w.wide {
		if w.near, err = w.m.Kernel("walk_near"); err != nil {
			return err
		}
		if w.few, err = w.m.Kernel("walk_few"); err != nil {
			return err
		}
		far = "walk_far"
	}
	if w.far, err = w.m.Kernel(far); err != nil {
		return err
	}
	w.base.prepare, w.base.grow = w.prepare, w.forget
	w.own = func() wave.Config { return antsOf(w.ants, min(w.warpsFor(w.warps, w.ants), w.most())) }
	w.shapes = func() []wave.Config { return blocksOf(w.ants, min(w.far.Info().MaxBlock/warpThreads, w.most())) }
	w.adopt = w.become
	w.recip, err = gpu.Alloc[float32](w.d, w.n*walkers.Width)
	return err
}

func (w *wrs) prepare() error {
	return w.pre.Launch(w.perSlot(), w.arg, w.job, w.tau, w.eta, w.recip, w.after, w.before)
}

// launchWalk queues the walk.
func (w *wrs) launchWalk() error {
	k, shared := w.far, w.shared
	if w.near != nil {
		if warpThreads*w.shape <= w.few.Info().MaxBlock {
			k = w.few
		}
		near := shared + wordBytes(w.n)
		if info := w.near.Info(); near <= info.MaxShared && warpThreads*w.shape <= info.MaxBlock {
			k, shared = w.near, near
		}
	}
	c := gpu.Config{Grid: gpu.Dim{X: (w.ants + w.shape - 1) / w.shape}, Block: gpu.Dim{X: 32 * w.shape}, Shared: shared}
	return k.Launch(c, w.arg, w.job, w.recip, w.tours, w.results, w.keys)
}

// Walk implements Crew.
func (w *wrs) Walk(it int64, lengths []int64, falls []int32, hashes []uint64) error {
	if err := w.size(len(lengths)); err != nil {
		return err
	}
	if err := w.settle(); err != nil {
		return err
	}
	launch, err := w.whole(&w.graph, w.record)
	if err != nil {
		return err
	}
	return w.walk(it, lengths, falls, hashes, launch)
}

// most is the number of ants of whose cities a block's shared memory has room.
func (w *wrs) most() int {
	if w.near == nil {
		return math.MaxInt
	}
	return max(1, w.far.Info().MaxShared/lookBytes(w.n, 1))
}

// become makes the next walk one of that shape.
func (w *wrs) become(c wave.Config) (err error) {
	shape := c.Block / warpThreads
	if w.near != nil {
		w.shared = lookBytes(w.n, shape)
	} else if w.shared, err = w.bits(w.far, shape); err != nil {
		return err
	}
	if shape == w.shape {
		return nil
	}
	w.shape = shape
	return w.forget()
}

// record queues a whole iteration.
func (w *wrs) record() error {
	if err := w.begin(); err != nil {
		return err
	}
	if err := w.pace(w.launchWalk); err != nil {
		return err
	}
	if err := w.polish(); err != nil {
		return err
	}
	return w.back.Download(nil, w.results)
}
