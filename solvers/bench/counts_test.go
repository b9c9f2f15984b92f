package bench

import (
	"math"
	"strings"
	"testing"

	"metalab/solvers/record"
)

// The p-values are those of the two tables of d198 and pr136, and of one with all sums alike.
func TestFisher(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		k, n, l, m int
		want       float64
	}{
		{1, 5, 20, 20, 5. / 12650},
		{20, 20, 1, 5, 5. / 12650},
		{3, 5, 20, 20, 10. / 300},
		{5, 5, 20, 20, 1},
		{5, 10, 5, 10, 1},
		{1, 10, 9, 10, 2 * (100 + 1) / 184756.},
	} {
		if got := fisher(c.k, c.n, c.l, c.m); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%d of %d beside %d of %d: p = %v, want %v", c.k, c.n, c.l, c.m, got, c.want)
		}
	}
}

// A mean that is the optimum is that of runs which all found it.
func TestFoundAreCounted(t *testing.T) {
	t.Parallel()
	optimum := Row{
		Measure: Best, Instance: "d198", Published: 20, Peer: Peer{Figure: 15780, Known: true},
	}
	half := Row{Measure: Found, Published: 20, Peer: Peer{Figure: .5, Known: true}}
	for _, c := range []struct {
		row    Row
		values []float64
		want   string
		could  bool
	}{
		{optimum, []float64{15781, 15781, 15781, 15794, 15780}, "worse: 1 of 5 found the best known " +
			"value, 20 of 20 as published, p = 0.0004", true},
		{optimum, []float64{15780, 15780, 15780, 15780, 15780}, "no difference found: 5 of 5 found the " +
			"best known value, 20 of 20 as published, p = 1", true},
		{optimum, []float64{15780, 15780, 15780, 15780}, "not shown, n=4 of 5", true},
		{half, []float64{1, 1, 1, 1, 1, 1, 1, 1}, "better: 8 of 8 found the best known value, 10 of 20 " +
			"as published, p = 0.025", false},
		{half, []float64{0, 0, 0, 0, 0, 0, 0, 0}, "worse: 0 of 8 found the best known value, 10 of 20 " +
			"as published, p = 0.025", false},
		{half, []float64{1, 1, 1, 1, 1}, "no difference found: 5 of 5 found the best known value, 10 " +
			"of 20 as published, p = 0.061", false},
	} {
		if v := c.row.verdict(tenth, c.values); v.String() != c.want || v.Could != c.could {
			t.Errorf("%v: %q, could %v, want %q", c.values, v, v.Could, c.want)
		}
	}
	optimum.Published = 0
	if v := optimum.verdict(tenth, []float64{15781, 15781, 15781, 15794, 15780}); v.Counts {
		t.Errorf("a number of runs that is not told is counted: %s", v)
	}
}

// A best of so many is compared with all of our runs, on both sides.
func TestBestOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		published int
		values    []float64
		want      string
	}{
		{30, []float64{1, 1, 3, 3, 3}, Better},       // p = 20 / 1190
		{30, []float64{1, 3, 3, 3, 3}, NoDifference}, // p = 1 / 7
		{30, []float64{2, 2, 3, 3, 3}, NoDifference}, // as low
		{30, []float64{1, 1, 1, 1}, NotShown},        // too few
		{5, []float64{1, 1, 1, 1, 3}, Better},        // p = 1 / 42
		{5, []float64{1, 1, 1, 3, 3}, NoDifference},  // p = 1 / 12
		{30, []float64{3, 3, 3, 3, 3}, NoDifference}, // as would be in 6 of 7 cases
		{1, make40(3), Worse},                        // as would be in 1 of 41
		{1, append(make40(3), 2), NoDifference},      // one is as low
		{2, make40(3), NoDifference},                 // 1 of 21
	} {
		o := Outcome{Of: c.values, Row: Row{
			Measure: Least, Published: c.published, Peer: Peer{Figure: 2, Known: true},
		}}
		if v := o.bestOf(); v.Word != c.want {
			t.Errorf("%v beside the best of %d, 2: %s, want %s", c.values, c.published, v, c.want)
		}
	}
}

func make40(v float64) []float64 {
	out := make([]float64, 40)
	for i := range out {
		out[i] = v
	}
	return out
}

// A published mean has the spread that is assumed where none is told, of as many runs as it is of.
func TestAssumedSpread(t *testing.T) {
	t.Parallel()
	values := []float64{1.9, 2, 2, 2, 2.1}
	few, many := assumed(2, 5, values), assumed(2, 30, values)
	if few.Low >= many.Low || few.High <= many.High || many.Low >= 2 {
		t.Errorf("of 5 runs %+v, of 30 %+v", few, many)
	}
	if none := assumed(2, 0, values); none != few {
		t.Errorf("of runs that are not told %+v, want that of as many as ours, %+v", none, few)
	}
}

// Figures of an earlier version judge nothing, in a verdict, a mean, a test, a ratio or a best.
func TestEarlierVersionsJudgeNothing(t *testing.T) {
	t.Parallel()
	row := Row{
		What: "x", Label: "x", Column: "mean", Solver: "ils", Variant: "best", Instance: "a280",
		Measure: Gap, Peer: Peer{Figure: 3, Known: true},
	}
	five := []float64{3, 3.1, 2.9, 3, 3}
	at := func(was int) []Outcome {
		out := []Outcome{
			{Row: row, Seeds: []int{1, 2, 3, 4, 5}, Values: five, Made: 1, Revision: was},
			{Row: Row{
				Label: "x", Column: "best", Measure: Least, Of: [2]string{"mean"}, Instance: "a280",
				Published: 5, Peer: Peer{Figure: 3, Known: true},
			}},
		}
		table := Table{Margin: tenth, Rows: []Row{out[0].Row, out[1].Row}}
		test(table, out)
		rule(table, out)
		return out
	}
	now := row.Revision()
	if out := at(now); out[0].Verdict.Word != Agrees || out[1].Verdict.Word != NoDifference {
		t.Errorf("of today: %s and %s", out[0].Verdict, out[1].Verdict)
	}
	if out := at(now - 1); out[0].Verdict.Word != "" || out[1].Verdict.Word != "" {
		t.Errorf("of an earlier version: %s and %s", out[0].Verdict, out[1].Verdict)
	}
	group := row
	group.Group = "all"
	table := Table{Margin: tenth, Rows: []Row{group}}
	out := []Outcome{{Row: group, Seeds: []int{1}, Values: five[:1], Made: 1, Revision: now - 1}}
	if m := Means(table, out); len(m) != 0 {
		t.Errorf("the mean is %+v", m)
	}
}

// Every row that a variant makes has a revision, whatever is linked: none passes as of today.
func TestKeptHaveRevisions(t *testing.T) {
	t.Parallel()
	for _, table := range Tables() {
		for i := range table.Rows {
			if r := &table.Rows[i]; r.Solver != "" && r.Revision() == 0 {
				t.Errorf("%s, %s: %s/%s has no revision", table.Name, r.What, r.Solver, r.Variant)
			}
		}
	}
}

// One search has one verdict beside a published mean, and one beside a published best, over all
// tables of a paper.
func TestOneSampleOneVerdict(t *testing.T) {
	t.Parallel()
	for _, p := range Papers() {
		seen := map[string]string{}
		for _, table := range TablesOf(p.Name) {
			out, err := Recall(table, "")
			if err != nil {
				t.Fatal(err)
			}
			for i := range out {
				o := &out[i]
				if o.Verdict.Word == "" || o.Verdict.Twin || o.Row.Measure == PValue {
					continue
				}
				at := "mean " + search(&o.Row)
				if o.Row.Measure == Least {
					at = "best " + search(&table.Rows[o.Base-1])
				}
				if before := seen[at]; before != "" {
					t.Errorf("%s, %s stands in a second verdict, after %s", table.Name, o.Row.What, before)
				}
				seen[at] = table.Name + ", " + o.Row.What
			}
		}
	}
}

// A row that names the value that its preset has is the same search; another value is another.
func TestSameSearch(t *testing.T) {
	t.Parallel()
	row := Row{
		Solver: "acs", Variant: "alt", Preset: "paper", Instance: "nrw1379", Measure: Gap,
		Stop: Stop{Iterations: 1000},
	}
	named, other := row, row
	named.Params = record.Values{"local_period": record.Parse("1")}
	other.Params = record.Values{"local_period": record.Parse("2")}
	if search(&row) != search(&named) || search(&row) == search(&other) {
		t.Errorf("searches are %q, %q and %q", search(&row), search(&named), search(&other))
	}
	table, err := Find("acs-7")
	if err != nil {
		t.Fatal(err)
	}
	out, err := Recall(table, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range out {
		if o.Row.What == "nrw1379, n ants, GPU, mean" && (o.Verdict.N < 15 || !o.Verdict.Twin ||
			!strings.HasSuffix(o.Verdict.String(), "counted in acs-5")) {
			t.Errorf("the seeds of all tables have %s", o.Verdict)
		}
	}
}
