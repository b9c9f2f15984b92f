package gpu

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// ErrNoRoom is wrapped by the error of an Admit that exceeds a device's memory.
var ErrNoRoom = errors.New("too little memory is free")

// A Holding is one holder's share of a device's memory.
type Holding struct {
	Holder  string // its name; "" for memory allocated without Admit
	Claimed int64  // admitted bytes
	Held    int64  // bytes allocated so far
}

// Bytes returns the larger of Claimed and Held, which counts.
func (h Holding) Bytes() int64 { return max(h.Claimed, h.Held) }

// String describes the holding.
func (h Holding) String() string {
	return fmt.Sprintf("%s holds %v", cmp.Or(h.Holder, "what was not admitted"), Bytes(h.Bytes()))
}

// ledger has the open devices that hold memory, by ordinal.
var ledger struct {
	sync.Mutex
	of map[int]map[*Device]*Holding
}

// Admit reserves bytes of the device's memory for holder: all that it will allocate through d. Call
// it before the first allocation. Memory reserved for others, allocated or not, is not free.
// Another Admit replaces the reservation; Close ends it. An error wraps ErrNoRoom and says how much
// is needed, free and missing, and who holds what; the old reservation then stays.
func (d *Device) Admit(holder string, bytes int64) error {
	op := "admit " + holder
	if bytes < 0 {
		return refuse(op, d.info.Ordinal, "%d bytes", bytes)
	}
	return d.call(op, func() error {
		free, total, err := drv.memInfo()
		if err != nil {
			return err
		}
		ledger.Lock()
		defer ledger.Unlock()
		mine := d.entry()
		for other, h := range ledger.of[d.info.Ordinal] {
			if other != d {
				free -= max(0, h.Claimed-h.Held) // promised, and not allocated yet
			}
		}
		free = max(0, free)
		if more := bytes - mine.Held; more > free {
			return &Error{
				Op: op, Device: d.info.Ordinal, Hint: hintRoom(d.info.Ordinal, d),
				Err: fmt.Errorf(
					"%w: %v are needed, %v of %v are free, %v are missing", ErrNoRoom, Bytes(more), Bytes(free),
					Bytes(total), Bytes(more-free),
				),
			}
		}
		mine.Holder, mine.Claimed = holder, bytes
		return nil
	})
}

// hintRoom says who could make room; with the ledger locked.
func hintRoom(ordinal int, but *Device) string {
	var who []string
	for _, h := range holdings(ordinal, but) {
		who = append(who, h.String())
	}
	if len(who) == 0 {
		return "nobody in this process holds any: take a smaller instance, fewer ants or walks, or " +
			"backend cpu"
	}
	return strings.Join(who, ", ") + ": close one, or use backend cpu"
}

// entry is the device's line in the ledger; with the ledger locked.
func (d *Device) entry() *Holding {
	n := d.info.Ordinal
	if ledger.of == nil {
		ledger.of = map[int]map[*Device]*Holding{}
	}
	if ledger.of[n] == nil {
		ledger.of[n] = map[*Device]*Holding{}
	}
	h := ledger.of[n][d]
	if h == nil {
		h = &Holding{}
		ledger.of[n][d] = h
	}
	return h
}

// hold notes that so many bytes more, or fewer, are allocated through d.
func (d *Device) hold(bytes int64) {
	ledger.Lock()
	defer ledger.Unlock()
	d.entry().Held += bytes
}

// leave ends what the device holds.
func (d *Device) leave() {
	ledger.Lock()
	defer ledger.Unlock()
	delete(ledger.of[d.info.Ordinal], d)
}

// Holding returns the memory reserved and allocated through d.
func (d *Device) Holding() Holding {
	ledger.Lock()
	defer ledger.Unlock()
	if h := ledger.of[d.info.Ordinal][d]; h != nil {
		return *h
	}
	return Holding{}
}

// Holdings returns the holders of a device's memory in this process, the largest first.
func Holdings(ordinal int) []Holding {
	ledger.Lock()
	defer ledger.Unlock()
	return holdings(ordinal, nil)
}

func holdings(ordinal int, but *Device) []Holding {
	var out []Holding
	for d, h := range ledger.of[ordinal] {
		if d != but && h.Bytes() > 0 {
			out = append(out, *h)
		}
	}
	slices.SortFunc(out, func(a, b Holding) int {
		return cmp.Or(cmp.Compare(b.Bytes(), a.Bytes()), cmp.Compare(a.Holder, b.Holder))
	})
	return out
}
