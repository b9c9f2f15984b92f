package exchange_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"metalab/solvers/experiment"
	"metalab/solvers/experiment/exchange"
	"metalab/solvers/record"
)

// made is a store with an experiment "e": two solvers on two instances with three seeds, of which
// one failed and one was not made.
func made(t *testing.T) experiment.Store {
	t.Helper()
	s := &experiment.Memory{}
	var units []experiment.Unit
	best := 15780.0
	refs := []record.InstanceRef{
		{Name: "d198", Kind: "tsp", Size: 198, SHA256: "ab", Best: &best},
		{Name: "mine_1", Kind: "tsp", Size: 50, SHA256: "cd"},
	}
	for seed := uint64(1); seed <= 3; seed++ {
		for _, ref := range refs {
			for _, q0 := range []float64{0.5, 0.9} {
				u := experiment.Unit{
					Label: fmt.Sprintf("acs/seq q0=%v", q0), Solver: "acs", Variant: "seq", Revision: 2,
					Backend: "cpu", Preset: "default", Instance: ref, Seed: seed,
					Budget: record.Budget{Iterations: 10},
					Params: record.Of("q0", q0, "local_search", "sum"), Varied: record.Of("q0", q0),
				}
				u.Key, _ = u.MakeKey()
				units = append(units, u)
			}
		}
	}
	if _, err := s.Add(t.Context(), "e", experiment.Plan{}, units); err != nil {
		t.Fatal(err)
	}
	q, err := s.Queue(t.Context(), "e", false)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	for range len(units) - 1 {
		u, _, _ := q.Take(t.Context(), "cpu")
		q0, _ := u.Params["q0"].Float()
		v := 16000 + 10*float64(u.Seed) - 100*q0
		r := experiment.Result{
			Best: v, Gap: math.NaN(), Optimum: math.NaN(), Iterations: 10, Evaluations: 250, Wall: 0.5,
			CPU: 0.25, Digest: 0xabc, Ended: time.Unix(1e9, 0), Machine: "a machine",
			Trace: []experiment.TracePoint{
				{Iteration: 1, Evaluations: 25, Wall: 0.1, CPU: 0.1, Best: v + 500},
				{Iteration: 4, Evaluations: 100, Wall: 0.2, CPU: 0.2, Best: v},
				{Iteration: 10, Evaluations: 250, Wall: 0.5, CPU: 0.25, Best: v},
			},
			Solution: solutions[u.Number%len(solutions)],
		}
		if u.Instance.Best != nil {
			r.Optimum, r.Gap = *u.Instance.Best, 100*(v-*u.Instance.Best) / *u.Instance.Best
		}
		if u.Number == 6 {
			r = experiment.Result{
				Best: math.NaN(), Gap: math.NaN(), Optimum: math.NaN(), Error: "no memory, \"left\"",
			}
		}
		if err := q.Finish(t.Context(), u, r); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// solutions are those of the units of made, in turn.
var solutions = []record.Solution{
	{Bits: []int8{1, -1}}, {Perm: []int32{2, 0, 1}}, {Real: []float64{0.25, -1e300}},
}

// rows reads a table.
func rows[T any](t *testing.T, path string) []T {
	t.Helper()
	out, err := parquet.ReadFile[T](path)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestParquet(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	if n, err := exchange.Parquet(t.Context(), made(t), "e", dir); n != 12 || err != nil {
		t.Fatalf("%d units, %v", n, err)
	}
	runs := rows[exchange.Run](t, filepath.Join(dir, "runs.parquet"))
	if len(runs) != 12 {
		t.Fatalf("%d runs, want 12", len(runs))
	}
	first, failed, waiting := runs[0], runs[5], runs[11]
	if first.Label != "acs/seq q0=0.5" || *first.Best != 15960 || *first.Optimum != 15780 ||
		first.Digest != "0000000000000abc" || *first.Ended != 1e15 || first.Seed != 1 {
		t.Errorf("the first run is %+v", first)
	}
	if failed.State != "failed" || failed.Best != nil || failed.Error == "" {
		t.Errorf("the failed run is %+v", failed)
	}
	if waiting.State != "waiting" || waiting.Wall != nil || waiting.Ended != nil {
		t.Errorf("the run that waits is %+v", waiting)
	}
	ds := rows[exchange.Descriptor](t, filepath.Join(dir, "descriptors.parquet"))
	if len(ds) != 24 || ds[0].Name != "local_search" || ds[0].Text != "sum" || ds[0].Number != nil ||
		ds[0].Varied || ds[1].Name != "q0" || *ds[1].Number != 0.5 || !ds[1].Varied {
		t.Errorf("%d descriptors, the first %+v", len(ds), ds[:2])
	}
	trace := rows[exchange.Trace](t, filepath.Join(dir, "trace.parquet"))
	if len(trace) != 30 || trace[1] != (exchange.Trace{1, 4, 100, 0.2, 0.2, 15960}) {
		t.Errorf("%d points of traces, the second %+v", len(trace), trace[1])
	}
	p := rows[exchange.Position](t, filepath.Join(dir, "positions.parquet"))
	want := []exchange.Position{
		{1, 0, 2}, {1, 1, 0}, {1, 2, 1}, {2, 0, 0.25}, {2, 1, -1e300}, {3, 0, 1}, {3, 1, -1}, {4, 0, 2},
	}
	if len(p) != 4*3+3*2+3*2 || !slices.Equal(p[:len(want)], want) { // units 6 and 12 have none
		t.Errorf("%d positions: %v", len(p), p)
	}
	if _, err := exchange.Parquet(t.Context(), made(t), "f", dir); !errors.Is(err,
		experiment.ErrUnknown) {
		t.Errorf("an unknown experiment: %v", err)
	}
	if again := rows[exchange.Run](t, filepath.Join(dir, "runs.parquet")); len(again) != 12 {
		t.Error("an export that failed left another file")
	}
}

func TestCSV(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if n, err := exchange.CSV(t.Context(), made(t), "e", &b); n != 12 || err != nil {
		t.Fatalf("%d units, %v", n, err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(lines) != 13 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	want := "1,acs/seq q0=0.5,acs,seq,cpu,d198,198,1,10 iterations,done,15960,15780," +
		"1.1406844106463878,10,250,0.5,0.25,2001-09-09T01:46:40Z,a machine,,,,minimise,tsp,ab,,0.5"
	if got := strings.Join(lines[1], ","); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := lines[6][21]; got != `no memory, "left"` {
		t.Errorf("the error is %q", got)
	}
}

// What is written in the layout of IOHprofiler is read again as it was.
func TestIOHprofiler(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ioh")
	s := made(t)
	if n, err := exchange.IOHprofiler(t.Context(), s, "e", dir); n != 10 || err != nil {
		t.Fatalf("%d units, %v", n, err)
	}
	if _, err := exchange.IOHprofiler(t.Context(), s, "e", dir); err == nil ||
		!strings.Contains(err.Error(), "is not empty") {
		t.Errorf("into a folder with files: %v", err)
	}
	sub := filepath.Join(dir, "1_acs_seq_q0=0.5")
	text, err := os.ReadFile(filepath.Join(sub, "data_f1_d198", "IOHprofiler_f1_DIM198.dat"))
	want := "evaluations raw_y\n1 16460\n25 16460\n100 15960\n250 15960\nevaluations raw_y\n1 16470\n"
	if err != nil || !strings.HasPrefix(string(text), want) {
		t.Errorf("%v: %s\nwant %s", err, text, want)
	}
	var about struct {
		FunctionID   int `json:"function_id"`
		Maximization bool
		Attributes   []map[string]string `json:"experiment_attributes"`
		Scenarios    []struct {
			Dimension int
			Runs      []struct {
				Evals int
				Seed  float64
				Best  struct{ Evals, Y float64 }
			}
		}
	}
	text, err = os.ReadFile(filepath.Join(sub, "IOHprofiler_f1_d198.json"))
	if err != nil || json.Unmarshal(text, &about) != nil {
		t.Fatalf("%v: %s", err, text)
	}
	run := about.Scenarios[0].Runs[2]
	if about.FunctionID != 1 || about.Scenarios[0].Dimension != 198 || run.Seed != 3 ||
		run.Evals != 250 || run.Best.Evals != 100 || run.Best.Y != 15980 {
		t.Errorf("%+v", about)
	}
	if got := fmt.Sprint(about.Attributes); !strings.Contains(got, `local_search:"sum"`) {
		t.Errorf("attributes are %s: readers take sum for a function unless it is quoted", got)
	}

	runs, err := exchange.ReadIOHprofiler(dir)
	if err != nil || len(runs) != 10 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	if n, err := exchange.Add(t.Context(), s, "e", runs, nil); n != 10 || err != nil {
		t.Fatalf("added %d, %v", n, err)
	}
	if n, err := exchange.Add(t.Context(), s, "e", runs, nil); n != 0 || err != nil {
		t.Errorf("added %d again, %v", n, err)
	}
	own := map[string]experiment.Result{}
	for r, err := range s.Rows(t.Context(), "e") {
		if err != nil {
			t.Fatal(err)
		}
		key := fmt.Sprint(r.Unit.Label, r.Unit.Instance.Name, r.Unit.Seed)
		if r.Unit.Backend != exchange.Backend {
			own[key] = r.Result
			continue
		}
		a, b := own[key], r.Result
		if r.State != experiment.Done || a.Best != b.Best || a.Wall != b.Wall ||
			!(a.Gap == b.Gap || math.IsNaN(a.Gap) && math.IsNaN(b.Gap)) {
			t.Errorf("%s is %+v, and was %+v", key, b, a)
		}
		if trace, err := s.Trace(t.Context(), "e", r.Unit.Number); len(trace) != 2 || err != nil {
			t.Errorf("%s has a trace of %d points, want its new bests: 2; %v", key, len(trace), err)
		}
	}
}

func TestReadCSV(t *testing.T) {
	t.Parallel()
	text := "\ufeffproblem;length;time\nd198;15780;1.5\nd198;15790;2\nmine_1;7;0\n"
	runs, err := exchange.ReadCSV(strings.NewReader(text), "lkh.csv", exchange.Mapping{
		Columns: map[string]string{"instance": "problem", "best": "length", "wall_s": "time"},
		Fixed:   map[string]string{"solver": "LKH"},
	})
	if err != nil || len(runs) != 3 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	s := made(t)
	if n, err := exchange.Add(t.Context(), s, "e", runs, nil); n != 3 || err != nil {
		t.Fatalf("added %d, %v", n, err)
	}
	r, err := s.Row(t.Context(), "e", 14)
	if err != nil || r.Unit.Label != "LKH" || r.Unit.Seed != 2 || r.Result.Wall != 2 ||
		math.Abs(r.Result.Gap-0.0633713) > 1e-6 || r.Unit.Instance.SHA256 != "ab" {
		t.Errorf("%+v, %v", r, err)
	}
	if w, _ := s.Row(t.Context(), "e", 12); w.State != experiment.Waiting {
		t.Errorf("a unit that waited is %s now", w.State)
	}
	if _, err := exchange.Add(t.Context(), s, "new", append(runs, runs[0]), nil); err == nil ||
		!strings.Contains(err.Error(), "run 4, LKH on d198 with seed 1, is there twice") {
		t.Errorf("a run twice: %v", err)
	}
}

// Errors name file, line, column, value and what is wanted.
func TestReadErrors(t *testing.T) {
	t.Parallel()
	for _, c := range [...]struct{ text, want string }{
		{"", "r.csv: the file is empty, want a line of names first"},
		{"best,instance\n", `r.csv:1: there is no column "solver" for solver; columns are best, `},
		{"solver,instance,best\n", "r.csv: there are no runs after the line of names"},
		{"solver,instance,best\nx,y\n", "r.csv:2:1: wrong number of fields"},
		{"solver,instance,best\nx,y,seven\n", `r.csv:2:5: best is "seven", want a number`},
		{"solver,instance,best\nx,y,\n", `r.csv:2:5: best is "", want a number`},
		{"solver,instance,best\nx,y,Inf\n", `r.csv:2:5: best is "Inf", want a number`},
		{"solver,instance,best\nx,,1\n", `r.csv:2:3: instance is "", want a name`},
		{
			"solver,instance,best,wall_s\nx,y,1,-2\n",
			`r.csv:2:7: wall_s is "-2", want a number of at least 0`,
		},
		{
			"solver,instance,best,seed\nx,y,1,-2\n",
			`r.csv:2:7: seed is "-2", want a whole number from 0 to 9223372036854775807`,
		},
		{"solver,instance,best\nx,\"y,1\n", "r.csv:2:8: extraneous or missing"},
	} {
		_, err := exchange.ReadCSV(strings.NewReader(c.text), "r.csv", exchange.Mapping{})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	about := `{"version": "0.3.17", "function_name": "f", "algorithm": {"name": "a"}, "scenarios": [
		{"dimension": 2, "path": "%s", "runs": [
			{"instance": 1, "evals": 3, "best": {"evals": 3, "y": 1}}]}]}`
	of := fmt.Sprintf(about, "f.dat")
	for _, c := range [...]struct{ json, dat, want string }{
		{`{`, "", "f.json:1:1: unexpected end of JSON input"},
		{`{"a": 1}`, "", "f.json: it is no file of IOHprofiler"},
		{fmt.Sprintf(about, "../f.dat"), "", `f.json: path of scenario 1 is "../f.dat", want one inside`},
		{fmt.Sprintf(about, "no.dat"), "", "f.json: open"},
		{of, "evaluations raw_y\n1 x\n", `f.dat:2:3: raw_y is "x", want a number`},
		{of, "evaluations raw_y\n1 2\n1.5 2\n", `f.dat:3:1: evaluations is "1.5"`},
		{
			of, "evaluations raw_y\n1 2\n9 1\n5 2\n",
			"f.dat:4:1: evaluations is 5 after 9, want numbers that do not decrease",
		},
		{of, "", "f.dat: there are traces of 0 runs, and the JSON file has 1"},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"f.json": c.json, "f.dat": c.dat} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := exchange.ReadIOHprofiler(dir)
		if err == nil || !strings.HasPrefix(err.Error(), dir+"/"+c.want) {
			t.Errorf("%s, %q: %v, want %s", c.json, c.dat, err, c.want)
		}
	}
	if _, err := exchange.ParseColumns("best=length"); err == nil ||
		!strings.Contains(err.Error(), `columns has "best=length", want FIELD:COLUMN`) {
		t.Errorf("columns: %v", err)
	}
}

func FuzzReadCSV(f *testing.F) {
	f.Add("solver,instance,best\nx,y,1\n")
	f.Add("solver,instance,best\n'=x,'+1,1\n\"-a\n\",@b,2\n")
	f.Add("solver;instance;best;seed\nx;y;1e9;3\n\"a\nb\";y;2;4\n")
	f.Fuzz(func(t *testing.T, text string) {
		runs, err := exchange.ReadCSV(strings.NewReader(text), "f", exchange.Mapping{})
		for _, r := range runs {
			if err != nil || r.Solver == "" || r.Instance == "" || math.IsInf(r.Result.Best, 0) {
				t.Errorf("%+v, %v", r, err)
			}
		}
	})
}

func FuzzReadIOHprofiler(f *testing.F) {
	f.Add(`{"version": "0.3.17", "function_name": "f", "algorithm": {"name": "a"}, "scenarios": [`+
		`{"dimension": 2, "path": "f.dat", "runs": [{"instance": 1, "evals": 3}]}]}`,
		"evaluations raw_y\n1 5\n3 4\n")
	f.Fuzz(func(t *testing.T, about, data string) {
		dir := t.TempDir()
		for name, text := range map[string]string{"f.json": about, "f.dat": data} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		runs, err := exchange.ReadIOHprofiler(dir)
		for _, r := range runs {
			if err != nil || r.Solver == "" || r.Instance == "" {
				t.Errorf("%+v, %v", r, err)
			}
		}
	})
}

// large is a store whose traces are made as they are read.
type large struct {
	experiment.Memory
	units, points int
}

func (s *large) Traces(context.Context, string) iter.Seq2[experiment.Traced, error] {
	return func(yield func(experiment.Traced, error) bool) {
		points := make([]experiment.TracePoint, s.points)
		for u := range s.units {
			for i := range points {
				at := float64(i)
				points[i] = experiment.TracePoint{
					Iteration: int64(i * 3), Evaluations: int64(i * 75), Wall: at * 0.0123, CPU: at * 0.0117,
					Best: float64(20000 - 7*i + u%13),
				}
			}
			if !yield(experiment.Traced{Number: u + 1, Points: points}, nil) {
				return
			}
		}
	}
}

// BenchmarkParquet writes 10,000 units of 1,000 rows.
func BenchmarkParquet(b *testing.B) {
	s := &large{units: 10_000, points: 1000}
	units := make([]experiment.Unit, s.units)
	for i := range units {
		units[i] = experiment.Unit{
			Label: "acs/seq", Solver: "acs", Seed: uint64(i),
			Params: record.Of("q0", 0.9, "ants", 25, "beta", 2, "alpha", 0.1, "rho", 0.1, "candidates", 32,
				"local_period", 4, "local_search", "none", "spm_slots", 8, "tau_min", 0.1),
		}
		units[i].Key, _ = units[i].MakeKey()
	}
	if _, err := s.Add(b.Context(), "e", experiment.Plan{}, units); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := exchange.Parquet(b.Context(), s, "e", b.TempDir()); err != nil {
			b.Fatal(err)
		}
	}
}
