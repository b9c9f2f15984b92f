package gpus

import (
	"strings"
	"testing"
)

// What is on a GPU keeps the host from going on in another process, which would not have it.
func TestHolds(t *testing.T) {
	t.Parallel()
	if s := (&room{}).holds(); s != "" {
		t.Errorf("nothing is on a GPU, and it says %q", s)
	}
	if s := (&room{order: []string{"x", "m1"}}).holds(); !strings.Contains(s, "(x, m1): free all") {
		t.Errorf("it says %q", s)
	}
}
