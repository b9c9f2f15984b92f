package stats_test

import (
	"math"
	"strings"
	"testing"

	"metalab/solvers/stats"
)

func TestAnalysePicksTheTest(t *testing.T) {
	t.Parallel()
	a := []float64{1, 2, 3, 4, 5, 6}
	b := []float64{11, 12, 13, 14, 15, 16}
	c := []float64{21, 22, 23, 24, 25, 26}
	group := func(values ...[]float64) (out []stats.Group) {
		for i, v := range values {
			out = append(out, stats.Group{Name: string(rune('a' + i)), Values: v})
		}
		return out
	}
	for _, k := range []struct {
		name string
		q    stats.Question
		test string // of all, or of the pair
		pair string
		p    []float64
		want []string
	}{
		{
			"two",
			stats.Question{Groups: group(a, b)},
			"Mann-Whitney U", "Mann-Whitney U",
			[]float64{2.0 / 924},
			[]string{"2 independent groups of 6 values", "a against b: a is better", "exact"},
		},
		{
			"two in pairs",
			stats.Question{Groups: group(b, a), Paired: true},
			"Wilcoxon signed-rank",
			"Wilcoxon signed-rank",
			[]float64{2.0 / 64},
			[]string{"over the same 6 instances", "a against b: b is better", "smaller by 10 (10 to 10"},
		},
		{
			"three",
			stats.Question{Groups: group(a, b, c), Control: "b"},
			"Kruskal-Wallis",
			"Mann-Whitney U",
			[]float64{4.0 / 924, 4.0 / 924},
			[]string{"b against a: a is better", "b against c: b is better", "Holm for 2 tests"},
		},
		{
			"three in pairs",
			stats.Question{Groups: group(a, b, c), Paired: true},
			"Friedman", "Nemenyi",
			[]float64{stats.Range(math.Sqrt(6), 3), stats.Range(2*math.Sqrt(6), 3)},
			[]string{"Mean ranks: a 1, b 2, c 3", "Critical difference: 1.353", "a against c: a is better"},
		},
		{
			"three in pairs against one",
			stats.Question{
				Groups: group(a, b, c), Paired: true, Control: "c",
			},
			"Friedman", "mean ranks",
			// Mean ranks differ by 2 and 1, over a deviation of sqrt(1/3); Holm doubles the first.
			[]float64{2 * math.Erfc(math.Sqrt(6)), math.Erfc(math.Sqrt(1.5))},
			[]string{"c against a: a is better", "Holm for 2 tests"},
		},
		{
			"too few",
			stats.Question{Groups: group(a[:3], b[:3])},
			"Mann-Whitney U", "Mann-Whitney U",
			[]float64{0.1},
			[]string{"no outcome could have p below 0.1", "no significant difference"},
		},
		{
			"ties",
			stats.Question{Groups: group([]float64{1, 1, 2, 2}, []float64{1, 2, 3, 4})},
			"Mann-Whitney U", "Mann-Whitney U", nil,
			[]string{"6 of 8 values are equal to others"},
		},
	} {
		r, err := stats.Analyse(k.q)
		if err != nil {
			t.Errorf("%s: %v", k.name, err)
			continue
		}
		made := r.Pairs[0].Test
		if r.Overall != nil {
			made = *r.Overall
		}
		if made.Name != k.test || r.Pairs[0].Test.Name != k.pair {
			t.Errorf("%s: tests %s and %s, want %s and %s", k.name, made.Name, r.Pairs[0].Test.Name,
				k.test, k.pair)
		}
		for i, p := range k.p {
			if math.Abs(r.Pairs[i].P-p) > 1e-9 {
				t.Errorf("%s: p of pair %d is %v, want %v", k.name, i, r.Pairs[i].P, p)
			}
		}
		for _, w := range k.want {
			if !strings.Contains(r.String(), w) {
				t.Errorf("%s: no %q in\n%s", k.name, w, r)
			}
		}
	}
}

func TestAnalyseRefuses(t *testing.T) {
	t.Parallel()
	g := []stats.Group{{Name: "a", Values: []float64{1, 2}}, {Name: "b", Values: []float64{3}}}
	for want, q := range map[string]stats.Question{
		"want at least 2":         {Groups: g[:1]},
		"b has 1 values, and a 2": {Groups: g, Paired: true},
		"no group is named c":     {Groups: g, Control: "c"},
		"alpha is 2":              {Groups: g, Alpha: 2},
		"two groups are named a":  {Groups: []stats.Group{g[0], g[1], g[0]}},
		"group b has no values":   {Groups: []stats.Group{g[0], {Name: "b"}}},
		"value 0 of group b is not a nu": {
			Groups: []stats.Group{g[0], {Name: "b", Values: []float64{math.NaN()}}},
		},
	} {
		if _, err := stats.Analyse(q); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
