package ants

import (
	"errors"
	"slices"

	"metalab/gpu"
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

// wires are the wires as the device has them before the first walk.
func wires(g *walkers.Ground, wide bool) []wire {
	out := make([]wire, len(g.ID))
	for i, to := range g.ID {
		out[i].Link = linkOf(g, i, to, wide)
	}
	return out
}

// linkOf is the link of slot i, where an edge to city to stands.
func linkOf(g *walkers.Ground, i int, to int32, wide bool) uint32 {
	bits := 16
	if wide {
		bits = 26
	}
	link := uint32(to)
	if back := g.Reverse[i]; back >= 0 {
		link |= 1<<(bits+5) | uint32(back%walkers.Width)<<bits
	}
	return link
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

	// The kernels' memory; tau is that of base.
	slots                 int
	mask, ring, out, head *gpu.Buffer[uint32]
	outTau, outEta        *gpu.Buffer[float32]
}

// start brings an instance to the device, with rings of so many places.
func (s *strider) start(g *walkers.Ground, slots int) (err error) {
	s.slots = slots
	ring := make([]uint32, s.n*slots)
	for i := range ring {
		ring[i] = none
	}
	s.wires, err = up(s.d, wires(g, s.wide), err)
	s.rules, err = up(s.d, make([]ruleArg, 1), err)
	s.mask, err = up(s.d, make([]uint32, s.n), err)
	s.out, err = up(s.d, make([]uint32, s.n), err)
	s.head, err = up(s.d, make([]uint32, s.n), err)
	s.ring, err = up(s.d, ring, err)
	s.outTau, err = up(s.d, make([]float32, len(ring)), err)
	s.outEta, err = up(s.d, make([]float32, len(ring)), err)
	return err
}

// storeBytes is what start allocates.
func storeBytes(n, slots int) int64 {
	return slotBytes(n, 8) + 12*int64(n) + 12*int64(n)*int64(slots)
}

// memory is what the kernels are given of the trails.
func (s *strider) memory() memoryArg {
	return memoryArg{
		Tau: s.tau.View().Ptr, Mask: s.mask.View().Ptr, Ring: s.ring.View().Ptr, OutTau: s.outTau.View().Ptr, OutEta: s.outEta.View().Ptr,
		Out: s.out.View().Ptr, Head: s.head.View().Ptr, Slots: int32(s.slots),
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
		err = errors.Join(err, s.eta.Upload(r.Eta))
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
	s.own = func() wave.Config { return antsOf(s.ants, s.warpsFor(s.warps, s.ants)) }
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
	Tau, Mask, Ring, OutTau, OutEta, Out, Head uint64
	Slots, Pad                                 int32
}

// The kernels' NONE and BEYOND.
const (
	none = 0xffffffff
	out  = 0x80000000
)

// spread is a memory as the device has it: trails by slot, rings, the trails of those places that lead beyond the
// lists, and heads. The kernels make masks from rings.
func spread(m *walkers.Memory, g *walkers.Ground, tauMin float32) (tau []float32, ring []uint32, outTau []float32, head []uint32) {
	n := g.Space.N
	tau, ring = make([]float32, n*walkers.Width), make([]uint32, n*m.Slots)
	outTau, head = make([]float32, n*m.Slots), make([]uint32, n)
	for i := range tau {
		tau[i] = tauMin
	}
	for c := range n {
		head[c] = uint32(m.Head[c])
		list := g.ID[c*walkers.Width : c*walkers.Width+g.K]
		for i := c * m.Slots; i < (c+1)*m.Slots; i++ {
			to := m.City[i]
			ring[i] = none
			if to < 0 {
				continue
			}
			if slot := slices.Index(list, to); slot >= 0 {
				ring[i], tau[c*walkers.Width+slot] = uint32(slot), m.Tau[i]
			} else {
				ring[i], outTau[i] = out|uint32(to), m.Tau[i]
			}
		}
	}
	return tau, ring, outTau, head
}

// gather is the reverse of spread.
func gather(m *walkers.Memory, g *walkers.Ground, tau []float32, ring []uint32, outTau []float32, head []uint32) {
	for c := range g.Space.N {
		m.Head[c] = uint8(head[c] % uint32(m.Slots))
		for i := c * m.Slots; i < (c+1)*m.Slots; i++ {
			switch e := ring[i]; {
			case e == none:
				m.City[i], m.Tau[i] = walkers.NoCity, 0
			case e&out != 0:
				m.City[i], m.Tau[i] = int32(e&^out), outTau[i]
			default:
				at := c*walkers.Width + int(e)
				m.City[i], m.Tau[i] = g.ID[at], tau[at]
			}
		}
	}
}

// The kernels of spm note at most lapNotes edges of an ant between two meetings, see notes_of.
const lapNotes = 32

// chunkBytes is the shared memory of spm's walk beside the visited cities, with notes of so many bytes.
func chunkBytes(note int) int { return 4096 * note }
