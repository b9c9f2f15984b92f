package ants

import (
	"fmt"
	"unsafe"

	"metalab/kernels/launch"
	"metalab/solvers/ants/trail"
)

// instead is another variant for the same instance, with what its form allocates.
type instead struct {
	what string
	more int64
}

// wrsInstead is the variant that needs the least memory.
func wrsInstead(n int) instead { return instead{"mmas/wrs", slotBytes(n, 4)} }

// admit reserves, before anything is allocated, all memory that this many ants need. If there is
// too little, the error says what would fit.
func (b *deviceCrew) admit(ants int) error {
	err := b.Admit(b.bytes(ants), func(room int64) []string { return b.fitting(ants, room) })
	if err != nil {
		return fmt.Errorf("ants: %d cities, %d ants: %w", b.n, ants, err)
	}
	return nil
}

// fitting lists what fits into room: other variants with this many ants, and the number of ants
// that fits in this variant.
func (b *deviceCrew) fitting(ants int, room int64) (fit []string) {
	for _, o := range b.form.instead() {
		if need := b.common(ants) + o.more; need <= room {
			fit = append(fit, launch.Takes(o.what, need))
		}
	}
	if few := launch.Fitting(ants, room, b.bytes); few > 0 {
		fit = append(fit, launch.Takes(fmt.Sprintf("ants=%d", few), b.bytes(few)))
	}
	return fit
}

// bytes returns the size of the crew's buffers, to within a few kilobytes, without those of a local
// search.
func (b *deviceCrew) bytes(ants int) int64 { return b.common(ants) + b.form.bytes(ants) }

// common returns the size of the buffers that all crews have.
func (b *deviceCrew) common(ants int) int64 {
	n, city, bits := int64(b.n), int64(2), int64(bitWords(b.n, b.wide))
	sum := 16*n + 16*bits + 4*n    // at, box, mark
	sum += 2 * 4 * n * trail.Width // tau, eta
	if b.wide {
		city = 4
		sum += int64(ants) * 4 * bits // masks, if they are not in shared memory
	}
	sum += city * n * int64(trail.Width+b.g.Far+4) // lists, kept tours, the rewarded tour
	return sum + int64(ants)*city*n + int64(ants+1)*int64(unsafe.Sizeof(result{}))
}

// slotBytes returns the memory for size bytes for each slot of n cities.
func slotBytes(n, size int) int64 { return int64(n) * trail.Width * int64(size) }

// matrixBytes returns the additional memory for matrices of n cities, of size bytes for each edge,
// in place of tau and eta by slot.
func matrixBytes(n, size int) int64 { return int64(n)*int64(n)*int64(size) - slotBytes(n, 8) }
