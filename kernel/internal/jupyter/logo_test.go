package jupyter

import (
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

func TestLogos(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := WriteLogos(dir); err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]int{"logo-32x32.png": 32, "logo-64x64.png": 64} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(f)
		f.Close()
		if err != nil || img.Bounds().Dx() != size || img.Bounds().Dy() != size {
			t.Fatalf("%s: %v", name, err)
		}
		if _, _, _, a := img.At(0, 0).RGBA(); a != 0 {
			t.Errorf("%s: the corner is not clear", name)
		}
		if _, _, _, a := img.At(size/2, size/2).RGBA(); a != 0xffff {
			t.Errorf("%s: the middle is clear", name)
		}
	}
}
