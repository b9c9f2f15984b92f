package host

import (
	"testing"

	"metalab/kernel/wire"
)

func TestHub(t *testing.T) {
	t.Parallel()
	h := newHub()
	if evs, lost, _, more := h.since(0); len(evs) != 0 || lost != 0 || !more {
		t.Errorf("an empty hub: %v, %d, %v", evs, lost, more)
	}
	const all = ringSize + 100
	for i := range all {
		h.publish(wire.Event{Kind: wire.EventNotice, Done: int64(i + 1)})
	}
	for _, c := range []struct{ since, lost, first, n uint64 }{
		{all, 0, 0, 0},
		{all - 1, 0, all, 1},
		{all - 5, 0, all - 4, 5},
		{100, 0, 101, ringSize},
		{99, 1, 101, ringSize},
		{0, 100, 101, ringSize},
		{all + 50, 1, 0, 0}, // of another host
	} {
		evs, lost, _, _ := h.since(c.since)
		if lost != c.lost || uint64(len(evs)) != c.n {
			t.Errorf("since %d: %d events, %d lost, want %d, %d", c.since, len(evs), lost, c.n, c.lost)
		}
		for i, e := range evs {
			if e.ID != c.first+uint64(i) || e.Done != int64(e.ID) {
				t.Fatalf("since %d: event %d has id %d and is number %d", c.since, i, e.ID, e.Done)
			}
		}
	}
	_, _, wake, _ := h.since(all)
	h.close()
	<-wake
	h.publish(wire.Event{})
	if evs, _, _, more := h.since(all); len(evs) != 0 || more {
		t.Errorf("after the end: %v, %v", evs, more)
	}
}
