package prompt

import (
	"testing"
	"time"

	"metalab/kernel/reply"
)

// The list of sessions tells the notebook's name where there is one.
func TestSessionLine(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 5, 4, 3, 2, 1, 0, time.Local)
	h := reply.Hello{Session: "notebook-71", PID: 80, Started: began}
	want := "notebook-71           pid 80       since 03:02:01"
	if got := sessionLine(h); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	h.Notebook = "course/00_first\x1b_steps.ipynb"
	want += "  notebook course/00_first?_steps.ipynb"
	if got := sessionLine(h); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
