package pages

import (
	"sync"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A notebook saves what its cells show. For sliders it saves a table. The table follows the run:
// the saved notebook has the last values, not those when the cell was executed.

// A shown is a table in a notebook.
type shown struct {
	run   string
	names []string // of parameters; none: all that may change
}

// tables are the tables of a session's notebook, by the id under which Jupyter replaces them.
type tables struct {
	mu    sync.Mutex
	shown map[string]shown
	order []string
	begun bool
}

const (
	// the latest tables stay; cells that run again leave old ones
	maxTables  = 32
	tableRests = 50 * time.Millisecond // how long nothing must happen before a table is shown again
)

// keepTable keeps a table up to date with its run from now on.
func (h *pages) keepTable(id, run string, names []string) {
	t := &h.tables
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.shown == nil {
		t.shown = map[string]shown{}
	}
	t.shown[id] = shown{run, names}
	if t.order = append(t.order, id); len(t.order) > maxTables {
		delete(t.shown, t.order[0])
		t.order = t.order[1:]
	}
	if !t.begun {
		t.begun = true
		last := h.Latest()
		_ = h.Go(func() { h.followTables(last) }) // a host that ends shows nothing
	}
}

// followTables shows tables again after their runs have changed or paused, once nothing more
// happens for a moment.
func (h *pages) followTables(last uint64) {
	stale := map[string]bool{} // runs
	rest := time.NewTimer(time.Hour)
	defer rest.Stop()
	for {
		evs, _, wake, more := h.Since(last)
		for _, e := range evs {
			last = e.ID
			if e.Status != nil && (e.Kind == wire.EventChange || e.Kind == wire.EventState) {
				stale[e.Status.Run] = true
				rest.Reset(tableRests)
			}
		}
		if !more {
			return
		}
		select {
		case <-wake:
		case <-rest.C:
			h.tellTables(stale)
			clear(stale)
		case <-h.Context().Done():
			return
		}
	}
}

// tellTables shows the tables of runs again.
func (h *pages) tellTables(runs map[string]bool) {
	t := &h.tables
	t.mu.Lock()
	told := map[string]shown{}
	for id, s := range t.shown {
		if runs[s.run] {
			told[id] = s
		}
	}
	t.mu.Unlock()
	for id, s := range told {
		e := h.Lookup(s.run)
		if e == nil {
			continue // it was closed: the table stays as it was
		}
		ps, err := e.Sliders(s.names)
		if err != nil {
			continue
		}
		r := &reply.SlidersReply{Status: e.Status("sliders"), Params: ps}
		h.Options().Display(id, map[string]string{"text/html": r.Frame(id), "text/plain": r.Table()})
	}
}
