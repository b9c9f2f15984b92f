package bench

import (
	"math"
	"strings"
	"testing"

	"metalab/solvers/record"
)

// The rule: the range of five seeds or more, then the tolerance, then better or worse.
func TestVerdict(t *testing.T) {
	t.Parallel()
	table := Table{Tolerance: 10}
	inf := math.Inf(1)
	for _, c := range []struct {
		measure   Measure
		published float64
		values    []float64
		want      string
	}{
		{Gap, 2, []float64{1.5, 1.5, 1.5, 1.5, 2.5}, Agrees}, // by the range
		{Gap, 2, []float64{1.5, 1.5, 1.5, 2.5}, Better},      // of too few seeds
		{Gap, 2, []float64{1.81}, Agrees},                    // by the tolerance
		{Gap, 2, []float64{1.79}, Better},
		{Gap, 2, []float64{2.19}, Agrees},
		{Gap, 2, []float64{2.21}, Worse},
		{Gap, 0, []float64{0}, Agrees},
		{Gap, 0, []float64{0.1}, Worse},
		{Found, .5, []float64{1}, Better},
		{Found, .5, []float64{.1}, Worse},
		{Iterations, 30, []float64{inf, inf}, Worse},
		{Iterations, 30, []float64{20, inf, inf, inf, inf}, Agrees},
		{PValue, .8, []float64{.06}, Agrees},
		{PValue, .8, []float64{.04}, Differs},
		{Seconds, 2, []float64{2}, ""}, // machines differ
		{Gap, 2, nil, ""},
	} {
		o := Outcome{Values: c.values, Row: Row{
			Measure: c.measure, Peer: Peer{Figure: c.published, Known: true},
		}}
		if got := o.Verdict(table); got != c.want {
			t.Errorf("%s %v beside %v: %q, want %q", c.measure, c.values, c.published, got, c.want)
		}
		if got := o.Verdict(Table{}); got != "" {
			t.Errorf("a table without a tolerance says %q", got)
		}
	}
	o := Outcome{Values: []float64{2}, Row: Row{Measure: Gap}}
	if got := o.Verdict(table); got != "" {
		t.Errorf("beside nothing published: %q", got)
	}
	if rule := Rule(table); !strings.Contains(rule, "at most 10 %") || Rule(Table{}) != "" {
		t.Errorf("the rule is %q, without a tolerance %q", rule, Rule(Table{}))
	}
}

// A published mean over instances is compared with the mean of medians of all rows of the group.
func TestMeans(t *testing.T) {
	t.Parallel()
	row := Row{Solver: "ils", Measure: Gap, Group: "both", Peer: Peer{Figure: 3, Known: true}}
	table := Table{Tolerance: 10, Rows: []Row{row, row}}
	out := []Outcome{
		{Row: row, Seeds: []int{1, 2, 3}, Values: []float64{1, 2, 6}},
		{Row: row, Seeds: []int{2, 3}, Values: []float64{4, 6}},
	}
	if got := out[0].Verdict(table); got != "" {
		t.Errorf("a row of a group says %q by itself", got)
	}
	got := Means(table, out)
	if len(got) != 1 || got[0].Value != 3.5 || got[0].Seeds != 2 || got[0].Min != 3 ||
		got[0].Max != 6 || got[0].Verdict != Worse {
		t.Errorf("the mean is %+v", got)
	}
	if got = Means(table, out[:1]); len(got) != 1 || got[0].Verdict != "" || got[0].Rows != 1 ||
		got[0].Of != 2 {
		t.Errorf("half of the rows: %+v", got)
	}
}

// A cell of measure=p tests the other cells of its line, and says when they are not all there.
func TestPValueOfRows(t *testing.T) {
	t.Parallel()
	table, err := parsePaperTable("x.txt", paperHead+"tolerance: 10 %\n"+
		"column: a | instance=rand-60-1\ncolumn: b | instance=rand-60-1 first=101\n"+
		"column: p | measure=p\n\n | a | b | p\nx | 1 | - | 0.9\n")
	if err != nil {
		t.Fatal(err)
	}
	if r := table.Rows[1]; r.First != 101 || table.Tolerance != 10 || table.Rows[2].Solver != "" {
		t.Fatalf("read %+v", table)
	}
	out := []Outcome{
		{Row: table.Rows[0], Values: []float64{1, 2, 3, 4, 5, 6}},
		{Row: table.Rows[1], Values: []float64{11, 12, 13, 14, 15, 16}},
		{Row: table.Rows[2]},
	}
	test(table, out)
	if p := out[2]; p.Err != nil || len(p.Values) != 1 || p.Values[0] > .01 ||
		p.Verdict(table) != Differs {
		t.Errorf("the test is %+v", p)
	}
	test(table, out[1:])
	if err := out[2].Err; err == nil || !strings.Contains(err.Error(), "each of the 2 rows of x") {
		t.Errorf("a test without one of its rows: error %v", err)
	}
}

// Seeds begin where the row and the options say.
func TestFirstSeed(t *testing.T) {
	t.Parallel()
	table := Table{Rows: []Row{{
		What: "x", Solver: "ils", Instance: "rand-60-1", First: 101, Measure: Gap, Seeds: 1,
		Stop: Stop{Iterations: 1}, Params: record.Values{},
	}}}
	out, err := Run(t.Context(), table, Options{Seeds: 2, First: 3})
	if err != nil || len(out[0].Seeds) != 2 || out[0].Seeds[0] != 103 || out[0].Seeds[1] != 104 {
		t.Errorf("the seeds are %+v, error %v", out, err)
	}
}
