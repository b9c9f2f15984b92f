package ants

import (
	"fmt"

	"metalab/gpu"
	"metalab/kernels/rounds"
	"metalab/solvers/ants/local"
	"metalab/solvers/tours"
)

// pairs is local_search=2opt-plain and 2opt-best on the device: the 2-opt of the GPU MMAS paper,
// see pairs.cu. Its results are those of the CPU, bit for bit.
type pairs struct {
	b      *deviceCrew
	kernel *gpu.Kernel
	near   *gpu.Buffer[uint64]
	k      int
	best   int32 // not 0: 2opt-best
	rank   *rounds.Ranker
}

// pairsBytes is the shared memory of a tour of n cities: its order, places and queue, and a bit for
// each city.
func pairsBytes(n int) int { return (n+31)/32*4 + 2*(3*n+1) }

// pairsMost is the greatest number of cities that fit in this much shared memory.
func pairsMost(shared int) int {
	n := max(0, shared) * 32 / (6*32 + 4)
	for n > 0 && pairsBytes(n) > shared {
		n--
	}
	return n
}

// newPairs loads the kernels and the lists of neighbours.
func newPairs(b *deviceCrew) (*pairs, error) {
	code, err := image("pairs")
	if err != nil {
		return nil, err
	}
	m, err := b.d.Module(code)
	if err != nil {
		return nil, err
	}
	o := &pairs{b: b, k: b.g.Pairs.Near.K, best: bestOf(b.g.Pairs)}
	if o.kernel, err = m.Kernel("search_pairs"); err != nil {
		return nil, err
	}
	if most := o.kernel.Info().MaxShared; pairsBytes(b.n) > most {
		return nil, fmt.Errorf("local_search is 2-opt that keeps a tour in shared memory: %d "+
			"cities take %d bytes, and a block on this GPU (%s) has %d: want at most %d cities, or "+
			"backend cpu", b.n, pairsBytes(b.n), b.d.Info().Name, most, pairsMost(most))
	}
	if o.near, err = gpu.Upload(b.d, nearEdges(&b.g.Pairs.Near)); err != nil {
		return nil, err
	}
	o.rank, err = rounds.NewRanker(b.d)
	return o, err
}

// bestOf is the kernel's argument best.
func bestOf(p *local.Pairs) int32 {
	if p.Best {
		return 1
	}
	return 0
}

// nearEdges are the edges to neighbours as the kernel takes them: number and distance. There is at
// least one entry.
func nearEdges(near *tours.Neighbours) []uint64 {
	out := make([]uint64, max(1, len(near.ID)))
	for i, id := range near.ID {
		out[i] = uint64(uint32(near.Dist[i]))<<32 | uint64(uint32(id))
	}
	return out
}

// Room implements polisher.
func (o *pairs) Room(tours int) error { return o.rank.Room(tours) }

// pairsTeams is the number of warps of a tour where no other is asked for.
const pairsTeams = 8

// Queue implements polisher.
func (o *pairs) Queue(s *gpu.Stream, b rounds.Batch) error {
	if b.Best <= 0 {
		return nil
	}
	which, err := o.rank.Queue(s, b)
	if err != nil {
		return err
	}
	warps := b.Warps
	if warps == 0 {
		warps = pairsTeams
	}
	c := gpu.Config{
		Grid: gpu.Dim{X: min(b.Best, b.Count)}, Block: gpu.Dim{X: warpThreads * warps},
		Shared: pairsBytes(o.b.n), Stream: s,
	}
	return o.kernel.Launch(c, o.b.inst.arg, o.near, int32(o.k), o.best, b.Tours, which, b.Heads)
}
