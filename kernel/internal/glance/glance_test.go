package glance

import (
	"math"
	"strings"
	"testing"

	"metalab/kernel/reply"
)

// made is a table with one row of figures, as published and as measured.
func made(name, columns string, published, measured []float64) *reply.PaperReply {
	t := &reply.PaperReply{Table: reply.BenchTable{Name: name}, Columns: strings.Split(columns, ",")}
	row := reply.PaperRow{Label: "pr2392"}
	for i := range t.Columns {
		row.Cells = append(row.Cells, reply.PaperCell{
			Published: reply.Num(published[i]), Measured: reply.Num(measured[i]),
		})
	}
	t.Rows = []reply.PaperRow{row}
	return t
}

// at is what a page says of a paper when one of its tables, or none, has figures.
func at(t *testing.T, paper string, only *reply.PaperReply) *reply.GlanceReply {
	t.Helper()
	g, err := Of(paper, func(table, _ string) (*reply.PaperReply, error) {
		if table == only.Table.Name {
			own := *only
			return &own, nil
		}
		return &reply.PaperReply{Table: reply.BenchTable{Name: table}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

const six = "RWM-LC,RWM-BT,RWM-CT,WRS-LC,WRS-BT,WRS-CT"

// Each sentence follows from the figures by its rule, whichever of them is turned round.
func TestClaimsFollowFromRows(t *testing.T) {
	t.Parallel()
	const slowest, faster = "without lists BT is the slowest, by either rule",
		"without lists WRS is faster than RWM, with each list"
	const periods = "k = 1,k = 2,k = 4,k = 8,k = 16"
	for _, c := range []struct {
		paper, table, columns, says string
		published, measured         []float64
		want                        string // published; measured
	}{
		{
			"mmas", "mmas-4", six, slowest,
			[]float64{2, 5, 3, 1, 4, 2},
			[]float64{5, 2, 3, 1, 4, 2},
			"1 of 1; 0 of 1",
		},
		// between the other two is not the slowest, and both rules must say so
		{
			"mmas", "mmas-4", six, slowest,
			[]float64{2, 5, 3, 1, 2, 3},
			[]float64{2, 3, 5, 1, 4, 2},
			"0 of 1; 0 of 1",
		},
		{
			"mmas", "mmas-3", six, slowest,
			[]float64{3, 5, 2, 3, 2, 1},
			[]float64{2, 5, 3, 1, 4, 2},
			"0 of 1; 1 of 1",
		},
		{
			"mmas", "mmas-4", six, faster,
			[]float64{2, 5, 3, 1, 4, 2},
			[]float64{1, 5, 3, 2, 4, 2},
			"1 of 1; 0 of 1",
		},
		{
			"mmas", "mmas-4", six, faster,
			[]float64{2, 4, 3, 1, 5, 2},
			[]float64{2, 5, 2, 1, 4, 3},
			"0 of 1; 0 of 1",
		},
		{
			"mmas", "mmas-4", six, faster,
			[]float64{2, 5, 3, 1, 4, math.NaN()},
			[]float64{2, 5, 3, 1, 4, 2},
			"-; 1 of 1",
		},
		{
			"mmas", "mmas-5", six, "with lists BT is faster than LC, the three largest instances",
			[]float64{2, 1, 9, 4, 3, 9},
			[]float64{2, 1, 9, 3, 4, 9},
			"1 of 1; 0 of 1",
		},
		{
			"mmas", "mmas-5", six, "with lists BT is the fastest, the three largest instances",
			[]float64{2, 1, 9, 4, 3, 9},
			[]float64{2, 1, 9, 4, 3, 2},
			"1 of 1; 0 of 1",
		},
		{
			"mmas", "mmas-8", "p-value", "Friedman's test finds no difference in quality, p > 0.05",
			[]float64{.06},
			[]float64{.05},
			"1 of 1; 0 of 1",
		},
		{
			"acs", "acs-5", periods, "above 1000 cities each longer period is better than k = 1",
			[]float64{9, 5, 4, 3, 8},
			[]float64{9, 5, 4, 3, 9},
			"1 of 1; 0 of 1",
		},
		{
			"acs", "acs-5", periods, "d198 and a280: each longer period is worse than k = 1",
			[]float64{1, 5, 4, 3, 8},
			[]float64{1, 5, .5, 3, 9},
			"1 of 1; 0 of 1",
		},
		{
			"acs", "acs-9", "SPM,Alt,p", "SPM is better than Alt in the same time, p < 0.05",
			[]float64{1, 2, .01},
			[]float64{2, 2, .01},
			"1 of 1; 0 of 1",
		},
		{
			"acs", "acs-9", "SPM,Alt,p", "SPM is better than Alt in the same time, p < 0.05",
			[]float64{1, 2, .04},
			[]float64{1, 2, .05},
			"1 of 1; 0 of 1",
		},
	} {
		table := made(c.table, c.columns, c.published, c.measured)
		found := false
		for _, s := range at(t, c.paper, table).Shapes {
			if s.Table != c.table || s.Says != c.says {
				continue
			}
			found = true
			if got := s.Published.String() + "; " + s.Measured.String(); got != c.want {
				t.Errorf("%s, %s: %s, want %s", c.table, c.says, got, c.want)
			}
		}
		if !found {
			t.Errorf("%s says nothing of %q", c.paper, c.says)
		}
	}
}

// What a picture's text claims is made of the figures that it shows, too, and stale ones say
// nothing.
func TestPicturesTellTheirRows(t *testing.T) {
	t.Parallel()
	so, not := []float64{2, 5, 3, 1, 4, 2}, []float64{1, 5, 3, 2, 6, 4}
	table := made("mmas-4", six, so, not)
	alt := at(t, "mmas", table).Alt
	for _, want := range []string{
		"The bitmask (BT) is the slowest: published 1 of 1, measured 1 of 1.",
		"Reservoir sampling (WRS) is faster than the roulette wheel (RWM) with each list: published " +
			"1 of 1, measured 0 of 1.",
	} {
		if !strings.Contains(alt, want) {
			t.Errorf("the picture's text lacks %q: %s", want, alt)
		}
	}
	table.Rows[0].Cells[1].Stale = true
	if alt := at(t, "mmas", table).Alt; !strings.Contains(alt,
		"the slowest: published 1 of 1, measured -.") {
		t.Errorf("a stale figure judges: %s", alt)
	}
	acs := made("acs-5", "k = 1,k = 2,k = 4,k = 8,k = 16", []float64{9, 1, 1, 1, 1},
		[]float64{1, 9, 1, 1, 1})
	if alt := at(t, "acs", acs).Alt; !strings.Contains(alt,
		"A period of 1 is the worst: published 1 of 1, measured 0 of 1.") {
		t.Errorf("the picture's text: %s", alt)
	}
}

// The rules that pages share: what is below counts, equal is not below, and what is missing is left
// out.
func TestBelow(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	got := below([]float64{1, 2, 2, nan, 1, 7}, []float64{2, 2, 1, 1, nan})
	if got != (reply.Count{So: 1, Of: 3}) {
		t.Errorf("below counts %v", got)
	}
}

// What an earlier version of an algorithm measured is no row of a claim, whether rows or pairs of
// cells are counted.
func TestEarlierVersionsAreNoRows(t *testing.T) {
	t.Parallel()
	count := func(table *reply.PaperReply, says string) string {
		for _, s := range at(t, "acs", table).Shapes {
			if s.Says == says {
				return s.Measured.String()
			}
		}
		t.Fatalf("no line %q", says)
		return ""
	}
	fig7 := made("acs-fig7", "ACS-GPU,ACS-GPU-Alt", []float64{2, 1}, []float64{2, 1})
	fig8 := made("acs-fig8", "Alt; 256 ants,SPM; 256 ants", []float64{1, 2}, []float64{1, 2})
	fig8.Columns = []string{"Alt, 256 ants", "SPM, 256 ants"}
	fig8.Rows[0].Label = "pr2392, k = 1"
	for i := range fig8.Rows[0].Cells {
		fig8.Rows[0].Cells[i].Values = []reply.Num{fig8.Rows[0].Cells[i].Measured}
	}
	for _, c := range []struct {
		table *reply.PaperReply
		says  string
	}{
		{fig7, "from 783 cities on Alt is better than ACS-GPU"},
		{fig8, "SPM takes more time than Alt, 256 ants"},
	} {
		if got := count(c.table, c.says); got != "1 of 1" {
			t.Errorf("%s: %s of today, want 1 of 1", c.says, got)
		}
		c.table.Rows[0].Cells[1].Verdict = "not comparable: by a rule of our own"
		if got := count(c.table, c.says); got != "-" {
			t.Errorf("%s: %s of what does not compare, want none", c.says, got)
		}
		c.table.Rows[0].Cells[1].Verdict = ""
		c.table.Rows[0].Cells[1].Stale = true
		if got := count(c.table, c.says); got != "-" {
			t.Errorf("%s: %s with one of an earlier version, want none", c.says, got)
		}
	}
}
