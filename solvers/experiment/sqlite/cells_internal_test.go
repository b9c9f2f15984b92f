package sqlite

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"metalab/solvers/experiment"
)

// All cells of a file that is not damaged are read, and each of its pages is known.
func TestCells(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.sqlite")
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Add(context.Background(), "e", experiment.Plan{}, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Note(context.Background(), "e", string(bytes.Repeat([]byte("long"), 3000))); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := newDump(bytes.NewReader(b), int64(len(b)), bytes.NewReader(nil), 0)
	var strange []int
	rows := 0
	for n := 1; n <= d.count; n++ {
		kind, cells, bad := d.cells(n)
		if bad > 0 {
			t.Errorf("page %d of kind %d: %d cells are read, %d are not", n, kind, len(cells), bad)
		}
		if kind == 0 {
			strange = append(strange, n)
		}
		for _, c := range cells {
			if len(c.values) == 5 && kind == leafTable { // of sqlite_schema
				rows++
			}
		}
	}
	for _, n := range strange {
		if !d.spilled[n] {
			t.Errorf("page %d is of no kind", n)
		}
	}
	var want int
	if s, err = Open(path); err != nil {
		t.Fatal(err)
	}
	if err := s.read.QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&want); err != nil ||
		rows != want || want < len(tables) {
		t.Errorf("%d rows of the schema, want %d; %v", rows, want, err)
	}
}
