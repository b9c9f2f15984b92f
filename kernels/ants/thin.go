package ants

import (
	"fmt"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/wave"
)

// Constants of mmas/thin.
const (
	thinLast = 128 // cities of the list that the last choices look at
	thinFew  = 20  // warps per block up to which construct_small runs, which has more registers
)

// thin is the form of mmas/thin.
type thin struct {
	usual
	b *deviceCrew

	table *gpu.Buffer[float32] // n x n: reciprocals of all weights
	alias *gpu.Buffer[uint32]  // n x n: the alias tables of the tails
	near  *gpu.Buffer[uint16]  // by slot: the cities with clocks
	list  *gpu.Buffer[float32] // by slot: the rate of the tail over the weight
	gaps  *gpu.Buffer[float32] // by city: 1 / the rate of its tail, over ln 2

	lookMatrix *gpu.Kernel
	lean, few  *gpu.Kernel // constructions
	perBlock   int         // ants of a block
}

// thinShare is the shared memory of an ant, a multiple of 16 bytes.
func thinShare(n int) int { return 2*thinLast + ((n+31)/32*4+15)/16*16 }

// thinRow is the shared memory of the kernel prepare.
func thinRow(n int) int {
	words := (n + 31) / 32
	return (4+4+2)*32*words + 4*32*(1+4+5+8)
}

func newThin(b *deviceCrew) form { return &thin{b: b} }

func (r *thin) bytes(int) int64 {
	return matrixBytes(r.b.n, 16) + slotBytes(r.b.n, 6) + 4*int64(r.b.n)
}

func (r *thin) instead() []instead {
	return []instead{
		{"mmas/rows candidates=0", plan{all: true, matrix: true, n: r.b.n}.bytes()},
		wrsInstead(r.b.n),
	}
}

func (r *thin) open(kernel func(k **gpu.Kernel, name string)) (err error) {
	if need, most := thinRow(r.b.n), r.b.kernels.prepare.Info().MaxShared; need > most {
		return fmt.Errorf("ants: a row of %d cities takes %d bytes of shared memory, device %d has %d: "+
			"use backend cpu",
			r.b.n, need, r.b.d.Info().Ordinal, most)
	}
	kernel(&r.lookMatrix, "branching_matrix")
	kernel(&r.lean, "construct")
	kernel(&r.few, "construct_small")
	size := r.b.n * r.b.n
	if err = r.b.matrices(); err == nil {
		r.table, err = gpu.Alloc[float32](r.b.d, size)
	}
	if err == nil {
		r.alias, err = gpu.Alloc[uint32](r.b.d, size)
	}
	if err != nil {
		return fmt.Errorf("ants: four matrices of %d cities take %d bytes on device %d: %w", r.b.n,
			16*size, r.b.d.Info().Ordinal, err)
	}
	if r.near, err = gpu.Alloc[uint16](r.b.d, r.b.n*trail.Width); err != nil {
		return err
	}
	if r.list, err = gpu.Alloc[float32](r.b.d, r.b.n*trail.Width); err != nil {
		return err
	}
	r.gaps, err = gpu.Alloc[float32](r.b.d, r.b.n)
	return err
}

func (r *thin) grow() error { return nil }

func (r *thin) rules(c *crew.Rules, eta bool) error { return r.b.weigh(c, eta) }

func (r *thin) send() error { return r.b.sendTable() }

func (r *thin) fetch() error { return r.b.fetchTable() }

func (r *thin) look() error { return r.b.lookByEdge(r.lookMatrix) }

func (r *thin) prepare() error {
	threads := 128
	if r.b.n < 1500 { // more blocks at once
		threads = 64
	}
	c := gpu.Config{Grid: gpu.Dim{X: r.b.n}, Block: gpu.Dim{X: threads}, Shared: thinRow(r.b.n)}
	return r.b.kernels.prepare.Launch(c, r.b.inst.arg, r.b.jobs.buffer, r.b.trails.tau,
		r.b.trails.eta, r.table, r.near, r.list, r.alias, r.gaps, r.b.kept.after, r.b.kept.before)
}

func (r *thin) construct() error {
	k := r.lean
	if r.perBlock <= thinFew {
		k = r.few
	}
	return r.launch(k)
}

func (r *thin) launch(k *gpu.Kernel) error {
	c := gpu.Config{
		Grid:   gpu.Dim{X: (r.b.batch.ants + r.perBlock - 1) / r.perBlock},
		Block:  gpu.Dim{X: warpThreads * r.perBlock},
		Shared: r.perBlock * thinShare(r.b.n),
	}
	return k.Launch(c, r.b.inst.arg, r.b.jobs.buffer, r.table, r.near, r.list, r.alias, r.gaps,
		r.b.batch.tours, r.b.batch.results, r.b.keys, int32(thinShare(r.b.n)))
}

// most returns how many ants' visited cities fit into a block's shared memory.
func (r *thin) most() int { return r.lean.Info().MaxShared / thinShare(r.b.n) }

func (r *thin) own() wave.Config {
	return launch.Warps(r.b.batch.ants, min(r.b.perBlock(), r.most()))
}

func (r *thin) shapes() []wave.Config {
	return launch.WarpShapes(r.b.batch.ants, min(r.most(), r.lean.Info().MaxBlock/warpThreads))
}

func (r *thin) adopt(c wave.Config) error {
	if ants := c.Block / warpThreads; ants != r.perBlock {
		r.perBlock = ants
		return r.b.dropGraph()
	}
	return nil
}
