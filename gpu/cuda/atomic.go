package cuda

import (
	"sync/atomic"
	"unsafe"
)

// Whole is what atomic operations work on.
type Whole interface {
	int32 | uint32 | int64 | uint64
}

// AtomicAdd adds v to *p and returns what *p was.
func AtomicAdd[N Whole](p *N, v N) N { return update(p, func(o N) N { return o + v }) }

// AtomicMin makes *p the smaller of *p and v and returns what *p was.
func AtomicMin[N Whole](p *N, v N) N { return update(p, func(o N) N { return min(o, v) }) }

// AtomicMax makes *p the larger of *p and v and returns what *p was.
func AtomicMax[N Whole](p *N, v N) N { return update(p, func(o N) N { return max(o, v) }) }

// AtomicAnd makes *p the bitwise and of *p and v and returns what *p was.
func AtomicAnd[N Whole](p *N, v N) N { return update(p, func(o N) N { return o & v }) }

// AtomicOr makes *p the bitwise or of *p and v and returns what *p was.
func AtomicOr[N Whole](p *N, v N) N { return update(p, func(o N) N { return o | v }) }

// AtomicXor makes *p the bitwise exclusive or of *p and v and returns what *p was.
func AtomicXor[N Whole](p *N, v N) N { return update(p, func(o N) N { return o ^ v }) }

// AtomicSwap makes *p v and returns what *p was.
func AtomicSwap[N Whole](p *N, v N) N { return update(p, func(N) N { return v }) }

// AtomicCompareSwap makes *p v where it is old, and returns what *p was.
func AtomicCompareSwap[N Whole](p *N, old, v N) N {
	return update(p, func(o N) N {
		if o == old {
			return v
		}
		return o
	})
}

func update[N Whole](p *N, f func(N) N) N {
	if unsafe.Sizeof(*p) == 4 {
		q := (*uint32)(unsafe.Pointer(p))
		for {
			o := atomic.LoadUint32(q)
			if atomic.CompareAndSwapUint32(q, o, uint32(f(N(o)))) {
				return N(o)
			}
		}
	}
	q := (*uint64)(unsafe.Pointer(p))
	for {
		o := atomic.LoadUint64(q)
		if atomic.CompareAndSwapUint64(q, o, uint64(f(N(o)))) {
			return N(o)
		}
	}
}
