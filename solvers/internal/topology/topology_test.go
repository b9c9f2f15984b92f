package topology

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFrom(t *testing.T) {
	for _, c := range []struct {
		topology Topology
		values   []float64
		want     string // by search
	}{
		{Best, []float64{3, 1, 2}, "[[1] [] [1]]"},
		{Best, []float64{1, 1, 1}, "[[] [0] [0]]"},
		{Best, []float64{5}, "[[]]"},
		{Ring, []float64{3, 1, 2}, "[[2] [0] [1]]"},
		{Ring, []float64{3, 1}, "[[1] [0]]"},
		{Ring, []float64{5}, "[[]]"},
		{All, []float64{3, 1, 2}, "[[1 2] [0 2] [0 1]]"},
		{All, []float64{5}, "[[]]"},
		{Star, []float64{3, 1, 2}, "[[1 2] [0] [0]]"},
		{Star, []float64{5}, "[[]]"},
	} {
		var got [][]int
		for i := range c.values {
			got = append(got, c.topology.From(i, c.values))
		}
		if s := fmt.Sprint(got); s != c.want {
			t.Errorf("%s of %v: %s, want %s", c.topology, c.values, s, c.want)
		}
	}
}

// After as many exchanges as there are others, at which each takes the better of what it has and
// receives, all have the best.
func TestTheBestGetsEverywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(0, 10), 1, 9).Draw(t, "values")
		topology := Topology(rapid.SampledFrom(Words).Draw(t, "topology"))
		best := values[Leader(values)]
		for range len(values) - 1 {
			next := append([]float64(nil), values...)
			for i := range values {
				for _, k := range topology.From(i, values) {
					if k == i {
						t.Fatalf("%s: search %d receives from itself", topology, i)
					}
					next[i] = min(next[i], values[k])
				}
			}
			values = next
		}
		for i, v := range values {
			if v != best {
				t.Fatalf("%s: search %d has %v, the best is %v", topology, i, v, best)
			}
		}
	})
}

func TestDue(t *testing.T) {
	for _, c := range []struct {
		it     int64
		period int
		want   bool
	}{{1, 0, false}, {100, 0, false}, {1, 1, true}, {9, 10, false}, {10, 10, true}, {20, 10, true}} {
		if got := Due(c.it, c.period); got != c.want {
			t.Errorf("Due(%d, %d) is %v", c.it, c.period, got)
		}
	}
}

// Seeds of searches differ from each other, and from those of runs whose seeds count up.
func TestSeed(t *testing.T) {
	seen := map[uint64]string{}
	for seed := range uint64(100) {
		for k := range 64 {
			s := Seed(seed, k)
			if was := seen[s]; was != "" {
				t.Fatalf("search %d of seed %d has the seed %d of %s", k, seed, s, was)
			}
			seen[s] = fmt.Sprintf("search %d of seed %d", k, seed)
		}
	}
	if Seed(42, 0) != 42 {
		t.Error("search 0 has another seed than the run")
	}
}

func TestParse(t *testing.T) {
	for _, w := range Words {
		if _, err := Parse(w); err != nil {
			t.Error(err)
		}
	}
	if _, err := Parse("line"); err == nil || !strings.Contains(err.Error(), `"line"`) ||
		!strings.Contains(err.Error(), "best, ring, all, star") {
		t.Errorf("line: %v", err)
	}
}
