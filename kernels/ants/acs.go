package ants

import (
	"errors"
	"slices"

	"metalab/gpu"
	"metalab/solvers"
	walkers "metalab/solvers/ants"
	"metalab/solvers/wave"
)

// ruleArg is the kernels' rules.
type ruleArg struct {
	Greedy           uint64
	Beta             float64
	Tau0, Keep, Gain float32
	TauMin, Stored   float32
	Inv              float32
	Period           int32
}

// wire is the kernels' wire.
type wire struct {
	Eta  float32
	Link uint32
}

// wires are the wires as the device has them before the first walk, in rows of pitch entries.
func wires(g *walkers.Ground, pitch int, wide bool) []wire {
	out := make([]wire, g.Space.N*pitch)
	for i := range out {
		c := i / pitch
		if s := i % pitch; s < g.K {
			out[i].Link = wayOf(g, c*walkers.Width+s, wide)
		} else {
			out[i].Link = uint32(c) << cityShift(wide)
		}
	}
	return out
}

// cityShift is the bit of a wire's link from which on the city stands.
func cityShift(wide bool) int {
	if wide {
		return 6
	}
	return 16
}

// wayOf is the link of the wire of slot i.
func wayOf(g *walkers.Ground, i int, wide bool) uint32 {
	link := uint32(g.ID[i]) << cityShift(wide)
	if back := g.Reverse[i]; back >= 0 {
		link |= 1<<5 | uint32(back%walkers.Width)
	}
	return link
}

// pitchOf is the number of entries of a row, with a list and a ring, and what the names of the walks for it end in.
func pitchOf(k, slots int) (pitch int, suffix string) {
	switch {
	case k+slots <= walkers.Width:
		return walkers.Width, ""
	case slots <= 8:
		return walkers.Width + 8, "_long"
	}
	return 2 * walkers.Width, "_full"
}

func ruleArgOf(r walkers.AltRules) ruleArg {
	return ruleArg{Greedy: r.Greedy, Tau0: r.Tau0, Keep: r.Keep, Gain: r.Gain, TauMin: r.TauMin, Stored: r.Stored, Inv: r.Inv, Period: int32(r.Period), Beta: r.Beta}
}

// strider is what the crews of alt, spm and spm-alt share.
type strider struct {
	base
	rules *gpu.Buffer[ruleArg]
	wires *gpu.Buffer[wire]
	warps int // asked for

	config gpu.Config // of the walk

	// The kernels' memory; tau is that of base, in rows of pitch entries.
	slots, pitch int
	ring, head   *gpu.Buffer[uint32]
	ways         cities // by city two: the ways from it in the best tour
	blank        []wire // the wires as long as rings are empty
	eyes         *gpu.Kernel
}

// enter opens a crew of a source, with rings of so many places, whose walk is the kernel of that name and the suffix of pitchOf.
func (s *strider) enter(env *solvers.Env, g *walkers.Ground, source, walk string, slots int) (march *gpu.Kernel, err error) {
	s.slots = slots
	var suffix string
	s.pitch, suffix = pitchOf(g.K, slots)
	if err = s.open(env, g, source); err != nil {
		return nil, err
	}
	if s.eyes, err = s.m.Kernel("survey"); err != nil {
		return nil, err
	}
	if march, err = s.m.Kernel(walk + suffix); err != nil {
		return nil, err
	}
	ring := empty(s.n * slots)
	if s.pitch > walkers.Width {
		if err = s.tau.Free(); err != nil {
			return nil, err
		}
		s.tau, err = up(s.d, make([]float32, s.n*s.pitch), err)
	}
	s.blank = wires(g, s.pitch, s.wide)
	s.wires, err = up(s.d, s.blank, err)
	s.rules, err = up(s.d, make([]ruleArg, 1), err)
	s.head, err = up(s.d, make([]uint32, s.n), err)
	s.ring, err = up(s.d, ring, err)
	s.ways, err = upCities(s.d, s.wide, make([]int32, 2*s.n), err)
	return march, err
}

// empty are rings that hold nothing.
func empty(places int) []uint32 {
	ring := make([]uint32, places)
	for i := range ring {
		ring[i] = none
	}
	return ring
}

// storeBytes is what enter allocates.
func storeBytes(n, k, slots int) int64 {
	pitch, _ := pitchOf(k, slots)
	city := 2
	if n >= wideFrom {
		city = 4
	}
	return int64(n) * int64(8*pitch+4*(pitch-walkers.Width)+4*slots+4+2*city)
}

// Look implements Crew.
func (s *strider) Look() (branches int64, hash uint64, err error) {
	return s.lookBy(func() error { return s.eyes.Launch(s.perSlot(), s.arg, s.memory(), s.out) })
}

// memory is what the kernels are given of the trails.
func (s *strider) memory() memoryArg {
	return memoryArg{
		Tau: s.tau.View().Ptr, Wires: s.wires.View().Ptr, Ring: s.ring.View().Ptr, Head: s.head.View().Ptr, Ways: s.ways.pointer(),
		Slots: int32(s.slots), Pitch: int32(s.pitch),
	}
}

// Warps implements AltCrew and SelectiveCrew.
func (s *strider) Warps(n int) {
	s.warps = n
	s.ask(n)
}

// Rules implements AltCrew and SelectiveCrew. A reward that waits needs none of them but those that
// never change.
func (s *strider) Rules(r walkers.AltRules) error {
	err := s.rules.Upload([]ruleArg{ruleArgOf(r)})
	if r.Eta != nil {
		// The weights of edges beyond lists are made anew too.
		err = errors.Join(err, s.eta.Upload(r.Eta), s.wires.Upload(s.blank))
	}
	return err
}

// Reward implements AltCrew and SelectiveCrew.
func (s *strider) Reward(keep, gain float32) {
	s.reward(-1, walkers.KeptBest)
	s.next.Keep, s.next.Gain = keep, gain
}

// drawn is an iteration that is one graph.
type drawn struct {
	graph *gpu.Graph
	shape int // the warps of a block of its walk
}

// forget drops the graph, which is of other buffers or another shape.
func (w *drawn) forget() error {
	if w.graph == nil {
		return nil
	}
	g := w.graph
	w.graph = nil
	return g.Free()
}

// become drops the graph unless it has walks of so many warps a block.
func (w *drawn) become(shape int) error {
	if shape == w.shape {
		return nil
	}
	w.shape = shape
	return w.forget()
}

// tune says how a walk of warps, each an ant, is tuned that adopt launches.
func (s *strider) tune(k *gpu.Kernel, adopt func(warps int) error) {
	s.own = func() wave.Config {
		return antsOf(s.ants, min(s.warpsFor(s.warps, s.ants), k.Info().MaxBlock/warpThreads))
	}
	s.shapes = func() []wave.Config { return blocksOf(s.ants, k.Info().MaxBlock/warpThreads) }
	s.adopt = func(c wave.Config) error { return adopt(c.Block / warpThreads) }
}

// blocks makes the next walk, of ants that do not wait for each other, one of so many ants a block, and drops a graph of
// others.
func (s *strider) blocks(walk *gpu.Kernel, w *drawn, ants int) error {
	shared, err := s.bits(walk, ants)
	s.config = gpu.Config{Grid: gpu.Dim{X: (s.ants + ants - 1) / ants}, Block: gpu.Dim{X: warpThreads * ants}, Shared: shared}
	return errors.Join(err, w.become(ants))
}

// memoryArg is the kernels' memory.
type memoryArg struct {
	Tau, Wires, Ring, Head, Ways uint64
	Slots, Pitch                 int32
}

// The kernels' NONE and BEYOND.
const (
	none = 0xffffffff
	out  = 0x80000000
)

// spread is a memory as the device has it: trails in rows of pitch entries, with the sign set where a slot's is not stored, rings, and
// heads. The kernels make wires from rings.
func spread(m *walkers.Memory, g *walkers.Ground, pitch int, tauMin float32) (tau []float32, ring, head []uint32) {
	n := g.Space.N
	tau, ring, head = make([]float32, n*pitch), empty(n*m.Slots), make([]uint32, n)
	for i := range tau {
		tau[i] = -tauMin
	}
	for c := range n {
		head[c] = uint32(m.Head[c])
		list := g.ID[c*walkers.Width : c*walkers.Width+g.K]
		for p := range m.Slots {
			i := c*m.Slots + p
			to := m.City[i]
			if to < 0 {
				continue
			}
			if slot := slices.Index(list, to); slot >= 0 {
				ring[i], tau[c*pitch+slot] = uint32(slot), m.Tau[i]
			} else {
				ring[i], tau[(c+1)*pitch-1-p] = out|uint32(to), m.Tau[i]
			}
		}
	}
	return tau, ring, head
}

// gather is the reverse of spread.
func gather(m *walkers.Memory, g *walkers.Ground, pitch int, tau []float32, ring, head []uint32) {
	for c := range g.Space.N {
		m.Head[c] = uint8(head[c] % uint32(m.Slots))
		for p := range m.Slots {
			i := c*m.Slots + p
			switch e := ring[i]; {
			case e == none:
				m.City[i], m.Tau[i] = walkers.NoCity, 0
			case e&out != 0:
				m.City[i], m.Tau[i] = int32(e&^out), tau[(c+1)*pitch-1-p]
			default:
				m.City[i], m.Tau[i] = g.ID[c*walkers.Width+int(e)], max(tau[c*pitch+int(e)], -tau[c*pitch+int(e)])
			}
		}
	}
}

// The kernels of spm note at most lapNotes edges of an ant between two meetings, see notes_of.
const lapNotes = 32

// chunkBytes is the shared memory of spm's walk beside the visited cities, with notes of so many bytes.
func chunkBytes(note int) int { return 4096 * note }
