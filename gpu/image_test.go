package gpu_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"metalab/gpu"
)

func TestImage(t *testing.T) {
	builtin := fstest.MapFS{"images/walk.fatbin": {Data: []byte("built in")}}
	for name, want := range map[string]string{"walk": "built in", "other": "kernels/ants/other.cu is not compiled"} {
		b, err := gpu.Image(builtin, "ants", name)
		if got := string(b); err == nil && got != want || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	dir := t.TempDir()
	t.Setenv(gpu.ImagesVar, dir)
	if _, err := gpu.Image(builtin, "ants", "walk"); err == nil || !strings.Contains(err.Error(), gpu.ImagesVar) {
		t.Errorf("an empty folder: %v", err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "ants", "images"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ants", "images", "walk.fatbin"), []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := gpu.Image(builtin, "ants", "walk"); err != nil || string(b) != "another" {
		t.Errorf("%q, %v", b, err)
	}
}
