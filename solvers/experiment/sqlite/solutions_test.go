package sqlite_test

import (
	"database/sql"
	"path/filepath"
	"reflect"
	"testing"

	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// Solutions are kept with their numbers as they are, and are gone with their experiment.
func TestSolutions(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "x.sqlite")
	s := open(t, file)
	us := units(t, plan(2, 3))
	if _, err := s.Add(t.Context(), "e", plan(2, 3), us); err != nil {
		t.Fatal(err)
	}
	q, err := s.Queue(t.Context(), "e", false)
	if err != nil {
		t.Fatal(err)
	}
	want := []experiment.Solved{
		{Number: 1, Solution: record.Solution{Perm: []int32{2, 0, 1, 1 << 30}}},
		{Number: 3, Solution: record.Solution{Bits: []int8{1, -1, -1}}},
		{Number: 4, Solution: record.Solution{Real: []float64{0.1, -1e-300}}},
	}
	of := map[int]record.Solution{}
	for _, x := range want {
		of[x.Number] = x.Solution
	}
	for range 5 { // of 6
		u, _, err := q.Take(t.Context(), "cpu")
		if err != nil {
			t.Fatal(err)
		}
		if err := q.Finish(t.Context(), u, experiment.Result{Solution: of[u.Number]}); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	if got := solved(t, s); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if err := s.Remove(t.Context(), "e"); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	n := 0
	if err := db.QueryRow("SELECT count(*) FROM solutions").Scan(&n); err != nil || n != 0 {
		t.Errorf("%d solutions are left, %v", n, err)
	}
}

func solved(t *testing.T, s experiment.Store) (out []experiment.Solved) {
	t.Helper()
	for x, err := range s.Solutions(t.Context(), "e") {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, x)
	}
	return out
}

// A file of version 1, without solutions, goes on as one of this version.
func TestFirstVersion(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "x.sqlite")
	s := open(t, file)
	p := plan(2, 3)
	if _, err := s.Add(t.Context(), "e", p, units(t, p)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("DROP TABLE solutions; DROP TABLE journal; " +
		"PRAGMA user_version = 1"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, file)
	if got := solved(t, s); len(got) != 0 {
		t.Errorf("%v", got)
	}
	o := experiment.Options{Load: load}
	if i, err := experiment.Make(t.Context(), s, "e", o); err != nil || i.Done != 6 {
		t.Fatalf("%+v, %v", i, err)
	}
	for i, x := range solved(t, s) {
		if x.Number != i+1 || len(x.Solution.Perm) != 40 {
			t.Errorf("%+v", x)
		}
	}
	if n := len(solved(t, s)); n != 6 {
		t.Errorf("%d solutions, want 6", n)
	}
}

// In stores of before the schedule was part of a unit's key, units with one are known again: they
// are not made a second time, and what was left out then, the other values, is.
func TestKeysWithoutSchedules(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "x.sqlite")
	s := open(t, file)
	p := plan(2, 3)
	p.Settings[0].Variant = "spm"
	p.Grid[0] = experiment.Axis{Name: "warps", Values: []record.Value{record.Num(1), record.Num(2)}}
	all := units(t, p)
	if _, err := s.Add(t.Context(), "e", p, []experiment.Unit{all[0], all[2]}); err != nil {
		t.Fatal(err)
	}
	o := experiment.Options{Load: load}
	if i, err := experiment.Make(t.Context(), s, "e", o); err != nil || i.Done != 2 {
		t.Fatalf("%+v, %v", i, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range []experiment.Unit{all[0], all[2]} {
		now := u.Key
		u.Schedule = nil
		old, err := u.MakeKey()
		if err != nil || old == now {
			t.Fatal(old, err)
		}
		if _, err := db.Exec("UPDATE units SET key = ? WHERE key = ?", old[:], now[:]); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, file)
	if n, err := s.Add(t.Context(), "e", p, all); err != nil || n != 2 {
		t.Fatalf("%d units are new, want those of warps=2; %v", n, err)
	}
	made := map[experiment.Key]bool{}
	o.Each = func(r experiment.Row) { made[r.Unit.Key] = true }
	if i, err := experiment.Make(t.Context(), s, "e", o); err != nil || i.Done != 4 || len(made) != 2 {
		t.Errorf("%+v, %d made now; %v", i, len(made), err)
	}
	for _, r := range rows(t, s, "e") {
		if k, err := r.Unit.MakeKey(); err != nil || k != r.Unit.Key {
			t.Errorf("unit %d has the key %s, want %s; %v", r.Unit.Number, r.Unit.Key, k, err)
		}
	}
}
