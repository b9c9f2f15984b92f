package ants

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/kernels/rounds"
	"metalab/solvers/ants/crew"
	"metalab/solvers/wave"
)

// search is a crew's local search on the device; it runs before results are copied back.
type search struct {
	polisher polisher    // nil: none
	tours    int         // that get it
	shape    wave.Config // of its next launch
}

// A polisher improves tours that are on the device: a [rounds.Polisher] or pairs.
type polisher interface {
	// Room makes room for batches of this many tours.
	Room(tours int) error
	// Queue queues the search on the b.Best shortest tours of a batch.
	Queue(s *gpu.Stream, b rounds.Batch) error
}

// openSearch prepares the local search of the setup.
func (b *deviceCrew) openSearch() (err error) {
	if b.g.Local == nil && b.g.Pairs == nil {
		return nil
	}
	if b.wide {
		return fmt.Errorf("ants: a local search on a GPU keeps a tour in shared memory, and %d cities "+
			"are more than fit: "+
			"use local_search=none, or backend cpu", b.n)
	}
	if b.g.Pairs != nil {
		b.search.polisher, err = newPairs(b)
	} else {
		b.search.polisher, err = rounds.NewPolisher(b.d, b.g.Local)
	}
	if err != nil {
		b.search.polisher = nil
		return fmt.Errorf("ants: %w, or local_search=none", err)
	}
	return nil
}

// improveFrom sets the number of tours that get the local search from now on. It rebuilds a graph
// for another number.
func (b *deviceCrew) improveFrom(tours int) error {
	if b.search.polisher == nil || tours == b.search.tours {
		return nil
	}
	b.search.tours = tours
	b.launches.local.Again()
	if b.batch.ants == 0 {
		return nil
	}
	return errors.Join(b.dropGraph(), b.form.grow())
}

// adoptSearch sets the launch of the search. It rebuilds a graph with another one.
func (b *deviceCrew) adoptSearch(c wave.Config) error {
	if c == b.search.shape {
		return nil
	}
	b.search.shape = c
	return b.dropGraph()
}

// searchShapes are the warps of a tour that a tuner may try.
func (b *deviceCrew) searchShapes() []wave.Config {
	if b.search.polisher == nil || b.search.tours == 0 {
		return nil
	}
	return launch.BlockShapes(min(b.search.tours, b.batch.ants), 8, 4, 16, 2, 6, 10, 12)
}

// queueSearch queues the local search, a part of the iteration by itself.
func (b *deviceCrew) queueSearch() error {
	if b.search.polisher == nil || b.search.tours == 0 {
		return nil
	}
	size := int(unsafe.Sizeof(result{}))
	return b.Launch(&b.launches.local, func() error {
		return b.search.polisher.Queue(nil, rounds.Batch{
			Tours: b.batch.tours.Pointer(), Stride: b.n, Count: b.batch.ants, Best: b.search.tours,
			Heads: b.batch.results.View().Ptr + uint64(size), Step: size, // the first is of the best tour
			Known: b.kept.best.Pointer(), Warps: b.search.shape.Block / launch.Warp,
		})
	})
}

// Take implements crew.Device.
func (b *deviceCrew) Take(tours []int32, out *crew.Tours) error {
	results := make([]result, b.batch.ants)
	for k := range results {
		results[k] = result{Length: out.Lengths[k], Hash: out.Hashes[k], Falls: out.Falls[k]}
	}
	return b.d.Do(context.Background(), func() error {
		return errors.Join(b.batch.tours.Put(tours), b.batch.results.Slice(1,
			1+b.batch.ants).Upload(results))
	})
}
