package ants

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
	"unsafe"

	"metalab/gpu"
	"metalab/solvers"
	walkers "metalab/solvers/ants"
)

// claim is a crew's part of a device that it shares with others.
type claim struct {
	holder  string
	far     int                  // entries of a city's second list
	more    func(ants int) int64 // bytes that the crew allocates beside those of base; set before open
	instead []instead            // what may have room where the crew has none; set before open
}

// instead is another way to search the same instance, with what a crew of it allocates beside what base does.
type instead struct {
	what string
	more int64
}

// wrsInstead is the crew that takes the least.
func wrsInstead(n int) instead { return instead{"mmas/wrs", slotBytes(n, 4)} }

// admit asks the device for all that so many ants need, before anything of it is allocated. An error says
// what there would be room for.
func (b *base) admit(ants int) error {
	err := b.d.Admit(b.holder, b.bytes(ants))
	if err == nil {
		return nil
	}
	err = fmt.Errorf("ants: %d cities, %d ants: %w", b.n, ants, err)
	if !errors.Is(err, gpu.ErrNoRoom) {
		return err
	}
	room, ferr := b.room()
	if ferr != nil {
		return err
	}
	if fit := b.fitting(ants, room); len(fit) > 0 {
		return fmt.Errorf("%w; there is room for %s", err, strings.Join(fit, ", or for "))
	}
	return err
}

// room is how many bytes the crew may have in all: those that are free and promised to nobody else, and its own, less a
// 64th for modules and what allocating rounds up.
func (b *base) room() (int64, error) {
	free, _, err := b.d.MemInfo()
	if err != nil {
		return 0, err
	}
	own := b.d.Holding()
	free += own.Held + max(0, own.Claimed-own.Held)
	for _, h := range gpu.Holdings(b.d.Info().Ordinal) {
		free -= max(0, h.Claimed-h.Held)
	}
	return free - free/64, nil
}

// fitting lists what takes no more than room: other ways for as many ants, and how many ants this way has room for.
func (b *base) fitting(ants int, room int64) (fit []string) {
	for _, o := range b.instead {
		if need := b.common(ants) + o.more; need <= room {
			fit = append(fit, fmt.Sprintf("%s, which takes %v", o.what, gpu.Bytes(need)))
		}
	}
	if few := sort.Search(ants, func(k int) bool { return b.bytes(k+1) > room }); few > 0 {
		fit = append(fit, fmt.Sprintf("ants=%d, which takes %v", few, gpu.Bytes(b.bytes(few))))
	}
	return fit
}

// bytes is what the crew's buffers take, to a few kilobytes. A local search's are not counted.
func (b *base) bytes(ants int) int64 {
	sum := b.common(ants)
	if b.more != nil {
		sum += b.more(ants)
	}
	return sum
}

// common is what those of base take.
func (b *base) common(ants int) int64 {
	n, city, bits := int64(b.n), int64(2), int64(bitWords(b.n, b.wide))
	sum := 16*n + 16*bits + 4*n      // at, box, mark
	sum += 2 * 4 * n * walkers.Width // tau, eta
	if b.wide {
		city = 4
		sum += int64(ants) * 4 * bits // masks, where they do not lie in shared memory
	}
	sum += city * n * int64(walkers.Width+b.far+4) // lists, kept tours, the rewarded tour
	return sum + int64(ants)*city*n + int64(ants+1)*int64(unsafe.Sizeof(result{}))
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
	b.d.Host() // the iteration comes on the same thread
	return b.d.Turns().Take(ctx)
}
