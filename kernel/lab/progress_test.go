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
	e = wire.Event{
		Total: 10, Done: 9, Note: "repeat a, 100 iterations each; seed 46: 23510515",
	}
	if got, want := progressText("repeat", ended(e)),
		"10 of 10: repeat a, 100 iterations each"; got != want {
		t.Errorf("at the end: %q, want %q", got, want)
	}
	step := wire.Event{Total: 100, Done: 31, Note: "a: iteration 31, best 5, 478 ms, cpu 164 ms"}
	if got := progressText("step", ended(step)); got != "100 of 100: step" {
		t.Errorf("at the end of a step: %q", got)
	}
	if got := progressText("load", wire.Event{}); got != "load" || progressBar(wire.Event{}) != "" {
		t.Errorf("without an end in sight: %q, %q", got, progressBar(wire.Event{}))
	}
}
