package moves

import "metalab/solvers/moves"

// view is what the host needs of a walk to choose among fitnesses: with reduce=host.
type view struct {
	n, flips int
	clock    int64   // scans before this one
	perm     []int32 // of assignments; nil: bits
	until    []int64
}

// reduce finds the best moves of a walk among the fitnesses of a whole neighbourhood, as the
// kernels do on the device.
func (v *view) reduce(deltas []int64, aspiration int64) found {
	none := choice{Delta: 1<<63 - 1, Index: noMove}
	f := found{All: none, Late: none, Open: none}
	clock := v.clock + 1
	for x, d := range deltas {
		c := choice{Delta: d, Index: uint64(x)}
		if !c.before(f.All) && !c.before(f.Late) && !c.before(f.Open) {
			continue
		}
		late, tabu := v.memory(int64(x), clock, clock-aspiration)
		if c.before(f.All) {
			f.All = c
		}
		if aspiration > 0 && late && c.before(f.Late) {
			f.Late = c
		}
		if !tabu && c.before(f.Open) {
			f.Open = c
		}
	}
	return f
}

// before orders choices: the smaller delta, then the smaller index.
func (c choice) before(d choice) bool {
	return c.Delta < d.Delta || c.Delta == d.Delta && c.Index < d.Index
}

// memory tells whether the move with an index is overdue, and whether it is tabu.
func (v *view) memory(x, clock, limit int64) (late, tabu bool) {
	i, j := x, int64(-1)
	if v.flips == 2 {
		i, j = moves.PairAt(int64(v.n), x)
	}
	if v.perm == nil {
		return false, v.until[i] >= clock || j >= 0 && v.until[j] >= clock
	}
	n := int64(v.n)
	least := min(v.until[i*n+int64(v.perm[j])], v.until[j*n+int64(v.perm[i])])
	return least < limit, least >= clock
}
