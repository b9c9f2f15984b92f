package bundle_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"metalab/kernel/browser/bundle"
)

// What a page links has its licences with it: beside a prompt, and in the engine of pages that
// replay, which is copied alone to where they are.
func TestNotices(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("lists all packages")
	}
	for what, want := range map[bundle.Program][]string{
		bundle.Replay: {"\n  Go 1.", "Redistributions in binary form"},
		bundle.Prompt: {
			"\n  Go 1.", "\n  github.com/ajstarks/svgo v0", "(CC-BY-4.0)", "\n  github.com/goplus/ixgo v",
			"SIL OPEN FONT LICENSE", "\n  gonum.org/v1/gonum v",
		},
	} {
		text, err := bundle.Notices(t.Context(), what, "../../..")
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !bytes.Contains(text, []byte(w)) {
				t.Errorf("the notices of %s lack %q", what, w)
			}
		}
		if n := strings.Count(string(text), "\n  "); what == bundle.Prompt && n < 23 {
			t.Errorf("%d modules, want 23 or more", n)
		}
	}
	e, err := built()
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(e.Path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b, []byte("Redistributions in binary form")) {
		t.Error("the engine of pages has no licence of Go")
	}
}
