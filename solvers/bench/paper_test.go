package bench

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"metalab/datasets"
	"metalab/solvers"
	_ "metalab/solvers/ants"
	_ "metalab/solvers/genetic"
	_ "metalab/solvers/ils"
	_ "metalab/solvers/moves"
)

const paperHead = "paper: kang\nnumber: 99\ntitle: gaps\nnote: One,\n  two.\nseeds: 2 of 7\n" +
	"run: solver=ils measure=gap iterations=10\n"

// Each cell becomes a row with the settings of run, column and row.
func TestPaperTable(t *testing.T) {
	t.Parallel()
	got, err := parsePaperTable("x.txt", paperHead+
		"column: a | instance=rand-60-1,rand-61-1\n"+
		"column: b | instance=rand-60-1 iterations=0.5n before=1 measure=iterations until=3 only=full\n"+
		"column: c | not=a GTX 980 = old\n"+
		"row: x | operator=2opt kicks=2n\nrow: y | preset=paper seeds=1\n"+
		"\n  | a | b | c\nx | 1 | - | 3\ny |   | 5 | 6\n")
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "kang-99" || got.Title != "Kang et al. 2016, table 99: gaps" ||
		got.Notes[0] != "One, two." || len(got.Rows) != 6 {
		t.Fatalf("read %+v", got)
	}
	r := got.Rows[1]
	if op, _ := r.Params["operator"].Word(); r.What != "x, a" || r.Instance != "rand-61-1" ||
		r.Peer.Figure != 1 || r.Seeds != 2 || r.FullSeeds != 7 || op != "2opt" ||
		r.Stop != (Stop{Iterations: 10}) || r.Sized[0] != (Sized{"kicks", 2}) {
		t.Errorf("the second cell is %+v", r)
	}
	r = got.Rows[2]
	if r.What != "x, b" || r.Peer.Figure != 0 || !r.FullOnly || r.Measure != Iterations ||
		r.Before != 1 || len(r.Sized) != 2 {
		t.Errorf("the third cell is %+v", r)
	}
	if !got.Rows[1].Peer.Known || r.Peer.Known {
		t.Error("a published figure is known, and a dash is none")
	}
	if r = got.Rows[3]; r.Not != "a GTX 980 = old" || r.Solver != "" || r.Peer.Figure != 3 {
		t.Errorf("a cell that is not measured is %+v", r)
	}
	if r = got.Rows[4]; r.What != "y, b" || r.Seeds != 1 || r.Preset != "paper" {
		t.Errorf("the cell behind the empty one is %+v", r)
	}
}

// A cell can have settings of its own, which go before those of its row and column.
func TestPaperTableCell(t *testing.T) {
	t.Parallel()
	got, err := parsePaperTable("x.txt", "paper: kang\nnumber: 99\ntitle: gaps\nnote: One.\n"+
		"run: solver=ils measure=seconds iterations=100\ncolumn: a, b | kicks=5\ncolumn: c\n"+
		"row: x | instance=rand-60-1\nrow: y | instance=rand-61-1\n"+
		"cell: y, a, b | iterations=10 before=1 times=10\n\n  | a, b | c\nx | 1 | 2\ny | 3 | 4\n")
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range got.Rows {
		want := [2]float64{100, 0}
		if i == 2 {
			want = [2]float64{11, 10}
		}
		if is := [2]float64{float64(r.Stop.Iterations), r.Times}; is != want {
			t.Errorf("%s has iterations and times %v, want %v", r.What, is, want)
		}
	}
	if s := got.Rows[2].Settings(); !strings.Contains(s, " before=1 times=10 measure=seconds") {
		t.Errorf("settings are %q", s)
	}
	whole, err := Run(t.Context(), got, Options{Rows: "3", Seeds: 1})
	if err != nil || len(whole) != 1 || whole[0].Err != nil || whole[0].Values[0] < whole[0].CPU[0] {
		t.Errorf("a part of a run gives %+v, error %v; want more seconds than it took", whole, err)
	}
}

// A list of instances goes on in the next line, and a cell that is not measured is one row.
func TestPaperTableLists(t *testing.T) {
	t.Parallel()
	got, err := parsePaperTable("x.txt", "paper: kang\nnumber: 99\ntitle: gaps\nnote: One.\n"+
		"run: do=3opt-pass\ncolumn: a\ncolumn: b | not=old\nrow: x | instance=rand-60-1,\n  rand-61-1\n"+
		"\n  | a | b\nx | 1 | 2\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Rows) != 3 || got.Rows[1].Instance != "rand-61-1" || got.Rows[2].Not != "old" ||
		got.Rows[2].Do != nil {
		t.Fatalf("read %+v", got.Rows)
	}
	inst, err := datasets.Load("rand-60-1")
	if err != nil {
		t.Fatal(err)
	}
	if ms, err := got.Rows[0].Do(t.Context(), inst, 1); err != nil || ms <= 0 {
		t.Errorf("a pass takes %v ms, error %v", ms, err)
	}
}

func TestPaperTableRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"paper: nobody\n":               `line 1: paper is "nobody"`,
		"papper: kang\n":                `line 1: key is "papper", want paper`,
		"paper: kang\n\n":               "line 1: the head wants",
		paperHead + "column: a | b\n":   `line 8: "b", want name=value`,
		paperHead + "seeds: 3\n":        `line 8: seeds are "3"`,
		paperHead + "column: a\n\n|b\n": `line 10: column 1 is "b", the head has "a"`,
		paperHead + "column: a\n\n|a\n": "there is no table",
		paperHead + "column: a | instance=x measure=gasp\n\n|a\ny|1\n":    `y, a: measure is "gasp"`,
		paperHead + "column: a | instance=x tours=3\n\n|a\ny|1\n":         "y, a: a device's times are",
		paperHead + "column: a | instance=x tours=n\n\n|a\ny|1\n":         "y, a: tours=n belongs to",
		paperHead + "column: a | instance=x\n\n|a\ny|1,5\n":               `y, a: "1,5" is no number`,
		paperHead + "column: a\n\n|a\ny|1\n":                              "a run needs an instance",
		paperHead + "margin: 10\n":                                        `line 8: margin is "10"`,
		paperHead + "runs: x, a | 1\n":                                    `line 8: 1 published runs`,
		paperHead + "runs: x, a | 1 NaN\n":                                `line 8: "NaN" is no figure`,
		paperHead + "runs: z, a | 1 2\ncolumn: a|instance=x\n\n|a\ny|1\n": `runs of "z, a"`,
		paperHead + "column: a | measure=least\n\n|a\ny|1\n":              "the least of seeds is of one",
		paperHead + "column: a | measure=least of=b/c\n\n|a\ny|1\n":       "the least of seeds is of one",
		paperHead + "column: a | measure=ratio of=b\n\n|a\ny|1\n":         "a: a ratio is of two columns",
		paperHead + "column: a | measure=ratio of=b/\n\n|a\ny|1\n":        `y, a: of is "b/"`,
		paperHead + "column: a | instance=x of=b\n\n|a\ny|1\n":            "y, a: of= belongs to",
		paperHead + "column: a | instance=x first=0\n\n|a\ny|1\n":         `y, a: first is "0"`,
		paperHead + "column: a | instance=x times=1\n\n|a\ny|1\n":         `y, a: times is "1"`,
		paperHead + "column: a | instance=x times=2\n\n|a\ny|1\n":         "y, a: times belongs to",
		paperHead + "column: a | instance=x\ncell: z, a\n\n|a\ny|1\n":     `cell "z, a" is none`,
		paperHead + "column: a\n\n|a\ny|1|2\n":                            "3 cells, want a label and 1",
		paperHead + "column: a | do=x instance=y\n\n|a\ny|1\n":            `y, a: do is "x", want one of`,
	} {
		_, err := readPaperTables(fstest.MapFS{"papers/x.txt": {Data: []byte(text)}})
		if err == nil || !strings.Contains(err.Error(), "x.txt: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// lacks are the columns that a ratio, or the least of seeds, is of and that there are not.
func lacks(table Table, r *Row) (columns []string) {
	for _, column := range r.Of {
		rows, have := table.Rows, func(o Row) bool {
			return o.Label == r.Label && o.Instance == r.Instance && o.Column == column && o.runs()
		}
		if name, there, other := strings.Cut(column, ":"); other {
			t, _ := Find(name)
			rows, have = t.Rows, func(o Row) bool {
				return o.Instance == r.Instance && o.Column == there && o.runs()
			}
		}
		if r.Measure == Least {
			have = func(o Row) bool { return r.takes(&o) }
		}
		if column != "" && !slices.ContainsFunc(rows, have) {
			columns = append(columns, column)
		}
	}
	return columns
}

// Every cell that is measured names a solver, a preset and parameters that there are. Instances
// that are not generated are replaced by a small one of cities where the solver takes that.
func TestPaperTablesOpen(t *testing.T) {
	t.Parallel()
	small, err := datasets.Load("rand-60-1")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range Tables() {
		if table.Paper == "" {
			continue
		}
		if len(table.Notes) == 0 {
			t.Errorf("%s says nothing of how its rows are made", table.Name)
		}
		for i, r := range table.Rows {
			for _, column := range lacks(table, &r) {
				t.Errorf("%s, row %d (%s): there is no column %s", table.Name, i+1, r.What, column)
			}
			if !r.runs() || r.Do != nil || r.Backend != "" && r.Backend != "cpu" {
				continue
			}
			v, err := solvers.Find(r.Solver, r.Variant, "cpu")
			if err != nil {
				t.Errorf("%s, row %d: %v", table.Name, i+1, err)
				continue
			}
			inst := datasets.Instance(small)
			if v.Kinds[0] != datasets.KindTSP {
				if inst, err = datasets.Load(r.Instance); err != nil {
					continue // a file that is not here
				}
			}
			run, err := solvers.Open(solvers.Config{
				Solver: r.Solver, Variant: r.Variant, Preset: r.Preset, Params: r.Params, Instance: inst,
			})
			if err != nil {
				t.Errorf("%s, row %d (%s): %v", table.Name, i+1, r.What, err)
				continue
			}
			run.Close()
		}
	}
}

// The quick table leaves out what is for the full one, and measures what a row's name asks for.
func TestQuickAndFull(t *testing.T) {
	t.Parallel()
	table, err := parsePaperTable("x.txt", paperHead+
		"column: a | instance=rand-60-1 iterations=2\n"+
		"column: b | instance=rand-60-1 iterations=0.05n before=1 measure=iterations only=full\n"+
		"column: c | not=a GTX 980\n\n | a | b | c\nx | 1 | 2 | 3\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		o     Options
		rows  int
		seeds int
	}{{Options{}, 2, 2}, {Options{Full: true}, 3, 7}, {Options{Rows: "2", Seeds: 1}, 1, 1}} {
		if left := LeftOut(table, c.o.Rows); left != 1 && c.o.Rows == "" || left != 0 && c.o.Rows != "" {
			t.Errorf("%+v: the quick table is without %d rows", c.o, left)
		}
		out, err := Run(t.Context(), table, c.o)
		if err != nil || len(out) != c.rows {
			t.Fatalf("%+v: %d rows, %v", c.o, len(out), err)
		}
		for _, o := range out {
			switch {
			case o.Row.Not != "":
				if o.Err == nil || !strings.Contains(o.Err.Error(), "not measured: a GTX 980") {
					t.Errorf("%s: %v, error %v", o.Row.What, o.Values, o.Err)
				}
			case o.Err != nil || len(o.Values) != c.seeds:
				t.Errorf("%s: %v, error %v", o.Row.What, o.Values, o.Err)
			case o.Row.Measure == Iterations && o.Values[0] != 3:
				t.Errorf("%s: %v iterations, want .05 of 60", o.Row.What, o.Values)
			}
		}
	}
}

func TestPapers(t *testing.T) {
	t.Parallel()
	for _, p := range Papers() {
		if got, ok := FindPaper(p.Name); !ok || got != p || p.Who == "" || p.Title == "" {
			t.Errorf("paper %+v is found as %+v", p, got)
		}
	}
	if got := TablesOf("kang"); len(got) == 0 || got[0].Name != "kang-2" {
		t.Errorf("the tables of kang are %v", got)
	}
	both := TablesOf("skinderowicz")
	if len(both) != len(TablesOf("mmas"))+len(TablesOf("acs")) || len(both) == 0 {
		t.Errorf("an author's tables are %v", both)
	}
	if own := TablesOf(""); len(own) != 0 {
		t.Errorf("nobody's tables are %v", own)
	}
	if _, ok := FindPaper("nobody"); ok {
		t.Error("nobody's paper is found")
	}
}

// Figures of the papers' texts, where rows and columns are easily taken for others.
func TestPublishedFigures(t *testing.T) {
	t.Parallel()
	for what, want := range map[string]float64{
		"acs-5: pr2392, GPU, k = 8":                   5.19,
		"acs-9: lin318, GPU, SPM":                     1.9,
		"kang-4: ARX, 2048 in 8 groups":               8.24,
		"kang-5: 2048 in 1 group, 100000 cities, CPU": 25905.06,
		"luong-5: 9, M2050":                           7.5,
		"luong-9: 1001-1017, n, reduced":              62.2,
		"luong-9: 1001-1017, pairs, reduced":          551,
		"luong-11: 1301-1317, 96 cores":               2439,
		"luong-11: 1301-1317, 112 cores":              2405, // 14 machines of 8
		"mmas-5: fl3795, GPU, WRS-BT":                 28.75,
		"mmas-6: rl1889, GPU, RWM-CT":                 2.32,
	} {
		name, cell, _ := strings.Cut(what, ": ")
		table, err := Find(name)
		if err != nil {
			t.Error(err)
			continue
		}
		at := slices.IndexFunc(table.Rows, func(r Row) bool { return r.What == cell })
		if at < 0 || table.Rows[at].Peer.Figure != want {
			t.Errorf("%s is not %v", what, want)
		}
	}
}
