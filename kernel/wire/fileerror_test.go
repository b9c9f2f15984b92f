package wire_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"metalab/kernel/wire"
)

// What the system says of files is told without the names of its calls.
func TestFileText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	none := filepath.Join(dir, "none")
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, stat := os.Stat(none)
	_, lstat := os.Lstat(none)
	_, open := os.Open(none)
	_, read := os.ReadFile(dir)
	_, below := os.ReadFile(filepath.Join(file, "x"))
	for _, c := range []struct {
		err  error
		want string
	}{
		{stat, "there is no file " + none},
		{lstat, "there is no file " + none},
		{
			fmt.Errorf("record: %w (nothing was changed)", open),
			"record: there is no file " + none + " (nothing was changed)",
		},
		{os.Rename(none, file), "there is no file " + none},
		{read, dir + " is a folder, want a file"},
		{below, file + "/x: what stands before the last / is no folder"},
		{&os.PathError{Op: "open", Path: "x", Err: os.ErrPermission}, "x: permission denied"},
		{errors.New("open x"), "open x"},
	} {
		if got := wire.FileText(c.err); got != c.want {
			t.Errorf("%v is told as %q, want %q", c.err, got, c.want)
		}
	}
}
