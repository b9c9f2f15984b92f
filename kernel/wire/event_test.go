package wire

import (
	"math"
	"testing"

	"metalab/kernel/reply"
)

func TestProgressInWords(t *testing.T) {
	t.Parallel()
	for left, want := range map[float64]string{
		0: "", math.NaN(): "", 0.2: "about 1 s left", 9.5: "about 10 s left", 11: "about 15 s left",
		61: "about 65 s left", 121: "about 3 min left", 7300: "about 3 h left", 1e6: "about 12 days left",
	} {
		if got := (&Event{LeftS: reply.Num(left)}).Left(); got != want {
			t.Errorf("%v s: %q, want %q", left, got, want)
		}
	}
	for _, c := range []struct {
		e    Event
		part float64
		ok   bool
	}{
		{Event{}, 0, false},
		{Event{Done: 3}, 0, false},
		{Event{Done: 3, Total: 10}, 0.3, true},
		{Event{Done: 3, Total: 10, Share: 0.35}, 0.35, true}, // the parts of seeds under way too
		{Event{Done: 11, Total: 10}, 1, true},
	} {
		if part, ok := c.e.Part(); part != c.part || ok != c.ok {
			t.Errorf("%+v: %v %v, want %v %v", c.e, part, ok, c.part, c.ok)
		}
	}
}
