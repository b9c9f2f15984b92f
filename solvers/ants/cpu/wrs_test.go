package cpu

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/arith"
)

// chi is the chi-square statistic of counts against weights of which those that are expected
// less than 10 times are taken together, and the degrees of freedom.
func chi(count []int, weight []float64) (stat float64, df int) {
	var sum, n float64
	for i, w := range weight {
		sum += w
		n += float64(count[i])
	}
	var restC, restE float64
	df = -1
	add := func(c, e float64) {
		stat += (c - e) * (c - e) / e
		df++
	}
	for i, w := range weight {
		c, e := float64(count[i]), n*w/sum
		if e < 10 {
			restC += c
			restE += e
			continue
		}
		add(c, e)
	}
	if restE > 5 {
		add(restC, restE)
	}
	return stat, df
}

// TestRaceFollowsWeights draws many times from a city's list, with equal trails and with trails as
// they are after convergence, where the clock of one slot must win by small variates only, and some
// candidates visited. In few cities, in the most whose numbers are in keys, and in one more.
func TestRaceFollowsWeights(t *testing.T) {
	t.Parallel()
	for _, n := range []int{40, 1 << 13, 1<<13 + 1} {
		inst, err := datasets.DIMACS(false, n, 5)
		if err != nil {
			t.Fatal(err)
		}
		w := opened(t, inst, WRS, trail.Listed, 8, 1, nil).form.(*clocks)
		for i, c := range []struct {
			name string
			high []int // slots at the upper limit
			low  float32
			seen []int // slots visited
		}{
			{"uniform", nil, 1, nil},
			{"uniform, some visited", nil, 1, []int{0, 3}},
			{"converged", []int{2, 5}, 0x1p-14, nil},
			{"converged to one", []int{4}, 0x1p-11, []int{1}},
		} {
			t.Run(fmt.Sprint(n, " ", c.name),
				func(t *testing.T) { followsWeights(t, w, int32(n-7-i), c.high, c.low, c.seen) })
		}
	}
}

// followsWeights draws from the list of a city.
func followsWeights(t *testing.T, c *clocks, city int32, high []int, low float32, visited []int) {
	const draws = 300000
	tr := c.c.t
	at := int(city) * tr.Stride
	seen := make([]uint8, tr.N)
	weight := make([]float64, 8)
	for s := range 8 {
		tau := low
		if slices.Contains(high, s) {
			tau = 1
		}
		w := tr.Weigh(tau, tr.Eta[at+s])
		c.recip[at+s], weight[s] = c.pack(1/w, tr.ID[at+s]), float64(w)
		if off := math.Abs(float64(c.recip[at+s])*float64(w) - 1); off > 0x1p-11 {
			t.Errorf("slot %d: the reciprocal of weight %v is %v, which is %v off", s, w, c.recip[at+s], off)
		}
	}
	for _, s := range visited {
		seen[tr.ID[at+s]], weight[s] = 1, 0
	}
	count := make([]int, 8)
	var d lanes
	for k := range draws / 100 {
		d.start(9, 1, k)
		for p := 1; p <= 100; p++ {
			count[int(c.first(city, p, seen, &d))-at]++
		}
	}
	for _, s := range visited {
		if count[s] > 0 {
			t.Errorf("slot %d is visited and was drawn %d times", s, count[s])
		}
	}
	stat, df := chi(count, weight)
	t.Logf("chi-square %.1f with %d degrees of freedom, counts %v", stat, df, count)
	if df < 1 || stat > float64(df)+4*math.Sqrt(2*float64(df)) {
		t.Errorf("chi-square %.1f with %d degrees of freedom: counts %v, weights %v", stat, df, count,
			weight)
	}
}

// TestKeys holds what a key has of a city.
func TestKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n     int
		mask  uint32
		short bool
	}{
		{1, 31, true},
		{32, 31, true},
		{33, 63, true},
		{1002, 1023, true},
		{4096, 4095, true},
		{4097, 8191, true},
		{8192, 8191, true},
		{8193, 31, false},
	} {
		if mask, short := crew.KeyMask(c.n); mask != c.mask || short != c.short {
			t.Errorf("%d cities: %#x, %v", c.n, mask, short)
		}
		k := &clocks{}
		k.mask, k.short = crew.KeyMask(c.n)
		for _, r := range []float32{1, 0x1.fffffep0, 0x1p-100, 0x1p100, 3.25e-7} {
			for _, city := range []int{0, c.n / 2, c.n - 1} {
				p := k.pack(r, int32(city))
				if c.short && math.Float32bits(p)&c.mask != uint32(city) || !c.short && p != r {
					t.Errorf("%d cities: weight 1/%x of city %d is %x", c.n, r, city, p)
				}
				if off := math.Abs(float64(p)/float64(r) - 1); off > float64(c.mask+1)*0x1p-24 {
					t.Errorf("%d cities: weight 1/%x of city %d is %x, which is %v off", c.n, r, city, p, off)
				}
			}
		}
	}
}

// TestLanesAreDrawsOfTheLayout compares the draws of lanes with those that LayoutRace states.
func TestLanesAreDrawsOfTheLayout(t *testing.T) {
	t.Parallel()
	const seed, it, ant = 0x123456789ABCDEF0, 5<<32 + 7, 1 << 20
	var d lanes
	d.start(seed, it, ant)
	for p := range 9 {
		for s := range trail.Width {
			b := arith.Philox4x32(seed, [4]uint32{7, 5, uint32(trail.Width*ant + s), uint32(p / 4)})
			if got := d.word(s, p); got != b[p%4] {
				t.Fatalf("position %d, slot %d: %#x, want %#x", p, s, got, b[p%4])
			}
		}
	}
}

// TestClocksAreAboveTheirBound looks at the bound by which first leaves slots out.
func TestClocksAreAboveTheirBound(t *testing.T) {
	t.Parallel()
	check := func(u uint32) {
		if e := arith.Clock32(u); e < under(u) {
			t.Fatalf("word %#x: clock %v", u, e)
		}
		if e := arith.Expo32(u); e < float32(^u>>8)*(1.43*0x1p-24) { // that of acs/spm-sync
			t.Fatalf("word %#x: clock %v", u, e)
		}
	}
	inverse := uint32(0x9E3779B9)
	for i := range uint32(1 << 16) {
		check(i)
		check(^i)
		check(i << 16)
		check(i * inverse)
		check(-i * inverse)
		check(arith.Philox4x32(3, [4]uint32{i})[0])
	}
}

// TestFirstHasTheLeastKey compares first, which leaves clocks out, with all clocks of a list, in
// ants that are at their beginning, half-way and near their end.
func TestFirstHasTheLeastKey(t *testing.T) {
	t.Parallel()
	for _, n := range []int{60, 1<<13 + 1} {
		inst, err := datasets.DIMACS(false, n, 5)
		if err != nil {
			t.Fatal(err)
		}
		w := opened(t, inst, WRS, trail.Listed, 32, 1, nil).form.(*clocks)
		tr := w.c.t
		for i := range w.recip {
			w.recip[i] = w.pack(float32(1+i%7)*float32(1+i%1000), tr.ID[i])
		}
		r := arith.NewStream(8, 0, 0, 0)
		var d, own lanes
		for ant := range 30 {
			d.start(9, 1, ant)
			own.start(9, 1, ant)
			seen := make([]uint8, n)
			for p := 1; p < 60; p++ {
				city := int32(r.IntN(n))
				at := int(city) * tr.Stride
				for _, id := range tr.ID[at : at+tr.K] {
					seen[id] = 0
					if r.IntN(60) < p {
						seen[id] = 1
					}
				}
				best, want := ^uint32(0), int32(-1)
				for s, id := range tr.ID[at : at+tr.K] {
					if seen[id] != 0 {
						continue
					}
					if k := w.key(own.word(s, p), w.recip[at+s], uint32(s), id); k < best {
						best, want = k, int32(at+s)
					}
				}
				if got := w.first(city, p, seen, &d); got != want {
					t.Fatalf("%d cities, ant %d, position %d: slot %d, want %d", n, ant, p, got, want)
				}
			}
		}
	}
}
