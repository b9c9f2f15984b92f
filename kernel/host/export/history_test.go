package export_test

import (
	"bytes"
	"encoding/csv"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A history that keeps a part of the iterations says so in the file, in the answer and in the
// figure; all makes the others again.
func TestExportSaysWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := filepath.Dir(l.O.StateDir)
	// Lengths of millions: integers are written as such.
	l.Do("open walk E1k.0 as a; step a 900; set a moves=3; step a 1200")
	table := func(line string, said ...string) [][]string {
		t.Helper()
		path := filepath.Join(dir, "a.csv")
		text := l.Do("export a " + path + line).String()
		for _, w := range said {
			if !strings.Contains(text, w) {
				t.Errorf("export%s says %q, want %q", line, text, w)
			}
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rows, err := csv.NewReader(f).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		last := int64(0)
		at := map[string]int{}
		for i, name := range rows[0] {
			at[name] = i
		}
		for _, r := range rows[1:] {
			i, _ := strconv.ParseInt(r[at["iteration"]], 10, 64)
			if r[at["skipped"]] != strconv.FormatInt(i-last-1, 10) {
				t.Fatalf("row of iteration %d after %d: skipped is %s", i, last, r[at["skipped"]])
			}
			if _, err := strconv.ParseInt(r[at["best"]], 10, 64); err != nil {
				t.Fatalf("the best of iteration %d is %s", i, r[at["best"]])
			}
			if strings.Contains(r[at["mean"]], "e+") {
				t.Fatalf("the mean of iteration %d is %s", i, r[at["mean"]])
			}
			last = i
		}
		return rows
	}
	kept := table("", "of 2100 iterations", "all: each")
	all := table(" all", "all 2100 iterations")
	if len(kept) < 1000 || len(kept) > 2000 || len(all) != 2101 {
		t.Fatalf("%d and %d rows", len(kept), len(all))
	}
	for _, r := range kept[1:] { // the same rows, but for what was skipped
		i, _ := strconv.Atoi(r[0])
		for c, name := range kept[0] {
			if all[i][c] != r[c] && name != "skipped" {
				t.Errorf("iteration %d: %s is %s, and %s of all", i, name, r[c], all[i][c])
			}
		}
	}

	figure := func(q reply.PlotLook) string {
		t.Helper()
		var r reply.PlotReply
		req := wire.PlotRequest{Runs: []string{"a"}, PlotLook: q}
		if err := l.C.Do(t.Context(), "plot", req, &r); err != nil {
			t.Fatal(err)
		}
		return string(r.Data)
	}
	if s := figure(reply.PlotLook{}); !strings.Contains(s, "of 2,100 kept; the word all draws each") {
		t.Error("the figure does not say that iterations are left out")
	}
	if s := figure(reply.PlotLook{All: true}); strings.Contains(s, "kept") {
		t.Error("the figure of all says that some are left out")
	}
	if s := figure(reply.PlotLook{All: true, X: "time"}); !strings.Contains(s, "time (s)") {
		t.Error("no axis of time")
	}
}

// What was chosen about a figure reaches it, and what is wrong with it is said.
func TestPlotLook(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-50-1 as a; step a 20; fork a as b; step b 5")
	var r reply.PlotReply
	req := wire.PlotRequest{
		Runs: []string{"a", "b"}, Figure: "best,tour", Sink: &wire.Sink{Graphics: "svg"},
		PlotLook: reply.PlotLook{
			X: "cpu", Title: "two runs", Legend: "plain,other", Size: "20cmx10cm",
			Columns: 2,
		},
	}
	if err := l.C.Do(t.Context(), "plot", req, &r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"two runs", "CPU time (s)", ">plain<", ">other<", `width="566.93pt"`,
		"b: walk/swap on rand-50-1",
	} {
		if !strings.Contains(string(r.Data), want) {
			t.Errorf("no %s in the figure", want)
		}
	}
	if r.Look != req.PlotLook {
		t.Errorf("look %+v", r.Look)
	}
	// As a notebook keeps it: two pixels for each of a page.
	req.Sink = &wire.Sink{Graphics: "png", Kept: true}
	if err := l.C.Do(t.Context(), "plot", req, &r); err != nil {
		t.Fatal(err)
	}
	head, err := png.DecodeConfig(bytes.NewReader(r.Data))
	if err != nil || r.Wide != 756 || r.High != 378 || (head.Width+1)/2 != r.Wide ||
		len(r.Data) > 120_000 || !strings.Contains(r.Words, "plain") {
		t.Errorf("a picture of %dx%d, %d bytes, shown as %dx%d: %s, %v", head.Width, head.Height,
			len(r.Data), r.Wide, r.High, r.Words, err)
	}
	l.Fails("plot a x=tme", wire.CodeRequest, "iteration, time, cpu or evaluations")
	l.Fails("plot a range=5", wire.CodeRequest, "from..to")
	l.Fails("plot a size=5 to /tmp/x.png", wire.CodeRequest, "width x height")
	l.Fails("plot a tour x=cpu", wire.CodeRequest, "tour has no x axis")
	l.Fails("plot a legend=p,q,r,s", wire.CodeRequest, "4 names")
	l.Fails("plot a columns=-1", wire.CodeRequest, "columns")
}

// A file whose ending says nothing is refused with the endings that say something.
func TestExportNamesItsEndings(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-12-1 as a; step a 5")
	dir := t.TempDir()
	for _, name := range []string{"a.tsp", "a", "a.foo", "a.txt"} {
		l.Fails("export a "+filepath.Join(dir, name), wire.CodeRequest, "what would "+name+" hold?",
			".csv the history", ".tour or .sln the best solution", ".html a page", ".txt the best")
	}
	l.Do("export a " + filepath.Join(dir, "a.CSV"))
}
