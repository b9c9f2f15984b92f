package cuda

import (
	"sync/atomic"
	"unsafe"
)

// Whole lists the types of atomic operations.
type Whole interface {
	int32 | uint32 | int64 | uint64
}

// AtomicAdd adds v to *p and returns the old *p.
func AtomicAdd[N Whole](p *N, v N) N { return update(p, func(o N) N { return o + v }) }

// AtomicMin sets *p to the smaller of *p and v and returns the old *p.
func AtomicMin[N Whole](p *N, v N) N { return update(p, func(o N) N { return min(o, v) }) }

// AtomicMax sets *p to the larger of *p and v and returns the old *p.
func AtomicMax[N Whole](p *N, v N) N { return update(p, func(o N) N { return max(o, v) }) }

// AtomicAnd sets *p to the bitwise and of *p and v and returns the old *p.
func AtomicAnd[N Whole](p *N, v N) N { return update(p, func(o N) N { return o & v }) }

// AtomicOr sets *p to the bitwise or of *p and v and returns the old *p.
func AtomicOr[N Whole](p *N, v N) N { return update(p, func(o N) N { return o | v }) }

// AtomicXor sets *p to the bitwise exclusive or of *p and v and returns the old *p.
func AtomicXor[N Whole](p *N, v N) N { return update(p, func(o N) N { return o ^ v }) }

// AtomicSwap sets *p to v and returns the old *p.
func AtomicSwap[N Whole](p *N, v N) N { return update(p, func(N) N { return v }) }

// AtomicCompareSwap sets *p to v if *p is old, and returns the old *p.
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
