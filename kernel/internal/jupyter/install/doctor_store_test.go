package install

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/internal/jupyter"
	"metalab/solvers/experiment/sqlite"
)

// The doctor tells whether the file of experiments can be read, and makes none.
func TestExperimentsOf(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("METALAB_STATE", dir)
	if f, ok := experimentsOf(t.Context()); ok {
		t.Errorf("of no file: %+v", f)
	}
	path := filepath.Join(dir, "experiments.sqlite")
	if _, err := os.Stat(path); err == nil {
		t.Error("who only asked has made one")
	}
	s, err := sqlite.Open(path)
	if err == nil {
		_, err = s.Experiments(t.Context())
	}
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	f, ok := experimentsOf(t.Context())
	if !ok || f.State != "ok" || f.Fix != "" || !strings.HasPrefix(f.What, path+" is whole, ") {
		t.Errorf("of a whole file: %+v", f)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{len(b) - 4096, 0} { // the last page; the head
		copy(b[at:], bytes.Repeat([]byte{0xff}, 100))
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		f, ok = experimentsOf(t.Context())
		if !ok || f.State != "damaged" || !strings.Contains(f.What, path) ||
			!strings.Contains(f.Fix, "experiment recover") {
			t.Errorf("damaged at %d: %+v", at, f)
		}
	}
	for _, g := range Examine(t.Context(), jupyter.Under(t.TempDir())) {
		if g.Name == f.Name {
			f.Name = ""
			if g.State != "damaged" {
				t.Errorf("the doctor says %+v", g)
			}
		}
	}
	if f.Name != "" {
		t.Error("the doctor does not look at it")
	}
}
