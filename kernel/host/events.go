package host

import (
	"maps"
	"slices"
	"sync"

	"metalab/kernel/wire"
)

// following holds the clients that follow the events, as prompts and pages do all the time.
type following struct {
	mu  sync.Mutex
	who map[string]int
}

// add adds a follower, and returns a function that removes it.
func (f *following) add(who string) (leave func()) {
	f.count(who, 1)
	return func() { f.count(who, -1) }
}

func (f *following) count(who string, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.who == nil {
		f.who = map[string]int{}
	}
	if f.who[who] += n; f.who[who] == 0 {
		delete(f.who, who)
	}
}

// names are the followers, each once.
func (f *following) names() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Sorted(maps.Keys(f.who))
}

// ringSize is the number of stored events for readers that reconnect.
const ringSize = 4096

// hub stores the latest events and wakes the readers that wait for them. Each reader takes events
// from the ring at its own pace: a slow one delays no other, and one that falls behind by the whole
// ring learns how many events it lost.
type hub struct {
	mu   sync.Mutex
	ring []wire.Event // of id next-len(ring) to next-1, oldest at at
	at   int
	next uint64
	wake chan struct{} // closed at the next event
	end  bool
}

func newHub() *hub { return &hub{next: 1, wake: make(chan struct{})} }

func (h *hub) publish(e wire.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.end {
		return
	}
	e.ID = h.next
	h.next++
	if len(h.ring) < ringSize {
		h.ring = append(h.ring, e)
	} else {
		h.ring[h.at] = e
		h.at = (h.at + 1) % ringSize
	}
	close(h.wake)
	h.wake = make(chan struct{})
}

// now is the id of the latest event.
func (h *hub) now() uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.next - 1
}

// since returns the events after id last, how many of them are lost, a channel that is closed when
// there are more, and whether there will be more.
func (h *hub) since(last uint64) (evs []wire.Event, lost uint64, wake <-chan struct{}, more bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	first := h.next - uint64(len(h.ring))
	if last >= h.next { // an id of another host
		last = h.next - 1
		lost = 1
	}
	if last+1 < first {
		lost = first - last - 1
		last = first - 1
	}
	for id := last + 1; id < h.next; id++ {
		evs = append(evs, h.ring[(h.at+int(id-first))%len(h.ring)])
	}
	return evs, lost, h.wake, !h.end
}

// close ends all readers once they have read the events that there are.
func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.end {
		h.end = true
		close(h.wake)
	}
}

// Latest is the id of the latest event.
func (h *Host) Latest() uint64 { return h.hub.now() }

// Since returns the events after id last, how many of them are lost, a channel that is closed when
// there are more, and whether there will be more.
func (h *Host) Since(last uint64) (evs []wire.Event, lost uint64, wake <-chan struct{}, more bool) {
	return h.hub.since(last)
}

// Follow counts a client that follows the events, until the function that it returns is called.
func (h *Host) Follow(who string) (leave func()) { return h.following.add(who) }
