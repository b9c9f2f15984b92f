package ants

import (
	"context"
	"math"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// TestOuts holds the rows of acs/lockstep to what they are said to be, after each iteration: the best tour's edges are in them, with
// trails not below tau0, and ways back are those that a look at all rows finds. Ants go by them, fallen back or not.
func TestOuts(t *testing.T) {
	t.Parallel()
	inst, err := datasets.DIMACS(true, 120, 5)
	if err != nil {
		t.Fatal(err)
	}
	l := trial(t, LockstepVariant("cpu", nil), inst, func(a solvers.Algorithm) {
		l := a.(*lockstep)
		l.ants, l.candidates, l.q0, l.localSearch = 12, 1, 0.5, localNone
	}).(*lockstep)
	slots := len(l.t.id)
	for c := range int32(l.n) { // full rows to begin with, for half of the cities
		for place, j := c*Outs, (c+50)%int32(l.n); c&1 == 0 && place < (c+1)*Outs; j = (j + 3) % int32(l.n) {
			if j != c && l.find(c, j) < 0 {
				l.store(c, j, place, l.tau0)
				place++
			}
		}
	}
	p := record.Point{Measures: make([]float64, 2)}
	var most, walked, replaced int
	for it := range int64(60) {
		old := slices.Clone(l.outs.city)
		if err := l.Iterate(context.Background(), it+1, &p); err != nil {
			t.Fatal(err)
		}
		for _, c := range l.count[slots:] {
			walked += int(c)
		}
		held := 0
		for place, j := range l.outs.city {
			c := int32(place / Outs)
			switch {
			case j == c && l.outs.tau[place] != 0:
				t.Fatalf("iteration %d: empty place %d has the trail %v", it, place, l.outs.tau[place])
			case j == c:
				continue
			case l.outs.tau[place] < l.tau0 || l.t.find(c, j) >= 0 || l.outs.find(c, j) != int32(place):
				t.Fatalf("iteration %d: place %d has the edge from %d to %d with the trail %v, tau0 is %v", it, place, c, j, l.outs.tau[place], l.tau0)
			}
			held++
			if old[place] != c && old[place] != j {
				replaced++
			}
		}
		most = max(most, held)
		for c := range int32(l.n) {
			for _, j := range []int32{l.ring.before[c], l.ring.after[c]} {
				if l.find(c, j) < 0 {
					t.Fatalf("iteration %d: the best tour's edge from %d to %d is not in the row", it, c, j)
				}
			}
		}
		back := slices.Clone(l.back)
		l.join()
		if !slices.Equal(l.back, back) {
			t.Fatalf("iteration %d: ways back %v, want %v", it, back, l.back)
		}
		for s, b := range l.back {
			if b >= 0 && l.back[b] != int32(s) {
				t.Fatalf("iteration %d: the way back of slot %d is %d, its is %d", it, s, b, l.back[b])
			}
		}
	}
	t.Logf("at most %d edges beyond lists at a time, %d visits of them, %d places taken from others", most, walked, replaced)
	if most < 10 || walked < 100 || replaced == 0 {
		t.Errorf("at most %d edges beyond lists at a time, %d visits of them, %d places taken from others", most, walked, replaced)
	}
	listed := 0
	list, _ := l.Trails(1 << 20)
	for _, e := range list {
		c, j := int32(slices.Index(l.sp.Orig, e.From)), int32(slices.Index(l.sp.Orig, e.To))
		if l.t.place(c, j) != none {
			listed++
		} else if l.outs.find(c, j) < 0 && l.outs.find(j, c) < 0 {
			t.Errorf("an edge from %d to %d is shown, which has no trail", c, j)
		}
	}
	if len(list) == listed {
		t.Errorf("%d trails are shown, all of listed edges", listed)
	}
}

// TestVacate: the edges of the best tour stay, empty places and the least trails go first.
func TestVacate(t *testing.T) {
	t.Parallel()
	o := newOuts(2)
	put := func(place int32, city int32, tau float32) { o.city[Outs+place], o.tau[Outs+place] = city, tau }
	if p := o.vacate(1, 0, 5); p != Outs {
		t.Errorf("of empty places %d, want %d", p, Outs)
	}
	put(0, 5, 1)
	put(1, 6, 3)
	put(2, 7, 2)
	if p := o.vacate(1, 0, 8); p != Outs+3 {
		t.Errorf("place %d, want the empty one %d", p, Outs+3)
	}
	put(3, 8, 2)
	if p := o.vacate(1, 5, 7); p != Outs+3 {
		t.Errorf("place %d, want %d: the tour has the two with the least trail but one", p, Outs+3)
	}
	if p := o.vacate(1, 5, 9); p != Outs+2 {
		t.Errorf("place %d, want the first of equal ones %d", p, Outs+2)
	}
}

// TestBeyond: an ant that falls back takes the edge beyond the list that had the greatest weight at the iteration's start, if that is
// above the weight of the way to the nearest city, whatever was visited since.
func TestBeyond(t *testing.T) {
	t.Parallel()
	inst, err := datasets.DIMACS(false, 60, 5)
	if err != nil {
		t.Fatal(err)
	}
	l := trial(t, LockstepVariant("cpu", nil), inst, func(a solvers.Algorithm) {
		l := a.(*lockstep)
		l.candidates, l.beta, l.localSearch = 2, 3, localNone
	}).(*lockstep)
	const c = 7
	var places []int32
	for j := int32(30); len(places) < 3; j++ {
		if l.find(c, j) < 0 {
			place := int32(c*Outs + len(places))
			l.store(c, j, place, l.tau0)
			places = append(places, place)
		}
	}
	slots, seen, taken := int32(len(l.t.id)), make([]uint8, l.n), 0
	for i := range int32(200) {
		far := 1 + i*i*50
		best, most := int32(-1), l.t.visibility(c, far) // of tau / tau0
		for k, place := range places {
			l.outs.tau[place] = l.tau0 * float32(1+(int(i)*(k+3)*7)%50)
			l.count[slots+place] = uint32(i) // worn, which does not count
			j := l.outs.city[place]
			if seen[j] = uint8(int(i)>>k) & 1; seen[j] == 1 {
				continue
			}
			if w := float64(l.outs.tau[place]/l.tau0) * float64(l.t.visibility(c, l.outs.dist[place])); w > float64(most)*(1+1e-6) {
				best, most = slots+place, float32(w)
			}
		}
		if got := l.beyond(c, seen, far); got != best {
			t.Errorf("the nearest city %d away: slot %d, want %d", far, got, best)
		}
		if best >= 0 {
			taken++
		}
	}
	if taken < 20 || taken > 180 {
		t.Errorf("an edge beyond the list is taken %d times of 200", taken)
	}
}

func TestOctaves(t *testing.T) {
	t.Parallel()
	for i := range 100000 {
		x := float32(math.Ldexp(1+float64(i)/100000, i%199-100))
		if got, want := float64(octaves(x)), math.Log2(float64(x)); math.Abs(got-want) > 1e-6*max(1, math.Abs(want)) {
			t.Fatalf("octaves(%v) is %v, want %v", x, got, want)
		}
	}
}
