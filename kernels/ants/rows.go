package ants

import (
	"errors"
	"fmt"
	"math"

	"metalab/gpu"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/wave"
)

// rows is the form of mmas/rows.
type rows struct {
	*deviceCrew
	rule plan

	table *gpu.Buffer[float32] // n rows of stride: the weights of all edges; nil without a matrix
	list  *gpu.Buffer[float32] // by slot: those of the lists; nil without lists

	lookMatrix, slots *gpu.Kernel
	constructs        map[string]*gpu.Kernel // by form
	// the form to take where that is not formOf's; for measuring
	kind string

	shape shape
}

// plan is what a instance asks of mmas/rows.
type plan struct {
	all, matrix, race bool
	tabu              string
	n                 int
}

func planOf(g *instance) plan {
	return plan{all: g.All, matrix: g.Matrix, race: g.Selection == "wrs", tabu: g.Tabu, n: g.Space.N}
}

// Forms of a construction. With lists they are copied to shared memory (formShared) or not
// (formGlobal; formPlain for wrs in many cities). Without, a warp is an ant or a block is
// (formBlock); for wrs the matrix is copied to shared memory (formShared), or a warp reads four
// segments of 256 positions at once (formFour), or two (formWarp), which leaves room for 32 warps
// in a block.
const (
	formShared = "shared"
	formGlobal = "global"
	formPlain  = "plain"
	formFour   = "four"
	formWarp   = "warp"
	formBlock  = "block"
)

// fourMost is the number of ants that a block of formFour and formShared may have without lists.
const fourMost = 16

// kernels names the constructions by form.
func (p plan) kernels() map[string]string {
	rest, forms := "_rwm", []string{formWarp, formBlock}
	if p.race {
		rest, forms = "_wrs", []string{formShared, formFour, formWarp, formBlock}
	}
	if p.all {
		rest += "_" + p.tabu
		if p.race && p.both() >= 0 {
			rest = "_wrs_list" // with lc and ct
		}
	} else {
		forms, rest = []string{formShared, formGlobal}, "_lists"+rest
		if p.race {
			forms = append(forms, formPlain)
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

// both tells the kernels of wrs whether a list has the cities' positions too: 1 in ct, 0 in lc, -1
// without a list.
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

// entries is the number of entries of the matrix, and of the greatest ones of each 32 cities of a
// row, behind it.
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

// formOf is the form of a construction of that shape, a block having most bytes of shared memory.
func (p plan) formOf(s shape, most int) string {
	fits := func(form string) bool { return p.shared(s, form) <= most }
	switch {
	case !p.all && p.race && !packed(p.n):
		return formPlain
	case !p.all && fits(formShared):
		return formShared
	case !p.all:
		return formGlobal
	case s.warps > 1:
		return formBlock
	case !p.race || s.ants > fourMost:
		return formWarp
	case p.n <= 256 && fits(formShared):
		return formShared
	}
	return formFour
}

// shared is the shared memory of a block.
func (p plan) shared(s shape, form string) int {
	own := s.ants * p.share()
	if !p.all {
		own = maskBytes(p.n, s.ants)
		if p.packedLists() {
			own = packedBytes(p.n, s.ants)
		}
	}
	switch {
	case form != formShared:
		return own
	case p.all:
		return own + 4*p.n*p.stride()
	case p.packedLists():
		return own + packedListBytes(p.n)
	}
	return own + tableBytes(p.n)
}

// packedLists tells whether ants look at lists of one word for a slot.
func (p plan) packedLists() bool { return !p.all && p.race && packed(p.n) }

// threads are those of a block: more than ants' where they copy the matrix.
func (p plan) threads(s shape, form string) int {
	if p.all && form == formShared {
		return 32 * max(s.ants, 8)
	}
	return 32 * s.ants * s.warps
}

// shape is how the construction is launched; it changes no result.
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
		if p.packedLists() {
			even = max(1, min(even, most/packedBytes(p.n, 1)))
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
		what = fmt.Sprintf("candidates=%d storage=candidates", trail.Width)
	}
	p.all, p.matrix = false, false
	return []instead{{what, p.bytes()}}
}

// config is the shape as the tuner knows it, of so many ants.
func (s shape) config(ants int) wave.Config {
	if s.warps > 1 {
		return blockAnts(ants, s.warps)
	}
	return warpAnts(ants, s.ants)
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
	if p.packedLists() {
		return blocksOf(ants, max(1, min(32, most/packedBytes(p.n, 1))))
	}
	if !p.all {
		return blocksOf(ants, 32)
	}
	out := blocksOf(ants, max(1, min(32, most/p.share())))
	for _, warps := range []int{2, 4, 6, 8, 10, 16} {
		if warps <= (p.n+31)/32 {
			out = append(out, blockAnts(ants, warps))
		}
	}
	return out
}

func newRows(b *deviceCrew) form { return &rows{deviceCrew: b, rule: planOf(b.g)} }

func (r *rows) bytes(int) int64 { return r.rule.bytes() }

func (r *rows) instead() []instead { return r.rule.instead() }

func (r *rows) open(kernel func(k **gpu.Kernel, name string)) (err error) {
	r.constructs = map[string]*gpu.Kernel{}
	for form, name := range r.rule.kernels() {
		var k *gpu.Kernel
		kernel(&k, name)
		r.constructs[form] = k
	}
	if r.rule.matrix {
		kernel(&r.prepareKernel, "prepare_matrix")
		kernel(&r.lookMatrix, "branching_matrix")
		kernel(&r.slots, "list_weights")
		if err = r.matrices(); err == nil {
			r.table, err = gpu.Alloc[float32](r.d, r.rule.entries())
		}
		if err != nil {
			return fmt.Errorf("ants: three matrices of %d cities take %d bytes on device %d: %w", r.n,
				12*r.n*r.n, r.d.Info().Ordinal, err)
		}
	}
	if !r.rule.all {
		r.list, err = gpu.Alloc[float32](r.d, r.n*trail.Width)
	}
	return err
}

// matrices makes tau and eta matrices.
func (b *deviceCrew) matrices() error {
	err := errors.Join(b.tau.Free(), b.eta.Free())
	for _, m := range []**gpu.Buffer[float32]{&b.tau, &b.eta} {
		if err == nil {
			*m, err = gpu.Alloc[float32](b.d, b.n*b.n)
		}
	}
	return err
}

func (r *rows) grow() error { return nil }

func (r *rows) rules(c *crew.Rules, eta bool) error { return r.weigh(c, eta) }

func (r *rows) send() error { return r.sendTable() }

func (r *rows) fetch() error { return r.fetchTable() }

func (r *rows) look() error {
	if !r.rule.matrix {
		return r.lookBySlot()
	}
	return r.lookByEdge(r.lookMatrix)
}

func (r *rows) prepare() error {
	if !r.rule.matrix {
		return r.prepareKernel.Launch(r.perSlot(), r.arg, r.job, r.tau, r.eta, r.list, r.after, r.before,
			r.rule.inverse())
	}
	c := gpu.Config{Grid: gpu.Dim{X: r.n}, Block: gpu.Dim{X: 256}}
	if err := r.prepareKernel.Launch(c, r.arg, r.job, r.tau, r.eta, r.table, int32(r.rule.stride()),
		r.after, r.before); err != nil {
		return err
	}
	if r.rule.all {
		return nil
	}
	return r.slots.Launch(r.perSlot(), r.arg, r.table, int32(r.rule.stride()), r.list,
		r.rule.inverse())
}

func (r *rows) construct() error {
	p, s, kind := r.rule, r.shape, r.kind
	if kind == "" {
		kind = p.formOf(s, r.most())
	}
	k := r.constructs[kind]
	c := gpu.Config{
		Grid: gpu.Dim{X: (r.ants + s.ants - 1) / s.ants}, Block: gpu.Dim{X: p.threads(s, kind)},
		Shared: p.shared(s, kind),
	}
	if p.all {
		return k.Launch(c, r.arg, r.job, r.table, int32(p.stride()), r.tours, r.results, r.keys,
			int32(p.share()), int32(s.ants), p.both())
	}
	table := r.table
	if table == nil {
		table = r.list // which the kernel does not read
	}
	return k.Launch(c, r.arg, r.job, r.list, table, int32(p.stride()), r.tours, r.results, r.keys)
}

// most is the shared memory that a block of any form may have.
func (r *rows) most() int {
	least := math.MaxInt
	for _, k := range r.constructs {
		least = min(least, k.Info().MaxShared)
	}
	return least
}

func (r *rows) own() wave.Config {
	return r.rule.shapeFor(r.warps, r.ants, r.sms, r.most()).config(r.ants)
}

func (r *rows) shapes() []wave.Config { return r.rule.shapes(r.ants, r.most()) }

func (r *rows) adopt(c wave.Config) error {
	if s := shapeOf(c, r.ants); s != r.shape {
		r.shape = s
		return r.dropGraph()
	}
	return nil
}

// tableBytes is what a block's shared memory takes for the lists of n cities, with selection=rwm.
func tableBytes(n int) int { return n * trail.Width * (4 + 2) }

// maskBytes is what it takes for the visited cities of so many ants.
func maskBytes(n, warps int) int { return (warps*((n+31)/32) + 3) / 4 * 16 }
