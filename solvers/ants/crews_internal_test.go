package ants

import (
	"errors"
	"math"
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
// variates only, and some candidates visited.
func TestRaceFollowsWeights(t *testing.T) {
	t.Parallel()
	inst, err := datasets.DIMACS(false, 40, 5)
	if err != nil {
		t.Fatal(err)
	}
	const city, draws = 7, 150000
	for _, c := range []struct {
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
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := trial(t, ReservoirVariant("cpu", nil), inst, func(a solvers.Algorithm) { a.(*reservoir).candidates = 8 }).(*reservoir)
			at := city * r.t.stride
			seen := make([]uint8, r.n)
			weight := make([]float64, 8)
			for s := range 8 {
				tau := float32(r.hi * c.low)
				for _, h := range c.high {
					if h == s {
						tau = r.hi
					}
				}
				w := r.t.weigh(tau, r.t.eta[at+s])
				r.recip[at+s], weight[s] = 1/w, float64(w)
			}
			for _, s := range c.seen {
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
			for _, s := range c.seen {
				if count[s] > 0 {
					t.Errorf("slot %d is visited and was drawn %d times", s, count[s])
				}
			}
			stat, df := chi(count, weight)
			t.Logf("chi-square %.1f with %d degrees of freedom, counts %v", stat, df, count)
			if df < 1 || stat > float64(df)+4*math.Sqrt(2*float64(df)) {
				t.Errorf("chi-square %.1f with %d degrees of freedom: counts %v, weights %v", stat, df, count, weight)
			}
		})
	}
}

// TestClocksAreAboveTheirBound looks at the bound by which first leaves slots out.
func TestClocksAreAboveTheirBound(t *testing.T) {
	t.Parallel()
	check := func(u uint32) {
		if e := arith.Expo32(u); e < float32(^u>>8)*(1.43*0x1p-24) {
			t.Fatalf("word %#x: clock %v", u, e)
		}
	}
	for i := range uint32(1 << 16) {
		check(i)
		check(^i)
		check(i << 16)
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
