package program

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Errors of files name the file and what is wrong, and not the call that failed.
func TestErrorsOfFilesInWords(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "nosuch.ipynb")
	_, err := os.ReadFile(missing)
	if err == nil {
		t.Fatal("a file that is not there was read")
	}
	r, w, perr := os.Pipe()
	if perr != nil {
		t.Fatal(perr)
	}
	stderr := os.Stderr
	os.Stderr = w
	code := carryOut("kernel", func(context.Context, []string) error { return err }, []string{"exec"})
	os.Stderr = stderr
	w.Close()
	text, perr := io.ReadAll(r)
	want := "kernel exec: there is no file " + missing + "\n"
	if perr != nil || code != 1 || string(text) != want {
		t.Errorf("status %d, %q, want %q; %v", code, text, want, perr)
	}
}
