package bench

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metalab/solvers/record"
)

var tenth = Margin{Percent: 10, Least: .1}

// The rule: the whole interval within the margin agrees, the whole of it beyond is better or worse,
// and what lies between shows nothing.
func TestVerdict(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	for _, c := range []struct {
		measure   Measure
		published float64
		values    []float64
		want      string
	}{
		{Gap, 2, []float64{1.9, 2, 2, 2, 2.1}, "agrees, n=5"},
		{Gap, 2, []float64{1.9, 2, 2, 2.1}, "not shown, n=4 of 5"},
		{Gap, 2, []float64{2}, "not shown, n=1 of 5"},
		{Gap, 2, []float64{1.5, 1.5, 1.5, 1.5, 2.5}, "no difference found, n=5"},
		{
			Gap, 2,
			[]float64{2.1, 2.2, 2.2, 2.2, 2.3},
			"differs, on an end of the margin, by +0.08 to +0.32 points, n=5",
		},
		{
			Gap, 2,
			[]float64{2.04, 2.05, 2.05, 2.05, 2.06},
			"differs, within the margin, by +0.04 to +0.06 points, n=5",
		},
		{
			Gap, 2,
			[]float64{1.94, 1.95, 1.95, 1.95, 1.96},
			"differs, within the margin, by -0.06 to -0.04 points, n=5",
		},
		{Gap, 2, []float64{3.9, 4, 4, 4, 4.1}, "worse by 1.88 to 2.12 points, n=5"},
		{Gap, 2, []float64{4, 4, 4, 4, 4}, "not shown, all alike, n=5"},
		{Gap, 2, []float64{.9, 1, 1, 1, 1.1}, "better by 0.88 to 1.12 points, n=5"},
		{Gap, 0, []float64{0, 0, 0, 0, 0}, "not shown, all alike, n=5"},
		{Gap, 0, []float64{0, 0, 0, 0, .09}, "agrees, n=5"},
		{Gap, 0, []float64{.2, .2, .2, .2, .2}, "not shown, all alike, n=5"},
		{Found, .5, []float64{1, 1, 1, 1, 1}, "not shown, all alike, n=5"},
		{Found, .5, []float64{0, 0, 0, 0, 0}, "not shown, all alike, n=5"},
		{Iterations, 30, []float64{inf, inf, inf, inf, inf}, "worse, not reached, n=5"},
		{Iterations, 30, []float64{80, 80, 80, inf, inf, 80}, "worse by 50 or more, n=6"},
		{Iterations, 30, []float64{20, 20, 20, inf, inf, inf}, "no difference found, n=6"},
		{Iterations, 30, []float64{30, 31, 30, 29, 30}, "agrees, n=5"},
		{Seconds, 2, []float64{2, 2, 2, 2, 2}, ""}, // machines differ
		{Gap, 2, nil, ""},
	} {
		out := []Outcome{{Values: c.values, Row: Row{
			Measure: c.measure, Peer: Peer{Figure: c.published, Known: true},
		}}}
		rule(Table{Margin: tenth}, out)
		if got := out[0].Verdict.String(); got != c.want {
			t.Errorf("%s %v beside %v: %q, want %q", c.measure, c.values, c.published, got, c.want)
		}
		out[0].Verdict = Verdict{}
		if rule(Table{}, out); out[0].Verdict.Word != "" {
			t.Errorf("a table without a margin says %q", out[0].Verdict)
		}
	}
	out := []Outcome{{Values: []float64{2, 2, 2, 2, 2}, Row: Row{Measure: Gap}}}
	if rule(Table{Margin: tenth}, out); out[0].Verdict.Word != "" {
		t.Errorf("beside nothing published: %q", out[0].Verdict)
	}
	if got := Rule(Table{Margin: tenth, Rows: []Row{{Measure: Gap}}}); !strings.Contains(got,
		"10 % of the published gap, at least 0.1 points") || Rule(Table{}) != "" {
		t.Errorf("the rule is %q, without a margin %q", got, Rule(Table{}))
	}
}

// The margin is on the gap: half a percent of a length that was published with a gap of .26 % is
// twice the gap, and does not agree.
func TestVerdictOfLengths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		length float64
		want   string
	}{{259712.7, Agrees}, {259712.7 + 200, Within}, {259712.7 * 1.005, Worse}} {
		r := Row{
			Measure: Best, Instance: "pr1002", Peer: Peer{Figure: 259712.7, Known: true},
		}
		if got := r.verdict(tenth, []float64{
			c.length - 20, c.length, c.length, c.length, c.length + 20,
		}); got.Word != c.want {
			t.Errorf("a length of %v beside 259712.7: %s, want %s", c.length, got, c.want)
		}
	}
}

// Where the published single runs are known, their spread widens the interval.
func TestVerdictOfPublishedRuns(t *testing.T) {
	t.Parallel()
	ours := []float64{5.9, 6, 6, 6, 6.1}
	r := Row{Measure: Gap, Peer: Peer{Figure: 5.2, Known: true}}
	alone := r.verdict(tenth, ours)
	r.Runs = []float64{4.7, 4.9, 5.7, 5.6, 5.1, 6.6, 3.8, 5.3, 4.9, 5.3}
	with := r.verdict(tenth, ours)
	if alone.Word != Worse || with.Word != OnEnd || with.Low >= alone.Low ||
		with.High <= alone.High {
		t.Errorf("without the published spread %s (%v to %v), with it %s (%v to %v)", alone, alone.Low,
			alone.High, with, with.Low, with.High)
	}
}

// formerly is a rule by the range of single runs, which more seeds widen.
func formerly(values []float64, published float64) string {
	if len(values) >= leastSeeds && slices.Min(values) <= published &&
		published <= slices.Max(values) {
		return Agrees
	}
	return Worse
}

// More seeds of the same search, of which the spread is the same, narrow the interval, and what
// differs goes on to differ; what agrees goes on to agree.
func TestMoreSeedsSayMore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		gaps := rapid.SliceOfN(rapid.Float64Range(0, 10), leastSeeds, 12).Draw(t, "gaps")
		published := rapid.Float64Range(0, 10).Draw(t, "published")
		often := rapid.IntRange(2, 8).Draw(t, "often")
		r := Row{Measure: Gap, Peer: Peer{Figure: published, Known: true}}
		few, many := r.verdict(tenth, gaps), r.verdict(tenth, slices.Repeat(gaps, often))
		if many.High-many.Low > few.High-few.Low || many.Low < few.Low-1e-9 ||
			many.High > few.High+1e-9 {
			t.Fatalf("%d seeds: %v to %v; %d: %v to %v", few.N, few.Low, few.High, many.N, many.Low,
				many.High)
		}
		if w := few.Word; (w == Better || w == Worse || w == Within) && many.Word != w ||
			w == Agrees && many.Word != w && many.Word != Within {
			t.Fatalf("%d seeds: %s; %d: %s", few.N, few, many.N, many)
		}
		if few.Word != Better && few.Word != Worse {
			return
		}
		// one run on the other side of the published figure draws it into the range, and no more: it
		// widens the interval by more than it moves the mean
		lucky := append(slices.Repeat(gaps, often), published+math.Copysign(1, published-gaps[0]))
		if got := r.verdict(tenth, lucky); got.Word == Agrees {
			t.Fatalf("%d seeds: %s; with a run beyond %v: %s", few.N, few, published, got)
		}
	})
}

// One good run among many does not make them agree, as a rule by the range of single runs has it.
func TestRangeIsNoAgreement(t *testing.T) {
	t.Parallel()
	r := Row{Measure: Gap, Peer: Peer{Figure: 2, Known: true}}
	gaps := []float64{3.9, 4.1, 4, 3.8, 4.2}
	if got := r.verdict(tenth, gaps); got.Word != Worse || formerly(gaps, 2) != Worse {
		t.Fatalf("5 seeds: %s", got)
	}
	for range 7 {
		gaps = append(gaps, 3.9, 4.1, 4, 3.8, 4.2)
	}
	gaps[7] = 1.9
	got := r.verdict(tenth, gaps)
	if got.Word != Worse {
		t.Errorf("40 seeds, one of them good: %s", got)
	}
	if formerly(gaps, 2) != Agrees {
		t.Error("the range is to hold the published figure here")
	}
}

// A search on two backends with the same figure for each seed has one verdict, of all seeds.
func TestTwinsCountOnce(t *testing.T) {
	t.Parallel()
	row := Row{
		Solver: "ils", Measure: Gap, Instance: "a280", Peer: Peer{Figure: 3, Known: true},
	}
	gpu := row
	gpu.Backend = "cuda"
	out := []Outcome{
		{Row: row, Seeds: []int{1, 2, 3}, Values: []float64{3, 3.1, 2.9}},
		{Row: gpu, Seeds: []int{2, 3, 4, 5}, Values: []float64{3.1, 2.9, 3, 3}},
	}
	rule(Table{Margin: tenth}, out)
	if a, b := out[0].Verdict, out[1].Verdict; a.Word != Agrees || a.N != 5 || a.Twin ||
		b.Word != Agrees || b.N != 5 || !b.Twin {
		t.Errorf("the twins say %+v and %+v", a, b)
	}
	s := Standing{Counts: map[string]int{}}
	s.count(out[0].Verdict)
	if s.count(out[1].Verdict); s.Counts[Agrees] != 1 {
		t.Errorf("the twins count %d times", s.Counts[Agrees])
	}
	out[1].Values[0] = 3.2 // it races: two searches
	rule(Table{Margin: tenth}, out)
	if a, b := out[0].Verdict, out[1].Verdict; a.N != 3 || b.N != 4 || a.Twin || b.Twin {
		t.Errorf("two searches say %+v and %+v", a, b)
	}
}

// A published mean over instances is compared with the mean of all instances of the group, of which
// one that was measured on two backends counts once.
func TestMeans(t *testing.T) {
	t.Parallel()
	row := Row{
		Solver: "ils", Measure: Gap, Instance: "a280", Group: "both", Peer: Peer{Figure: 3, Known: true},
	}
	other, twin := row, row
	other.Instance, twin.Backend = "d198", "cuda"
	table := Table{Margin: tenth, Rows: []Row{row, other, twin}}
	out := []Outcome{
		{Row: row, Seeds: []int{1, 2, 3, 4, 5}, Values: []float64{1.9, 2, 2, 2, 2.1}},
		{Row: other, Seeds: []int{1, 2, 3, 4, 5}, Values: []float64{5.9, 6, 6, 6, 6.1}},
		{Row: twin, Seeds: []int{1}, Values: []float64{1.9}},
	}
	if rule(table, out); out[0].Verdict.Word != "" {
		t.Errorf("a row of a group says %q by itself", out[0].Verdict)
	}
	got := Means(table, out)
	if len(got) != 1 || got[0].Value != 4 || got[0].Rows != 2 || got[0].Of != 2 ||
		got[0].Verdict.Word != Worse || got[0].Verdict.N != 5 {
		t.Fatalf("the mean is %+v", got)
	}
	wide := got[0].High - got[0].Low
	if got = Means(table, out[:1]); len(got) != 1 || got[0].Verdict.Word != "" || got[0].Rows != 1 ||
		got[0].Of != 2 {
		t.Errorf("half of the rows: %+v", got)
	}
	// most of three instances have enough seeds: the third has the widest spread of the others
	third := row
	third.Instance = "lin318"
	table.Rows = append(table.Rows, third)
	out = append(out, Outcome{Row: third, Seeds: []int{1}, Values: []float64{4}})
	if got = Means(table, out); got[0].Rows != 3 || got[0].Least != 1 ||
		got[0].Verdict.Word != Worse || got[0].High-got[0].Low <= wide*2/3 {
		t.Errorf("with an instance of one seed: %+v", got)
	}
	for i := range out {
		out[i].Seeds, out[i].Values = []int{1}, out[i].Values[:1]
	}
	if got = Means(table, out); got[0].Verdict.Word != NotShown {
		t.Errorf("of one seed: %+v", got)
	}
}

// The means of the first table of its kind count each instance once: 24 of 1 n kicks were measured
// on a CPU and on a GPU, and weighed twice.
func TestMeansOfFosin(t *testing.T) {
	t.Parallel()
	table, err := Find("fosin-3")
	if err != nil {
		t.Fatal(err)
	}
	out, err := Recall(table, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range Means(table, out) {
		if m.Group != "*1n kicks" {
			continue
		}
		sum, seen := 0.0, map[string]bool{}
		for _, o := range out {
			if o.Row.Group == m.Group && o.Row.Backend == "" && len(o.Values) > 0 {
				s := 0.0
				for _, v := range o.Values {
					s += v
				}
				sum += s / float64(len(o.Values))
				seen[o.Row.Instance] = true
			}
		}
		if len(seen) != 78 || m.Rows != 78 || m.Of != 78 || math.Abs(m.Value-sum/78) > 1e-9 ||
			m.Verdict.Word == "" {
			t.Errorf("%d instances, mean %.4f; have %+v", len(seen), sum/78, m)
		}
		return
	}
	t.Error("fosin-3 has no mean of *1n kicks")
}

// A cell of measure=p tests the other cells of its line, and says when they are not all there. That
// it finds no difference is no agreement.
func TestPValueOfRows(t *testing.T) {
	t.Parallel()
	table, err := parsePaperTable("x.txt", paperHead+"margin: 10 %, at least 0.1 points\n"+
		"column: a | instance=rand-60-1\ncolumn: b | instance=rand-60-1 first=101\n"+
		"column: p | measure=p\n\n | a | b | p\nx | 1 | - | 0.9\n")
	if err != nil {
		t.Fatal(err)
	}
	if r := table.Rows[1]; r.First != 101 || table.Margin != tenth || table.Rows[2].Solver != "" {
		t.Fatalf("read %+v", table)
	}
	out := []Outcome{
		{Row: table.Rows[0], Values: []float64{1, 2, 3, 4, 5, 6}},
		{Row: table.Rows[1], Values: []float64{11, 12, 13, 14, 15, 16}},
		{Row: table.Rows[2]},
	}
	test(table, out)
	rule(table, out)
	if p := out[2]; p.Err != nil || len(p.Values) != 1 || p.Values[0] > .01 ||
		p.Verdict.String() != "differs, n=6" {
		t.Errorf("the test is %+v", p)
	}
	out[2].Row.Peer.Figure = .01
	if rule(table, out); out[2].Verdict.Word != Agrees {
		t.Errorf("two tests that find a difference: %s", out[2].Verdict)
	}
	out[1].Values, out[2].Row.Peer.Figure = []float64{1, 2, 3, 4, 5, 7}, .9
	test(table, out)
	if rule(table, out); out[2].Verdict.String() != "no difference found, n=6" {
		t.Errorf("a test that finds no difference: %s", out[2].Verdict)
	}
	out[1].Values = []float64{1, 2, 3}
	test(table, out)
	if rule(table, out); out[2].Verdict.String() != "not shown, n=3 of 5" {
		t.Errorf("a test of three seeds: %s", out[2].Verdict)
	}
	test(table, out[1:])
	if err := out[2].Err; err == nil || !strings.Contains(err.Error(), "each of the 2 rows of x") {
		t.Errorf("a test without one of its rows: error %v", err)
	}
}

// Every kept figure beside a published one of a table with verdicts has one, which names its seeds.
func TestKeptVerdicts(t *testing.T) {
	t.Parallel()
	list, err := Standings()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		out, err := Recall(s.Table, "")
		if err != nil {
			t.Fatal(err)
		}
		for i := range out {
			o := &out[i]
			want := s.Table.Margin != (Margin{}) && o.Row.Peer.Known && len(o.Values) > 0 &&
				o.Row.Group == "" && !o.stale() && (o.Row.Measure.quality() || o.Row.Measure == PValue ||
				o.Row.Measure == Least && o.Row.Published > 0)
			if v := o.Verdict; (v.Word != "") != want || want && (v.N == 0 ||
				v.N < leastSeeds && v.Word != NotShown && v.Word != Apart) {
				t.Errorf("%s, %s: %+v", s.Table.Name, o.Row.What, v)
			}
		}
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

// A cell of measure=ratio divides the medians of two others of its row, instance by instance, and
// says which one is not there.
func TestRatioOfColumns(t *testing.T) {
	t.Parallel()
	table, err := parsePaperTable("x.txt", paperHead+
		"column: a b | instance=rand-60-1,rand-61-1\ncolumn: c | instance=rand-60-1,rand-61-1\n"+
		"column: r | measure=ratio of=a_b/c instance=rand-60-1,rand-61-1\n\n"+
		" | a b | c | r\nx | - | - | 4.5\n")
	if err != nil {
		t.Fatal(err)
	}
	var out []Outcome
	for i, values := range [][]float64{{3, 1, 2}, {8}, {4}, {}, nil, nil} {
		out = append(out, Outcome{Row: table.Rows[i], Values: values})
	}
	test(table, out)
	rule(table, out)
	if r := out[4]; r.Err != nil || len(r.Values) != 1 || r.Values[0] != .5 || r.Unit() != "times" ||
		r.Verdict.Word != "" || r.Row.runs() {
		t.Errorf("2 over 4 is %+v", r)
	}
	if r := out[5]; r.Err == nil || r.Err.Error() != "the ratio takes a figure of x, c" {
		t.Errorf("8 over nothing is %+v", r)
	}
	for _, bad := range []string{
		"measure=ratio", "measure=ratio of=c", "of=a_b/c", "measure=ratio of=/c",
	} {
		_, err := parsePaperTable("x.txt", paperHead+"column: c | instance=rand-60-1\ncolumn: r | "+bad+
			"\n\n | c | r\nx | - | 1\n")
		if err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

// A cell can be what the solver measures of itself, and the statistic of a test of its row.
func TestReadingAndStatistic(t *testing.T) {
	t.Parallel()
	table, err := parsePaperTable("x.txt", paperHead+
		"run: solver=ga/tournament instance=rand-60-1 iterations=2\ncolumn: a | reading=different\n"+
		"column: b | reading=different population=64 first=9\ncolumn: u | measure=statistic\n"+
		"column: c | reading=hit_ratio\n\n | a | b | u | c\nx | - | - | 2 | -\n")
	if err != nil {
		t.Fatal(err)
	}
	out, err := Run(t.Context(), table, Options{Seeds: 2})
	if err != nil {
		t.Fatal(err)
	}
	if a := out[0]; a.Err != nil || len(a.Values) != 2 || a.Values[0] <= 0 || a.Values[0] > 1 {
		t.Errorf("the share of different tours is %+v", a)
	}
	want := `reading is "hit_ratio", want one of`
	if c := out[3]; c.Err == nil || !strings.Contains(c.Err.Error(), want) {
		t.Errorf("a reading that ga has not: %v", c.Err)
	}
	out[0].Values, out[1].Values, out[3].Row.Solver = []float64{1, 2, 3}, []float64{4, 5, 6}, ""
	if test(table, out); out[2].Err == nil {
		t.Error("a test of three rows, of which one has no figures")
	}
	table.Rows = table.Rows[:3]
	if test(table, out[:3]); len(out[2].Values) != 1 || out[2].Values[0] != 0 {
		t.Errorf("U is %v, want 0, for all of the first are smaller; %v", out[2].Values, out[2].Err)
	}
	if s := table.Rows[0].Settings(); !strings.Contains(s, "measure=reading reading=different") {
		t.Errorf("settings are %q", s)
	}
}
