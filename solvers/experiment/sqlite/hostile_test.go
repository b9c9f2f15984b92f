package sqlite_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"metalab/solvers/experiment/sqlite"
)

// Columns that no program has written so cost their row at most, not all of the others.
func TestRecoverStrangeColumns(t *testing.T) {
	t.Parallel()
	_, data := closed(t, 4)
	for _, set := range []string{
		"units SET experiment = 1.5", "units SET number = 1.5", "units SET setting = 1.5",
		"units SET instance = 1.5", "units SET iterations = 1.5", "units SET evaluations = 1.5",
		"instances SET size = 0.5", "journal SET experiment = 1.5", "journal SET at = ''",
		"settings SET device = 0.5", "settings SET revision = 0.5", "experiments SET began = ''",
	} {
		path := filepath.Join(t.TempDir(), "x.sqlite")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", "file:"+path)
		if err == nil {
			_, err = db.Exec("UPDATE " + set + " WHERE rowid = 2")
		}
		if err == nil { // what makes it a damaged file in any case
			_, err = db.Exec("UPDATE units SET seed = 'x' WHERE rowid = 4")
		}
		if err == nil {
			err = db.Close()
		}
		if err != nil {
			t.Fatalf("%s: %v", set, err)
		}
		r, err := sqlite.Recover(t.Context(), path, false)
		if err != nil {
			t.Errorf("%s: %v", set, err)
			continue
		}
		if n, _, _, err := wrong(t.Context(), open(t, path)); n < 3 || err != nil {
			t.Errorf("%s: %d results, %v, %+v", set, n, err, r)
		}
	}
}

// What a process of the same number has left that was killed is not taken for what was saved.
func TestRecoverOverLeftovers(t *testing.T) {
	t.Parallel()
	_, data := closed(t, 2)
	clear(data[:100])
	path := filepath.Join(t.TempDir(), "x.sqlite")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	part := fmt.Sprintf("%s.part-%d", path, os.Getpid())
	s := open(t, part)
	p := plan(2, 40)
	for _, name := range []string{"a", "b", "ghost"} {
		if _, err := s.Add(t.Context(), name, p, units(t, p)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := sqlite.Recover(t.Context(), path, false)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Experiments) != 2 || r.Experiments[0].Name != "e" || r.Experiments[1].Name != "f" {
		t.Errorf("%+v", r.Experiments)
	}
}
