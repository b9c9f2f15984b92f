package ants

import (
	"errors"
	"fmt"

	"metalab/gpu"
	"metalab/solvers"
	walkers "metalab/solvers/ants"
	"metalab/solvers/wave"
)

// Of mmas/thin.
const (
	thinLast = 128 // cities of the list that the last choices look at
	thinFew  = 20  // warps of a block up to which walk_few is taken, which has more registers
)

// thin is the crew of mmas/thin.
type thin struct {
	maxmin

	table *gpu.Buffer[float32] // n x n: reciprocals of all weights
	alias *gpu.Buffer[uint32]  // n x n: the alias tables of the tails
	near  *gpu.Buffer[uint16]  // by slot: the cities with clocks
	list  *gpu.Buffer[float32] // by slot: the rate of the tail over the weight
	gaps  *gpu.Buffer[float32] // by city: 1 / the rate of its tail, over ln 2
	eyes  *gpu.Kernel          // look_matrix

	lean, few *gpu.Kernel // walks
	many      int         // ants of a block
}

// thinShare is the shared memory of an ant, a multiple of 16 bytes.
func thinShare(n int) int { return 2*thinLast + ((n+31)/32*4+15)/16*16 }

// thinRow is the shared memory of the kernel prepare.
func thinRow(n int) int {
	words := (n + 31) / 32
	return (4+4+2)*32*words + 4*32*(1+4+5+8)
}

// hireThin opens a crew of mmas/thin on the device of env.
func hireThin(env *solvers.Env, g *walkers.Ground) (walkers.MaxMinCrew, error) {
	r := &thin{}
	if err := r.start(env, g); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func (r *thin) start(env *solvers.Env, g *walkers.Ground) (err error) {
	n := g.Space.N
	r.more = func(int) int64 {
		return matrixBytes(n, 16) + slotBytes(n, 6) + 4*int64(n)
	}
	if n <= rowsMost {
		r.instead = append(r.instead, instead{"mmas/rows candidates=0", plan{all: true, matrix: true, n: n}.bytes()})
	}
	r.instead = append(r.instead, wrsInstead(n))
	if err = r.open(env, g, "thin"); err != nil {
		return err
	}
	if need, most := thinRow(r.n), r.pre.Info().MaxShared; need > most {
		return fmt.Errorf("ants: a row of %d cities takes %d bytes of shared memory, device %d has %d: use backend cpu", r.n, need, r.d.Info().Ordinal, most)
	}
	kernel := func(k **gpu.Kernel, name string) {
		if err == nil {
			*k, err = r.m.Kernel(name)
		}
	}
	kernel(&r.eyes, "look_matrix")
	kernel(&r.lean, "walk")
	kernel(&r.few, "walk_few")
	if err != nil {
		return err
	}
	err = errors.Join(r.tau.Free(), r.eta.Free())
	size := r.n * r.n
	for _, b := range []**gpu.Buffer[float32]{&r.tau, &r.eta, &r.table} {
		if err == nil {
			*b, err = gpu.Alloc[float32](r.d, size)
		}
	}
	if err == nil {
		r.alias, err = gpu.Alloc[uint32](r.d, size)
	}
	if err != nil {
		return fmt.Errorf("ants: four matrices of %d cities take %d bytes on device %d: %w", r.n, 16*size, r.d.Info().Ordinal, err)
	}
	if r.near, err = gpu.Alloc[uint16](r.d, r.n*walkers.Width); err != nil {
		return err
	}
	if r.list, err = gpu.Alloc[float32](r.d, r.n*walkers.Width); err != nil {
		return err
	}
	if r.gaps, err = gpu.Alloc[float32](r.d, r.n); err != nil {
		return err
	}
	r.base.prepare, r.base.grow = r.prepare, r.forget
	most := func() int { return r.lean.Info().MaxShared / thinShare(r.n) }
	r.own = func() wave.Config { return antsOf(r.ants, min(r.warpsFor(r.warps, r.ants), most())) }
	r.shapes = func() []wave.Config { return blocksOf(r.ants, min(most(), r.lean.Info().MaxBlock/warpThreads)) }
	r.adopt = r.become
	return nil
}

func (r *thin) prepare() error {
	threads := 128
	if r.n < 1500 { // more blocks at once
		threads = 64
	}
	c := gpu.Config{Grid: gpu.Dim{X: r.n}, Block: gpu.Dim{X: threads}, Shared: thinRow(r.n)}
	return r.pre.Launch(c, r.arg, r.job, r.tau, r.eta, r.table, r.near, r.list, r.alias, r.gaps, r.after, r.before)
}

// launchWalk queues the walk.
func (r *thin) launchWalk() error {
	k := r.lean
	if r.many <= thinFew {
		k = r.few
	}
	return r.launch(k)
}

func (r *thin) launch(k *gpu.Kernel) error {
	c := gpu.Config{Grid: gpu.Dim{X: (r.ants + r.many - 1) / r.many}, Block: gpu.Dim{X: 32 * r.many}, Shared: r.many * thinShare(r.n)}
	return k.Launch(c, r.arg, r.job, r.table, r.near, r.list, r.alias, r.gaps, r.tours, r.results, r.keys, int32(thinShare(r.n)))
}

// Walk implements Crew.
func (r *thin) Walk(it int64, lengths []int64, falls []int32, hashes []uint64) error {
	if err := r.size(len(lengths)); err != nil {
		return err
	}
	if err := r.settle(); err != nil {
		return err
	}
	launch, err := r.whole(&r.graph, r.record)
	if err != nil {
		return err
	}
	return r.walk(it, lengths, falls, hashes, launch)
}

// become makes the next walk one of that shape.
func (r *thin) become(c wave.Config) error {
	if many := c.Block / warpThreads; many != r.many {
		r.many = many
		return r.forget()
	}
	return nil
}

// record queues a whole iteration.
func (r *thin) record() error { return r.iteration(r.launchWalk) }

// Look implements Crew.
func (r *thin) Look() (branches int64, hash uint64, err error) {
	return r.lookAll(r.eyes)
}
