package ants

import (
	"errors"
	"fmt"
	"math"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers/ants/cpu"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/wave"
)

// rows is the form of mmas/rows.
type rows struct {
	usual
	b    *deviceCrew
	rule plan

	table *gpu.Buffer[float32] // n rows of stride: the weights of all edges; nil without a matrix
	list  *gpu.Buffer[float32] // by slot: those of the lists; nil without lists

	lookMatrix, slots *gpu.Kernel
	constructs        map[string]*gpu.Kernel // by form
	// for measurements: a form to use in place of that of formOf
	kind string

	shape shape
}

// plan is what mmas/rows needs to know of an instance.
type plan struct {
	all, matrix  bool
	race, groups bool // the choice is a race of clocks; of groups of cities
	tabu         string
	n            int
}

func planOf(g *instance) plan {
	return plan{
		all: g.All, matrix: g.Matrix, race: g.Selection != cpu.Roulette, tabu: g.Tabu, n: g.Space.N,
		groups: g.All && g.Selection == cpu.Groups,
	}
}

// Forms of a construction. With lists there is one (formLists). Without, a warp is an ant or a
// block is (formBlock); for groups the matrix is copied to shared memory (formShared), or a warp
// reads four segments of 256 positions at once (formFour), or two (formWarp), which leaves room for
// 32 warps in a block.
const (
	formLists  = "lists"
	formShared = "shared"
	formFour   = "four"
	formWarp   = "warp"
	formBlock  = "block"
)

// fourMost is the number of ants that a block of formFour and formShared may have without lists.
const fourMost = 16

// kernels names the constructions by form.
func (p plan) kernels() map[string]string {
	rest, forms := "_rwm_", []string{formWarp, formBlock}
	if p.race {
		rest = "_wrs_"
	}
	rest += p.tabu
	switch {
	case !p.all:
		forms = []string{formLists}
		if p.matrix {
			rest += "_matrix"
		}
	case p.groups:
		rest, forms = "_groups_bt", []string{formShared, formFour, formWarp, formBlock}
		if p.both() >= 0 {
			rest = "_groups_list" // with lc and ct
		}
	}
	names := map[string]string{}
	for _, f := range forms {
		names[f] = f + rest
	}
	return names
}

// both tells the kernels of groups whether a list has the cities' positions too: 1 in ct, 0 in lc,
// -1 without a list.
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

// entries is the number of entries of the matrix.
func (p plan) entries() int { return p.n * p.stride() }

// tabuBytes is what the tabu list of an ant takes. It is that of the paper's table 1: 4 n bytes for
// lc, 2 n for ct and a bit a city for bt. But in groups, which are ours, lc has no cities'
// positions, and bt has bits for whole groups of 1024 cities.
func (p plan) tabuBytes() int {
	switch {
	case p.tabu == "bt" && p.groups:
		return (p.n + 1023) / 1024 * 128
	case p.tabu == "bt":
		return (p.n + 31) / 32 * 4
	case p.tabu == "lc" && !p.groups:
		return 4 * p.n
	}
	return 2 * p.n
}

// share is the shared memory of an ant: its tabu list, in a multiple of 16 bytes.
func (p plan) share() int { return (p.tabuBytes() + 15) / 16 * 16 }

// room returns an error if a tabu list does not fit in the shared memory of a block, which is most
// bytes, or has no number left for its sentinel.
func (p plan) room(most int) error {
	const instead = "use tabu=bt, or backend cpu"
	if p.tabu == "ct" && p.n >= shortCities {
		return fmt.Errorf("ants: tabu is ct, whose numbers of 16 bits hold %d cities at most, and there "+
			"are %d: %s", shortCities-1, p.n, instead)
	}
	if p.share() > most {
		return fmt.Errorf("ants: tabu is %s, which takes %d bytes of shared memory an ant in %d cities, "+
			"and a block has %d: %s", p.tabu, p.tabuBytes(), p.n, most, instead)
	}
	return nil
}

// inverse tells whether the lists, or the matrix where there are none, hold reciprocals.
func (p plan) inverse() int32 {
	if p.race && !p.groups {
		return 1
	}
	return 0
}

// inverseMatrix tells whether the matrix does.
func (p plan) inverseMatrix() int32 {
	if p.all {
		return p.inverse()
	}
	return 0
}

// formOf returns the form of a construction with this shape, where a block has most bytes of shared
// memory.
func (p plan) formOf(s shape, most int) string {
	switch {
	case !p.all:
		return formLists
	case s.warps > 1:
		return formBlock
	case !p.groups || s.ants > fourMost:
		return formWarp
	case p.n <= 256 && p.shared(s, formShared) <= most:
		return formShared
	}
	return formFour
}

// shared is the shared memory of a block.
func (p plan) shared(s shape, form string) int {
	own := s.ants * p.share()
	if form == formShared {
		own += 4 * p.n * p.stride()
	}
	return own
}

// threads returns the threads of a block: more than those of its ants if they copy the matrix.
func (p plan) threads(s shape, form string) int {
	if form == formShared {
		return 32 * max(s.ants, 8)
	}
	return 32 * s.ants * s.warps
}

// shape is how the construction is launched; it changes no result.
type shape struct {
	ants  int // of a block
	warps int // of an ant
}

// shapeFor returns the shape for this many ants. want is the parameter warps; most is the shared
// memory of a block.
func (p plan) shapeFor(want, ants, sms, most int) shape {
	even := max(1, min(32, (ants+sms-1)/sms))
	if !p.all {
		if want > 0 {
			even = want
		}
		return shape{ants: max(1, min(even, most/p.share())), warps: 1}
	}
	if want == 0 && p.tabu == "bt" && !p.race && p.n > 256 && ants <= 8*sms {
		want = 4 // other numbers are rarely faster
	}
	if want > 1 {
		return shape{ants: 1, warps: want}
	}
	return shape{ants: max(1, min(even, most/p.share())), warps: 1}
}

// bytes returns the size of the form's own buffers.
func (p plan) bytes() (sum int64) {
	if p.matrix {
		sum = matrixBytes(p.n, 8) + 4*int64(p.entries())
	}
	if !p.all {
		sum += slotBytes(p.n, 4)
	}
	return sum
}

// instead lists what needs less memory: variants without matrices.
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

// config returns the shape as a tuner's configuration, for this many ants.
func (s shape) config(ants int) wave.Config {
	if s.warps > 1 {
		return launch.Blocks(ants, s.warps)
	}
	return launch.Warps(ants, s.ants)
}

// shapeOf is the reverse of config.
func shapeOf(c wave.Config, ants int) shape {
	if warps := int(c.Threads / (warpThreads * int64(ants))); warps > 1 {
		return shape{ants: 1, warps: warps}
	}
	return shape{ants: c.Block / warpThreads, warps: 1}
}

// shapes are those that may be tried: blocks of ants, and without lists also ants of several warps:
// all numbers that the paper tries, which go to 10, and 16.
func (p plan) shapes(ants, most int) []wave.Config {
	out := launch.WarpShapes(ants, max(1, min(32, most/p.share())))
	if !p.all {
		return out
	}
	for _, warps := range []int{2, 3, 4, 5, 6, 7, 8, 9, 10, 16} {
		if warps <= (p.n+31)/32 {
			out = append(out, launch.Blocks(ants, warps))
		}
	}
	return out
}

func newRows(b *deviceCrew) form { return &rows{b: b, rule: planOf(b.g)} }

func (r *rows) bytes(int) int64 { return r.rule.bytes() }

func (r *rows) instead() []instead { return r.rule.instead() }

func (r *rows) open(kernel func(k **gpu.Kernel, name string)) (err error) {
	r.constructs = map[string]*gpu.Kernel{}
	for form, name := range r.rule.kernels() {
		var k *gpu.Kernel
		if kernel(&k, name); k == nil {
			return nil // crew.open has the error
		}
		r.constructs[form] = k
	}
	if err = r.rule.room(r.most()); err != nil {
		return err
	}
	what := r.b.launches.construction.What
	r.b.launches.construction.What = func() string {
		return fmt.Sprintf("%s, tabu %s of %d bytes an ant", what(), r.rule.tabu, r.rule.tabuBytes())
	}
	if r.rule.matrix {
		kernel(&r.b.kernels.prepare, "prepare_matrix")
		kernel(&r.lookMatrix, "branching_matrix")
		kernel(&r.slots, "list_weights")
		if err = r.b.matrices(); err == nil {
			r.table, err = gpu.Alloc[float32](r.b.d, r.rule.entries())
		}
		if err != nil {
			return fmt.Errorf("ants: three matrices of %d cities take %d bytes on device %d: %w", r.b.n,
				12*r.b.n*r.b.n, r.b.d.Info().Ordinal, err)
		}
	}
	if !r.rule.all {
		r.list, err = gpu.Alloc[float32](r.b.d, r.b.n*trail.Width)
	}
	return err
}

// matrices makes tau and eta matrices.
func (b *deviceCrew) matrices() error {
	err := errors.Join(b.trails.tau.Free(), b.trails.eta.Free())
	for _, m := range []**gpu.Buffer[float32]{&b.trails.tau, &b.trails.eta} {
		if err == nil {
			*m, err = gpu.Alloc[float32](b.d, b.n*b.n)
		}
	}
	return err
}

func (r *rows) grow() error { return nil }

func (r *rows) rules(c *crew.Rules, eta bool) error { return r.b.weigh(c, eta) }

func (r *rows) send() error { return r.b.sendTable() }

func (r *rows) fetch() error { return r.b.fetchTable() }

func (r *rows) look() error {
	if !r.rule.matrix {
		return r.b.lookBySlot()
	}
	return r.b.lookByEdge(r.lookMatrix)
}

func (r *rows) prepare() error {
	if !r.rule.matrix {
		return r.b.kernels.prepare.Launch(r.b.perSlot(), r.b.inst.arg, r.b.jobs.buffer, r.b.trails.tau,
			r.b.trails.eta, r.list, r.b.kept.after, r.b.kept.before, r.rule.inverse())
	}
	c := gpu.Config{Grid: gpu.Dim{X: r.b.n}, Block: gpu.Dim{X: 256}}
	if err := r.b.kernels.prepare.Launch(c, r.b.inst.arg, r.b.jobs.buffer, r.b.trails.tau,
		r.b.trails.eta, r.table, int32(r.rule.stride()),
		r.b.kept.after, r.b.kept.before, r.rule.inverseMatrix()); err != nil {
		return err
	}
	if r.rule.all {
		return nil
	}
	return r.slots.Launch(r.b.perSlot(), r.b.inst.arg, r.table, int32(r.rule.stride()), r.list,
		r.rule.inverse())
}

func (r *rows) construct() error {
	p, s, kind := r.rule, r.shape, r.kind
	if kind == "" {
		kind = p.formOf(s, r.most())
	}
	k := r.constructs[kind]
	c := gpu.Config{
		Grid: gpu.Dim{X: (r.b.batch.ants + s.ants - 1) / s.ants}, Block: gpu.Dim{X: p.threads(s, kind)},
		Shared: p.shared(s, kind),
	}
	if p.all {
		return k.Launch(c, r.b.inst.arg, r.b.jobs.buffer, r.table, int32(p.stride()), r.b.batch.tours,
			r.b.batch.results, r.b.keys, int32(p.share()), int32(s.ants), p.both())
	}
	table := r.table
	if table == nil {
		table = r.list // not read by the kernel
	}
	return k.Launch(c, r.b.inst.arg, r.b.jobs.buffer, r.list, table, int32(p.stride()),
		r.b.batch.tours, r.b.batch.results, r.b.keys, int32(p.share()))
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
	return r.rule.shapeFor(r.b.launches.warps, r.b.batch.ants, r.b.sms,
		r.most()).config(r.b.batch.ants)
}

func (r *rows) shapes() []wave.Config { return r.rule.shapes(r.b.batch.ants, r.most()) }

func (r *rows) adopt(c wave.Config) error {
	if s := shapeOf(c, r.b.batch.ants); s != r.shape {
		r.shape = s
		return r.b.dropGraph()
	}
	return nil
}

// maskBytes returns the shared memory for the visited cities of a block with this many ants.
func maskBytes(n, warps int) int { return (warps*((n+31)/32) + 3) / 4 * 16 }
