package cpu

import (
	"math"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
)

// openedLockstep is the form of a crew of acs/lockstep for looking inside.
func openedLockstep(t *testing.T, inst *datasets.TSP, candidates, ants int,
	tau0 float32,
) *lockstep {
	t.Helper()
	c := opened(t, inst, Lockstep, trail.Listed, candidates, ants,
		func(s *crew.Setup) { s.Outs = trail.NewOuts(s.Space.N) })
	c.t.Fill(tau0)
	rule(t, c, 0.1, tau0)
	return c.form.(*lockstep)
}

// TestVisitsCommute: c visits at once are c local updates one after the other, but for rounding.
func TestVisitsCommute(t *testing.T) {
	t.Parallel()
	inst, err := datasets.DIMACS(false, 30, 5)
	if err != nil {
		t.Fatal(err)
	}
	const tau0 = 0.5
	l := openedLockstep(t, inst, 5, 30, tau0)
	s, start := int32(3*l.t.Stride+1), float32(40*tau0)
	m := l.t.Mirror[s]
	l.t.Tau[s] = start
	v := float64(start)
	for c := range 50 {
		if got := float64(l.worn(l.t.Tau[s], int(s))); math.Abs(got/v-1) > 1e-5 {
			t.Fatalf("after %d visits the trail is %v, want %v", c, got, v)
		}
		l.visit(s)
		v = 0.9*v + 0.1*tau0
	}
	if m >= 0 && l.count[m] != l.count[s] {
		t.Errorf("%d visits one way, %d the other", l.count[s], l.count[m])
	}
}

// TestOuts holds the rows of acs/lockstep to what they are said to be, after each iteration: the
// best tour's edges are in them, with trails not below tau0, and ways back are those that a look at
// all rows finds. Ants go by them, fallen back or not.
func TestOuts(t *testing.T) {
	t.Parallel()
	inst, err := datasets.DIMACS(true, 120, 5)
	if err != nil {
		t.Fatal(err)
	}
	l := openedLockstep(t, inst, 1, 12, 0.5)
	slots := len(l.t.ID)
	for c := range int32(l.c.n) { // full rows to begin with, for half of the cities
		for place, j := c*trail.OutsPerCity, (c+50)%int32(l.c.n); c&1 == 0 &&
			place < (c+1)*trail.OutsPerCity; j = (j + 3) % int32(l.c.n) {
			if j != c && l.find(c, j) < 0 {
				l.store(c, j, place, l.r.Tau0)
				place++
			}
		}
	}
	best := int64(math.MaxInt64)
	var most, walked, replaced int
	for it := range int64(60) {
		old := slices.Clone(l.o.City)
		out := construct(t, l.c, it+1)
		if ant := slices.Index(out.Lengths, slices.Min(out.Lengths)); out.Lengths[ant] < best {
			best = out.Lengths[ant]
			if err := l.c.Keep(crew.Best, ant); err != nil {
				t.Fatal(err)
			}
		}
		l.c.Update(crew.Update{Tour: crew.TheBest, Rate: 0.9, Add: 1, Low: 0.5})
		for _, c := range l.count[slots:] {
			walked += int(c)
		}
		held := 0
		for place, j := range l.o.City {
			c := int32(place / trail.OutsPerCity)
			switch {
			case j == c && l.o.Tau[place] != 0:
				t.Fatalf("iteration %d: empty place %d has the trail %v", it, place, l.o.Tau[place])
			case j == c:
				continue
			case l.o.Tau[place] < l.r.Tau0 || l.t.Find(c, j) >= 0 || l.o.Find(c, j) != int32(place):
				t.Fatalf("iteration %d: place %d has the edge from %d to %d with the trail %v, tau0 is %v", it,
					place, c, j, l.o.Tau[place], l.r.Tau0)
			}
			held++
			if old[place] != c && old[place] != j {
				replaced++
			}
		}
		most = max(most, held)
		for c := range int32(l.c.n) {
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
	t.Logf("at most %d edges beyond lists at a time, %d visits of them, %d places taken from "+
		"others", most, walked, replaced)
	if most < 10 || walked < 100 || replaced == 0 {
		t.Errorf("at most %d edges beyond lists at a time, %d visits of them, %d places taken from "+
			"others", most, walked, replaced)
	}
	listed := 0
	list, all := (&trail.Extended{Table: l.t, Outs: l.o}).Strongest(1 << 20)
	for _, e := range list {
		c, j := int32(slices.Index(l.c.sp.Orig, e.From)), int32(slices.Index(l.c.sp.Orig, e.To))
		if l.t.Place(c, j) != trail.None {
			listed++
		} else if l.o.Find(c, j) < 0 && l.o.Find(j, c) < 0 {
			t.Errorf("an edge from %d to %d is shown, which has no trail", c, j)
		}
	}
	if len(list) == listed || all != len(list) {
		t.Errorf("%d trails are shown of %d, %d of listed edges", len(list), all, listed)
	}
}

// TestBeyond: an ant that falls back takes the edge beyond the list that had the greatest weight at
// the iteration's start, if that is above the weight of the way to the nearest city, whatever was
// visited since.
func TestBeyond(t *testing.T) {
	t.Parallel()
	inst, err := datasets.DIMACS(false, 60, 5)
	if err != nil {
		t.Fatal(err)
	}
	l := openedLockstep(t, inst, 2, 1, 0.5)
	l.t.SetBeta(3)
	rule(t, l.c, 0.1, 0.5)
	const c = 7
	var places []int32
	for j := int32(30); len(places) < 3; j++ {
		if l.find(c, j) < 0 {
			place := int32(c*trail.OutsPerCity + len(places))
			l.store(c, j, place, l.r.Tau0)
			places = append(places, place)
		}
	}
	slots, seen, taken := int32(len(l.t.ID)), make([]uint8, l.c.n), 0
	for i := range int32(200) {
		far := 1 + i*i*50
		best, most := int32(-1), l.t.Visibility(c, far) // of tau / tau0
		for k, place := range places {
			l.o.Tau[place] = l.r.Tau0 * float32(1+(int(i)*(k+3)*7)%50)
			l.count[slots+place] = uint32(i) // worn, which does not count
			j := l.o.City[place]
			if seen[j] = uint8(int(i)>>k) & 1; seen[j] == 1 {
				continue
			}
			if w := float64(l.o.Tau[place]/l.r.Tau0) * float64(
				l.t.Visibility(c, l.o.Dist[place])); w > float64(most)*(1+1e-6) {
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
