package papers_test

import (
	"fmt"
	"strings"
	"testing"

	"metalab/gpu"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/bench/figures"
)

func TestBench(t *testing.T) {
	t.Parallel()
	l := start(t)
	list := l.do("bench").(*reply.BenchReply)
	names := ""
	for _, b := range list.Tables {
		names += b.Name + " "
		if b.Title == "" || b.Rows == 0 {
			t.Errorf("table %q: title %q, %d rows", b.Name, b.Title, b.Rows)
		}
	}
	if !strings.Contains(names, "ants ") || !strings.Contains(names, "tours ") ||
		!strings.Contains(list.String(), "tours") {
		t.Errorf("tables are %s", names)
	}
	for _, f := range figures.All() {
		if !strings.Contains(names, f.Name+" ") || strings.Count(" "+names, " "+f.Name+" ") != 1 {
			t.Errorf("figures %s are not listed once: %s", f.Name, names)
		}
	}
	r := l.do("bench ils-breadth").(*reply.BenchReply)
	for _, text := range []string{r.String(), r.HTML()} {
		for _, want := range []string{
			"exchanges tried", "solvers/ils; a machine that was not noted",
			"2026-11-22", "pr1002", "0.27", "Mean gaps",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("bench ils-breadth lacks %q:\n%s", want, text)
			}
		}
	}
	if all := l.do("bench figures").(*reply.BenchReply); len(all.Kept) != len(figures.All()) {
		t.Errorf("%d tables of figures, want %d", len(all.Kept), len(figures.All()))
	}
	kang := l.do("bench kang").(*reply.BenchReply)
	if len(kang.Tables) == 0 || kang.Tables[0].Name != "kang-2" ||
		!strings.Contains(kang.String(), "Kang et al. 2016, table 2:") {
		t.Errorf("the tables of a paper: %s", kang)
	}
	if s := kang.String(); strings.Contains(s, "measured") || !strings.Contains(s, " worse)") {
		t.Errorf("verdicts stand behind the title, and no empty column beside it:\n%s", s)
	}
	if text := l.do("bench kang-2 list").(*reply.BenchReply).String(); !strings.Contains(text,
		"are gaps in percent here") || !strings.Contains(text, "35.5") {
		t.Errorf("bench kang-2 list lacks its note or a published figure:\n%s", text)
	}
	kept := l.do("bench kang-2 list").(*reply.BenchReply)
	if text := kept.String(); len(kept.Made) == 0 || kept.Rows[0].Verdict == "" ||
		!strings.Contains(text, "measured: 20") || !strings.Contains(text, ", n=10") ||
		!strings.Contains(text, "Verdicts: the 95 % interval") {
		t.Errorf("bench kang-2 list has no kept figures, or no verdicts:\n%s", text)
	}
	pass := l.do("bench fosin-1 CPU list").(*reply.BenchReply)
	if pass.Rows[0].Settings == "" { // figures are kept by them
		t.Errorf("a row that measures a function has no settings: %+v", pass.Rows[0])
	}
	zero := l.do("bench mmas-10 eil101 list").(*reply.BenchReply)
	if len(zero.Rows) < 2 || !zero.Rows[1].Figure.Known() || zero.Rows[1].Figure != 0 ||
		zero.Rows[1].What != "eil101, MCF-ABC seconds" {
		t.Errorf("a published figure of 0 is not told: %s", zero)
	}
	if of := l.do("bench skinderowicz").(*reply.BenchReply); len(of.Tables) == 0 ||
		of.Tables[0].Name != "mmas-1" {
		t.Errorf("the tables of an author: %s", of)
	}
	page := l.do("bench papers").(*reply.BenchReply)
	for _, text := range []string{page.String(), page.HTML()} {
		for _, want := range []string{
			"Kang et al. 2016", "kang-2", " of ", "not shown", "H200", "2026-11-2",
			"counts once", "points", "mmas-fig12 cannot be measured here: a P100",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("bench papers lacks %q:\n%s", want, text)
			}
		}
	}
	agree := 0
	for _, p := range page.Papers {
		agree += p.Agree
		if p.Measured > p.Rows || p.Least > p.Most ||
			p.Agree+p.Better+p.Worse > 0 && p.Most < 5 {
			t.Errorf("the standing of a table is %+v", p)
		}
	}
	want := fmt.Sprintf(" %d agree, ", agree)
	if agree == 0 || !strings.Contains(page.String(), want) {
		t.Errorf("bench papers lacks %q:\n%s", want, page)
	}
	one := l.do("bench kang-fig8 row=1").(*reply.BenchReply)
	for _, text := range []string{one.String(), one.HTML()} {
		if !strings.Contains(text, "not measured: the start and the instance") ||
			!strings.Contains(text, "published") || strings.Contains(text, "its figure") ||
			!strings.Contains(text, "16 GB") {
			t.Errorf("bench kang-fig8:\n%s", text)
		}
	}
	l.fails("bench nothing", wire.CodeRequest, `"nothing"`, "tours")
	l.fails("bench tours seeds=-1", wire.CodeRequest, "seeds is -1", "0 to 1000")
	l.fails("bench tours first=2000000", wire.CodeRequest, "first is 2000000", "1 to 999000")
	l.fails("bench tours peer=linkern", wire.CodeRequest, `"linkern"`, "peer=linkern=")
	if gpu.Available() != nil {
		l.fails("bench gpu row='construction pr1002'", wire.CodeRequest,
			"measured on a GPU, and there is none")
	}
	l.fails("bench tours row=xyzzy", wire.CodeRequest, `"xyzzy"`)
	l.fails("bench tours peer=nobody=/bin/true", wire.CodeRequest, `"nobody"`, "linkern")
}

// A reply as text: figures, verdicts, and where the peer's figures come from.
func TestBenchText(t *testing.T) {
	t.Parallel()
	nan := reply.Num(0)
	nan /= nan
	r := &reply.BenchReply{
		Verb: "bench", Table: &reply.BenchTable{Name: "tours", Title: "Tours", Source: "a list"},
		Machine: "a processor, 2 cores", Go: "go1", Date: "2000-01-01",
		Rows: []reply.BenchRow{
			{
				Number: 1, What: "gap", Unit: "%", Values: []reply.Num{1, 2}, Median: 1.5, Min: 1, Max: 2,
				CPUS: 1, Peer: "linkern", Figure: 2, Where: "there", BesideM: 1.75, Reach: 2, Met: true,
			},
			{
				Number: 3, What: "rate", Unit: "/s", Values: []reply.Num{12345}, Median: 12345, Min: 12345,
				Max: 12345, CPUS: 1, Figure: nan, BesideM: nan, Reach: 20000,
			},
			{
				Number: 4, What: "none", Median: nan, CPUS: nan, Figure: nan, BesideM: nan, Reach: nan,
				Error: "no GPU",
			},
		},
	}
	for _, want := range []string{
		"1.500 %", "1.000 to 2.000", "1.750", "reached", "12345 /s",
		"missed", "no GPU", "figure of linkern: there", "a processor, 2 cores; go1; 2000-01-01",
		"figures: a list",
	} {
		if got := r.String(); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if html := r.HTML(); !strings.Contains(html, "12345 /s") {
		t.Errorf("HTML %s", html)
	}
	kept := &reply.BenchReply{
		Verb: "bench", Listed: true, Table: &reply.BenchTable{
			Name: "kang-2", Title: "Gaps", Paper: "kang", Rule: "A row agrees if so.",
			Reasons: []string{"The paper does not tell it."},
		},
		Rows: []reply.BenchRow{
			{
				Number: 1, What: "one", Unit: "%", Figure: 3, Median: 2, Min: 1, Max: 4, Reach: nan,
				Seeds: []int{1, 2}, Values: []reply.Num{1, 4}, Stale: true,
				Revision: 2, Now: 4,
			},
			{
				Number: 2, What: "two", Figure: 7, Median: nan, Reach: nan, Seeds: []int{1},
				Values: []reply.Num{nan},
			},
		},
		Means: []reply.BenchMean{{
			Group: "both", Rows: 2, Of: 3, Value: 5, Low: 4, High: 6, Least: 1, Most: 5, Unit: "%",
			Published: 9, Verdict: "better by 3.00 to 5.00 points, n=5",
		}},
		Made: []string{"2000-01-01; a machine; go1; by: bench kang-2"},
	}
	for _, text := range []string{kept.String(), kept.HTML()} {
		for _, want := range []string{
			"A row agrees if so.", "1.000 to 4.000", "(revision 2, now 4)", "not reached",
			"both: mean of 2 instances 5.000 % (4.000 to 6.000) of 1 to 5 seeds, published 9.000 for " +
				"all 3: better by 3.00 to 5.00 points, n=5",
			"The paper does not tell it.", "measured: 2000-01-01; a machine; go1; by: bench kang-2",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
	}
}
