package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// TestPack looks at the packed bytes: they are the same each time, and nothing of the machine is in
// them.
func TestPack(t *testing.T) {
	t.Parallel()
	image := []byte(strings.Repeat("machine code ", 1000))
	a, err := pack(image)
	if err != nil {
		t.Fatal(err)
	}
	b, err := pack(image)
	if err != nil || !bytes.Equal(a, b) || len(a) > len(image)/10 {
		t.Errorf(
			"%d bytes packed into %d and %d, the same: %v, %v", len(image), len(a), len(b),
			bytes.Equal(a, b), err,
		)
	}
	// RFC 1952: no flags, no time
	if want := []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0}; !bytes.HasPrefix(a, want) {
		t.Errorf("the header is % x, want % x first", a[:10], want)
	}
	if got, err := unpack(a); err != nil || !bytes.Equal(got, image) {
		t.Errorf("unpacked %d bytes of %d, %v", len(got), len(image), err)
	}
	for n := range len(a) {
		if _, err := unpack(a[:n]); !errors.Is(err, errDamaged) {
			t.Errorf("the first %d bytes of %d: %v", n, len(a), err)
		}
	}
}
