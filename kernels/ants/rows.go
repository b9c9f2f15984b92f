package ants

import (
	"errors"
	"fmt"

	"metalab/gpu"
	"metalab/solvers"
	walkers "metalab/solvers/ants"
	"metalab/solvers/wave"
)

// rows is the crew of mmas/rows.
type rows struct {
	maxmin
	rule plan

	table *gpu.Buffer[float32] // n x n: weights, or their reciprocals, of all edges; nil without a matrix
	rough *gpu.Buffer[uint16]  // n x n: the high halves of reciprocals; looked at by wrs without lists
	list  *gpu.Buffer[float32] // by slot: those of the lists; nil without lists
	eyes  *gpu.Kernel          // look_matrix
	copy  *gpu.Kernel          // slots

	near, far  *gpu.Kernel // with lists
	solo, team *gpu.Kernel // without

	shape shape
}

// plan is what a Ground asks of mmas/rows.
type plan struct {
	all, matrix, race bool
	tabu              string
	n                 int
}

func planOf(g *walkers.Ground) plan {
	return plan{all: g.All, matrix: g.Matrix, race: g.Selection == "wrs", tabu: g.Tabu, n: g.Space.N}
}

// kernels names the two walks between which the shape chooses: with lists in shared memory
// or not; a warp or a block an ant.
func (p plan) kernels() (a, b string) {
	choice := "rwm"
	if p.race {
		choice = "wrs"
	}
	if p.all {
		return "solo_" + choice + "_" + p.tabu, "team_" + choice + "_" + p.tabu
	}
	if p.matrix {
		choice += "_matrix"
	}
	return "near_" + choice, "far_" + choice
}

// share is the shared memory of an ant without lists, a multiple of 16 bytes.
func (p plan) share() int {
	if p.tabu == "bt" {
		return ((p.n+31)/32*4 + 15) / 16 * 16
	}
	return (2*p.n + 15) / 16 * 16
}

// inverse tells whether the matrix, and whether the lists hold reciprocals: the fall-back of
// lists looks at weights.
func (p plan) inverse() (table, list int32) {
	if p.race && p.all {
		table = 1
	}
	if p.race {
		list = 1
	}
	return table, list
}

// shape is how the walk is launched; it changes no result.
type shape struct {
	ants  int // of a block
	warps int // of an ant
}

// shapeFor is the shape for so many ants. want is the parameter warps; most the shared
// memory of a block.
func (p plan) shapeFor(want, ants, sms, most int) shape {
	even := max(1, min(32, (ants+sms-1)/sms))
	if !p.all {
		if want > 0 {
			even = want
		}
		return shape{ants: even, warps: 1}
	}
	if want == 0 && p.tabu == "bt" && p.n > 256 && ants <= 8*sms {
		want = 4 // seldom faster otherwise
	}
	if want > 1 {
		return shape{ants: 1, warps: want}
	}
	return shape{ants: max(1, min(even, most/p.share())), warps: 1}
}

// config is the shape as the tuner knows it, of so many ants.
func (s shape) config(ants int) wave.Config {
	if s.warps > 1 {
		return teamOf(ants, s.warps)
	}
	return antsOf(ants, s.ants)
}

// shapeOf is the reverse of config.
func shapeOf(c wave.Config, ants int) shape {
	if warps := int(c.Threads / (warpThreads * int64(ants))); warps > 1 {
		return shape{ants: 1, warps: warps}
	}
	return shape{ants: c.Block / warpThreads, warps: 1}
}

// shapes are those that may be tried: blocks of ants, and without lists also ants of several warps.
func (p plan) shapes(ants, most int) []wave.Config {
	if !p.all {
		return blocksOf(ants, 32)
	}
	out := blocksOf(ants, max(1, min(32, most/p.share())))
	for _, warps := range []int{2, 4, 6, 8, 10, 16} {
		if warps <= (p.n+31)/32 {
			out = append(out, teamOf(ants, warps))
		}
	}
	return out
}

// hireRows opens a crew of mmas/rows on the device of env.
func hireRows(env *solvers.Env, g *walkers.Ground) (walkers.MaxMinCrew, error) {
	r := &rows{rule: planOf(g)}
	if err := r.start(env, g); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func (r *rows) start(env *solvers.Env, g *walkers.Ground) (err error) {
	if err = r.open(env, g, "rows"); err != nil {
		return err
	}
	kernel := func(k **gpu.Kernel, name string) {
		if err == nil {
			*k, err = r.m.Kernel(name)
		}
	}
	a, b := r.rule.kernels()
	if r.rule.all {
		kernel(&r.solo, a)
		kernel(&r.team, b)
	} else {
		kernel(&r.near, a)
		kernel(&r.far, b)
	}
	if r.rule.matrix {
		kernel(&r.pre, "prepare_matrix")
		kernel(&r.eyes, "look_matrix")
		kernel(&r.copy, "slots")
	}
	if err != nil {
		return err
	}
	if r.rule.matrix {
		err = errors.Join(r.tau.Free(), r.eta.Free())
		size := r.n * r.n
		for _, b := range []**gpu.Buffer[float32]{&r.tau, &r.eta, &r.table} {
			if err == nil {
				*b, err = gpu.Alloc[float32](r.d, size)
			}
		}
		if err == nil {
			rough := 1
			if table, _ := r.rule.inverse(); table != 0 {
				rough = size
			}
			r.rough, err = gpu.Alloc[uint16](r.d, rough)
		}
		if err != nil {
			return fmt.Errorf("ants: three matrices of %d cities take %d bytes on device %d: %w", r.n, 12*size, r.d.Info().Ordinal, err)
		}
	}
	if !r.rule.all {
		if r.list, err = gpu.Alloc[float32](r.d, r.n*walkers.Width); err != nil {
			return err
		}
	}
	r.base.prepare, r.base.grow = r.prepare, r.forget
	r.own = func() wave.Config { return r.rule.shapeFor(r.warps, r.ants, r.sms, r.most()).config(r.ants) }
	r.shapes = func() []wave.Config { return r.rule.shapes(r.ants, r.most()) }
	r.adopt = r.become
	return nil
}

func (r *rows) prepare() error {
	table, list := r.rule.inverse()
	if !r.rule.matrix {
		return r.pre.Launch(r.perSlot(), r.arg, r.job, r.tau, r.eta, r.list, r.after, r.before, list)
	}
	c := gpu.Config{Grid: gpu.Dim{X: r.n}, Block: gpu.Dim{X: 256}}
	if err := r.pre.Launch(c, r.arg, r.job, r.tau, r.eta, r.table, r.rough, r.after, r.before, table); err != nil {
		return err
	}
	if r.rule.all {
		return nil
	}
	return r.copy.Launch(r.perSlot(), r.arg, r.table, r.list, list)
}

// launchWalk queues the walk.
func (r *rows) launchWalk() error {
	s := r.shape
	if r.rule.all {
		k, c := r.solo, gpu.Config{Grid: gpu.Dim{X: (r.ants + s.ants - 1) / s.ants}, Block: gpu.Dim{X: 32 * s.ants}, Shared: s.ants * r.rule.share()}
		if s.warps > 1 {
			k, c = r.team, gpu.Config{Grid: gpu.Dim{X: r.ants}, Block: gpu.Dim{X: 32 * s.warps}, Shared: r.rule.share()}
		}
		return k.Launch(c, r.arg, r.job, r.table, r.rough, r.tours, r.results, r.keys, int32(r.rule.share()))
	}
	k, shared := r.near, maskBytes(r.n, s.ants)+tableBytes(r.n)
	if shared > k.Info().MaxShared {
		k, shared = r.far, maskBytes(r.n, s.ants)
	}
	c := gpu.Config{Grid: gpu.Dim{X: (r.ants + s.ants - 1) / s.ants}, Block: gpu.Dim{X: 32 * s.ants}, Shared: shared}
	table := r.table
	if table == nil {
		table = r.list // which nobody reads
	}
	return k.Launch(c, r.arg, r.job, r.list, table, r.tours, r.results, r.keys)
}

// Walk implements Crew.
func (r *rows) Walk(it int64, lengths []int64, falls []int32, hashes []uint64) error {
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

// most is the shared memory of a block without lists.
func (r *rows) most() int {
	if !r.rule.all {
		return 0
	}
	return r.solo.Info().MaxShared
}

// become makes the next walk one of that shape.
func (r *rows) become(c wave.Config) error {
	if s := shapeOf(c, r.ants); s != r.shape {
		r.shape = s
		return r.forget()
	}
	return nil
}

// record queues a whole iteration.
func (r *rows) record() error {
	if err := r.begin(); err != nil {
		return err
	}
	if err := r.pace(r.launchWalk); err != nil {
		return err
	}
	if err := r.polish(); err != nil {
		return err
	}
	return r.back.Download(nil, r.results)
}

// Look implements Crew.
func (r *rows) Look() (branches int64, hash uint64, err error) {
	if !r.rule.matrix {
		return r.base.Look()
	}
	if err := r.flush(); err != nil {
		return 0, 0, err
	}
	if err := r.out.Zero(nil); err != nil {
		return 0, 0, err
	}
	if err := r.eyes.Launch(r.perSlot(), r.arg, r.tau, r.out); err != nil {
		return 0, 0, err
	}
	v, err := r.out.Download()
	if err != nil {
		return 0, 0, err
	}
	return int64(v[0]), v[1], nil
}
