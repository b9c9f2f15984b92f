package launch

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"metalab/gpu"
)

// Admit reserves, before anything is allocated, all memory of the device that the run needs, or
// another amount than before. If there is too little, the error says what there is room for: fit,
// if it is not nil, lists what takes no more than room bytes.
func (b *Base) Admit(bytes int64, fit func(room int64) []string) error {
	err := b.Dev.Admit(b.holder, bytes)
	if err == nil || fit == nil || !errors.Is(err, gpu.ErrNoRoom) {
		return err
	}
	room, ferr := b.room()
	if ferr != nil {
		return err
	}
	if list := fit(room); len(list) > 0 {
		return fmt.Errorf("%w; there is room for %s", err, strings.Join(list, ", or for "))
	}
	return err
}

// room returns how many bytes the run may have in all: those that are free and not reserved by
// others, and its own, less a 64th for modules and for rounding in allocations.
func (b *Base) room() (int64, error) {
	free, _, err := b.Dev.MemInfo()
	if err != nil {
		return 0, err
	}
	own := b.Dev.Holding()
	free += own.Held + max(0, own.Claimed-own.Held)
	for _, h := range gpu.Holdings(b.Dev.Info().Ordinal) {
		free -= max(0, h.Claimed-h.Held)
	}
	return free - free/64, nil
}

// Takes says of something how much memory it takes, as Admit's fit lists it.
func Takes(what string, bytes int64) string {
	return fmt.Sprintf("%s, which takes %v", what, gpu.Bytes(bytes))
}

// Fitting returns how many of at most n, as ants or walks, take no more than room bytes.
func Fitting(n int, room int64, bytes func(n int) int64) int {
	return sort.Search(n, func(k int) bool { return bytes(k+1) > room })
}
