package cpu

import (
	"slices"
	"sync/atomic"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
)

// TestMeetingAlone: one ant of acs/gpu makes the tours of one of acs/alt, also along edges on no
// list that were rewarded.
func TestMeetingAlone(t *testing.T) {
	t.Parallel()
	inst, err := datasets.DIMACS(true, 150, 3)
	if err != nil {
		t.Fatal(err)
	}
	falls := int32(0)
	a := opened(t, inst, Alt, trail.Candidates, 4, 1, nil)
	b := opened(t, inst, GPU, trail.Candidates, 4, 1, nil)
	for it := range int64(20) {
		x, y := construct(t, a, it+1), construct(t, b, it+1)
		if !slices.Equal(x.Hashes, y.Hashes) || !slices.Equal(x.Lengths, y.Lengths) ||
			!slices.Equal(x.Falls, y.Falls) {
			t.Fatalf("iteration %d: lengths %v, of acs/alt %v", it+1, y.Lengths, x.Lengths)
		}
		for _, f := range x.Falls {
			falls += f
		}
		ant := slices.Index(x.Lengths, slices.Min(x.Lengths))
		for _, c := range []*Crew{a, b} {
			if err := c.Keep(crew.Best, ant); err != nil {
				t.Fatal(err)
			}
			c.Update(crew.Update{Tour: crew.TheBest, Rate: 0.9, Add: 1, Low: 1})
		}
		if _, h, _ := a.Look(); true {
			if _, g, _ := b.Look(); g != h {
				t.Fatalf("iteration %d: the trails differ from those of acs/alt", it+1)
			}
		}
	}
	if falls == 0 {
		t.Error("no ant fell back")
	}
}

// TestMeetingWears: no local update is lost where many workers make them on one edge, and another
// worker sees them all.
func TestMeetingWears(t *testing.T) {
	t.Parallel()
	inst, err := datasets.DIMACS(false, 50, 3)
	if err != nil {
		t.Fatal(err)
	}
	const many = 20000
	c := opened(t, inst, GPU, trail.Candidates, 8, 4, func(s *crew.Setup) {
		s.Env.Pool = solvers.NewPool(8)
	})
	defer c.pool.Close()
	m := c.form.(*acsGPU)
	rule(t, c, 1e-4, 0.5)
	m.word = c.t.Share(m.word)
	s := int32(7 * c.t.Stride)
	back := c.t.Mirror[s]
	if back < 0 {
		t.Fatal("the nearest city of 7 has another nearest one: take another instance")
	}
	var seen atomic.Int64
	c.pool.Run(many, func(i, _ int) {
		if i%2 == 0 {
			m.wear(s)
		} else {
			m.wear(back)
		}
		if m.trail(s) < 1 {
			seen.Add(1)
		}
	})
	want := float32(1)
	for range many {
		want = m.r.Worn(want)
	}
	if got := m.trail(back); got != want || seen.Load() != many {
		t.Errorf("after %d updates the trail is %v, want %v; %d of them saw one", many, got, want,
			seen.Load())
	}
	c.t.Unshare(m.word)
	if c.t.Tau[s] != want || c.t.Tau[back] != want {
		t.Errorf("the table has %v and %v, want %v", c.t.Tau[s], c.t.Tau[back], want)
	}
}

// TestWornInTurn: in acs/alt and acs/gpu each local_period-th edge of a tour is worn and no other,
// the closing edge being the n-th.
func TestWornInTurn(t *testing.T) {
	t.Parallel()
	inst, err := datasets.DIMACS(false, 30, 3)
	if err != nil {
		t.Fatal(err)
	}
	for name, form := range map[string]Form{"alt": Alt, "gpu": GPU} {
		for _, period := range []int{1, 7, 15, 31} {
			c := opened(t, inst, form, trail.Candidates, 29, 1, nil)
			if err := c.Rules(&crew.Rules{
				Ants: 1, Alpha: 1, Beta: 2, Inv: 1, High: 1e13, Rho: 0.5, Steps: crew.Steps{
					Q0: 0.5, Local: trail.NewLocal(0.5, 0.25, 0.25), Period: period,
				},
			}); err != nil {
				t.Fatal(err)
			}
			construct(t, c, 1)
			tour := c.tour(0)
			for p := 1; p <= len(tour); p++ {
				tau := c.t.Tau[c.t.Find(tour[p-1], tour[p%len(tour)])]
				if worn := tau != 1; worn != (p%period == 0) {
					t.Errorf("%s: with a period of %d the edge to position %d has the trail %v", name, period, p,
						tau)
				}
			}
		}
	}
}

// TestMeetingTogether: also with one worker the ants of a squad choose before any of them makes its
// update: of two in one city the second takes the edge that the first has worn. Where they move in
// turn, as in acs/seq, it does not.
func TestMeetingTogether(t *testing.T) {
	t.Parallel()
	inst, err := datasets.DIMACS(false, 30, 3)
	if err != nil {
		t.Fatal(err)
	}
	c := opened(t, inst, GPU, trail.Candidates, 8, 2, nil)
	m := c.form.(*acsGPU)
	construct(t, c, 1) // makes the tours
	c.t.Fill(1)
	rule(t, c, 1, 0.01)
	m.r.threshold = 1 << 32
	m.word = c.t.Share(m.word)
	m.ants = c.movers(m.ants, 2)
	const city = 7
	for k := range 2 {
		m.ants[k].start(c, k)
		clear(m.ants[k].seen)
		c.tour(k)[0], m.ants[k].seen[city] = city, 1
	}
	m.p = 1
	m.step(0, 0)
	at := int32(city * c.t.Stride)
	if a, b := c.tour(0)[1], c.tour(1)[1]; a != c.t.ID[at] || b != a {
		t.Errorf("the ants go to %d and %d, want both to %d", a, b, c.t.ID[at])
	}
	if tau := m.trail(at); tau != 0.01 {
		t.Errorf("their edge has the trail %v, want 0.01", tau)
	}
	m.p = 1
	for k := range 2 { // in turn
		clear(m.ants[k].seen)
		m.ants[k].seen[city] = 1
	}
	if place := m.choose(1); c.t.ID[place] == c.t.ID[at] {
		t.Error("an ant that sees the update goes the same way: take another city")
	}
}
