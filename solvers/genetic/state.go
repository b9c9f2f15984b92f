package genetic

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// writeHead writes what stands before the tours of a population.
func writeHead(w *solvers.Writer, members []individual, best []int32, bestLen int64) {
	w.Int64s("genes", int64(len(members)), bestLen)
	w.Int32s("best", best)
	children := make([]byte, len(members))
	for i := range members {
		if members[i].child {
			children[i] = 1
		}
	}
	w.Bytes("children", children)
}

// writePopulation writes a population.
func writePopulation(w *solvers.Writer, members []individual, best []int32, bestLen int64) {
	writeHead(w, members, best, bestLen)
	for i := range members {
		w.Int32s("tour", members[i].tour)
	}
}

// readPopulation reads a population and makes its lengths and hashes anew. keep takes the tour of
// individual i.
func readPopulation(
	r *solvers.Reader, sp *tours.Space, keep func(i int, m *individual, tour []int32) error,
) (members []individual, best []int32, bestLen int64, err error) {
	head := r.Int64s("genes", 2)
	best = r.Int32s("best", -1)
	children := r.Bytes("children", -1)
	if err := r.Err(); err != nil {
		return nil, nil, 0, err
	}
	if int64(len(children)) != head[0] || len(best) != 0 && len(best) != sp.N {
		return nil, nil, 0, fmt.Errorf(
			"genetic: a state of %d tours with %d marks and a best tour of %d cities, want %d", head[0],
			len(children), len(best), sp.N,
		)
	}
	members = make([]individual, len(children))
	for i := range members {
		t := r.Int32s("tour", sp.N)
		if err := r.Err(); err != nil {
			return nil, nil, 0, err
		}
		if !permutation(t) {
			return nil, nil, 0, fmt.Errorf("genetic: tour %d of the state does not visit every city once", i)
		}
		members[i] = individual{
			length: sp.Length(t), hash: arith.HashPerm(t), child: children[i] == 1,
		}
		if err := keep(i, &members[i], t); err != nil {
			return nil, nil, 0, err
		}
	}
	if len(best) == 0 {
		if len(members) > 0 {
			return nil, nil, 0, errors.New("genetic: a state with a population and no best tour")
		}
		return members, nil, 0, nil
	}
	if !permutation(best) {
		return nil, nil, 0, errors.New(
			"genetic: the best tour of the state does not visit every city once",
		)
	}
	return members, best, head[1], nil
}

// here keeps a tour in its individual.
func here(_ int, m *individual, tour []int32) error {
	m.tour = tour
	return nil
}

// resize brings a population to another size: to fewer, it keeps the shortest in their
// order; to more, it repeats them in turn, in the same row where an engine has them.
func resize(members []individual, size int) []individual {
	if len(members) == 0 {
		return members
	}
	if size < len(members) {
		order := make([]int, len(members))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(
				members[a].length, members[b].length,
			)
		})
		order = order[:size]
		slices.Sort(order)
		out := make([]individual, size)
		for i, from := range order {
			out[i] = members[from]
		}
		return out
	}
	for old := len(members); len(members) < size; {
		e := members[len(members)-old]
		e.tour = slices.Clone(e.tour)
		members = append(members, e)
	}
	return members
}

// StateBytes is about the size of what Snapshot writes.
func (c *common) StateBytes() int64 {
	const section = 16 // what stands before a tour, and its mark
	return (4*int64(c.inst.N) + section) * int64(len(c.members)+1)
}

func (g *tournament) Restore(r *solvers.Reader) error {
	if err := g.read(r, g.population); err != nil {
		return err
	}
	g.next, g.plan = nil, nil
	return nil
}

// permutation tells whether t holds each of 0 .. len(t)-1 once.
func permutation(t []int32) bool {
	seen := make([]bool, len(t))
	for _, c := range t {
		if c < 0 || int(c) >= len(t) || seen[c] {
			return false
		}
		seen[c] = true
	}
	return true
}
