package ants

import (
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
)

// tallies is the number of sums that spm's kernels make: of local updates of the last construction
// the trails found and all; of global updates, of all since the memory was sent, the trails not
// found and all.
const tallies = 4

// hitCounts makes of these sums what an iteration counts: its local updates and the global update
// before it, which the device makes at an iteration's start or, if somebody looks, earlier.
type hitCounts struct {
	// of the global update before the memory was sent, until an iteration counts it
	hits, updates int64
	misses, all   int64 // sums of global updates that iterations have counted
}

// sent begins anew with a memory that the device is sent; its sums are 0 then.
func (h *hitCounts) sent(m *trail.Memory) { *h = hitCounts{hits: m.Hits, updates: m.Updates} }

// global returns the counts of the global update that no iteration has counted.
func (h *hitCounts) global(tally []uint64) (hits, updates int64) {
	misses, all := int64(tally[2])-h.misses, int64(tally[3])-h.all
	return h.hits + all - misses, h.updates + all
}

// fetched writes them into a memory that the device has sent.
func (h *hitCounts) fetched(tally []uint64, m *trail.Memory) {
	m.Hits, m.Updates = h.global(tally)
}

// tell writes the counts of an iteration.
func (h *hitCounts) tell(tally []uint64, out *crew.Tours) {
	hits, updates := h.global(tally)
	out.Hits, out.Updates = hits+int64(tally[0]), updates+int64(tally[1])
	*h = hitCounts{misses: int64(tally[2]), all: int64(tally[3])}
}
