package cuda

import (
	"unsafe"
)

// Word lists the types that a shuffle passes between threads.
type Word interface {
	int32 | uint32 | int64 | uint64 | int | float32 | float64
}

// Ballot returns the bits of the warp's threads for which p is true: bit k belongs to lane k.
func (t T) Ballot(p bool) uint32 {
	v := uint64(0)
	if p {
		v = 1
	}
	vals, here := t.exchange(v)
	r := uint32(0)
	for k := range vals {
		if here>>k&1 != 0 && vals[k] != 0 {
			r |= 1 << k
		}
	}
	return r
}

// Any reports whether p is true for some thread of the warp.
func (t T) Any(p bool) bool { return t.Ballot(p) != 0 }

// All reports whether p is true for all threads of the warp.
func (t T) All(p bool) bool { return t.Ballot(!p) == 0 }

// Shuffle returns v of the thread with lane lane&31 of the warp, or its own v if there is no such
// thread.
func Shuffle[W Word](t T, v W, lane int) W { return from(t, v, lane&(WarpSize-1)) }

// ShuffleDown returns v of the thread whose lane is larger by delta, or its own v if that is beyond
// the warp. delta is 0 to 31.
func ShuffleDown[W Word](t T, v W, delta int) W { return from(t, v, t.Lane()+delta&31) }

// ShuffleUp returns v of the thread whose lane is smaller by delta, or its own v if there is none.
// delta is 0 to 31.
func ShuffleUp[W Word](t T, v W, delta int) W { return from(t, v, t.Lane()-delta&31) }

// ShuffleXor returns v of the thread whose lane is this one's xor mask, or its own v if there is no
// such thread. mask is 0 to 31.
func ShuffleXor[W Word](t T, v W, mask int) W { return from(t, v, t.Lane()^mask&31) }

func from[W Word](t T, v W, lane int) W {
	var word uint64
	*(*W)(unsafe.Pointer(&word)) = v // the machines supported are little-endian
	vals, here := t.exchange(word)
	if lane < 0 || lane >= WarpSize || here>>lane&1 == 0 {
		return v
	}
	word = vals[lane]
	return *(*W)(unsafe.Pointer(&word))
}

// warp is where the threads of a warp leave words for one another.
type warp struct {
	bar  *barrier
	vals [WarpSize]uint64
	here uint32 // lanes that take part
}

// exchange waits for the warp's threads and returns what each gave, and which did.
func (t T) exchange(v uint64) (vals [WarpSize]uint64, here uint32) {
	t.r.handOver()
	w, lane := t.w, t.Lane()
	w.bar.mu.Lock()
	w.vals[lane] = v
	w.here |= 1 << lane
	w.bar.mu.Unlock()
	w.bar.wait()
	vals, here = w.vals, w.here
	w.bar.wait() // all have read
	w.bar.mu.Lock()
	w.here &^= 1 << lane
	w.bar.mu.Unlock()
	return vals, here
}
