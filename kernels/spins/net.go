package spins

import (
	"fmt"
	"slices"

	"metalab/solvers/spins"
)

// Limits of the kernels.
const (
	mostEdges   = 65534 // of a vertex
	mostThreads = 512   // of a block
	headWords   = 66    // in a block's shared memory, before the words of the walks
)

// job is the kernels' struct job.
type job struct {
	Seed                           uint64
	Iteration                      int64
	Slots, Colours, Sweeps, Stride int32
	Walks, Beyond                  int32
	Top                            [2]int32
}

// slice, place and group are the kernels'.
type (
	slice struct {
		From      int64
		Length, _ int32
	}
	place struct{ Vertex, Degree int32 }
)

// net is an instance in the form of the kernels. The vertices of a colour begin at slots that are
// multiples of 32. The last slot is that of fields.
type net struct {
	of       *spins.Net
	slot     []int32 // by position
	first    []int32
	slices   []slice
	places   []place
	adjacent []int32
	widest   int // slots of a colour
	most     int // thresholds of a parity: the highest level that there can be, at least 1
}

// newNet returns an error for an instance that the kernels do not take.
func newNet(of *spins.Net) (*net, error) {
	if of.Weight != nil {
		return nil, fmt.Errorf("anneal/spins on a GPU: %s has weights of several sizes, want "+
			"weights that differ in sign alone: run on cpu", of.Inst.Name())
	}
	n := &net{of: of, slot: make([]int32, of.N), first: []int32{0}, most: 1}
	for c := range len(of.Colours) - 1 {
		for i := of.Colours[c]; i < of.Colours[c+1]; i++ {
			n.slot[i] = int32(len(n.places))
			d := of.First[i+1] - of.First[i]
			if d > mostEdges {
				return nil, fmt.Errorf("anneal/spins on a GPU: vertex %d of %s has %d edges, want at most %d: "+
					"run on cpu", of.Vertex[i], of.Inst.Name(), d, mostEdges)
			}
			n.places = append(n.places, place{of.Vertex[i], d})
			n.most = max(n.most, int(d+1)/2)
		}
		for len(n.places)%32 != 0 {
			n.places = append(n.places, place{0, -1})
		}
		n.first = append(n.first, int32(len(n.places)))
		n.widest = max(n.widest, int(n.first[c+1]-n.first[c]))
	}
	n.join()
	return n, nil
}

// join makes the lists of edges, of 32 slots side by side.
func (n *net) join() {
	position := make([]int32, len(n.places))
	for i, s := range n.slot {
		position[s] = int32(i)
	}
	for s := 0; s < len(n.places); s += 32 {
		length := int32(0)
		for _, p := range n.places[s : s+32] {
			length = max(length, (p.Degree+1)&^1)
		}
		n.slices = append(n.slices, slice{From: int64(len(n.adjacent)), Length: length})
		for k := range length {
			for i, p := range n.places[s : s+32] {
				edge := int32(s+i) << 1 // to itself, which adds nothing
				if k < p.Degree {
					e := n.of.Edge[n.of.First[position[s+i]]+k]
					to := int32(len(n.places)) // fields
					if int(e>>1) < n.of.N {
						to = n.slot[e>>1]
					}
					edge = to<<1 | e&1
				}
				n.adjacent = append(n.adjacent, edge)
			}
		}
	}
	if len(n.adjacent) == 0 {
		n.adjacent = []int32{0} // so that the buffer is not empty
	}
}

// stride is the number of words of a group.
func (n *net) stride() int { return (len(n.places) + 4) &^ 3 }

// table are the thresholds: those in planes, then all of even and of odd sums.
func (n *net) table(l *spins.Levels) []uint32 {
	t := append(make([]uint32, 0, 64+2*n.most), l.Planes[:]...)
	for odd := range 2 {
		for k := range n.most {
			q := uint32(0)
			if int64(k) < l.Top[odd] {
				q = l.At(int64(k)+1, odd)
			}
			t = append(t, q)
		}
	}
	return t
}

// job is that of an iteration.
func (n *net) job(p *spins.Problem, j spins.Job) job {
	return job{
		Seed: p.Seed, Iteration: j.Iteration, Slots: int32(len(n.places)),
		Colours: int32(len(n.first) - 1), Sweeps: int32(j.Sweeps), Stride: int32(n.stride()),
		Walks: int32(p.Walks), Beyond: int32(n.most),
		Top: [2]int32{int32(j.Levels.Top[0]), int32(j.Levels.Top[1])},
	}
}

// pack writes the words of a group, by position, to those by slot.
func (n *net) pack(to, words []uint32) {
	for i, w := range words {
		to[n.slot[i]] = w
	}
	to[len(n.places)] = 1<<32 - 1
}

// unpack is the reverse of pack.
func (n *net) unpack(words, from []uint32) {
	for i := range words {
		words[i] = from[n.slot[i]]
	}
}

// block is the number of threads of a block where j asks for none: those that a colour occupies.
func (n *net) block(j spins.Job) int {
	threads := len(n.places) / max(len(n.first)-1, 1)
	if j.Block > 0 {
		threads = j.Block
	}
	return min(max((threads+31)&^31, 32), mostThreads)
}

// padded are the parents of a population, and 0 for walks that are none, to a multiple of 32.
func padded(parents []int32) []int32 {
	return append(slices.Clone(parents), make([]int32, -len(parents)&31)...)
}
