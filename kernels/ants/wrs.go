package ants

import (
	"metalab/gpu"
	"metalab/solvers"
	walkers "metalab/solvers/ants"
	"metalab/solvers/wave"
)

// wrs is the crew of mmas/wrs.
type wrs struct {
	maxmin
	near, far *gpu.Kernel
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
	if !w.wide {
		if w.near, err = w.m.Kernel("walk_near"); err != nil {
			return err
		}
	}
	if w.far, err = w.m.Kernel("walk_far"); err != nil {
		return err
	}
	w.base.prepare, w.base.grow = w.prepare, w.forget
	w.own = func() wave.Config { return antsOf(w.ants, w.warpsFor(w.warps, w.ants)) }
	w.shapes = func() []wave.Config { return blocksOf(w.ants, w.far.Info().MaxBlock/warpThreads) }
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
	if near := shared + tableBytes(w.n); !w.wide && near <= w.near.Info().MaxShared {
		k, shared = w.near, near
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

// become makes the next walk one of that shape.
func (w *wrs) become(c wave.Config) (err error) {
	shape := c.Block / warpThreads
	if w.shared, err = w.bits(w.far, shape); err != nil || shape == w.shape {
		return err
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
