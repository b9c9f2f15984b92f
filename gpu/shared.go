package gpu

import (
	"crypto/sha256"
	"sync"
)

// sharedMost is how many images of a GPU stay loaded that no open Device uses.
const sharedMost = 64

// A loading is an image in the context of a GPU, which all Devices of its ordinal have in common.
type loading struct {
	mu    sync.Mutex // held while it is loaded, which takes seconds
	h     handle     // 0: it is not loaded yet, or could not be
	users int        // Devices that have it, or wait for it
	used  uint64     // when it was last asked for
}

type imageKey struct {
	ordinal int
	sum     [sha256.Size]byte
}

// loadings are the images that Devices share.
var loadings = struct {
	sync.Mutex
	by    map[imageKey]*loading
	open  map[int]int // Devices, by ordinal
	clock uint64
}{by: map[imageKey]*loading{}, open: map[int]int{}}

// SharedModule is Module for an image without variables that kernels write. It loads the image once
// for all Devices of this ordinal, and keeps it as long as one of them is open. So a run that is
// opened, forked or repeated beside others does not wait for the driver's compiler. Free ends the
// use by d. If more than 64 images are unused, SharedModule unloads the one whose last request is
// oldest.
func (d *Device) SharedModule(image []byte) (*Module, error) {
	const op = "load a module"
	form, err := imageForm(image)
	if err != nil {
		return nil, refuse(op, d.info.Ordinal, "%v", err)
	}
	m, key := &Module{}, imageKey{d.info.Ordinal, sha256.Sum256(image)}
	err = d.call(op+" ("+form+")", func() error {
		l, idle := lend(key)
		if idle != nil && idle.h != 0 {
			_ = drv.moduleFree(idle.h) // this frees memory, or the next call fails for a better reason
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.h == 0 {
			h, err := drv.moduleLoad(image)
			if err != nil {
				giveBack(l)
				return explainLoad(err, form, image)
			}
			l.h = h
		}
		m.h = l.h
		m.own(d, "module", func() error {
			giveBack(l)
			return nil
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// lend finds an image for one more user; idle, if any, is another that is to be unloaded.
func lend(key imageKey) (l, idle *loading) {
	loadings.Lock()
	defer loadings.Unlock()
	loadings.clock++
	if l = loadings.by[key]; l == nil {
		idle = leastUsed(key.ordinal)
		l = &loading{}
		loadings.by[key] = l
	}
	l.users++
	l.used = loadings.clock
	return l, idle
}

// leastUsed takes out the image that is to make room for another one; loadings is locked.
func leastUsed(ordinal int) (idle *loading) {
	var at imageKey
	n := 0
	for k, l := range loadings.by {
		if k.ordinal != ordinal || l.users > 0 {
			continue
		}
		if n++; idle == nil || l.used < idle.used {
			idle, at = l, k
		}
	}
	if n < sharedMost {
		return nil
	}
	delete(loadings.by, at)
	return idle
}

func giveBack(l *loading) {
	loadings.Lock()
	defer loadings.Unlock()
	l.users--
}

// joinShared counts a Device whose context was retained.
func joinShared(ordinal int) {
	loadings.Lock()
	defer loadings.Unlock()
	loadings.open[ordinal]++
}

// leaveShared counts it out again, and unloads what was shared after the last one; on the thread,
// before the context is released.
func leaveShared(ordinal int) {
	loadings.Lock()
	defer loadings.Unlock()
	if loadings.open[ordinal]--; loadings.open[ordinal] > 0 {
		return
	}
	for k, l := range loadings.by {
		if k.ordinal == ordinal {
			if l.h != 0 {
				_ = drv.moduleFree(l.h)
			}
			delete(loadings.by, k)
		}
	}
}
