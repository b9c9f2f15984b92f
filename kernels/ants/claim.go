package ants

import (
	"cmp"
	"context"
	"fmt"
	"unsafe"

	"metalab/solvers"
	walkers "metalab/solvers/ants"
)

// claim is a crew's part of a device that it shares with others.
type claim struct {
	holder string
	far    int                  // entries of a city's second list
	more   func(ants int) int64 // bytes that the crew allocates beside those of base; set before open
}

// admit asks the device for all that so many ants need, before anything of it is allocated.
func (b *base) admit(ants int) error {
	if err := b.d.Admit(b.holder, b.bytes(ants)); err != nil {
		return fmt.Errorf("ants: %d cities, %d ants: %w", b.n, ants, err)
	}
	return nil
}

// bytes is what the crew's buffers take. Those of a few bytes, and a local search's, are not counted.
func (b *base) bytes(ants int) int64 {
	n, city := int64(b.n), int64(2)
	if b.wide {
		city = 4
	}
	sum := 16*n + 16*((n+31)/32) + 4*n             // at, box, mark
	sum += 2 * 4 * n * walkers.Width               // tau, eta
	sum += city * n * int64(walkers.Width+b.far+4) // lists, kept tours, the rewarded tour
	sum += int64(ants) * (city*n + int64(unsafe.Sizeof(result{})))
	if b.more != nil {
		sum += b.more(ants)
	}
	return sum
}

// slotBytes are numbers of so many bytes for each slot of n cities.
func slotBytes(n, size int) int64 { return int64(n) * walkers.Width * int64(size) }

// matrixBytes are matrices of n cities, of so many bytes an edge, in place of base's tau and eta by slot.
func matrixBytes(n, size int) int64 { return int64(n)*int64(n)*int64(size) - slotBytes(n, 8) }

// introduce notes who the crew is, for its part of the device.
func (c *claim) introduce(env *solvers.Env, far int) {
	c.holder, c.far = "run "+cmp.Or(env.Run, "without a name"), far
}

// Turn implements solvers.Sharer.
func (b *base) Turn(ctx context.Context) (give func(), waited bool, err error) {
	return b.d.Turns().Take(ctx)
}
