package ants

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
)

// trial opens a variant of this package for looking inside.
func trial(t *testing.T, v solvers.Variant, inst *datasets.TSP, prepare func(solvers.Algorithm)) solvers.Algorithm {
	t.Helper()
	a, err := v.New(inst)
	if err != nil {
		t.Fatal(err)
	}
	prepare(a)
	if err := a.Init(&solvers.Env{Seed: 5, Pool: solvers.NewPool(1)}); err != nil {
		t.Fatal(err)
	}
	return a
}

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

// TestRaceFollowsWeights draws many times from a city's list, with equal trails and with
// trails as they are after convergence, where the clock of one slot must win by small
// variates only, and some candidates visited. In few cities, in the most whose numbers are in keys, and in one more.
func TestRaceFollowsWeights(t *testing.T) {
	t.Parallel()
	for _, n := range []int{40, keyCities, keyCities + 1} {
		inst, err := datasets.DIMACS(false, n, 5)
		if err != nil {
			t.Fatal(err)
		}
		r := trial(t, ReservoirVariant("cpu", nil), inst, func(a solvers.Algorithm) { a.(*reservoir).candidates = 8 }).(*reservoir)
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
			t.Run(fmt.Sprint(n, " ", c.name), func(t *testing.T) { followsWeights(t, r, int32(n-7-i), c.high, c.low, c.seen) })
		}
	}
}

// followsWeights draws from the list of a city.
func followsWeights(t *testing.T, r *reservoir, city int32, high []int, low float32, visited []int) {
	const draws = 300000
	at := int(city) * r.t.stride
	seen := make([]uint8, r.n)
	weight := make([]float64, 8)
	for s := range 8 {
		tau := float32(r.hi * low)
		if slices.Contains(high, s) {
			tau = r.hi
		}
		w := r.t.weigh(tau, r.t.eta[at+s])
		r.recip[at+s], weight[s] = r.pack(1/w, r.t.id[at+s]), float64(w)
		if off := math.Abs(float64(r.recip[at+s])*float64(w) - 1); off > 0x1p-11 {
			t.Errorf("slot %d: the reciprocal of weight %v is %v, which is %v off", s, w, r.recip[at+s], off)
		}
	}
	for _, s := range visited {
		seen[r.t.id[at+s]], weight[s] = 1, 0
	}
	count := make([]int, 8)
	var d lanes
	for k := range draws / 100 {
		d.start(9, 1, k)
		for p := 1; p <= 100; p++ {
			count[int(r.first(city, p, seen, &d))-at]++
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
		t.Errorf("chi-square %.1f with %d degrees of freedom: counts %v, weights %v", stat, df, count, weight)
	}
}

// TestKeys holds what a key has of a city.
func TestKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n     int
		mask  uint32
		short bool
	}{{1, 31, true}, {32, 31, true}, {33, 63, true}, {1002, 1023, true}, {4096, 4095, true}, {4097, 8191, true}, {8192, 8191, true}, {8193, 31, false}} {
		if mask, short := KeyMask(c.n); mask != c.mask || short != c.short {
			t.Errorf("%d cities: %#x, %v", c.n, mask, short)
		}
		k := &colony{n: c.n}
		k.mask, _ = KeyMask(c.n)
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

// TestClocksAreAboveTheirBound looks at the bound by which first leaves slots out.
func TestClocksAreAboveTheirBound(t *testing.T) {
	t.Parallel()
	check := func(u uint32) {
		if e := arith.Clock32(u); e < under(u) {
			t.Fatalf("word %#x: clock %v", u, e)
		}
		if e := arith.Expo32(u); e < float32(^u>>8)*(1.43*0x1p-24) { // that of acs/spm
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

// TestVisitsCommute: c visits at once are c local updates one after the other, but for rounding.
func TestVisitsCommute(t *testing.T) {
	t.Parallel()
	inst, err := datasets.DIMACS(false, 30, 5)
	if err != nil {
		t.Fatal(err)
	}
	l := trial(t, LockstepVariant("cpu", nil), inst, func(a solvers.Algorithm) {
		a.(*lockstep).rho, a.(*lockstep).candidates = 0.1, 5
	}).(*lockstep)
	s, start := int32(3*l.t.stride+1), 40*l.tau0
	m := l.t.mirror[s]
	l.t.tau[s] = start
	v := float64(start)
	for c := range 50 {
		if got := float64(l.worn(l.t.tau[s], int(s))); math.Abs(got/v-1) > 1e-5 {
			t.Fatalf("after %d visits the trail is %v, want %v", c, got, v)
		}
		l.visit(s)
		v = 0.9*v + 0.1*float64(l.tau0)
	}
	if m >= 0 && l.count[m] != l.count[s] {
		t.Errorf("%d visits one way, %d the other", l.count[s], l.count[m])
	}
}

// TestCrewsRefuse: what a device does not compute is refused before anyone is hired.
func TestCrewsRefuse(t *testing.T) {
	t.Parallel()
	inst, err := datasets.NewTSP("globe", datasets.Geo, []float64{1, 2, 3, 4}, []float64{5, 6, 7, 9})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []solvers.Variant{
		ReservoirVariant("", func(*solvers.Env, *Ground) (MaxMinCrew, error) { t.Error("hired"); return nil, nil }),
		LockstepVariant("", func(*solvers.Env, *Ground) (LockstepCrew, error) { t.Error("hired"); return nil, nil }),
		SystemVariant("", func(*solvers.Env, *Ground) (SystemCrew, error) { t.Error("hired"); return nil, nil }),
	} {
		a, err := v.New(inst)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Init(&solvers.Env{Pool: solvers.NewPool(1)}); err == nil || !strings.Contains(err.Error(), "globe has distances of type GEO") {
			t.Errorf("%s: %v", v.Name, err)
		}
	}
}

// TestCrewsRefuseManyCities: variants whose kernels have numbers of 16 bits name those that have more; the others are
// hired.
func TestCrewsRefuseManyCities(t *testing.T) {
	t.Parallel()
	inst, err := datasets.DIMACS(false, shortCities+1, 1)
	if err != nil {
		t.Fatal(err)
	}
	few := errors.New("no crew today")
	for _, c := range []struct {
		v    solvers.Variant
		want string
	}{
		{LockstepVariant("", func(*solvers.Env, *Ground) (LockstepCrew, error) { return nil, few }), "take up to 65536: use acs/spm, acs/spm-alt or acs/alt"},
		{RowsVariant("", func(*solvers.Env, *Ground) (MaxMinCrew, error) { return nil, few }), "take up to 65536: use mmas/wrs"},
		{ThinVariant("", func(*solvers.Env, *Ground) (MaxMinCrew, error) { return nil, few }), "takes up to 65535: use mmas/wrs"},
		{ReservoirVariant("", func(_ *solvers.Env, g *Ground) (MaxMinCrew, error) {
			if g.Far != FarMany || len(g.Ext) != inst.N*FarMany {
				t.Errorf("lists of %d entries, %d in all", g.Far, len(g.Ext))
			}
			return nil, few
		}), "no crew today"},
	} {
		a, err := c.v.New(inst)
		if err != nil {
			t.Fatal(err)
		}
		a.(solvers.Presetter).Preset("paper")
		switch a := a.(type) {
		case *rows:
			a.ants, a.candidates = 1, 4
		case *reservoir:
			a.ants, a.candidates = 1, 4
		}
		if err := a.Init(&solvers.Env{Pool: solvers.NewPool(1)}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.v.Name, err, c.want)
		}
	}
}

// TestGroundFindsTheNearest compares the lists of a crew's ground with a look at all cities.
func TestGroundFindsTheNearest(t *testing.T) {
	t.Parallel()
	inst, err := datasets.DIMACS(false, 300, 5)
	if err != nil {
		t.Fatal(err)
	}
	for i := range inst.X { // many cities equally far
		inst.X[i], inst.Y[i] = math.Floor(inst.X[i]/50000), math.Floor(inst.Y[i]/50000)
	}
	r := trial(t, ReservoirVariant("cpu", nil), inst, func(a solvers.Algorithm) { a.(*reservoir).candidates = 6 }).(*reservoir)
	g, err := r.ground()
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for c := range int32(r.n) {
		seen := make([]bool, r.n)
		seen[c] = true
		for s, id := range g.ID[c*Width : (c+1)*Width] {
			if s < 6 == (id == c) {
				t.Fatalf("city %d: slot %d is %d", c, s, id)
			}
			if rev := g.Reverse[int(c)*Width+s]; rev >= 0 && g.ID[rev] != c {
				t.Fatalf("city %d: the way back of slot %d leads to %d", c, s, g.ID[rev])
			}
			seen[id] = true
		}
		for _, id := range g.Ext[int(c)*Far : int(c+1)*Far] {
			if id == c {
				continue
			}
			near, d := int32(-1), int32(math.MaxInt32)
			for j := range int32(r.n) {
				if x := r.sp.D(c, j); !seen[j] && x < d {
					near, d = j, x
				}
			}
			if id != near {
				t.Fatalf("city %d: %d comes next, the nearest is %d", c, id, near)
			}
			seen[id] = true
			checked++
		}
	}
	if checked < 300*40 {
		t.Errorf("only %d entries", checked)
	}
}

// shut counts how often it was closed.
type shut struct {
	Crew
	times int
}

func (s *shut) Close() { s.times++ }

// TestCrewsAreClosed: the Close of hired comes before that of the colony, which does nothing.
func TestCrewsAreClosed(t *testing.T) {
	for _, close := range []func(h hired){
		func(h hired) { (&alt{hired: h}).Close() },
		func(h hired) { (&lockstep{hired: h}).Close() },
		func(h hired) { (&reservoir{hired: h}).Close() },
		func(h hired) { (&rows{reservoir: reservoir{hired: h}}).Close() },
		func(h hired) { (&selective{hired: h}).Close() },
		func(h hired) { (&systemRace{hired: h}).Close() },
	} {
		c := &shut{}
		close(hired{crew: c})
		close(hired{})
		if c.times != 1 {
			t.Errorf("a crew was closed %d times, want once", c.times)
		}
	}
}
