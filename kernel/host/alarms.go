package host

import (
	"sync"

	"metalab/kernel/wire"
)

// mostAlarms is the number of warnings that wait for the next cell.
const mostAlarms = 20

// alarms are warnings that no cell has shown yet.
type alarms struct {
	mu   sync.Mutex
	list []string
}

// Alarm sends a warning to all clients of the session: to those who follow the events, as prompts,
// scripts and pages do, at once, to cells with the next answer.
func (h *Host) Alarm(text string) {
	h.Logf("alarm: %s", text)
	h.Publish(wire.Event{Kind: wire.EventNotice, Note: text, Alarm: true})
	h.alarms.add(text)
}

// add adds warnings for cells.
func (a *alarms) add(texts ...string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = append(a.list, texts...)
	a.list = a.list[max(0, len(a.list)-mostAlarms):]
}

// TakeAlarms returns the warnings for cells, each once.
func (h *Host) TakeAlarms() []string {
	h.alarms.mu.Lock()
	defer h.alarms.mu.Unlock()
	out := h.alarms.list
	h.alarms.list = nil
	return out
}
