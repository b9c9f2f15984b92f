package papers_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A table of a paper has its published figures and ours in the same lines, with their origins.
func TestPaper(t *testing.T) {
	t.Parallel()
	l := start(t)
	r := l.do("paper acs-7").(*reply.PaperReply)
	if !slices.Equal(r.Columns, []string{"mean", "least", "ms", "speed-up"}) ||
		r.DOI != "10.1016/j.jpdc.2016.04.014" || len(r.Made) == 0 {
		t.Errorf("columns %q, DOI %q, measured by %q", r.Columns, r.DOI, r.Made)
	}
	const row = "nrw1379, 256 ants, GPU"
	at := slices.Index(r.Labels(), row)
	if at < 0 || r.Published("mean")[at] != 4.189 || !(r.Measured("mean")[at] > 0) ||
		len(r.Values(row, "mean")) < 5 || len(r.Values(row, "none")) != 0 ||
		!math.IsNaN(r.Published("none")[at]) {
		t.Errorf("%s of acs-7: %+v", row, r.Rows)
	}
	for text, wants := range map[string][]string{
		r.String(): {row, "measured (medians): 20", "published: R. Skinderowicz"},
		r.HTML(): {
			">4.189</td>", "https://doi.org/10.1016/j.jpdc.2016.04.014", ">measured</th>", " seeds: ",
		},
	} {
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("acs-7 lacks %q:\n%s", want, text)
			}
		}
	}
	// A test tells of the seeds that it compares, a ratio of none.
	acs := l.do("paper acs-9 GPU").(*reply.PaperReply)
	p, alt := slices.Index(acs.Columns, "p"), slices.Index(acs.Columns, "Alt")
	for _, row := range acs.Rows {
		if c := row.Cells[p]; len(c.Values) != 1 || c.N != row.Cells[alt].N || c.N < 5 {
			t.Errorf("the test of %s of %d seeds: %+v", row.Label, row.Cells[alt].N, c)
		}
	}
	speed := l.do("paper acs-3").(*reply.PaperReply)
	at = slices.Index(speed.Columns, "ACS-GPU speed-up")
	if c := speed.Rows[0].Cells[at]; len(c.Values) != 1 || c.N != 0 {
		t.Errorf("a speed-up: %+v", c)
	}
	// The best of the seeds tells how many they are, and is the best of those beside it.
	ten := l.do("paper acs-10 GPU").(*reply.PaperReply)
	gap, best := slices.Index(ten.Columns, "gap"), slices.Index(ten.Columns, "best")
	c, of := ten.Rows[0].Cells[best], ten.Rows[0].Cells[gap]
	if len(c.Values) != 1 || c.N != len(of.Values) || c.N < 5 || c.Values[0] != of.Min {
		t.Errorf("the best of the seeds: %+v of %+v", c, of)
	}
	// A line that stands for several instances is one line an instance; the published mean over them
	// stands below.
	fosin := l.do("paper fosin-3").(*reply.PaperReply)
	if len(fosin.Means) == 0 || !strings.Contains(fosin.String(), ", published ") {
		t.Errorf("fosin-3 has no means:\n%s", fosin)
	}
	if fig := l.do("paper fosin-fig5").(*reply.PaperReply); !strings.Contains(fig.String(),
		"speed-up of 2-opt: mean of 73 instances ") || !strings.Contains(fig.String(), " greatest ") ||
		!math.IsNaN(float64(fig.Means[0].Published)) || strings.Contains(fig.String(), ", published ") {
		t.Errorf("fosin-fig5 has no mean speed-up:\n%s", fig)
	}
	kang := l.do("paper kang-2").(*reply.PaperReply).String()
	if !strings.Contains(kang, "not reached worse") {
		t.Errorf("kang-2 does not tell of a gap that was not reached:\n%s", kang)
	}
	if one := l.do("paper acs-9 a280").(*reply.PaperReply); len(one.Rows) != 2 {
		t.Errorf("rows of a280: %q", one.Labels())
	}
	two := l.do("paper acs-9 a280 columns='SPM | Alt'").(*reply.PaperReply)
	if !slices.Equal(two.Columns, []string{"SPM", "Alt"}) || len(two.Rows[0].Cells) != 2 ||
		two.Published("Alt")[1] != 3.77 {
		t.Errorf("two columns of acs-9: %q, %+v", two.Columns, two.Rows)
	}
	var places []string
	for _, m := range l.do("paper luong-4").(*reply.PaperReply).Made {
		place, _, _ := strings.Cut(m, "; by: ")
		if slices.Contains(places, place) {
			t.Errorf("luong-4 names a place twice: %q", m)
		}
		places = append(places, place)
	}
	l.fails("paper acs-9 columns=SPN", wire.CodeRequest, `column is "SPN"`, "Alt | Alt, best | SPM")
	l.fails("paper tours", wire.CodeRequest, `"tours"`, "of no paper", "acs-9")
	for _, line := range []string{"bench kang seeds=2", "bench anneal row=x", "bench kang full"} {
		l.fails(line, wire.CodeRequest, "belong to one table that is measured")
	}
	l.fails("paper nothing", wire.CodeRequest, `"nothing"`)
}

func TestClaim(t *testing.T) {
	t.Parallel()
	l := start(t)
	const a, b, c = "a:1,2,3,4,5,6", "b:7,8,9,10,11,12", "c:13,14,15,16,17,18"
	for line, want := range map[string]string{
		"lower '" + a + ";" + b + "'":                                  reply.Holds,
		"higher '" + a + ";" + b + "'":                                 reply.NotHolds,
		"higher '" + c + ";" + a + ";" + b + "'":                       reply.Holds,
		"rising '" + a + ";" + b + ";" + c + "'":                       reply.Holds,
		"rising '" + a + ";" + c + ";" + b + "'":                       reply.NotHolds,
		"lower '" + a + ";b:2,3,1,5,4,7'":                              reply.NotShown,
		"paired-lower 'a:1,2,3,4,5,6;b:2,4,6,8,10,12'":                 reply.Holds,
		"paired-higher 'a:1,2,3,4,5,6;b:2,4,6,8,10,12'":                reply.NotHolds,
		"paired-lower 'a:1,2,3;b:2,3,4'":                               reply.NotShown,
		"same '" + a + ";b:2,3,1,5,4,7'":                               reply.Holds,
		"same '" + a + ";" + b + "'":                                   reply.NotHolds,
		"same '" + a + ";" + b + ";" + c + "'":                         reply.NotHolds,
		"same 'a:1,2,3,1,2,3,1,2;b:2,3,1,3,1,2,3,1;c:3,1,2,2,3,1,2,3'": reply.Holds,
		"lower 'none at all:1,1,1,1,1,1;different at all:1,1,1,1,1,1'": reply.NotShown,
	} {
		r := l.do("claim 'it is so' " + line).(*reply.ClaimReply)
		if r.Verdict != want || r.Holds() != (want == reply.Holds) || !r.P.Known() || r.Test == "" {
			t.Errorf("claim %s: %s, want %s\n%s", line, r.Verdict, want, r)
		}
		if r.Holds() != strings.Contains(r.HTML(), "✓") || !strings.Contains(r.String(), "it is so") {
			t.Errorf("claim %s shows as\n%s\n%s", line, r, r.HTML())
		}
	}
	if r := l.do("claim so lower '" + a + ";" + b + "'").(*reply.ClaimReply); r.Pairs[0].Effect != 1 {
		t.Errorf("the first is always lower, and the effect is %v", r.Pairs[0].Effect)
	}
	l.fails("claim so lowest 'a:1;b:2'", wire.CodeRequest, `"lowest"`, "paired-higher")
	l.fails("claim so lower a:1", wire.CodeRequest, "samples are 1")
	l.fails("claim so lower 'a:1;a:2'", wire.CodeRequest, "two samples are called a")
	l.fails("claim so lower 'a:1;b:two'", wire.CodeRequest, `"two"`, "value 1 of sample b")
	l.fails("claim so paired-lower 'a:1;b:1,2'", wire.CodeRequest, "a has 1 values and b 2")
	l.fails("claim ' ' lower 'a:1;b:2'", wire.CodeRequest, "sentence is empty")
}

// A table names the GPU that measured, of those columns that are asked for; pictures of the papers
// name it as the tables do.
func TestGPUOfAPaper(t *testing.T) {
	t.Parallel()
	l := start(t)
	five := l.do("paper kang-5").(*reply.PaperReply)
	if got := five.GPU("131 cities, GPU"); got != "H100" {
		t.Errorf("generations were measured on %q", got)
	}
	if got := five.GPU("131 cities, CPU"); got != "GPU" {
		t.Errorf("a processor's column is of %q", got)
	}
	for paper, table := range map[string]string{
		"mmas": "mmas-4 'pr2392 GPU'", "acs": "acs-5 'pr2392 GPU'", "fosin": "fosin-2 columns=GPU",
		"kang": "kang-5",
	} {
		on := l.do("paper " + table).(*reply.PaperReply).GPU()
		g := l.do("glance " + paper).(*reply.GlanceReply)
		if on == "GPU" || !strings.Contains(g.Alt, on) || !slices.ContainsFunc(g.Series,
			func(s reply.BarSeries) bool { return strings.Contains(s.Name, on) }) {
			t.Errorf("%s was measured on %s; its picture: %s", paper, on, g.Alt)
		}
	}
}
