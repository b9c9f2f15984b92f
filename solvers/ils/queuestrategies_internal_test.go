package ils

import (
	"maps"
	"math"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
)

// Every word that a parameter of queue takes has a strategy of that name, and no other has.
func TestStrategiesHaveTheNamesOfTheirParameters(t *testing.T) {
	t.Parallel()
	for name, got := range map[string][]string{
		"start":      slices.Collect(maps.Keys(starts)),
		"candidates": slices.Collect(maps.Keys(neighbourhoods)),
		"operator":   slices.Collect(maps.Keys(operators)),
		"kick":       slices.Collect(maps.Keys(perturbations)),
		"accept":     slices.Collect(maps.Keys(warmths)),
	} {
		var want []string
		for _, r := range (&queue{}).table() {
			if r.Name == name {
				want = slices.Clone(r.Options)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: strategies %v, words %v", name, got, want)
		}
	}
}

// A limit is drawn where some of the temperature is left, and only then; its mean is the
// temperature in mean edges.
func TestLimits(t *testing.T) {
	t.Parallel()
	s := testQueue(t, 100)
	s.param.accept.temperature, s.param.accept.cooling = 2, 1 // a cycle of 100 kicks
	for _, c := range []struct {
		rule  string
		bases bool // the first cycle is over
		kicks int
		draws bool
		mean  float64 // of the limit; the mean edge is 1000
	}{
		{"better", true, 0, false, 0},
		{"always", true, 0, false, math.MaxInt64},
		{"threshold", false, 99, true, 2000},
		{"annealing", false, 0, false, 0},
		{"annealing", true, 0, true, 2000},
		{"annealing", true, 75, true, 500},
		{"annealing", true, 100, false, 0},
	} {
		s.param.accept.rule, s.bases = c.rule, nil
		if c.bases {
			s.bases = s.tours
		}
		accept := s.acceptance(100 * 1000)
		draws, same := arith.NewStream(1, 0, 0, 0), arith.NewStream(1, 0, 0, 0)
		sum := 0.0
		const all = 4000
		for range all {
			sum += float64(accept.limit(c.kicks, &draws)) / all
		}
		if math.Abs(sum-c.mean) > 0.05*c.mean {
			t.Errorf("%+v: the mean limit is %v", c, sum)
		}
		if drawn := draws.Uint32() != same.Uint32(); drawn != c.draws {
			t.Errorf("%+v: limits were drawn: %v", c, drawn)
		}
	}
}

// Each start is a tour; chains begin alike but from nn and random.
func TestStarts(t *testing.T) {
	t.Parallel()
	for name := range starts {
		s := testQueue(t, 60)
		s.param.start = name
		c := s.begin(2)
		for a, tour := range c.tours {
			if err := datasets.CheckPermutation(tour, 60); err != nil {
				t.Errorf("%s, chain %d: %v", name, a, err)
			}
			if got := s.space.Length(tour); got != c.lengths[a] {
				t.Errorf("%s, chain %d: the length is %d, said to be %d", name, a, got, c.lengths[a])
			}
		}
		each := name == "nn" || name == "random"
		if same := slices.Equal(c.tours[0], c.tours[1]); same == each {
			t.Errorf("%s: both chains begin alike: %v", name, same)
		}
	}
}

// Of equally long tours the first is the shortest, and the longest.
func TestRanksOfChains(t *testing.T) {
	t.Parallel()
	c := chains{
		tours: [][]int32{{0, 1}, {1, 0}, {0, 1}, {1, 0}, {0, 1}}, lengths: []int64{5, 3, 7, 3, 7},
	}
	if c.shortest() != 1 || c.longest() != 2 {
		t.Errorf("shortest %d, longest %d, want 1 and 2", c.shortest(), c.longest())
	}
	if from := c.resize(6); from != 1 || c.lengths[5] != 3 || !slices.Equal(c.tours[5], c.tours[1]) {
		t.Errorf("a new chain has %v, %d long", c.tours[5], c.lengths[5])
	}
	if c.resize(2); len(c.tours) != 2 || len(c.lengths) != 2 {
		t.Errorf("%d tours and %d lengths are left of 2", len(c.tours), len(c.lengths))
	}
}

// testQueue is a queue of so many cities, begun.
func testQueue(tb testing.TB, n int) *queue {
	tb.Helper()
	in, err := datasets.Uniform(n, 1)
	if err != nil {
		tb.Fatal(err)
	}
	s := newQueue(in)
	pool := solvers.NewPool(1)
	tb.Cleanup(pool.Close)
	if err := s.Init(&solvers.Env{Seed: 1, Pool: pool}); err != nil {
		tb.Fatal(err)
	}
	return s
}

// How many kicks a city come before a pool, and how its tours are searched, by the number of
// cities.
func TestPoolsBySize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n       int
		cooling float64
		pool    int
		wide    bool // the search of the first tours; those of pools never are where it is
		ends    bool // after a kick; searches from all cities always have it
	}{
		{7_999, 0.5, 10, false, true},
		{8_000, 0.75, 10, false, true},
		{19_999, 0.75, 10, false, true},
		{20_000, 0.1, 10, true, true},
		{49_999, 0.1, 10, true, true},
		{50_000, 0.5, 10, true, false},
		{200_000, 0.5, 10, true, false},
		{200_001, 5, 0, false, true},
	} {
		s := &queue{param: queueDefaults(&datasets.TSP{N: c.n})}
		if got := s.param; got.accept.cooling != c.cooling || got.pool != c.pool ||
			got.chain.wide != c.wide || got.chain.ends != c.ends {
			t.Errorf("%d cities: cooling=%v pool=%d wide=%v ends=%v, want %+v", c.n, got.accept.cooling,
				got.pool, got.chain.wide, got.chain.ends, c)
		}
		first, member := s.fromAll(), s.forPool()
		if kick := s.afterKick(); kick.Ends != c.ends || !first.Ends || !member.Ends {
			t.Errorf("%d cities: ends after a kick is %v, in the first search %v, in pools %v", c.n,
				kick.Ends, first.Ends, member.Ends)
		}
		if c.wide {
			first.Wide, first.Depth = false, s.param.chain.depth
		}
		if member.Wide != first.Wide || member.Depth != first.Depth || member.OneWay {
			t.Errorf("%d cities: tours of a pool are searched by %+v, want %+v", c.n, member, first)
		}
	}
}
