package ants

import (
	"errors"
	"fmt"
	"unsafe"

	search "metalab/kernels/rounds"
	walkers "metalab/solvers/ants"
)

// local is a crew's local search, made on the walk's tours before anything is copied back.
type local struct {
	search *search.Polisher // nil: none
	tours  int              // of a walk that get it
	fault  error            // what Polish could not say
}

// startLocal makes ready for the local search that g asks for.
func (b *base) startLocal(g *walkers.Ground) (err error) {
	if g.Local == nil {
		return nil
	}
	if b.wide {
		return fmt.Errorf("ants: a search in rounds keeps a tour in shared memory, and %d cities are more than fit: use local_search=none, or backend cpu", b.n)
	}
	if b.local.search, err = search.NewPolisher(b.d, g.Local); err != nil {
		return fmt.Errorf("ants: %w, or local_search=none", err)
	}
	return nil
}

// Polish implements Crew. What was drawn for another number of tours is drawn anew.
func (b *base) Polish(tours int) {
	if b.local.search == nil || tours == b.local.tours {
		return
	}
	b.local.tours = tours
	b.pacer.search = nil
	if b.ants > 0 {
		b.local.fault = errors.Join(b.local.fault, b.grow())
	}
}

// polish queues the local search, a part of the iteration by itself.
func (b *base) polish() error {
	if b.local.search == nil || b.local.tours == 0 {
		return nil
	}
	return b.pacedSearch(b.queueLocal)
}

func (b *base) queueLocal(warps int) error {
	size := int(unsafe.Sizeof(result{}))
	return b.local.search.Queue(nil, search.Batch{
		Tours: b.tours.pointer(), Stride: b.n, Count: b.ants, Best: b.local.tours,
		Heads: b.results.View().Ptr + uint64(size), Step: size, // the first is of the best tour
		Known: b.best.pointer(), Warps: warps,
	})
}
