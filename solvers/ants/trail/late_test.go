package trail

import (
	"slices"
	"sync"
	"testing"

	"metalab/datasets"
	"metalab/solvers/tours"
)

// The longer lists are made for the cities that need them alone, and are then those of all cities,
// whichever goroutine makes them.
func TestLongerListsAreMadeWhenNeeded(t *testing.T) {
	t.Parallel()
	inst, err := datasets.Load("E1k.0")
	if err != nil {
		t.Fatal(err)
	}
	sp, err := tours.NewSpace(inst.(*datasets.TSP))
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLists(sp, 10)
	if err != nil {
		t.Fatal(err)
	}
	c := NewNearest(sp, l)
	count := func() (n int) {
		for i := range c.late.row {
			if c.late.row[i].Load() == made {
				n++
			}
		}
		return n
	}
	if n := count(); n != 0 {
		t.Errorf("%d lists are made before one is needed", n)
	}
	c.TourLength()
	if n := count(); n == 0 || n > sp.N/2 {
		t.Errorf("a tour makes the lists of %d of %d cities", n, sp.N)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range int32(sp.N) {
				c.longer(i)
			}
		})
	}
	all.Wait()
	want := *c
	want.late, want.ext, want.last = nil, make([]int32, len(c.ext)), make([]int32, sp.N)
	want.extend()
	if count() != sp.N || !slices.Equal(c.ext, want.ext) || !slices.Equal(c.last, want.last) {
		t.Error("the lists made one by one are not those that are made together")
	}
}
