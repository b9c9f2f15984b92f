package gpu_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"metalab/gpu"
)

// pack is what kernels/build does to an image.
func pack(t *testing.T, image string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(image)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestImage(t *testing.T) {
	builtin := fstest.MapFS{"images/walk.fatbin.gz": {Data: pack(t, "built in")}}
	for name, want := range map[string]string{
		"walk": "built in", "other": "kernels/ants/other.cu is not compiled",
	} {
		b, err := gpu.Image(builtin, "ants", name)
		if got := string(b); err == nil && got != want || err != nil &&
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	dir := t.TempDir()
	t.Setenv(gpu.ImagesVar, dir)
	if _, err := gpu.Image(builtin, "ants", "walk"); err == nil ||
		!strings.Contains(err.Error(), gpu.ImagesVar) {
		t.Errorf("an empty folder: %v", err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "ants", "images"), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "ants", "images", "walk.fatbin.gz")
	// the file changes while the program runs
	for _, want := range []string{"another", "and another"} {
		if err := os.WriteFile(file, pack(t, want), 0o600); err != nil {
			t.Fatal(err)
		}
		if b, err := gpu.Image(builtin, "ants", "walk"); err != nil || string(b) != want {
			t.Errorf("%q, %v, want %q", b, err, want)
		}
	}
	if err := os.WriteFile(file, []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := gpu.Image(builtin, "ants", "walk"); err == nil ||
		!strings.Contains(err.Error(), file+" is damaged") {
		t.Errorf("a file that is not packed: %v", err)
	}
}

func TestDamagedImage(t *testing.T) {
	t.Setenv(gpu.ImagesVar, "")
	whole := pack(t, strings.Repeat("an image of some length ", 20))
	flipped := bytes.Clone(whole)
	flipped[len(flipped)-5] ^= 1 // of the check sum
	for what, packed := range map[string][]byte{
		"empty": {}, "half": whole[:len(whole)/2], "flipped": flipped,
		"longer": append(bytes.Clone(whole), "more than it should"...),
	} {
		_, err := gpu.Image(fstest.MapFS{"images/walk.fatbin.gz": {Data: packed}}, "ants", "walk")
		if err == nil || !strings.Contains(err.Error(), "kernels/ants/images/walk.fatbin.gz is damaged") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if b, err := gpu.Image(
		fstest.MapFS{"images/walk.fatbin.gz": {Data: whole}}, "ants", "walk",
	); err != nil || len(b) != 480 {
		t.Errorf("the whole one after them: %d bytes, %v", len(b), err)
	}
}

// TestImageOnce asks for an image from several goroutines: all get the same memory, and an
// append to it does not touch what the others see.
func TestImageOnce(t *testing.T) {
	t.Setenv(gpu.ImagesVar, "")
	builtin := fstest.MapFS{"images/once.fatbin.gz": {Data: pack(t, "unpacked once")}}
	var got [4][]byte
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() { got[i], _ = gpu.Image(builtin, "ants", "once") })
	}
	wg.Wait()
	for i, b := range got {
		if string(b) != "unpacked once" || &b[0] != &got[0][0] {
			t.Errorf("goroutine %d got %q, memory of its own: %v", i, b, len(b) > 0 && &b[0] != &got[0][0])
		}
		if cap(b) != len(b) {
			t.Errorf("%d bytes of room behind an image of %d", cap(b)-len(b), len(b))
		}
	}
}
