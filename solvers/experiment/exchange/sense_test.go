package exchange_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/solvers/experiment"
	"metalab/solvers/experiment/exchange"
	"metalab/solvers/record"
)

// Runs that maximise are stored as costs, and written as they were read: values, with a maximum.
func TestMaximise(t *testing.T) {
	t.Parallel()
	var runs []exchange.Foreign
	greater := record.Maximise
	for i, v := range []float64{90, 95} {
		runs = append(runs, exchange.Foreign{
			Solver: "a" + string(rune('a'+i)), Instance: "sack", Seed: 1, Optimum: 100, Sense: &greater,
			Result: experiment.Result{
				Best: v, Iterations: 2, Evaluations: 2,
				Trace: []experiment.TracePoint{
					{Iteration: 1, Evaluations: 1, Best: 50}, {Iteration: 2, Evaluations: 2, Best: v},
				},
			},
		})
	}
	s := &experiment.Memory{}
	if _, err := exchange.Add(t.Context(), s, "e", runs, nil); err != nil {
		t.Fatal(err)
	}
	if best := runs[0].Result.Trace[0].Best; best != 50 {
		t.Errorf("the trace that was given has become %v", best)
	}
	for r, err := range s.Rows(t.Context(), "e") {
		if err != nil {
			t.Fatal(err)
		}
		if x := r.Result; x.Best >= 0 || x.Optimum != -100 || x.Gap != 100+x.Best {
			t.Errorf("cost %v, best known %v, gap %v", x.Best, x.Optimum, x.Gap)
		}
	}
	var csv, tex strings.Builder
	if _, err := exchange.CSV(t.Context(), s, "e", &csv); err != nil ||
		!strings.Contains(csv.String(), ",90,100,10,") {
		t.Errorf("%v, %s", err, csv.String())
	}
	if _, err := exchange.LaTeX(t.Context(), s, "e", &tex, nil); err != nil ||
		!strings.Contains(tex.String(), `\textbf{5`) {
		t.Errorf("%v, %s", err, tex.String())
	}
	dir := filepath.Join(t.TempDir(), "ioh")
	if _, err := exchange.IOHprofiler(t.Context(), s, "e", dir); err != nil {
		t.Fatal(err)
	}
	data, err := filepath.Glob(filepath.Join(dir, "1_aa", "data*", "*.dat"))
	if err != nil || len(data) != 1 {
		t.Fatal(data, err)
	}
	text, err := os.ReadFile(data[0])
	if err != nil || string(text) != "evaluations raw_y\n1 50\n2 90\n" {
		t.Errorf("%v, %s", err, text)
	}
	back, err := exchange.ReadIOHprofiler(dir)
	if err != nil || len(back) != 2 || *back[0].Sense != record.Maximise ||
		back[0].Result.Best+back[1].Result.Best != 185 {
		t.Fatalf("%+v, %v", back, err)
	}
	for i := range back {
		if trace := back[i].Result.Trace; len(trace) != 2 || trace[1].Best != back[i].Result.Best {
			t.Errorf("the trace of %s has not its new bests: %+v", back[i].Solver, trace)
		}
	}
	tables := filepath.Join(t.TempDir(), "parquet")
	if _, err := exchange.Parquet(t.Context(), s, "e", tables); err != nil {
		t.Fatal(err)
	}
	if r := rows[exchange.Run](t, filepath.Join(tables, "runs.parquet")); r[0].Sense != "maximise" {
		t.Errorf("%+v", r[0])
	}
	find := func(context.Context, string) (record.InstanceRef, error) {
		return record.InstanceRef{Name: "sack", SHA256: "ab"}, nil
	}
	_, err = exchange.Add(t.Context(), &experiment.Memory{}, "e", back, find)
	if err == nil || !strings.Contains(err.Error(), "maximises sack, which is minimised here") {
		t.Errorf("an instance that is minimised: %v", err)
	}
}
