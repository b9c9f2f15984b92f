package cells

import (
	"testing"
	"time"
)

// What waits behind a cell that fails or is stopped is dropped, and nothing else.
func TestQueue(t *testing.T) {
	t.Parallel()
	yes, no := map[string]any{"stop_on_error": true}, map[string]any{"stop_on_error": false}
	for _, c := range []struct {
		name            string
		request         map[string]any
		failed, stopped bool
		dropped         bool
	}{
		{"ends well", yes, false, false, false},
		{"fails", yes, true, false, true},
		{"is stopped, and ends well", yes, false, true, true},
		{"fails as it may", no, true, false, false},
		{"is stopped as it may", no, false, true, false},
		{"fails, of an old front end", map[string]any{}, true, false, true},
	} {
		var q Queue
		q.Came()
		q.Came()
		q.Came()
		if !q.Next() {
			t.Fatalf("%s: it was not executed itself", c.name)
		}
		q.late = func(time.Duration) { q.Came() } // one is on its way when the cell ends
		q.Ended(c.request, c.failed, c.stopped)
		if !c.dropped {
			q.Came()
		}
		q.Came() // when the answer was seen
		for i, want := range []bool{!c.dropped, !c.dropped, !c.dropped, true} {
			if got := q.Next(); got != want {
				t.Errorf("%s: request %d behind it is executed: %v, want %v", c.name, i+1, got, want)
			}
		}
	}
}
