package genetic

import (
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/genetic"
)

// Crews have room for what they are to do, and do not take more of a block's memory than there is.
func TestCrews(t *testing.T) {
	t.Parallel()
	r := arith.NewStream(1, 0, 0, 0)
	for range 20000 {
		g := []*ground{onMatrix, onReal, onWhole, onShort}[r.IntN(4)]
		linked, others, n := r.IntN(3000), r.IntN(3000), 1+r.IntN(30000)
		near, memory := r.IntN(2) == 0, []int{48 << 10, 227 << 10}[r.IntN(2)]
		if linked+others == 0 {
			continue
		}
		c, ok := crewOf(g, births{linked, others}, n, host{132, memory}, near)
		if !ok {
			if !near && memory > 48<<10 {
				t.Fatalf("%s, %d and %d births, %d cities: no crew", g.name, linked, others, n)
			}
			continue
		}
		size := (c.strong + c.weak) * ends * g.spot
		if near {
			size += int(rounded(int64(g.place*n))) + c.strong*int(linkBytes(n))
		}
		if c.shared < size || c.shared > memory || c.strong+c.weak > hand || c.blocks < 1 ||
			(linked > 0) != (c.strong > 0) || others > 0 && c.strong+c.weak == 0 {
			t.Fatalf("%s, near %v, %d and %d births, %d cities, %d bytes: %+v", g.name, near, linked,
				others, n, memory, c)
		}
	}
	// 10,150 cities on an H100: a block has links of two children, and others beside them. What has
	// places outside of shared memory makes its children in one turn, or has links there too.
	c, ok := crewOf(onShort, births{512, 512}, 10150, host{132, 227 << 10}, true)
	if !ok || c.strong != 2 || c.weak < 4 || c.blocks != 132 {
		t.Errorf("10,150 cities: %+v, %v", c, ok)
	}
	for linked, want := range map[int]bool{264: true, 265: false} {
		if c, ok := crewOf(onReal, births{linked, 0}, 10150, host{132, 227 << 10}, true); ok != want {
			t.Errorf("%d children of real places: %+v, %v", linked, c, ok)
		}
	}
}

// Places stand on the ground that they fit.
func TestGrounds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n         int
		metric    datasets.Metric
		scale     float64
		near, far *ground
	}{
		{100, datasets.Euc2D, 1, onShort, onReal},
		{100, datasets.Euc2D, 100, onWhole, onReal},
		{100, datasets.Euc2D, 40000, onReal, onReal},
		{100, datasets.Euc2D, 0.1, onReal, onReal},
		{100, datasets.Geo, 0.05, onMatrix, onMatrix},
		{70001, datasets.Euc2D, 1, nil, onReal},
	} {
		sp := trial{c.n, c.metric, c.scale}.problem(t).Space
		if near, far := grounds(sp); near != c.near || far != c.far {
			t.Errorf("%d cities, scale %v: %v and %v, want %v and %v", c.n, c.scale, near, far, c.near,
				c.far)
		}
	}
}

// Births that need links come first, and each is there once.
func TestOrdered(t *testing.T) {
	t.Parallel()
	var births []genetic.Birth
	for i := range 40 {
		births = append(births, genetic.Birth{
			Place: int32(i), Cross: genetic.Cross(i * i % 7 % 4), Improve: int32(i % 3 / 2),
		})
	}
	var o ordered
	o.order(births)
	o.order(births) // what was there is gone
	seen := map[int]bool{}
	for k, i := range o.at {
		links := births[i].Cross == genetic.SCX || births[i].Cross == genetic.BCSCX
		if o.births[k] != births[i] || seen[i] || links != (k < o.linked) {
			t.Errorf("place %d has birth %d of %d that need links", k, i, o.linked)
		}
		seen[i] = true
	}
	if len(seen) != len(births) {
		t.Errorf("%d births of %d", len(seen), len(births))
	}
}
