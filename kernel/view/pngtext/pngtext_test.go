package pngtext_test

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"metalab/kernel/view/pngtext"
)

// A text comes back, and the picture stays one.
func TestWith(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	if got := pngtext.In(b.Bytes()); got != "" {
		t.Errorf("a picture without a text: %q", got)
	}
	const text = "lab> plot a\n⠤ 0.98 → 0.9"
	told := pngtext.With(b.Bytes(), text)
	if got := pngtext.In(told); got != text {
		t.Errorf("%q, want %q", got, text)
	}
	if img, err := png.Decode(bytes.NewReader(told)); err != nil || img.Bounds().Dx() != 3 {
		t.Error(img, err)
	}
	if got := pngtext.In(told[:40]); got != "" {
		t.Errorf("of a part: %q", got)
	}
}
