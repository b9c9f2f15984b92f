package experiments_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// An experiment is planned and made, goes on with more seeds, and its units open as runs.
func TestExperimentVerb(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	ask := func(line string) *reply.ExperimentReply {
		t.Helper()
		return l.Do(line).(*reply.ExperimentReply)
	}
	if r := ask("experiment"); len(r.List) != 0 || !strings.Contains(r.String(), "no experiments") {
		t.Errorf("%v", r)
	}
	r := ask("experiment e solvers=walk instances=rand-60-1,rand-60-2 seeds=5 n=20 moves=1,100")
	if r.Added != 20 || r.Made != 20 || r.Done != 20 || len(r.Rows) != 4 || r.Failed != 0 {
		t.Fatalf("%+v, %+v", r, r.ExperimentInfo)
	}
	x := r.Rows[1]
	if x.Instance != "rand-60-1" || x.Label != "moves=100" || x.Seeds != 5 || !(x.P < 0.05) ||
		x.Effect != 1 || !(x.Median < r.Rows[0].Median) || r.Rows[0].P.Known() || r.Rows[2].P.Known() {
		t.Errorf("%+v", x)
	}
	if !strings.Contains(r.Test, "adjusted by Holm for 2 tests") {
		t.Errorf("%s", r.Test)
	}
	same := ask("experiment e solvers=walk instances=rand-60-1,rand-60-2 seeds=5 n=20 moves=1,100")
	if same.Added != 0 || same.Made != 0 || same.Rows[1].Median != x.Median {
		t.Errorf("the same again: %+v", same)
	}
	if r := ask("experiment e seeds=6"); r.Added != 4 || r.Made != 4 || r.Done != 24 {
		t.Errorf("a seed more: %+v, %+v", r, r.ExperimentInfo)
	}
	if r := ask("experiment e seeds=2"); r.Made != 0 || !strings.Contains(r.Plan, "6 seeds") {
		t.Errorf("fewer seeds: %+v, %+v", r, r.ExperimentInfo)
	}
	if r := ask("experiment"); len(r.List) != 1 || r.List[0].Plan !=
		"walk with moves=1,100 on rand-60-1, rand-60-2, 6 seeds, 20 iterations each" {
		t.Errorf("%+v", r.List)
	}
	us := ask("experiment e units")
	if len(us.Of) != 24 || us.Of[23].Seed != 6 || us.Of[23].State != "done" {
		t.Errorf("%+v", us.Of)
	}
	o := ask("experiment e open 3 as a")
	if o.Opened.Run != "a" || o.Replayed != "identical to the unit" ||
		l.Show("a").Best != us.Of[2].Best || l.Show("a").Iteration != 20 {
		t.Errorf("%+v", o)
	}
	// What a unit has given is another in the file.
	db, err := sql.Open("sqlite", us.Path)
	if err == nil {
		_, err = db.Exec("UPDATE units SET best = best - 1 WHERE number = 3")
	}
	if err != nil {
		t.Fatal(err)
	}
	if o := ask("experiment e open 3 as z"); !o.Parts() ||
		!strings.HasPrefix(o.Replayed, "it differs from the unit") {
		t.Errorf("a unit that is another: %+v", o)
	}
	if _, err = db.Exec("UPDATE units SET best = best + 1 WHERE number = 3"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if r := ask("experiment e failures"); len(r.Of) != 0 || r.Note != "no unit has failed" {
		t.Errorf("%+v", r)
	}
	b := ask("experiment e best")
	if len(b.Rows) > 0 && (len(b.Rows[0].Within) != len(b.Rows[0].Times) ||
		b.Rows[0].Device == "") {
		t.Errorf("%+v", b)
	}
	for _, line := range []string{
		"chart e", "chart e violin rand-60-2", "chart e error", "chart e median", "chart e ecdf",
		"chart e parallel", "chart e profile",
	} {
		p := l.Do(line).(*reply.PlotReply)
		if p.Mime != "image/svg+xml" || !strings.Contains(string(p.Data), "</svg>") ||
			line == "chart e violin rand-60-2" && !strings.Contains(string(p.Data), ">moves</text>") {
			t.Errorf("%s: %s", line, p.Mime)
		}
	}
	l.Fails("chart e ranks", wire.CodeRequest, "the critical distance is", "no difference is told")
	for line, want := range map[string]string{
		"experiment f":                  "there is no experiment f yet",
		"experiment e n=21":             "have 20 iterations each, not 21 iterations",
		"experiment e/f seeds=3":        "letters, digits",
		"experiment f n=3":              "solvers is missing",
		"experiment f solvers=walk n=3": "no instance is named",
		"experiment e dance":            `do is "dance", want table, go`,
		"experiment e open":             "which unit?",
		"experiment e open 25":          "unit is 25, want 1 to 24",
		"experiment e pause":            "not being made",
		"experiment f solvers=wolk n=3": "did you mean walk?",
		"experiment ee units":           "no experiment ee yet, did you mean e?",
		"chart ee":                      "no experiment ee, did you mean e?",
		"chart e pie":                   `figure is "pie", want box, violin`,
		"chart e bx":                    "; did you mean box?",
		"chart e heat":                  "heat needs two varied parameters",
		"chart e speedup":               "speedup needs units of the same solver on the cpu and on cuda",
		"chart f":                       "there is no experiment f",
		"experiment e moves=1 solvers=walk instances=rand-60-1 n=20 units": "solvers is no part of units",
	} {
		l.Fails(line, wire.CodeRequest, want)
	}
	ask("experiment h solvers=acs instances=rand-60-1 seeds=1 n=1 q0=0.5,0.9 ants=2,3")
	if p := l.Do("chart h heat").(*reply.PlotReply); !strings.Contains(string(p.Data), "at 3") {
		t.Errorf("a heat map without its words: %.300s", p.Data)
	}
	ask("experiment e remove")
	l.Fails("experiment e", wire.CodeRequest, "there is no experiment e yet")
}

// An experiment is written for other programs, and takes their runs into its table.
func TestExperimentExchange(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	ask := func(line string) *reply.ExperimentReply {
		t.Helper()
		return l.Do(line).(*reply.ExperimentReply)
	}
	ask("experiment e solvers=walk instances=rand-60-1 seeds=5 n=20 moves=1,100")
	dir := hosttest.Folder(t)
	for _, c := range [...]struct{ to, what, file string }{
		{"e.csv", "a CSV file", "e.csv"},
		{"e.tex", "a table for LaTeX", "e.tex"},
		{
			"e1.parquet", "/e1.parquet/, a folder with runs.parquet, descriptors.parquet, trace.parquet " +
				"and positions.parquet", "e1.parquet/trace.parquet",
		},
		{
			"ioh format=iohprofiler", "/ioh/, a folder in the layout of IOHprofiler",
			"ioh/1_moves=1/IOHprofiler_f1_rand-60-1.json",
		},
	} {
		r := ask("experiment e export to " + filepath.Join(dir, c.to))
		if _, err := os.Stat(filepath.Join(dir, c.file)); err != nil ||
			!strings.HasPrefix(r.Note, "10 units of experiment e are written to ") ||
			!strings.HasSuffix(r.Note, c.what) {
			t.Errorf("%s: %s, %v", c.to, r.Note, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "taken.parquet"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l.Fails("experiment e export to "+filepath.Join(dir, "taken.parquet"), wire.CodeRequest,
		"taken.parquet is a file; parquet and iohprofiler make a folder")
	r := ask("experiment f import from " + filepath.Join(dir, "ioh"))
	if r.Added != 10 || r.Done != 10 || len(r.Rows) != 2 || r.Plan != "runs of other programs" {
		t.Errorf("%+v, %+v", r, r.ExperimentInfo)
	}
	other := filepath.Join(dir, "lkh.csv")
	text := "length,problem\n5,rand-60-1\n6,rand-60-1\n7,rand-60-1\n5,rand-60-1\n6,rand-60-1\n"
	if err := os.WriteFile(other, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	line := "experiment e import from " + other + " columns=best:length,instance:problem solver=LKH"
	r = ask(line)
	if r.Added != 5 || len(r.Rows) != 3 || r.Rows[2].Label != "LKH" || r.Rows[2].Median != 6 ||
		!(r.Rows[2].P < 0.05) {
		t.Errorf("%+v, %+v", r, r.Rows)
	}
	if r := ask(line); r.Added != 0 || !strings.HasSuffix(r.Note, "5 were here") {
		t.Errorf("the same again: %s", r.Note)
	}
	if r := ask("experiment e seeds=6"); r.Made != 2 || r.Failed != 0 {
		t.Errorf("more seeds: %+v, %+v", r, r.ExperimentInfo)
	}
	l.Fails("experiment e open 11", wire.CodeRequest, "unit 11 is a run of LKH, which was imported")
	l.Fails("experiment e export", wire.CodeRequest, "where to?")
	l.Fails("experiment e export to "+filepath.Join(dir, "x")+" format=arrow", wire.CodeRequest,
		`format is "arrow", want parquet or iohprofiler`)
	for _, to := range []string{"x.csv", "x.tex", "x.html"} {
		l.Fails("experiment e export to "+filepath.Join(dir, to)+" format=zzz", wire.CodeRequest,
			`format is "zzz", want parquet or iohprofiler`)
		l.Fails("experiment e export to "+filepath.Join(dir, to)+" format=parquet", wire.CodeRequest,
			"format is parquet, which is that of a folder, and ")
	}
	l.Fails("experiment e import", wire.CodeRequest, "from where?")
	l.Fails("experiment e import from "+other, wire.CodeRequest,
		`lkh.csv:1: there is no column "solver"`)
	l.Fails("experiment none export to "+other, wire.CodeRequest, "there is no experiment none yet")
}

// A sweep makes a run with several values, and the rest as the run has it.
func TestSweep(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-60-1 as a seed=3 moves=5")
	l.Fails("sweep a moves=1,2", wire.CodeRequest, "a has made no iteration")
	l.Fails("sweep a moves=1 n=3", wire.CodeRequest, "moves has one value")
	l.Fails("sweep a variant=x,y n=3", wire.CodeRequest, `no variant "x"`)
	l.Fails("sweep a variant=swap n=3", wire.CodeRequest, "as variant=seq,spm")
	l.Fails("sweep a preset=default,x n=3", wire.CodeRequest, `preset is "x", want one of default`)
	l.Fails("sweep a n=3", wire.CodeRequest, "0 parameters have several values, want 1 or 2")
	l.Fails("sweep a n=3 iterations=3 moves=1,2", wire.CodeRequest, "iterations is given twice")
	l.Fails("sweep a moves=1,0 n=3", wire.CodeRequest, "sweep: walk/swap on rand-60-1: moves is 0")
	l.Do("step a 10")
	r := l.Do("sweep a moves=1,50 seeds=5").(*reply.ExperimentReply)
	if r.Done != 10 || len(r.Rows) != 2 || !strings.HasPrefix(r.Name, "walk-moves-") ||
		!strings.Contains(r.Plan, "5 seeds, 10 iterations each") {
		t.Fatalf("%+v, %+v", r, r.ExperimentInfo)
	}
	name := r.Name
	want := "chart " + name + " error draws the error against moves"
	if !strings.Contains(r.Note, want) {
		t.Errorf("note %q, want %s", r.Note, want)
	}
	more := l.Do("sweep a moves=1,50,60 seeds=6").(*reply.ExperimentReply)
	if more.Name != name || more.Made != 8 || more.Done != 18 || len(more.Rows) != 3 {
		t.Errorf("%+v, %+v", more, more.ExperimentInfo)
	}
	file := filepath.Join(hosttest.Folder(t), "x.svg")
	if p := l.Do("chart " + name + " error to " + file).(*reply.PlotReply); p.Path != file {
		t.Errorf("%+v", p)
	}
	l.Do("sweep a moves=1,50 n=5 seeds=2 instances=rand-60-2 as other background")
	l.Until("all units are made", func() bool {
		return l.Do("experiment other").(*reply.ExperimentReply).Done == 4
	})
	labels := []string{}
	for _, x := range more.Rows {
		labels = append(labels, x.Label)
	}
	if !slices.Equal(labels, []string{"moves=1", "moves=50", "moves=60"}) {
		t.Errorf("%v", labels)
	}
}

// A sweep may be over variants and presets, with what was changed of the run, where all take it.
func TestSweepForms(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open acs rand-60-1 as a q0=0.5")
	r := l.Do("sweep a variant=seq,spm seeds=2 iterations=3").(*reply.ExperimentReply)
	if r.Done != 4 || !strings.HasPrefix(r.Name, "acs-variant-") ||
		r.Rows[0].Label != "acs/seq" || r.Rows[1].Label != "acs/spm" || r.Rows[0].Seeds != 2 {
		t.Fatalf("%+v, %+v", r, r.ExperimentInfo)
	}
	l.Do("experiment " + r.Name + " open 2 as b")
	if s := l.Show("b"); s.Variant != "spm" || s.Iteration != 3 {
		t.Errorf("unit 2 is %+v", s)
	}
	for _, p := range l.Do("params b").(*reply.ParamsReply).Params {
		if p.Name == "q0" && p.Value.String() != "0.5" {
			t.Errorf("q0 of unit 2 is %v, want 0.5 as in the run", p.Value)
		}
	}
	p := l.Do("sweep a preset=default,paper beta=2,3 seeds=1 wall=0.001").(*reply.ExperimentReply)
	if len(p.Rows) != 4 || p.Rows[3].Label != "acs/seq preset=paper beta=3" {
		t.Errorf("%+v", p.Rows)
	}
	l.Do("open acs rand-60-1 as c storage=matrix")
	l.Fails("sweep c variant=seq,spm n=3", wire.CodeRequest,
		"run c has storage=matrix, and acs/spm has no parameter storage")
}

// A value below a proven optimum is named, whoever found it.
func TestImportBelowTheOptimum(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	file := filepath.Join(t.TempDir(), "lkh.csv")
	text := "problem,length\ntai12a,200000\ntai12a,230000\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"experiment e import from " + file + " columns=best:length,instance:problem solver=LKH",
		"experiment e",
	} {
		r := l.Do(line).(*reply.ExperimentReply)
		if !strings.Contains(r.Note, "200000 of LKH on tai12a is below the proven optimum 224416") {
			t.Errorf("%s: note %q", line, r.Note)
		}
	}
}
