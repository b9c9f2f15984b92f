package serve

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"metalab/kernel/wire"
)

// Events streams events, from the one after the last that the client has seen.
func (h *Server) Events(w http.ResponseWriter, r *http.Request) {
	if h.Context().Err() != nil && !h.Restarting() {
		panic(http.ErrAbortHandler) // the host is about to end
	}
	last := h.Latest()
	resumed := false
	if s := r.Header.Get("Last-Event-ID"); s != "" {
		if id, err := strconv.ParseUint(s, 10, 64); err == nil {
			last, resumed = id, true
		}
	}
	defer h.Follow(cmp.Or(who(r), "a client"))()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	rc := http.NewResponseController(w)
	w.WriteHeader(200)
	// The id after which the stream is complete, for a reader that must reconnect before the first
	// event.
	if _, err := fmt.Fprintf(w, "id: %d\n\n", last); err != nil || rc.Flush() != nil {
		return
	}
	alive := time.NewTicker(15 * time.Second)
	defer alive.Stop()
	var b []byte
	ends := false
	for {
		evs, lost, wake, more := h.Since(last)
		b = b[:0]
		if lost > 0 && resumed {
			b = appendEvent(b, wire.Event{
				Kind: wire.EventLost, Lost: lost,
				ID: h.Latest() - uint64(len(evs)),
			})
		}
		for _, e := range evs {
			b = appendEvent(b, e)
			last = e.ID
			if ends = e.Kind == wire.EventEnds; ends {
				break // what happens to the runs after that is not done by a client
			}
		}
		if lost > 0 && len(evs) == 0 {
			last = h.Latest()
		}
		resumed = true
		if len(b) > 0 {
			if _, err := w.Write(b); err != nil || rc.Flush() != nil || ends {
				return
			}
			continue
		}
		if !more {
			return
		}
		select {
		case <-wake:
		case <-alive.C:
			if _, err := io.WriteString(w, ":\n\n"); err != nil || rc.Flush() != nil {
				return
			}
		case <-r.Context().Done():
			switch {
			case h.Restarting():
				<-h.closed // the client reconnects at once, and must reach the next process
				return
			case h.Context().Err() == nil:
				return // the client has gone
			}
			<-wake // the host sends an event that says why it ends
		}
	}
}

func appendEvent(b []byte, e wire.Event) []byte {
	data, err := json.Marshal(e)
	if err != nil {
		return b // an event has no field that can fail
	}
	b = append(b, "id: "...)
	b = strconv.AppendUint(b, e.ID, 10)
	b = append(b, "\nevent: "...)
	b = append(b, e.Kind...)
	b = append(b, "\ndata: "...)
	b = append(b, data...)
	return append(b, "\n\n"...)
}
