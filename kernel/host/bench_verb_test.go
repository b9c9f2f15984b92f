package host_test

import (
	"strings"
	"testing"

	"metalab/gpu"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/bench/figures"
)

func TestBench(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
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
	if text := l.do("bench kang-2 list").(*reply.BenchReply).String(); !strings.Contains(text,
		"are gaps in percent here") || !strings.Contains(text, "35.5") {
		t.Errorf("bench kang-2 list lacks its note or a published figure:\n%s", text)
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
	one := l.do("bench kang-fig8").(*reply.BenchReply)
	for _, text := range []string{one.String(), one.HTML()} {
		if !strings.Contains(text, "not measured: the instance is not named") ||
			!strings.Contains(text, "published") || strings.Contains(text, "its figure") ||
			!strings.Contains(text, "16 GB") || strings.Contains(text, "quick table") {
			t.Errorf("bench kang-fig8:\n%s", text)
		}
	}
	l.fails("bench nothing", wire.CodeRequest, `"nothing"`, "tours")
	l.fails("bench tours seeds=-1", wire.CodeRequest, "seeds is -1", "0 to 1000")
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
}
