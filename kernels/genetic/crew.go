package genetic

import (
	"fmt"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers/genetic"
)

// plan is the kernels' plan: how to build the tours of a generation.
type plan struct {
	Shorts, Turns  uint64
	Linked, Strong int32
}

// A crew is who makes the tours of a generation: blocks, of which each has strong warps with room
// for links, and weak ones without.
type crew struct {
	blocks, strong, weak int
	shared               int // bytes of a block
}

const (
	ends = 512 // how many cities a warp keeps in shared memory
	hand = 16  // warps of a block at most
)

// Variables for tests: the largest number of strong warps in a block, and the largest number of
// turns in which children with links in shared memory are built, if a ground allows so many.
var strongest, turns = hand - 1, 4

// births is how many births a generation has that need links, and how many others.
type births struct{ linked, others int }

// host is what a crew has: the multiprocessors of the device, and the bytes of shared memory of a
// block.
type host struct{ sms, memory int }

// crewOf chooses the crew for so many births of tours of n cities. With near links lie in shared
// memory; ok is false where they do not, or where the births would take too many turns.
func crewOf(g *ground, b births, n int, h host, near bool) (c crew, ok bool) {
	linked, others, sms, memory := b.linked, b.others, h.sms, h.memory
	c.strong = min(strongest, (linked+sms-1)/sms)
	c.weak = min(hand-c.strong, (others+sms-1)/sms)
	places, links, queue := 0, 0, ends*g.spot
	if near {
		places, links = int(rounded(int64(g.place*n))), int(linkBytes(n))
	}
	size := func(weak int) int { return places + c.strong*links + (c.strong+weak)*queue }
	for c.strong > 1 && size(min(c.weak, 1)) > memory {
		c.strong--
	}
	for c.weak > 1 && size(c.weak) > memory {
		c.weak--
	}
	if c.shared = size(c.weak); c.shared > memory {
		return c, false
	}
	need := 1
	if c.strong > 0 {
		need = (linked + c.strong - 1) / c.strong
	}
	if c.weak > 0 {
		need = max(need, (others+c.weak-1)/c.weak)
	}
	at := min((memory+reserved)/(c.shared+reserved), 2*hand/(c.strong+c.weak))
	c.blocks = min(max(1, at)*sms, need)
	return c, !near || linked <= min(g.turns, turns)*c.strong*c.blocks
}

// scratch is how many bytes a crew takes outside of shared memory.
func (c crew) scratch(n int, near bool) int64 {
	seen, links := rounded(int64((n+31)/32*4)), int64(0)
	if !near {
		links = linkBytes(n)
	}
	weak := rounded(int64(n) * width(n))
	return int64(c.blocks) * (int64(c.strong)*(links+seen) + int64(c.weak)*(weak+seen))
}

// config is the launch of a crew.
func (c crew) config() gpu.Config {
	return gpu.Config{
		Grid:  gpu.Dim{X: c.blocks},
		Block: gpu.Dim{X: launch.Warp * (c.strong + c.weak)}, Shared: c.shared,
	}
}

// A form is a kernel that makes generations, on a ground.
type form struct {
	*ground
	kernel *gpu.Kernel
}

// A way is a method of building a generation.
type way struct {
	crew
	form
	near bool
}

// bytes is the scratch of a way.
func (w way) bytes(n int) int64 { return w.scratch(n, w.near) }

// wayOf chooses the way of so many births that need links, and so many others.
func (e *Engine) wayOf(linked, others int) (w way, err error) {
	crew := func(f form, near bool) (ok bool) {
		w = way{form: f, near: near}
		w.crew, ok = crewOf(f.ground, births{linked, others}, e.p.Space.N,
			host{e.Dev.Info().SMs, f.kernel.Info().MaxShared}, near)
		return ok
	}
	if e.near.ground != nil && crew(e.near, true) {
		return w, nil
	}
	if !crew(e.far, false) {
		return w, fmt.Errorf("kernels/genetic: a block needs %d bytes of shared memory, and has %d",
			w.shared, e.far.kernel.Info().MaxShared)
	}
	return w, nil
}

// ordered holds births in the order of execution: those that need links first, then those whose
// tours are improved, then the other children. at holds their places.
type ordered struct {
	births []genetic.Birth
	at     []int
	linked int // births that need links
}

// order puts births in order.
func (o *ordered) order(births []genetic.Birth) {
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
	*o = ordered{births: o.births[:0], at: o.at[:0]}
	for r := range 4 {
		for i := range births {
			if rank(&births[i]) == r {
				o.births, o.at = append(o.births, births[i]), append(o.at, i)
			}
		}
		if r == 0 {
			o.linked = len(o.at)
		}
	}
}
