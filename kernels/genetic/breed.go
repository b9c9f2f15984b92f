package genetic

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers/genetic"
	"metalab/solvers/tours"
)

// plan is the kernels' plan: how the tours of a generation are made.
type plan struct {
	Shorts, Packed, Turns, Spent uint64
	Bits, Linked, Strong, Pad    int32
}

// A ground is a form in which the kernels compare cities.
type ground struct {
	name  string
	place int // bytes of a place, in a table that a block with links in shared memory copies; or 0
	spot  int // bytes of a city with its place
	links func(n int) int64
}

func linkBytes(n int) int64 { return rounded(stride(n) * width(n)) }

// rounded is a number of bytes, up to a multiple of 32.
func rounded(bytes int64) int64 { return (bytes + 31) &^ 31 }

var (
	matrixGround = ground{"matrix", 0, 4, linkBytes}
	realGround   = ground{"real", 0, 32, linkBytes}
	wholeGround  = ground{"whole", 8, 12, linkBytes}
	shortGround  = ground{"short", 4, 8, linkBytes}
	packedGround = ground{"packed", 0, 12, func(n int) int64 { return 32 * int64(n) }}
)

// corner are the least coordinates, and extents how far apart they are, where all of them are whole
// numbers; else ok is false.
func corner(sp *tours.Space) (x, y float64, extent float64, ok bool) {
	if sp.Matrix != nil {
		return 0, 0, 0, false
	}
	for _, v := range [][]float64{sp.X, sp.Y} {
		for _, c := range v {
			if c != float64(int64(c)) || c > 1<<30 || c < -1<<30 {
				return 0, 0, 0, false
			}
		}
	}
	x, y = slices.Min(sp.X), slices.Min(sp.Y)
	return x, y, max(slices.Max(sp.X)-x, slices.Max(sp.Y)-y), true
}

// shortest is the extent up to which squares of distances fit 32 bits.
const shortest = 46340

// shorts are places of 16 bits; nil where they do not fit.
func shorts(sp *tours.Space) []uint32 {
	x, y, extent, ok := corner(sp)
	if !ok || extent > shortest {
		return nil
	}
	out := make([]uint32, sp.N)
	for c := range out {
		out[c] = uint32(sp.X[c]-x) | uint32(sp.Y[c]-y)<<16
	}
	return out
}

// cities are cities with their places, in two words each, and the bits of x and of y; nil where
// they do not fit.
func cities(sp *tours.Space) (out []uint32, of int32) {
	x, y, extent, ok := corner(sp)
	if !ok {
		return nil, 0
	}
	of = int32(min(26, 32-(bits.Len(uint(sp.N))+1)/2)) // squares below 2^53
	if extent >= float64(int64(1)<<min(of, 24)) {      // and below 2^51, as on the CPU
		return nil, 0
	}
	out = make([]uint32, 0, 2*sp.N)
	for c := range uint32(sp.N) {
		out = append(out, uint32(sp.X[c]-x)|c<<of, uint32(sp.Y[c]-y)|c>>(32-of)<<of)
	}
	return out, of
}

// ends is how many cities a warp keeps in shared memory.
const ends = 512

// A crew is who makes the tours of a generation: blocks, of which each has strong warps with room
// for links, and weak ones without.
type crew struct {
	blocks, strong, weak int
	shared               int // bytes of a block
}

// crewOf chooses the crew for so many births that need links and so many others. With near, links
// lie in shared memory, of which a block has max bytes; ok is false where there is no room.
func crewOf(
	g ground, linked, others, n, sms, most int, near bool,
) (c crew, ok bool) {
	c.strong = min(15, (linked+sms-1)/sms)
	c.weak = min(16-c.strong, (others+sms-1)/sms)
	room, own := most, 0
	if near {
		room -= int(rounded(int64(g.place * n)))
		own = int(g.links(n))
	}
	queue := ends * g.spot
	for c.strong > 1 && c.strong*(own+queue)+min(c.weak, 1)*queue > room {
		c.strong--
	}
	for c.weak > 1 && c.strong*(own+queue)+c.weak*queue > room {
		c.weak--
	}
	c.shared = most - room + c.strong*(own+queue) + c.weak*queue
	if c.shared > most {
		return c, false
	}
	c.shared = int(rounded(int64(c.shared)))
	at := max(1, min((most+reserved)/(c.shared+reserved), 32/(c.strong+c.weak))) * sms
	need := 1
	if c.strong > 0 {
		need = max(need, (linked+c.strong-1)/c.strong)
	}
	if c.weak > 0 {
		need = max(need, (others+c.weak-1)/c.weak)
	} else if others > 0 {
		need = max(need, (others+c.strong-1)/c.strong)
	}
	c.blocks = min(at, need)
	return c, !near || linked <= shortTurns*c.strong*c.blocks
}

// shortTurns is in how many turns at most children are made with links in shared memory.
var shortTurns = 4

// scratch is how many bytes a crew's room takes outside of shared memory.
func (c crew) scratch(g ground, n int, near bool) int64 {
	seen := rounded(int64((n + 31) / 32 * 4))
	links := int64(0)
	if !near {
		links = rounded(g.links(n))
	}
	weak := rounded(int64(n)*width(n)) + seen
	return int64(c.blocks) * (int64(c.strong)*(links+seen) + int64(c.weak)*weak)
}

// order is the order in which births are made: those that need links first, then those whose tours
// are improved, then the other children.
func order(births []genetic.Birth) (at []int, linked int) {
	rank := func(b *genetic.Birth) int {
		switch {
		case b.Cross == genetic.SCX || b.Cross == genetic.BCSCX:
			return 0
		case b.Improve != 0:
			return 1
		case b.Cross == genetic.ARX:
			return 2
		}
		return 3
	}
	at = make([]int, len(births))
	for i := range births {
		at[i] = i
		if rank(&births[i]) == 0 {
			linked++
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return rank(&births[a]) - rank(&births[b]) })
	return at, linked
}

// way names how tours are made: empty, as before; else "GROUND near" or "GROUND far".
var way = ""

// opened is the last engine, for tests.
var opened *Engine

// counted is whether cycles are counted.
var counted = false

// bred are what Engine.breed needs.
type bred struct {
	kernel *gpu.Kernel
	plan   plan
	turns  *gpu.Buffer[uint32]
	spent  *gpu.Buffer[uint64]
	ground ground
	near   bool
	sorted []genetic.Birth
	made   []genetic.Made
}

// groundOf is the ground and the place of links that way names, and the kernel's name.
func groundOf(way string, n int) (g ground, near bool, kernel string) {
	name, where, _ := strings.Cut(way, " ")
	for _, x := range []ground{matrixGround, realGround, wholeGround, shortGround, packedGround} {
		if x.name == strings.TrimSuffix(name, "cg") {
			g = x
		}
	}
	if where == "near" {
		return g, true, "breed_" + name + "_shared"
	}
	return g, false, "breed_" + name + wideness(n)
}

// prepare loads what a way needs; on the device's thread.
func (e *Engine) prepare() (err error) {
	sp := e.p.Space
	if e.bred = e.ways[way]; e.bred != nil {
		return nil
	}
	b := &bred{}
	name := ""
	b.ground, b.near, name = groundOf(way, sp.N)
	code, err := image()
	if err != nil {
		return err
	}
	ks, err := e.Load(code)
	if err != nil {
		return err
	}
	ks.Find(&b.kernel, name)
	if err := ks.Err(); err != nil {
		return err
	}
	if v := shorts(sp); v != nil {
		b.plan.Shorts, err = held(e, v, nil)
	}
	if v, of := cities(sp); v != nil {
		b.plan.Bits = of
		b.plan.Packed, err = held(e, v, err)
	}
	if err != nil {
		return err
	}
	if b.turns, err = gpu.Alloc[uint32](e.Dev, 2); err != nil {
		return err
	}
	b.spent, err = gpu.Alloc[uint64](e.Dev, 20)
	b.plan.Turns = b.turns.View().Ptr
	if counted {
		b.plan.Spent = b.spent.View().Ptr
	}
	if e.ways == nil {
		e.ways = map[string]*bred{}
	}
	e.bred, e.ways[way] = b, b
	return err
}

// breed makes tours as way says; on the device's thread.
func (e *Engine) breed(j genetic.Job, births []genetic.Birth, out []genetic.Made) error {
	if err := e.prepare(); err != nil {
		return err
	}
	b, n := e.bred, e.p.Space.N
	at, linked := order(births)
	b.sorted = b.sorted[:0]
	for _, i := range at {
		b.sorted = append(b.sorted, births[i])
	}
	b.made = slices.Grow(b.made[:0], len(births))[:len(births)]
	c, ok := crewOf(b.ground, linked, len(births)-linked, n, e.Dev.Info().SMs,
		b.kernel.Info().MaxShared, b.near)
	if !ok {
		return fmt.Errorf("kernels/genetic: %s has no room: %+v", way, c)
	}
	err := e.settle(len(births), c.scratch(b.ground, n, b.near), j.Gaining && j.Mutation > 0)
	if err != nil {
		return err
	}
	if err := errors.Join(b.turns.Zero(nil), b.spent.Zero(nil)); err != nil {
		return err
	}
	m := b.plan
	m.Linked, m.Strong = int32(linked), int32(c.strong)
	err = e.launch("children", b.sorted, b.made, func() error {
		return b.kernel.Launch(c.config(), jobOf(e.p, j, len(births), e.near), e.world, m,
			e.table.View().Ptr, e.births.far.View().Ptr, e.made.far.View().Ptr,
			e.scratch.View().Ptr)
	})
	for k, i := range at {
		out[i] = b.made[k]
	}
	return err
}

func (c crew) config() gpu.Config {
	return gpu.Config{
		Grid:  gpu.Dim{X: c.blocks},
		Block: gpu.Dim{X: launch.Warp * (c.strong + c.weak)}, Shared: c.shared,
	}
}
