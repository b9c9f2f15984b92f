package bench

import (
	"math"
	"testing"
)

// What is made of other rows: the best of the seeds of a column or of a row, with how many there
// are, and a ratio to the kept figure of another table. Nothing of it has a verdict or counts as
// measured.
func TestMadeOfOthers(t *testing.T) {
	t.Parallel()
	table, err := parsePaperTable("x.txt", paperHead+
		"margin: 10 %, at least 0.1 points\n"+
		"column: mean | instance=pcb442\n"+
		"column: best | instance=pcb442 measure=least of=mean\n"+
		"column: times | instance=pcb442 measure=ratio of=acs-3:ACS-SEQ/mean\n"+
		"row: x\nrow: y\nrow: x, best | measure=least of=x\n\n"+
		" | mean | best | times\nx | 3 | 2 | 4\ny | 3 | 2 | 4\nx, best | 2 | |\n")
	if err != nil {
		t.Fatal(err)
	}
	out, err := List(table, "")
	if err != nil {
		t.Fatal(err)
	}
	out[0].Values, out[0].Seeds = []float64{4, 2.5, 3, 5, 6}, []int{1, 2, 3, 4, 5}
	test(table, out)
	rule(table, out)
	kept := keptOf("acs-3", "ACS-SEQ", "pcb442")
	if len(kept) == 0 {
		t.Fatal("acs-3 has no figure of pcb442")
	}
	for _, want := range []struct {
		what  string
		value float64
		n     int
	}{
		{"x, best", 2.5, 5}, {"x, times", Median(kept) / 4, 0}, {"x, best, mean", 2.5, 5},
	} {
		for i := range out {
			o := &out[i]
			if o.Row.What != want.what {
				continue
			}
			if o.Err != nil || len(o.Values) != 1 || math.Abs(o.Values[0]-want.value) > 1e-9 ||
				o.N != want.n || o.Verdict.Word != "" || o.Row.runs() {
				t.Errorf("%s: %+v", want.what, o)
			}
		}
	}
	for i := range out {
		if o := &out[i]; o.Row.Label == "y" && o.Row.Column != "mean" && o.Err == nil {
			t.Errorf("%s, of nothing: %v", o.Row.What, o.Values)
		}
	}
	if keptOf("acs-3", "ACS-SEQ", "rand-60-1") != nil || keptOf("acs-3", "x", "pcb442") != nil ||
		keptOf("nothing", "x", "pcb442") != nil {
		t.Error("there are kept figures of nothing")
	}
	if names, judged := table.judged(out); len(names) != 2 || !judged[0] || judged[1] {
		t.Errorf("judged: %q %v", names, judged)
	}
}

// A mean of ratios over instances has the least and the greatest of them, and no verdict; it is no
// published result that can be judged.
func TestMeanOfRatios(t *testing.T) {
	t.Parallel()
	table, err := parsePaperTable("x.txt", paperHead+
		"margin: 10 %, at least 0.1 points\n"+
		"column: a | measure=seconds\ncolumn: b | measure=seconds\n"+
		"column: times | measure=ratio of=a/b mean=speed-up\n"+
		"row: x | instance=d198,a280\nrow: y | instance=pcb442\n\n"+
		" | a | b | times\nx | - | - | 7\ny | - | - | 7\n")
	if err != nil {
		t.Fatal(err)
	}
	out, err := List(table, "")
	if err != nil {
		t.Fatal(err)
	}
	seconds := map[string][2]float64{"d198": {6, 2}, "a280": {4, 8}}
	for i := range out {
		o := &out[i]
		s, ok := seconds[o.Row.Instance]
		switch {
		case !ok:
		case o.Row.Column == "a":
			o.Values, o.Seeds = []float64{s[0]}, []int{1}
		case o.Row.Column == "b":
			o.Values, o.Seeds = []float64{s[1]}, []int{1}
		}
	}
	test(table, out)
	rule(table, out)
	list := Means(table, out)
	if len(list) != 1 {
		t.Fatalf("%d means: %+v", len(list), list)
	}
	m := list[0]
	if m.Group != "speed-up" || m.Rows != 2 || m.Of != 3 || m.Value != 1.75 || m.From != 0.5 ||
		m.To != 3 || m.Published != 7 || m.Unit != "times" || m.Verdict.Word != "" {
		t.Errorf("%+v", m)
	}
	if names, _ := table.judged(out); len(names) != 0 {
		t.Errorf("results that can be judged: %q", names)
	}
}
