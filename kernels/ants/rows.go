package ants

import (
	"errors"
	"fmt"
	"math"

	"metalab/gpu"
	"metalab/solvers"
	walkers "metalab/solvers/ants"
	"metalab/solvers/wave"
)

// rows is the crew of mmas/rows.
type rows struct {
	maxmin
	rule plan

	table *gpu.Buffer[float32] // n rows of stride: the weights of all edges; nil without a matrix
	list  *gpu.Buffer[float32] // by slot: those of the lists; nil without lists
	eyes  *gpu.Kernel          // look_matrix
	copy  *gpu.Kernel          // slots

	walks map[string]*gpu.Kernel // by form
	form  string                 // the form to take where that is not form's; for measuring

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

// Forms of a walk. With lists they are copied to shared memory (formNear) or not (formFar; formLong for wrs in many cities).
// Without, a warp is an ant or a block is (formTeam); for wrs the matrix is copied to shared memory
// (formNear), or a warp reads four segments of 256 positions at once (formFour), or two (formSolo), which
// leaves room for 32 warps in a block.
const (
	formNear = "near"
	formFar  = "far"
	formLong = "long"
	formFour = "four"
	formSolo = "solo"
	formTeam = "team"
)

// fourMost is the number of ants that a block of formFour and formNear may have without lists.
const fourMost = 16

// kernels names the walks by form.
func (p plan) kernels() map[string]string {
	rest, forms := "_rwm", []string{formSolo, formTeam}
	if p.race {
		rest, forms = "_wrs", []string{formNear, formFour, formSolo, formTeam}
	}
	if p.all {
		rest += "_" + p.tabu
		if p.race && p.both() >= 0 {
			rest = "_wrs_list" // with lc and ct
		}
	} else {
		forms, rest = []string{formNear, formFar}, "_lists"+rest
		if p.race {
			forms = append(forms, formLong)
		}
		if p.matrix {
			rest += "_matrix"
		}
	}
	names := map[string]string{}
	for _, f := range forms {
		names[f] = f + rest
	}
	return names
}

// both tells the kernels of wrs whether a list has the cities' positions too: 1 in ct, 0 in lc, -1 without a list.
func (p plan) both() int32 {
	switch p.tabu {
	case "ct":
		return 1
	case "lc":
		return 0
	}
	return -1
}

// stride is the number of entries of a row of the matrix: a multiple of 16 bytes.
func (p plan) stride() int { return (p.n + 3) / 4 * 4 }

// entries is the number of entries of the matrix, and of the greatest ones of each 32 cities of a row, behind it.
func (p plan) entries() int { return p.n * (p.stride() + (p.n+31)/32) }

// share is the shared memory of an ant without lists, a multiple of 16 bytes.
func (p plan) share() int {
	if p.tabu == "bt" {
		return (p.n + 1023) / 1024 * 128
	}
	return (2*p.n + 15) / 16 * 16
}

// inverse tells whether the lists hold reciprocals.
func (p plan) inverse() int32 {
	if p.race && !p.all {
		return 1
	}
	return 0
}

// formOf is the form of a walk of that shape, a block having most bytes of shared memory.
func (p plan) formOf(s shape, most int) string {
	fits := func(form string) bool { return p.shared(s, form) <= most }
	switch {
	case !p.all && p.race && !short(p.n):
		return formLong
	case !p.all && fits(formNear):
		return formNear
	case !p.all:
		return formFar
	case s.warps > 1:
		return formTeam
	case !p.race || s.ants > fourMost:
		return formSolo
	case p.n <= 256 && fits(formNear):
		return formNear
	}
	return formFour
}

// shared is the shared memory of a block.
func (p plan) shared(s shape, form string) int {
	own := s.ants * p.share()
	if !p.all {
		own = maskBytes(p.n, s.ants)
		if p.looks() {
			own = lookBytes(p.n, s.ants)
		}
	}
	switch {
	case form != formNear:
		return own
	case p.all:
		return own + 4*p.n*p.stride()
	case p.looks():
		return own + wordBytes(p.n)
	}
	return own + tableBytes(p.n)
}

// looks tells whether ants look at lists of one word for a slot.
func (p plan) looks() bool { return !p.all && p.race && short(p.n) }

// threads are those of a block: more than ants' where they copy the matrix.
func (p plan) threads(s shape, form string) int {
	if p.all && form == formNear {
		return 32 * max(s.ants, 8)
	}
	return 32 * s.ants * s.warps
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
		if p.looks() {
			even = max(1, min(even, most/lookBytes(p.n, 1)))
		}
		return shape{ants: even, warps: 1}
	}
	if want == 0 && p.tabu == "bt" && !p.race && p.n > 256 && ants <= 8*sms {
		want = 4 // seldom faster otherwise
	}
	if want > 1 {
		return shape{ants: 1, warps: want}
	}
	return shape{ants: max(1, min(even, most/p.share())), warps: 1}
}

// bytes is what the crew has of its own.
func (p plan) bytes() (sum int64) {
	if p.matrix {
		sum = matrixBytes(p.n, 8) + 4*int64(p.entries())
	}
	if !p.all {
		sum += slotBytes(p.n, 4)
	}
	return sum
}

// rowsMost is the greatest number of cities without lists.
const rowsMost = 8192

// instead is what takes less: no matrices.
func (p plan) instead() []instead {
	if !p.matrix {
		return nil
	}
	what := "storage=candidates"
	if p.all {
		what = fmt.Sprintf("candidates=%d storage=candidates", walkers.Width)
	}
	p.all, p.matrix = false, false
	return []instead{{what, p.bytes()}}
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
	if p.looks() {
		return blocksOf(ants, max(1, min(32, most/lookBytes(p.n, 1))))
	}
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
	r.more = func(int) int64 { return r.rule.bytes() }
	r.instead = r.rule.instead()
	if err = r.open(env, g, "rows"); err != nil {
		return err
	}
	kernel := func(k **gpu.Kernel, name string) {
		if err == nil {
			*k, err = r.m.Kernel(name)
		}
	}
	r.walks = map[string]*gpu.Kernel{}
	for form, name := range r.rule.kernels() {
		var k *gpu.Kernel
		kernel(&k, name)
		r.walks[form] = k
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
		for _, b := range []**gpu.Buffer[float32]{&r.tau, &r.eta} {
			if err == nil {
				*b, err = gpu.Alloc[float32](r.d, size)
			}
		}
		if err == nil {
			r.table, err = gpu.Alloc[float32](r.d, r.rule.entries())
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
	if !r.rule.matrix {
		return r.pre.Launch(r.perSlot(), r.arg, r.job, r.tau, r.eta, r.list, r.after, r.before, r.rule.inverse())
	}
	c := gpu.Config{Grid: gpu.Dim{X: r.n}, Block: gpu.Dim{X: 256}}
	if err := r.pre.Launch(c, r.arg, r.job, r.tau, r.eta, r.table, int32(r.rule.stride()), r.after, r.before); err != nil {
		return err
	}
	if r.rule.all {
		return nil
	}
	return r.copy.Launch(r.perSlot(), r.arg, r.table, int32(r.rule.stride()), r.list, r.rule.inverse())
}

// launchWalk queues the walk.
func (r *rows) launchWalk() error {
	p, s, form := r.rule, r.shape, r.form
	if form == "" {
		form = p.formOf(s, r.most())
	}
	k := r.walks[form]
	c := gpu.Config{Grid: gpu.Dim{X: (r.ants + s.ants - 1) / s.ants}, Block: gpu.Dim{X: p.threads(s, form)}, Shared: p.shared(s, form)}
	if p.all {
		return k.Launch(c, r.arg, r.job, r.table, int32(p.stride()), r.tours, r.results, r.keys, int32(p.share()), int32(s.ants), p.both())
	}
	table := r.table
	if table == nil {
		table = r.list // which nobody reads
	}
	return k.Launch(c, r.arg, r.job, r.list, table, int32(p.stride()), r.tours, r.results, r.keys)
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

// most is the shared memory that a block of any form may have.
func (r *rows) most() int {
	least := math.MaxInt
	for _, k := range r.walks {
		least = min(least, k.Info().MaxShared)
	}
	return least
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
func (r *rows) record() error { return r.iteration(r.launchWalk) }

// Look implements Crew.
func (r *rows) Look() (branches int64, hash uint64, err error) {
	if !r.rule.matrix {
		return r.base.Look()
	}
	return r.lookAll(r.eyes)
}
