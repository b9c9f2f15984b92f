package reply

import (
	"strings"
	"testing"
)

// On a narrow screen the columns of a paper's table stand below each other, each part with the
// names of the rows; a table of figures lacks the columns for which there is no room, and says so.
func TestTablesFit(t *testing.T) {
	t.Parallel()
	long := "RWM-BT, "
	r := &PaperReply{Columns: []string{long + "one", long + "two", long + "three", long + "four"}}
	for range 2 {
		row := PaperRow{Label: "pr1002"}
		for i := range r.Columns {
			row.Cells = append(row.Cells, PaperCell{Published: Num(i + 1)})
		}
		r.Rows = append(r.Rows, row)
	}
	b := &BenchReply{Listed: true, Table: &BenchTable{Name: "kang-2"}, Rows: []BenchRow{{
		Number: 1, What: strings.Repeat("w", 40), Solver: "ga/tournament", Instance: "xqf131",
		Unit: "generations", Figure: 2, Values: []Num{1, 3}, Median: 2, Min: 1, Max: 3,
	}}}
	same := b.Rows[0]
	same.What = "a generation"
	alike := &BenchReply{Listed: true, Table: b.Table, Rows: []BenchRow{same, same}}
	for _, c := range []struct {
		r     Reply
		want  string
		times int
		cols  int
	}{
		{r, "pr1002", 4, 80}, // two rows in two parts
		{r, "pr1002", 2, 0},
		{b, "(no room here for solver, instance, in, range, seeds)", 1, 80},
		{b, "ga/tournament", 1, 0},
		{alike, "ga/tournament", 2, 80}, // it tells rows apart
	} {
		text := Text(c.r, c.cols)
		for line := range strings.SplitSeq(text, "\n") {
			if strings.Contains(line, "  ") && c.cols > 0 && len(line) > c.cols {
				t.Errorf("%d columns: %q", len(line), line)
			}
		}
		if n := strings.Count(text, c.want); n != c.times {
			t.Errorf("%q is there %d times, want %d:\n%s", c.want, n, c.times, text)
		}
	}
}
