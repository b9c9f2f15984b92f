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
	long := string(bytes.Repeat([]byte("long"), 3000))
	if err := s.Note(context.Background(), "e", long); err != nil {
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

// Whatever a file and its log hold, reading them ends, and without a panic.
func FuzzDump(f *testing.F) {
	path := filepath.Join(f.TempDir(), "x.sqlite")
	s, err := Open(path)
	if err != nil {
		f.Fatal(err)
	}
	if _, err := s.Add(context.Background(), "e", experiment.Plan{}, nil); err != nil {
		f.Fatal(err)
	}
	var of [2][]byte
	for i := range of {
		if of[i], err = os.ReadFile(path + ends[i]); err != nil {
			f.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		f.Fatal(err)
	}
	f.Add(of[0], of[1])
	f.Add(of[0][:4096], []byte{})
	f.Add([]byte{}, of[1])
	f.Fuzz(func(t *testing.T, file, log []byte) {
		d := newDump(bytes.NewReader(file), int64(len(file)), bytes.NewReader(log), int64(len(log)))
		for n := 1; n <= min(d.count, 1000); n++ {
			_, cells, bad := d.cells(n)
			if len(cells)+bad > d.page {
				t.Fatalf("page %d has %d cells and %d bad ones", n, len(cells), bad)
			}
		}
	})
}
