package trail

import (
	"strings"
	"testing"
)

// TestMatrixRefused: matrices that do not fit are refused before they are made, with what fits.
func TestMatrixRefused(t *testing.T) {
	free := hostFree
	defer func() { hostFree = free }()
	if got := free(); got < 1<<20 {
		t.Errorf("this machine has %d bytes free", got)
	}
	hostFree = func() int64 { return 3 << 30 }
	for n, want := range map[int]string{
		18512: "matrices of all trails of 18512 cities take 4112329728 bytes of memory, and this " +
			"machine has 3221225472 free, enough for 16384 cities: use storage=candidates and lists of " +
			"up to 32, which takes 7108608",
		18919: "18919 cities take 4295142732 bytes, and the limit is 4294967296, enough for 18918 cities",
	} {
		if _, err := newMatrix(n, 32); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d cities: %v, want %s", n, err, want)
		}
	}
	if need, most := MatrixBytes(18512); need > most {
		t.Errorf("d18512 takes %d, the limit is %d", need, most)
	}
	if m, err := newMatrix(5, 4); err != nil || len(m.Tau) != 25 {
		t.Errorf("5 cities: %v", err)
	}
}
