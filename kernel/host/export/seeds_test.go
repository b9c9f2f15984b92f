package export_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A run that was repeated and never stepped has figures and a table of its seeds.
func TestSeedsAreDrawnAndExported(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := filepath.Dir(l.O.StateDir)
	l.Do("open walk E1k.0 as p seed=7; open walk E1k.0 as q moves=1; repeat p 5 n=30; repeat q 5 n=30")
	words := func(figure string, runs ...string) string {
		var r reply.PlotReply
		if err := l.C.Do(t.Context(), "plot", wire.PlotRequest{
			Runs: runs, Figure: figure,
			Sink: &wire.Sink{Graphics: "none"},
		}, &r); err != nil {
			t.Fatal(err)
		}
		return string(r.Data)
	}
	for _, c := range []struct {
		figure string
		runs   []string
		want   []string
	}{
		{"", []string{"p"}, []string{
			"p: walk/swap on E1k.0, 5 seeds, 30 iterations each",
			"gap (%), median and quartiles: ", "median of the seeds: first ",
		}},
		{"best", []string{"p", "q"}, []string{
			"gap (%), median and quartiles: ", "\np: first ",
			"\nq: first ",
		}},
		{"band", []string{"p"}, []string{"p: median and quartiles of 5 seeds, 30 iterations each"}},
		{"box", []string{"p", "q"}, []string{
			"best of each seed, 30 iterations", "p: 5 seeds: least ",
			"q: 5 seeds: least ",
		}},
	} {
		got := words(c.figure, c.runs...)
		for _, w := range c.want {
			if !strings.Contains(got, w) {
				t.Errorf("plot %s %v: %q\nlacks %q", c.figure, c.runs, got, w)
			}
		}
	}
	// Seeds of other parameters than now are not drawn as the run's.
	l.Do("set q moves=2")
	if got := words("box", "p", "q"); strings.Contains(got, "q: ") {
		t.Errorf("a box of other parameters: %q", got)
	}
	read := func(path string) [][]string {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rows, err := csv.NewReader(f).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	if r := l.Do("export p " + dir + "/p.csv").(*reply.FileReply); !strings.HasSuffix(r.String(),
		", 5 seeds") {
		t.Errorf("export: %s", r)
	}
	rows := read(dir + "/p.csv")
	if len(rows) != 6 ||
		!slices.Equal(rows[0][:9], []string{
			"run", "solver", "instance", "backend", "series", "budget",
			"seed", "iteration", "best",
		}) {
		t.Fatalf("rows: %v", rows)
	}
	seeds := l.Do("seeds p").(*reply.SeedsReply).Series[0].Results
	for i, x := range seeds {
		want := []string{
			"p", "walk/swap", "E1k.0", "cpu", "1", "30 iterations", strconv.Itoa(7 + i),
			"30", x.Best.String(),
		}
		if !slices.Equal(rows[i+1][:9], want) {
			t.Errorf("row %d: %v, want %v", i+1, rows[i+1], want)
		}
	}
	// With iterations of its own the history comes first; series differ by their parameters.
	l.Do("step p 10; set p moves=2; repeat p 2; export p " + dir + "/h.csv; export p " + dir +
		"/s.csv seeds")
	if rows := read(dir + "/h.csv"); len(rows) != 11 || rows[0][0] != "iteration" {
		t.Errorf("the history: %v", rows[0])
	}
	rows = read(dir + "/s.csv")
	if n := len(rows[0]); len(rows) != 8 || rows[0][n-1] != "moves" || rows[1][n-1] != "10" ||
		rows[7][n-1] != "2" || rows[7][4] != "2" {
		t.Errorf("two series: %v", rows)
	}
	l.Fails("open walk E1k.0 as r; export r "+dir+"/r.csv seeds", wire.CodeRequest,
		"r was not repeated")
}

// The seeds of several runs are written into one file.
func TestExportSeveral(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	path := filepath.Join(t.TempDir(), "xy.csv")
	l.Do("open walk rand-30-1 as x; open walk rand-30-2 as y; repeat x 3 n=5; repeat y 4 n=5")
	l.Do("set y moves=1; repeat y 2 n=5")
	if r := l.Do("export x path=" + path + " y seeds").(*reply.FileReply); r.Seeds != 9 {
		t.Errorf("%s", r)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 10 || rows[1][0] != "x" || rows[9][0] != "y" ||
		rows[0][len(rows[0])-1] != "moves" || rows[9][len(rows[0])-1] != "1" {
		t.Errorf("%v, %v", rows, err)
	}
	for end, want := range map[string]string{
		".xlsx": "ends in .csv", ".PNG": "plot a to", ".json": "save a a.run",
		".HTML": "ends in .html", ".htm": "ends in .html", ".Tour": "small letters",
		".tex": "experiment e1 export",
	} {
		l.Fails("export x path="+path+end, wire.CodeRequest, want)
	}
	l.Fails("export x path="+path+" y", wire.CodeRequest, "2 runs are named")
	l.Fails("export x path="+filepath.Dir(path)+"/b.tour y", wire.CodeRequest, "2 runs are named")
	l.Do("open walk rand-30-3 as w")
	l.Fails("export x path="+path+" w seeds", wire.CodeRequest, "w was not repeated")
}
