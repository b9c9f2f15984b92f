package ants_test

import (
	"slices"
	"testing"

	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/record"
)

var focused = [2]string{"mmas", "focused"}

func TestConformFocused(t *testing.T) {
	t.Parallel()
	num, text := record.Num, record.Text
	for name, ps := range map[string]record.Values{
		"bridge":   {"temperature": num(1), "candidates": num(6)},
		"pools":    {"temperature": num(1), "cycle": num(2), "pool": num(4)},
		"relocate": {"change": text("relocate"), "local_search": text("2opt"), "credit": num(0.5)},
		"best ant": {"take": text("best"), "local_search": text("3opt"), "min_new": num(9)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ps["ants"] = num(5)
			conform.Check(t, conform.Case{
				Solver: "mmas", Variant: "focused", Instance: uniform(t, 60), Seed: 11, Iterations: 10,
				Params: ps,
				Ranges: map[string][2]float64{
					"ants": {1, 9}, "min_new": {1, 9}, "reach": {1, 60}, "cycle": {0, 3}, "pool": {0, 9},
				},
				Structural: []record.Values{
					{"lists": text("quadrant")},
					{"lists": text("quadrant"), "candidates": num(5)},
					{"candidates": num(3)},
					{"candidates": num(12)},
					{"local_search": text("oropt")},
				},
			})
		})
	}
}

// Each pool has twice as many tours as the one before. It is filled by five an iteration, its best
// becomes no longer, and the ants go on from there.
func TestFocusedPoolsGrow(t *testing.T) {
	t.Parallel()
	inst := uniform(t, 200)
	r := openVariant(t, focused, solvers.Config{
		Instance: inst, Params: record.Of("ants", 5, "cycle", 3, "pool", 9),
	})
	var sizes []int
	last := record.Point{Measures: []float64{0, 0, 0}}
	for len(sizes) < 3 {
		p := step(t, r, 1)
		was, now, most := int(last.Measures[2]), int(p.Measures[2]), 9<<len(sizes)
		switch {
		case now > most || now > was && now != min(was+5, most-1) && now != most:
			t.Fatalf("a pool of %d tours has %d an iteration later, want %d in the end", was, now, most)
		case now > 0 && last.Iter > 0 && (p.Best > last.Best || p.IterBest < p.Best):
			t.Fatalf("iteration %d: best %v after %v, of this iteration %v", p.Iter, p.Best, last.Best,
				p.IterBest)
		case now == 0 && was > 0:
			sizes = append(sizes, was)
			if p.IterBest > last.Best+last.Best/5 {
				t.Errorf("ants go on from %v, the best was %v", p.IterBest, last.Best)
			}
		}
		last = p
	}
	if want := []int{9, 18, 36}; !slices.Equal(sizes, want) {
		t.Errorf("pools of %v tours, want %v", sizes, want)
	}
	best, err := r.Best(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if length, err := inst.Length(best.Solution.Perm); err != nil || float64(length) != last.Best {
		t.Errorf("the best is %v, its tour %v long, error %v", last.Best, length, err)
	}
}

// TestFocusedFindsOptimum: the way round.
func TestFocusedFindsOptimum(t *testing.T) {
	t.Parallel()
	inst, best := circle(t, 40)
	if p := step(t, openVariant(t, focused, solvers.Config{Instance: inst}), 20); p.Best != best {
		t.Errorf("best is %v, the way round has %v", p.Best, best)
	}
}

// TestFocusedSmall looks at instances that are too small for changes, and at parameters' ends.
func TestFocusedSmall(t *testing.T) {
	conform.Brief(t, "many small runs")
	t.Parallel()
	num := record.Num
	for n := 1; n <= 12; n++ {
		for _, ps := range []record.Values{
			nil,
			{"ants": num(1), "candidates": num(1)},
			{"change": record.Text("relocate"), "reach": num(1000)},
		} {
			r := openVariant(t, focused, solvers.Config{Instance: uniform(t, n), Params: ps})
			step(t, r, 12)
			if _, err := r.Best(t.Context()); err != nil {
				t.Errorf("%d cities, %v: %v", n, ps, err)
			}
		}
	}
	for _, ps := range []record.Values{
		{"alpha": num(10), "beta": num(20)},
		{"rho": num(0), "alpha": num(0.5), "credit": num(1)},
		{"p_best": num(1), "min_new": num(300), "temperature": num(50)},
	} {
		r := openVariant(t, focused, solvers.Config{Instance: uniform(t, 60), Params: ps})
		step(t, r, 70)
		if _, err := r.Best(t.Context()); err != nil {
			t.Errorf("%v: %v", ps, err)
		}
	}
}

// TestFocusedIsAhead holds the ants to what they are for: many times what a local optimum of
// the first tour reaches.
func TestFocusedIsAhead(t *testing.T) {
	conform.Brief(t, "ants learn for many iterations")
	t.Parallel()
	r := openVariant(t, focused, solvers.Config{Instance: uniform(t, 1000)})
	first, last := step(t, r, 1), step(t, r, 40)
	t.Logf("%v after 1, %v after 41 iterations", first.Best, last.Best)
	if last.Best > 0.985*first.Best {
		t.Errorf("best went from %v to %v in 40 iterations", first.Best, last.Best)
	}
}
