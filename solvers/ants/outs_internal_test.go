package ants

import (
	"context"
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
	for _, e := range l.Trails(1 << 20) {
		c, j := int32(slices.Index(l.sp.Orig, e.From)), int32(slices.Index(l.sp.Orig, e.To))
		if l.t.place(c, j) != none {
			listed++
		} else if l.outs.find(c, j) < 0 && l.outs.find(j, c) < 0 {
			t.Errorf("an edge from %d to %d is shown, which has no trail", c, j)
		}
	}
	if all := len(l.Trails(1 << 20)); all == listed {
		t.Errorf("%d trails are shown, all of listed edges", all)
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
