package genetic_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/genetic"
	"metalab/solvers/internal/sample"
	"metalab/solvers/record"

	"pgregory.net/rapid"
)

// Eight tours as in Figs. 3 and 4 of the paper: places j and j + 4 compete, the winner goes to
// place j, partners are 0 and 1, and 2 and 3; their children go to 4 and 5, and second ones to 6
// and 7.
func TestPlacesOfThePaper(t *testing.T) {
	t.Parallel()
	in := sample.Scattered(t, 9, 100, 5, datasets.Euc2D)
	lengths := []int64{10, 21, 12, 23, 20, 11, 22, 13}
	for _, c := range []struct {
		cross string
		want  []genetic.Plan // From and To are not looked at
	}{
		{"bcscx", []genetic.Plan{
			{Place: 4, A: 0, B: 1, Cross: "bcscx"}, {Place: 5, A: 2, B: 3, Cross: "bcscx"},
		}},
		{"arx", []genetic.Plan{
			{Place: 4, A: 0, B: 1, Cross: "arx"},
			{Place: 6, A: 1, B: 0, Cross: "arx"},
			{Place: 5, A: 2, B: 3, Cross: "arx"},
			{Place: 7, A: 3, B: 2, Cross: "arx"},
		}},
		{"hybrid", []genetic.Plan{
			{Place: 4, A: 0, B: 1, Cross: "bcscx"},
			{Place: 6, A: 1, B: 0, Cross: "arx"},
			{Place: 5, A: 2, B: 3, Cross: "bcscx"},
			{Place: 7, A: 3, B: 2, Cross: "arx"},
		}},
	} {
		order, copies, plan := genetic.Planned(
			in, record.Of("pairing", "half", "crossover", c.cross), lengths,
		)
		if !slices.Equal(order, []int{0, 5, 2, 7, 4, 1, 6, 3}) {
			t.Errorf("%s: the places hold tours %v", c.cross, order)
		}
		if !maps.Equal(copies, map[int]int{5: 1, 7: 3}) {
			t.Errorf("%s: winners stay at %v", c.cross, copies)
		}
		for i := range plan {
			if i%2 == 1 && c.cross == "arx" && (plan[i].From != plan[i-1].From ||
				plan[i].To != plan[i-1].To || plan[i].From < 1 || plan[i].To > 8) {
				t.Errorf("arx: the children of a couple change over at %+v and %+v", plan[i-1], plan[i])
			}
		}
		for i := range plan {
			plan[i].From, plan[i].To = 0, 0
		}
		if !slices.Equal(plan, c.want) {
			t.Errorf("%s: planned %+v", c.cross, plan)
		}
	}
}

// Algorithm 1 of the paper, counted from 0: the child of winners j and j + 1 goes to place
// j + ceil(m/2), for every j below floor(m/2). With an even m the last has the first winner for a
// partner, since place m/2 is the first child's.
func TestCouplesOfTheLoop(t *testing.T) {
	t.Parallel()
	in := sample.Scattered(t, 9, 100, 5, datasets.Euc2D)
	for _, c := range []struct {
		m    int
		want [][3]int // place and parents
	}{
		{4, [][3]int{{2, 0, 1}, {3, 1, 0}}},
		{8, [][3]int{{4, 0, 1}, {5, 1, 2}, {6, 2, 3}, {7, 3, 0}}},
		{9, [][3]int{{5, 0, 1}, {6, 1, 2}, {7, 2, 3}, {8, 3, 4}}},
	} {
		for _, cross := range []string{"scx", "bcscx", "arx", "hybrid"} {
			_, _, plan := genetic.Planned(in, record.Of(
				"pairing", "half", "crossover", cross, "couples", "neighbours",
			), make([]int64, c.m))
			var got [][3]int
			kinds := map[string]bool{}
			for _, b := range plan {
				got = append(got, [3]int{b.Place, b.A, b.B})
				kinds[b.Cross] = true
				if b.Cross == "arx" && (b.From < 1 || b.From > b.To || b.To > in.N-1) {
					t.Errorf("%s: the parents change over at %+v", cross, b)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s, %d tours: %v, want %v", cross, c.m, got, c.want)
			}
			if cross != "hybrid" && (len(kinds) != 1 || !kinds[cross]) {
				t.Errorf("%s: children of %v", cross, kinds)
			}
		}
	}
	_, _, plan := genetic.Planned(in, record.Of(
		"pairing", "half", "crossover", "hybrid", "couples", "neighbours",
	), make([]int64, 2000))
	bcscx := 0
	for _, b := range plan {
		if b.Cross == "bcscx" {
			bcscx++
		}
	}
	if len(plan) != 1000 || bcscx < 440 || bcscx > 560 {
		t.Errorf("%d of %d children are of bcscx, want half of 1000", bcscx, len(plan))
	}
}

// With ties=second the parents of scx, and of no other crossover, are in the order in which the
// second one's cities are taken where both are as near.
func TestTiesOfSCX(t *testing.T) {
	t.Parallel()
	in := sample.Scattered(t, 9, 100, 5, datasets.Euc2D)
	for _, cross := range []string{"scx", "bcscx", "arx", "hybrid"} {
		for _, couples := range []string{"disjoint", "neighbours"} {
			for _, ties := range []string{"first", "second"} {
				_, _, plan := genetic.Planned(in, record.Of(
					"pairing", "half", "crossover", cross, "couples", couples, "ties", ties,
				), make([]int64, 16))
				swapped := plan[0].A == 1 && plan[0].B == 0
				if want := cross == "scx" && ties == "second"; swapped != want {
					t.Errorf("%s, couples=%s ties=%s: %+v", cross, couples, ties, plan[0])
				}
			}
		}
	}
}

// In groups of any size winners stand at their places, and no place gets two tours.
func TestPlansOfAnySize(t *testing.T) {
	t.Parallel()
	in := sample.Scattered(t, 9, 100, 5, datasets.Euc2D)
	rapid.Check(t, func(t *rapid.T) {
		lengths := rapid.SliceOfN(rapid.Int64Range(1, 9), 4, 40).Draw(t, "lengths")
		pairing := rapid.SampledFrom([]string{"next", "half"}).Draw(t, "pairing")
		with := record.Of(
			"pairing", pairing, "mutation", rapid.Float64Range(0, 1).Draw(t, "mutation"),
			"crossover", rapid.SampledFrom([]string{"scx", "bcscx", "arx", "hybrid"}).Draw(t, "crossover"),
			"elite", rapid.SampledFrom([]string{"none", "copied", "improved"}).Draw(t, "elite"),
			"couples", rapid.SampledFrom([]string{"disjoint", "neighbours"}).Draw(t, "couples"),
			"ties", rapid.SampledFrom([]string{"first", "second"}).Draw(t, "ties"),
		)
		order, _, plan := genetic.Planned(in, with, lengths)
		m := len(lengths)
		if c, _ := with["couples"].Word(); c == "neighbours" {
			children := 0
			for _, b := range plan {
				if b.Cross != "" {
					children++
				}
			}
			if children != m/2 {
				t.Fatalf("%d children of %d tours", children, m)
			}
		}
		half := (m + 1) / 2
		for j := range m / 2 {
			p, q := 2*j, 2*j+1
			if pairing == "half" {
				p, q = j, j+half
			}
			if lengths[order[j]] != min(lengths[p], lengths[q]) || order[j] != p && order[j] != q {
				t.Fatalf("place %d of %v has tour %d", j, lengths, order[j])
			}
		}
		held := map[int]bool{}
		elite, _ := with["elite"].Word()
		for _, b := range plan {
			if held[b.Place] || b.Place >= m {
				t.Fatalf("place %d of %d gets two tours, or is none: %+v", b.Place, m, plan)
			}
			held[b.Place] = true
			switch {
			case b.Cross != "" && (b.Place < half || max(b.A, b.B) >= half):
				t.Fatalf("a child of %d and %d at place %d of %d", b.A, b.B, b.Place, m)
			case b.Cross == "" && b.Place == 0 && elite == "copied":
				t.Fatal("the best mutates")
			}
		}
		if elite == "improved" && !held[0] {
			t.Fatal("the best is not improved")
		}
	})
}

// A tenth of all tours mutates, not of the children alone.
func TestMutantsOfAll(t *testing.T) {
	t.Parallel()
	in := sample.Scattered(t, 9, 100, 5, datasets.Euc2D)
	_, _, plan := genetic.Planned(
		in, record.Of("pairing", "half", "crossover", "bcscx", "mutation", 0.1), make([]int64, 8000),
	)
	mutants := 0
	for _, b := range plan {
		if b.Cross == "" {
			mutants++
		}
	}
	if mutants < 520 || mutants > 680 { // of 6000 that are no children
		t.Errorf("%d of 6000 mutate, want a tenth", mutants)
	}
}

// The published experiments exchange a pair of edges for ten cities, where that gains; to the
// letter, one pair in any case.
func TestPairsOfAMutation(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{
		4: "gaining 1 random 1", 24: "gaining 2 random 1", 25: "gaining 3 random 1",
		131: "gaining 13 random 1", 237: "gaining 24 random 1", 662: "gaining 66 random 1",
	} {
		got := ""
		for _, preset := range []string{"paper", "paper-literal"} {
			r, err := solvers.Open(solvers.Config{
				Solver: "ga", Instance: sample.Scattered(t, n, 1000, 5, datasets.Euc2D), Preset: preset,
			})
			if err != nil {
				t.Fatal(err)
			}
			ps := r.Header().Params
			got = strings.TrimSpace(fmt.Sprint(got, " ", ps["move"], " ", ps["moves"]))
			r.Close()
		}
		if got != want {
			t.Errorf("%d cities: %s, want %s", n, got, want)
		}
	}
}

// The best takes its group's first place and is not lost; improved, the first never gets longer.
func TestEliteKeepsTheBest(t *testing.T) {
	t.Parallel()
	in := sample.Scattered(t, 40, 100, 5, datasets.Euc2D)
	for _, elite := range []string{"none", "copied", "improved"} {
		r, err := solvers.Open(solvers.Config{
			Solver: "ga", Instance: in, Preset: "paper-literal", Seed: 3,
			Params: record.Of("population", 32, "mutation", 1.0, "elite", elite),
		})
		if err != nil {
			t.Fatal(err)
		}
		lost := false
		for p, err := range r.Steps(t.Context(), 60) {
			if err != nil {
				t.Fatal(err)
			}
			lost = lost || p.IterBest > p.Best
		}
		r.Close()
		if lost != (elite == "none") {
			t.Errorf("elite=%s: the best was lost: %v", elite, lost)
		}
	}
}
