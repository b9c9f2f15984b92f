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
		g := []*ground{onMatrix, onReal, onWhole, onShort, onPacked}[r.IntN(5)]
		linked, others, n := r.IntN(3000), r.IntN(3000), 1+r.IntN(30000)
		near, memory := r.IntN(2) == 0 && g != onPacked, []int{48 << 10, 227 << 10}[r.IntN(2)]
		if linked+others == 0 {
			continue
		}
		c, ok := crewOf(g, linked, others, n, 132, memory, near)
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
	// 10,150 cities on an H100: a block has links of two children, and others beside them.
	c, ok := crewOf(onShort, 512, 512, 10150, 132, 227<<10, true)
	if !ok || c.strong != 2 || c.weak < 4 || c.blocks != 132 {
		t.Errorf("10,150 cities: %+v, %v", c, ok)
	}
}

// A packed city has its number and its place, and what does not fit is not packed.
func TestPacked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n     int
		scale float64
		fits  bool
	}{
		{1, 1, true}, {3, 1, true}, {1000, 1, true}, {1000, 0.1, false}, {70001, 4000, true},
		{70001, 10000, false}, {1000, 16000, true}, {1000, 40000, false},
	} {
		sp := trial{c.n, datasets.Euc2D, c.scale}.problem(t).Space
		out, low := packedCities(sp)
		if (out != nil) != c.fits {
			t.Errorf("%+v: packed %v", c, out != nil)
			continue
		}
		if out == nil {
			continue
		}
		x, y, _, _ := corner(sp)
		for i := range sp.N {
			u, v, mask := out[2*i], out[2*i+1], uint32(1)<<low-1
			number := u>>low | v>>low<<(32-low)
			if int(number) != i || float64(u&mask) != sp.X[i]-x || float64(v&mask) != sp.Y[i]-y {
				t.Fatalf("%+v: city %d is %#x %#x", c, i, u, v)
			}
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
	if len(seen) != len(births) || !o.scx {
		t.Errorf("%d births of %d, scx %v", len(seen), len(births), o.scx)
	}
}
