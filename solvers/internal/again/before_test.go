package main

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/solvers"
	"metalab/solvers/record"
)

// TestBefore replays records that the metalab of 28 November 2026 (063b52ec) made as records does,
// a record of each variant and small instance: all are identical, but for those of variants whose
// revision was raised since.
func TestBefore(t *testing.T) {
	t.Parallel()
	z, err := zip.OpenReader(filepath.Join("testdata", "2026-11-28.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	identical := 0
	for _, f := range z.File {
		path := filepath.Join(t.TempDir(), f.Name)
		extract(t, f, path)
		rec, err := record.ReadFile(path)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		if err := solvers.Replayable(rec, ""); err != nil {
			if !strings.Contains(err.Error(), "revision") {
				t.Errorf("%s: %v", f.Name, err)
			}
			t.Logf("%s: %v", f.Name, err)
			continue
		}
		if err := again(path); err != nil {
			t.Errorf("%s: %v; a law that changes raises its revision", f.Name, err)
		}
		identical++
	}
	if len(z.File) != 58 || identical < 30 {
		t.Errorf("%d of %d records are replayed, want most of 58", identical, len(z.File))
	}
}

func extract(t *testing.T, f *zip.File, path string) {
	t.Helper()
	in, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	b, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}
