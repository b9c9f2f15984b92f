package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	_ "metalab/solvers/ants"
	"metalab/solvers/experiment"
	"metalab/solvers/experiment/sqlite"
	"metalab/solvers/record"
)

func load(ctx context.Context, name string) (datasets.Instance, error) {
	return datasets.LoadContext(ctx, name)
}

// plan has so many seeds of 3 values of q0 on a small instance.
func plan(seeds, iterations int) experiment.Plan {
	return experiment.Plan{
		Settings: []experiment.Setting{{Solver: "acs", Params: record.Of("ants", 4)}},
		Grid: []experiment.Axis{{
			Name: "q0", Values: []record.Value{record.Num(0.5), record.Num(0.8), record.Num(0.9)},
		}},
		Instances: []string{"rand-40-1"}, Seeds: seeds, First: 1,
		Budget: record.Budget{Iterations: int64(iterations)},
	}
}

func units(t *testing.T, p experiment.Plan) []experiment.Unit {
	t.Helper()
	us, err := p.Units(t.Context(), load)
	if err != nil {
		t.Fatal(err)
	}
	return us
}

func open(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// rows are all rows of an experiment.
func rows(t *testing.T, s experiment.Store, name string) []experiment.Row {
	t.Helper()
	var out []experiment.Row
	for r, err := range s.Rows(t.Context(), name) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

// table is what of the rows is the same however often the experiment was interrupted.
func table(t *testing.T, s experiment.Store, name string) string {
	t.Helper()
	var b strings.Builder
	for _, r := range rows(t, s, name) {
		x := r.Result
		fmt.Fprintln(&b, r.Unit.Number, r.Unit.Key, r.Unit.Label, r.Unit.Seed, r.State, x.Best, x.Gap,
			x.Iterations, x.Evaluations, x.Digest, x.Why, x.Error)
	}
	for tr, err := range s.Traces(t.Context(), name) {
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range tr.Points {
			fmt.Fprintln(&b, tr.Number, p.Iteration, p.Evaluations, p.Best)
		}
	}
	return b.String()
}

// Both stores keep what they are told to.
func TestStores(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	var tables []string
	for _, s := range []experiment.Store{
		&experiment.Memory{}, open(t, filepath.Join(t.TempDir(), "x.sqlite")),
	} {
		p := plan(2, 5)
		want := units(t, p)
		if n, err := s.Add(ctx, "e", p, want); n != 6 || err != nil {
			t.Fatalf("%T: %d added, %v", s, n, err)
		}
		if n, err := s.Add(ctx, "e", p, want); n != 0 || err != nil {
			t.Fatalf("%T: %d added again, %v", s, n, err)
		}
		for i, r := range rows(t, s, "e") {
			if r.State != experiment.Waiting || !reflect.DeepEqual(r.Unit, want[i]) {
				t.Fatalf("%T: unit %d is %+v, want %+v", s, i, r, want[i])
			}
		}
		made := 0
		o := experiment.Options{Load: load, Each: func(experiment.Row) { made++ }, Machine: "here"}
		for _, seeds := range []int{2, 2, 4} { // the same again adds nothing, more seeds only those
			p := plan(seeds, 5)
			if _, err := s.Add(ctx, "e", p, units(t, p)); err != nil {
				t.Fatal(err)
			}
			info, err := experiment.Make(ctx, s, "e", o)
			if err != nil || info.Done != 3*seeds || info.Left() != 0 || made != 3*seeds {
				t.Fatalf("%T: %+v, %d made, %v", s, info, made, err)
			}
		}
		if r, err := s.Row(ctx, "e", 12); err != nil || r.Unit.Seed != 4 || r.Result.Machine != "here" ||
			r.Result.Ended.IsZero() || !math.IsNaN(r.Result.Optimum) {
			t.Errorf("%T: %+v, %v", s, r, err)
		}
		tr, err := s.Trace(ctx, "e", 12)
		if err != nil || len(tr) == 0 || tr[len(tr)-1].Iteration != 5 {
			t.Errorf("%T: trace %v, %v", s, tr, err)
		}
		tables = append(tables, table(t, s, "e"))
		all, err := s.Experiments(ctx)
		if err != nil || len(all) != 1 || all[0].Plan.Seeds != 4 {
			t.Errorf("%T: %+v, %v", s, all, err)
		}
		// Units that are dropped are gone with what they had, and the others keep their numbers.
		if err := s.Note(ctx, "e", "noted"); err != nil {
			t.Error(err)
		}
		if n, err := s.Drop(ctx, "e", []int{2, 5, 99}); n != 2 || err != nil {
			t.Errorf("%T: %d dropped, %v", s, n, err)
		}
		var numbers, traced []int
		for _, r := range rows(t, s, "e") {
			numbers = append(numbers, r.Unit.Number)
		}
		for x, err := range s.Traces(ctx, "e") {
			if err != nil {
				t.Fatal(err)
			}
			traced = append(traced, x.Number)
		}
		left := []int{1, 3, 4, 6, 7, 8, 9, 10, 11, 12}
		if !slices.Equal(numbers, left) || !slices.Equal(traced, left) {
			t.Errorf("%T: units %v, traces of %v are left", s, numbers, traced)
		}
		if _, err := s.Row(ctx, "e", 5); !errors.Is(err, experiment.ErrUnknown) {
			t.Errorf("%T: a dropped unit: %v", s, err)
		}
		q4 := plan(4, 5)
		if n, err := s.Add(ctx, "e", q4, units(t, q4)); n != 2 || err != nil {
			t.Errorf("%T: %d added after the drop, %v", s, n, err)
		}
		if i, err := experiment.Make(ctx, s, "e", o); err != nil || i.Done != 12 {
			t.Errorf("%T: %+v, %v", s, i, err)
		}
		if r, err := s.Row(ctx, "e", 14); err != nil || r.State != experiment.Done {
			t.Errorf("%T: %+v, %v", s, r, err)
		}
		if j, err := s.Journal(ctx, "e"); err != nil || len(j) != 1 || j[0].Text != "noted" ||
			time.Since(j[0].At) > time.Hour {
			t.Errorf("%T: %+v, %v", s, j, err)
		}
		if err := s.Remove(ctx, "e"); err != nil {
			t.Error(err)
		}
		if _, err := s.Info(ctx, "e"); !errors.Is(err, experiment.ErrUnknown) {
			t.Errorf("%T: %v after Remove", s, err)
		}
		if _, err := s.Row(ctx, "f", 1); !errors.Is(err, experiment.ErrUnknown) {
			t.Errorf("%T: %v of no experiment", s, err)
		}
	}
	if tables[0] != tables[1] {
		t.Errorf("the stores differ:\n%s\n%s", tables[0], tables[1])
	}
}

// A failed unit is a row; the others are made, and it is made again only when that is asked.
func TestFailures(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := open(t, filepath.Join(t.TempDir(), "x.sqlite"))
	p := plan(1, 3)
	us := units(t, p)
	good := us[1].Revision
	us[1].Revision++ // the program has another one
	if _, err := s.Add(ctx, "e", p, us); err != nil {
		t.Fatal(err)
	}
	made := 0
	o := experiment.Options{Load: load, Each: func(experiment.Row) { made++ }}
	for i, want := range []int{3, 3, 4} {
		o.Again = i == 2
		info, err := experiment.Make(ctx, s, "e", o)
		if err != nil || info.Done != 2 || info.Failed != 1 || made != want {
			t.Fatalf("%+v, %d made, want %d; %v", info, made, want, err)
		}
	}
	r := rows(t, s, "e")[1]
	text := fmt.Sprintf("the unit is of revision %d of acs/seq, and this program has revision %d",
		good+1, good)
	if r.State != experiment.Failed || !strings.Contains(r.Result.Error, text) ||
		!math.IsNaN(r.Result.Best) {
		t.Errorf("%+v", r)
	}
}

// A second queue of an experiment is refused while there is one; of another one it is not.
func TestTaken(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "x.sqlite")
	s, other := open(t, path), open(t, path)
	p := plan(1, 1)
	for _, name := range []string{"e", "f"} {
		if _, err := s.Add(ctx, name, p, units(t, p)); err != nil {
			t.Fatal(err)
		}
	}
	q, err := s.Queue(ctx, "e", false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Queue(ctx, "e", false); !errors.Is(err, experiment.ErrTaken) ||
		!strings.Contains(err.Error(), fmt.Sprint("process ", os.Getpid())) {
		t.Errorf("%v", err)
	}
	if err := other.Remove(ctx, "e"); !errors.Is(err, experiment.ErrTaken) {
		t.Errorf("removed: %v", err)
	}
	f, err := other.Queue(ctx, "f", false)
	if err != nil {
		t.Fatal(err)
	}
	u, ok, err := q.Take(ctx, "cpu")
	if !ok || err != nil || q.Return(u) != nil || q.Left("cpu") != 3 {
		t.Errorf("%v, %v, %d left", ok, err, q.Left("cpu"))
	}
	if err := errors.Join(q.Close(), f.Close()); err != nil {
		t.Error(err)
	}
	if q, err = other.Queue(ctx, "e", false); err != nil || q.Close() != nil {
		t.Errorf("%v", err)
	}
}

// Who reads while units of new settings are added sees each with its setting.
func TestReadWhileAdding(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "experiments.sqlite"))
	const times = 60
	add := func(i int) error {
		p := plan(2, 5)
		p.Grid[0].Values = []record.Value{record.Num(float64(i) / times)}
		_, err := s.Add(t.Context(), "e", p, units(t, p))
		return err
	}
	if err := add(0); err != nil {
		t.Fatal(err)
	}
	added := make(chan error, 1)
	go func() {
		var err error
		for i := 1; i < times && err == nil; i++ {
			err = add(i)
		}
		added <- err
	}()
	for {
		select {
		case err := <-added:
			if n := len(rows(t, s, "e")); err != nil || n != 2*times {
				t.Errorf("%d units, %v", n, err)
			}
			return
		default:
			rows(t, s, "e")
			if _, err := s.Row(t.Context(), "e", 1); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Others may read with plain SQL; files that are none of ours are refused.
func TestFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a ?b%.sqlite")
	s := open(t, path)
	p := plan(1, 2)
	if _, err := s.Add(t.Context(), "e", p, units(t, p)); err != nil {
		t.Fatal(err)
	}
	if _, err := experiment.Make(t.Context(), s, "e", experiment.Options{Load: load}); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", strings.NewReplacer("?", "%3f", "%", "%25").Replace("file:"+path))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var n int
	var labels []string
	rs, err := db.Query("SELECT label FROM results WHERE state = 'done' AND best > 0 ORDER BY number")
	if err != nil {
		t.Fatal(err)
	}
	defer rs.Close()
	for rs.Next() {
		var l string
		if err := rs.Scan(&l); err != nil {
			t.Fatal(err)
		}
		labels = append(labels, l)
	}
	if err := rs.Err(); err != nil || !slices.Equal(labels, []string{"q0=0.5", "q0=0.8", "q0=0.9"}) {
		t.Errorf("%v, %v", labels, err)
	}
	if err := db.QueryRow("PRAGMA user_version").Scan(&n); err != nil || n != sqlite.Version {
		t.Errorf("version %d, %v", n, err)
	}
	if _, err := db.Exec("PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(path); err == nil || !strings.Contains(err.Error(), "version 99") {
		t.Errorf("%v", err)
	}
	if _, err := db.Exec("PRAGMA user_version = 0"); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(path); err == nil || !strings.Contains(err.Error(), "another program") {
		t.Errorf("%v", err)
	}
}
