package lab

import (
	"strings"
	"testing"

	"metalab/kernel/wire"
)

// From the first seed on a repeat has a bar and the time that is left.
func TestProgressText(t *testing.T) {
	t.Parallel()
	e := wire.Event{Total: 10, Share: 0.04, LeftS: 95, Note: "repeat a, 100 iterations each"}
	if got, want := progressText("repeat", e),
		"0 of 10: repeat a, 100 iterations each; about 95 s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := progressBar(e); !strings.Contains(got, `max="1000" value="40"`) {
		t.Errorf("the bar: %s", got)
	}
	if got := progressText("load", wire.Event{}); got != "load" || progressBar(wire.Event{}) != "" {
		t.Errorf("without an end in sight: %q, %q", got, progressBar(wire.Event{}))
	}
}
