package serve

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// maxBody bounds a request, in bytes.
const maxBody = 64 << 20

// quiet is the server's log: only into the host's.
func quiet(w io.Writer) *log.Logger { return log.New(w, "http: ", log.LstdFlags|log.LUTC) }

// A Server answers the clients of a host, on its socket and, through rooms, elsewhere.
type Server struct {
	*host.Host
	config string        // of the environment, in a child of Start
	closed chan struct{} // closed when the listener takes no connection any more
}

// mounts are the routes of rooms.
var mounts []func(*Server, *http.ServeMux)

// Mount adds routes of a room to those on the socket. The package of the room calls it when it is
// initialized.
func Mount(routes func(s *Server, m *http.ServeMux)) { mounts = append(mounts, routes) }

// handler answers everything on the socket.
func (h *Server) handler() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /v1/hello", func(w http.ResponseWriter, r *http.Request) {
		hello := h.Hello()
		if r.Header.Get(wire.HeaderWho) == wire.WhoCell {
			hello.Alarms = h.TakeAlarms()
		}
		WriteJSON(w, 200, hello)
	})
	m.HandleFunc("POST /v1/do/{verb}", h.Versioned(h.Do))
	m.HandleFunc("GET /v1/events", h.Versioned(h.Events))
	m.HandleFunc("GET /v1/array/{run}/{name}", h.Versioned(h.array))
	m.HandleFunc("GET /v1/record/{run}", h.Versioned(h.record))
	m.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/v1/page") && slices.Contains(host.Lacks(), "dashboard") {
			h.Answer(w, r, "dashboard", func(c *host.Call) (any, error) {
				return nil, h.Grow(r.Context(), "a page in a cell", "")
			})
			return
		}
		WriteError(w,
			&wire.Error{Code: wire.CodeRequest, Message: fmt.Sprintf("nothing is at %s %s", r.Method,
				r.URL.Path)})
	})
	for _, mount := range mounts {
		mount(h, m)
	}
	return m
}

// Versioned refuses clients of another protocol.
func (h *Server) Versioned(f http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := strconv.Atoi(r.Header.Get(wire.HeaderProtocol))
		if err != nil || v != host.Protocol() {
			WriteError(w,
				(&wire.VersionError{
					Protocol: v, Build: r.Header.Get(wire.HeaderBuild),
					Host: h.Hello(),
				}).Wire())
			return
		}
		f(w, r)
	}
}

// WriteJSON writes an answer.
func WriteJSON(w http.ResponseWriter, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		WriteError(w, &wire.Error{Code: wire.CodeInternal, Message: "the reply cannot be written: " +
			err.Error()})
		return
	}
	WriteRaw(w, status, b)
}

// WriteRaw writes an answer that is JSON already.
func WriteRaw(w http.ResponseWriter, status int, b []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(status)
	_, _ = w.Write(b) // a client that has gone needs no answer
}

// WriteError writes an error.
func WriteError(w http.ResponseWriter, e *wire.Error) {
	status := http.StatusUnprocessableEntity
	switch e.Code {
	case wire.CodeVerb, wire.CodeRun:
		status = http.StatusNotFound
	case wire.CodeVersion:
		status = http.StatusUpgradeRequired
	case wire.CodeDenied:
		status = http.StatusForbidden
	case wire.CodeInternal:
		status = http.StatusInternalServerError
	default:
	}
	b, _ := json.Marshal(struct { // two strings: it cannot fail
		Error *wire.Error `json:"error"`
	}{e})
	WriteRaw(w, status, b)
}

// Do executes a verb.
func (h *Server) Do(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("verb")
	// Read whole, so that from here on the server watches whether the client is there.
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		WriteError(w, &wire.Error{Code: wire.CodeRequest, Message: name + ": " + err.Error()})
		return
	}
	h.answer(w, r, func(q host.Request) ([]byte, *wire.Error) {
		q.Verb, q.Body = name, body
		return h.Host.Do(r.Context(), q)
	})
}

// Answer executes a verb by f, and writes its reply or error.
func (h *Server) Answer(
	w http.ResponseWriter, r *http.Request, verb string, f func(*host.Call) (any, error),
) {
	h.answer(w, r, func(q host.Request) ([]byte, *wire.Error) {
		q.Verb = verb
		return h.Host.Answer(r.Context(), q, f)
	})
}

// answer writes what do returns.
func (h *Server) answer(
	w http.ResponseWriter, r *http.Request, do func(host.Request) ([]byte, *wire.Error),
) {
	select {
	case <-h.Loaded():
	case <-r.Context().Done():
		panic(http.ErrAbortHandler) // no client waits for an answer
	}
	if h.StartsAnew() {
		h.abandon()
	}
	raw, werr := do(host.Request{ID: r.Header.Get(wire.HeaderCall), Who: who(r)})
	if h.Unanswered(werr) {
		h.abandon()
	}
	h.alarmCell(w, r)
	if werr != nil {
		WriteError(w, werr)
		return
	}
	WriteRaw(w, 200, raw)
}

// who names the client in the journal.
func who(r *http.Request) string {
	w := reply.Printable(r.Header.Get(wire.HeaderWho))
	return w[:min(len(w), 60)]
}

// alarmCell adds to the answer to a cell the warnings that no cell has shown yet.
func (h *Server) alarmCell(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get(wire.HeaderWho) != wire.WhoCell {
		return
	}
	if all := h.TakeAlarms(); len(all) > 0 {
		b, _ := json.Marshal(all) // texts: it cannot fail
		w.Header().Set(wire.HeaderAlarms, string(b))
	}
}

// record sends the record of an open run, as save writes it.
func (h *Server) record(w http.ResponseWriter, r *http.Request) {
	text, err := h.RecordText(r.Context(), r.PathValue("run"))
	if err != nil {
		WriteError(w, host.WireError("record", err))
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	_, _ = w.Write(text) // it fails only if the client has gone
}

// array sends a large array in binary.
func (h *Server) array(w http.ResponseWriter, r *http.Request) {
	typ, shape, data, err := h.Array(r.Context(), r.PathValue("run"), r.PathValue("name"))
	if err != nil {
		WriteError(w, host.WireError("array", err))
		return
	}
	dims := make([]string, len(shape))
	for i, d := range shape {
		dims[i] = strconv.Itoa(d)
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.Header().Set(wire.HeaderType, typ)
	w.Header().Set(wire.HeaderShape, strings.Join(dims, ","))
	_, _ = w.Write(data) // it fails only if the client has gone
}
