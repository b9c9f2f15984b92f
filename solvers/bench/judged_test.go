package bench

import (
	"slices"
	"testing"
)

// A published result is judged by five seeds on any machine, and once; one of an earlier version, a
// time, and a figure with none published beside do not count.
func TestJudged(t *testing.T) {
	t.Parallel()
	row := func(what string, figure float64) Row {
		return Row{
			What: what, Solver: "ils", Variant: "best", Instance: "a280", Measure: Gap,
			Peer: Peer{Figure: figure, Known: true},
		}
	}
	with := func(r Row, change func(r *Row)) Row {
		change(&r)
		return r
	}
	cuda := func(r *Row) { r.Backend = "cuda" }
	five := []float64{3, 3.1, 2.9, 3, 3}
	seeds := []int{1, 2, 3, 4, 5}
	group := func(instance string) func(r *Row) {
		return func(r *Row) { r.Group, r.Instance = "all", instance }
	}
	out := []Outcome{
		{Row: row("x, CPU", 3), Seeds: seeds[:1], Values: five[:1]},
		{Row: with(row("x, GPU", 3), cuda), Seeds: seeds, Values: five},
		{Row: row("y, CPU", 4), Seeds: seeds[:4], Values: five[:4]},
		{Row: row("z", 3), Seeds: seeds, Values: five, Made: 1, Revision: -1},
		{Row: with(row("s", 3), func(r *Row) { r.Measure = Seconds }), Seeds: seeds, Values: five},
		{Row: with(row("u", 0), func(r *Row) { r.Peer.Known = false }), Seeds: seeds, Values: five},
		{Row: with(row("g", 3), group("a280")), Seeds: seeds, Values: five},
		{Row: with(row("g", 3), group("d198")), Seeds: seeds, Values: five},
		{Row: with(row("w, a280, CPU", 3), func(r *Row) {
			r.Measure, r.Solver, r.Variant = PValue, "", ""
		}), Values: []float64{.2}, N: 6},
	}
	table := Table{Margin: tenth}
	for i := range out {
		table.Rows = append(table.Rows, out[i].Row)
	}
	rule(table, out)
	names, judged := table.judged(out)
	want := []string{"x, a280", "y, a280", "z, a280", "all", "w, a280"}
	if !slices.Equal(names, want) || !slices.Equal(judged, []bool{true, false, false, true, true}) {
		t.Errorf("judged are %v of %q", judged, names)
	}
	out[7].Values = nil // half of the group
	rule(table, out)
	if _, judged = table.judged(out); judged[3] {
		t.Error("a mean of half of the instances is judged")
	}
	if names, _ = (Table{Rows: table.Rows}).judged(out); names != nil {
		t.Errorf("a table without a margin judges %q", names)
	}
}

// What the page of all papers counts is what the tables hold.
func TestStandingJudged(t *testing.T) {
	t.Parallel()
	list, err := Standings()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if s.Judged+len(s.Open) != s.Results {
			t.Errorf("%s: %d judged and %d open of %d", s.Table.Name, s.Judged, len(s.Open), s.Results)
		}
		if missing := s.Measured < s.Rows; missing != (len(s.Table.Missing) > 0) {
			t.Errorf("%s: %d of %d rows are measured, and the file says of the others: %q",
				s.Table.Name, s.Measured, s.Rows, s.Table.Missing)
		}
		counted := 0
		for _, n := range s.Counts {
			counted += n
		}
		if counted > s.Counts[Apart] && s.Results == 0 || s.Could > s.NoneShown {
			t.Errorf("%s: %d verdicts of %d results", s.Table.Name, counted, s.Results)
		}
	}
}

// A test can be of two columns of its row; figures of an earlier version are not tested.
func TestOfTwoColumns(t *testing.T) {
	t.Parallel()
	table, err := parsePaperTable("x.txt", paperHead+
		"column: k = 1 | instance=rand-60-1\ncolumn: k = 2 | instance=rand-60-1 kicks=2\n"+
		"column: k = 4 | instance=rand-60-1 kicks=4\ncolumn: p | measure=p of=k_=_1/k_=_4\n"+
		"column: all | measure=p\n\n | k = 1 | k = 2 | k = 4 | p | all\nx | - | - | - | - | -\n")
	if err != nil {
		t.Fatal(err)
	}
	var out []Outcome
	for i, values := range [][]float64{
		{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}, {1.5, 2.5, 3.5, 4.5, 5.5}, {}, {},
	} {
		out = append(out, Outcome{Row: table.Rows[i], Values: values, Seeds: []int{1, 2, 3, 4, 5}})
	}
	test(table, out)
	if p := out[3]; len(p.Values) != 1 || p.Values[0] < .3 || p.N != 5 {
		t.Errorf("the test of two like columns gives %v, error %v", p.Values, p.Err)
	}
	if p := out[4]; len(p.Values) != 1 || p.Values[0] > .05 {
		t.Errorf("the test of all columns gives %v, error %v", p.Values, p.Err)
	}
	out[0].Made, out[0].Revision, out[3].Values = 1, -1, nil
	if test(table, out); out[3].Err == nil || len(out[3].Values) > 0 {
		t.Errorf("a test of figures of an earlier version gives %v", out[3].Values)
	}
}
