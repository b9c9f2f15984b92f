package gpu

import (
	"cmp"
	"slices"
	"sync"
)

// failed has the first sticky error of each device, by ordinal: what is opened twice has one
// context, so all of it is of no more use in this process.
var failed struct {
	sync.Mutex
	of map[int]error
}

func noteFailed(ordinal int, err error) {
	failed.Lock()
	defer failed.Unlock()
	if failed.of == nil {
		failed.of = map[int]error{}
	}
	if failed.of[ordinal] == nil {
		failed.of[ordinal] = err
	}
}

// Failed returns the sticky error that made the device with an ordinal unusable in this process,
// nil while it works.
func Failed(ordinal int) error {
	failed.Lock()
	defer failed.Unlock()
	return failed.of[ordinal]
}

// Roomiest returns the ordinal of the device with the most memory that is neither in use nor
// reserved (see [Device.Admit]); among equal ones, that with the fewest holders, then the smallest
// number. It ignores failed devices; if all have failed, it returns the error of the first.
func Roomiest() (ordinal int, err error) {
	list, err := Devices()
	if err != nil {
		return 0, err
	}
	if len(list) < 2 {
		return 0, Failed(0) // where there is none, Open says why
	}
	type place struct {
		ordinal, holders int
		free             int64
		failed           bool
	}
	all := make([]place, len(list))
	var wg sync.WaitGroup
	for i, in := range list {
		wg.Go(func() { // each takes a good part of a second where its context is not there yet
			p := place{ordinal: in.Ordinal, failed: Failed(in.Ordinal) != nil}
			if !p.failed {
				var err error
				p.free, p.holders, err = room(in.Ordinal)
				p.failed = err != nil
			}
			all[i] = p
		})
	}
	wg.Wait()
	best := slices.MinFunc(all, func(a, b place) int {
		if a.failed != b.failed {
			if a.failed {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(b.free, a.free), cmp.Compare(a.holders, b.holders),
			cmp.Compare(a.ordinal, b.ordinal))
	})
	return best.ordinal, Failed(best.ordinal)
}

// room is the memory of a device that is neither in use nor promised, in steps of a sixteenth of a
// GiB, as contexts differ a little, and how many hold some.
func room(ordinal int) (free int64, holders int, err error) {
	d, err := open(ordinal)
	if err != nil {
		return 0, 0, err
	}
	defer d.Close()
	if free, _, err = d.MemInfo(); err != nil {
		return 0, 0, err
	}
	all := Holdings(ordinal)
	for _, h := range all {
		free -= max(0, h.Claimed-h.Held)
	}
	const step = 64 << 20
	if free > 16*step {
		free = free / step * step
	}
	return free, len(all), nil
}
