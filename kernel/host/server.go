package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"reflect"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
	"metalab/solvers"
	"metalab/solvers/experiment/sqlite"
)

// protocol is the version of the host's protocol; tests change it.
var protocol = wire.Protocol

// shape is what the host says of its messages; tests change it.
var shape = wire.Shape

// maxBody bounds a request, in bytes.
const maxBody = 64 << 20

// quiet is the server's log: only into the host's.
func quiet(w io.Writer) *log.Logger { return log.New(w, "http: ", log.LstdFlags|log.LUTC) }

// handler answers everything on the socket.
func (h *Host) handler() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /v1/hello", func(w http.ResponseWriter, r *http.Request) {
		hello := h.hello()
		if r.Header.Get(wire.HeaderWho) == wire.WhoCell {
			hello.Alarms = h.pages.takeAlarms()
		}
		writeJSON(w, 200, hello)
	})
	m.HandleFunc("POST /v1/do/{verb}", h.versioned(h.do))
	m.HandleFunc("GET /v1/events", h.versioned(h.events))
	m.HandleFunc("GET /v1/array/{run}/{name}", h.versioned(h.array))
	m.HandleFunc("GET /v1/gpu/{name}", h.versioned(h.download))
	m.HandleFunc("PUT /v1/gpu/{device}/{name...}", h.versioned(h.receive))
	m.HandleFunc("POST /v1/page", h.versioned(h.pageScript))
	m.HandleFunc("POST /v1/page/{id}", h.versioned(h.pageEntered))
	m.HandleFunc("POST /v1/page/{id}/admit", h.versioned(h.pageAdmit))
	m.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		writeError(w,
			&wire.Error{Code: wire.CodeRequest, Message: fmt.Sprintf("nothing is at %s %s", r.Method,
				r.URL.Path)})
	})
	return m
}

// versioned refuses clients of another protocol.
func (h *Host) versioned(f http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := strconv.Atoi(r.Header.Get(wire.HeaderProtocol))
		if err != nil || v != protocol {
			writeError(w,
				(&wire.VersionError{
					Protocol: v, Build: r.Header.Get(wire.HeaderBuild),
					Host: h.hello(),
				}).Wire())
			return
		}
		f(w, r)
	}
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		writeError(w, &wire.Error{Code: wire.CodeInternal, Message: "the reply cannot be written: " +
			err.Error()})
		return
	}
	writeRaw(w, status, b)
}

func writeRaw(w http.ResponseWriter, status int, b []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(status)
	_, _ = w.Write(b) // a client that has gone needs no answer
}

func writeError(w http.ResponseWriter, e *wire.Error) {
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
	writeRaw(w, status, b)
}

// do carries out a verb.
func (h *Host) do(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("verb")
	v, ok := wire.Find(name)
	f := handlers[name]
	if !ok || f == nil {
		writeError(w, &wire.Error{Code: wire.CodeVerb, Message: fmt.Sprintf("there is no verb %q", name)})
		return
	}
	// Read whole, so that from here on the server watches whether the client is there.
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		writeError(w, &wire.Error{Code: wire.CodeRequest, Message: name + ": " + err.Error()})
		return
	}
	req := v.NewRequest()
	if err := decode(body, req); err != nil {
		writeError(w, &wire.Error{Code: wire.CodeRequest, Message: name + ": " + err.Error()})
		return
	}
	h.answer(w, r, v, f, req)
}

// answer carries out a verb and writes its reply or error.
func (h *Host) answer(w http.ResponseWriter, r *http.Request, v wire.Verb, f handlerFunc, req any) {
	select {
	case <-h.loaded:
	case <-r.Context().Done():
		panic(http.ErrAbortHandler) // no client waits for an answer
	}
	if h.o.Again && h.again.Load() != nil {
		h.abandon()
	}
	c := &call{ctx: r.Context(), id: r.Header.Get(wire.HeaderCall), who: who(r), host: h}
	raw, werr := h.calls.once(c, v.Group,
		func(c *call) ([]byte, *wire.Error) { return h.carryOut(c, v, f, req) })
	if h.unanswered(werr) {
		h.abandon()
	}
	h.alarmCell(w, r)
	if werr != nil {
		writeError(w, werr)
		return
	}
	writeRaw(w, 200, raw)
}

// decode reads a request; fields that it does not know are errors, so that a misspelt field is
// noticed.
func decode(body []byte, req any) error {
	if len(strings.TrimSpace(string(body))) == 0 {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(string(body)))
	d.DisallowUnknownFields()
	err := d.Decode(req)
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Errorf("%s is %s, want %s", kind.Field, strings.TrimPrefix(kind.Value, "number "),
			wanted(kind.Type))
	}
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// wanted is a type of a request's field in words.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "an integer of 0 or more"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "an integer"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	}
	return "a " + t.Kind().String()
}

// who names the client in the journal.
func who(r *http.Request) string {
	w := reply.Printable(r.Header.Get(wire.HeaderWho))
	return w[:min(len(w), 60)]
}

func (h *Host) carryOut(c *call, v wire.Verb, f handlerFunc,
	req any,
) (raw []byte, werr *wire.Error) {
	defer func() {
		// Figures come from users' data and plots; the host must outlive what they do.
		if x := recover(); x != nil {
			h.logf("panic in %s: %v\n%s", v.Name, x, debug.Stack())
			raw = nil
			werr = &wire.Error{
				Code:    wire.CodeInternal,
				Message: fmt.Sprintf("%s: a mistake of the program: %v", v.Name, x),
			}
		}
	}()
	rep, err := f(h, c, req)
	if errors.Is(err, errAgain) { // another call's GPU failed; this one is made again
		return nil, &wire.Error{Code: wire.CodeHost, Message: err.Error()}
	}
	if err != nil {
		h.ifLost(err)
		werr := wireError(v.Name, err)
		if h.o.Again && sticky(err) {
			werr = &wire.Error{Code: werr.Code, Message: werr.Message +
				"; the host starts anew and loads the runs in the state that they had"}
		}
		return nil, werr
	}
	if raw, err = json.Marshal(rep); err != nil {
		return nil, &wire.Error{
			Code:    wire.CodeInternal,
			Message: fmt.Sprintf("%s: the reply cannot be written: %v", v.Name, err),
		}
	}
	return raw, nil
}

// wireError gives an error its code.
func wireError(verb string, err error) *wire.Error {
	var e *wire.Error
	if errors.As(err, &e) {
		return e
	}
	code := wire.CodeRequest
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		code = wire.CodeCanceled
	case errors.Is(err, solvers.ErrPaused):
		code = wire.CodePaused
	case errors.Is(err, solvers.ErrClosed):
		code = wire.CodeClosed
	case errors.Is(err, solvers.ErrFailed), errors.Is(err, solvers.ErrHalted):
		code = wire.CodeFailed
	case errors.As(err, new(*solvers.Difference)):
		code = wire.CodeDiffers
	case isFileError(err):
		code = wire.CodeFile
	}
	msg := err.Error()
	if damage, ok := errors.AsType[*sqlite.DamageError](err); ok {
		code = wire.CodeFile
		msg = damage.Error() + "; it is left as it is: experiment recover saves what can be read into " +
			"a new one, and keeps this one beside it"
	}
	if code == wire.CodeFailed { // with a stack trace, which the verb show prints
		msg, _, _ = strings.Cut(msg, "\n")
	}
	if p, ok := errors.AsType[*solvers.UnknownParamError](err); ok {
		if near := words.Near(p.Name, p.Known); near != "" {
			msg += "; did you mean " + near + "?"
		}
	}
	// The layers below name themselves and what they were asked, which the verb does too.
	msg = strings.TrimPrefix(msg, "solvers: ")
	msg = strings.TrimPrefix(strings.TrimPrefix(msg, verb+": "), verb+" ")
	msg = strings.TrimPrefix(msg, "experiments: ")
	return &wire.Error{Code: code, Message: verb + ": " + msg}
}

// events streams what happens, from after the event that the client saw last.
func (h *Host) events(w http.ResponseWriter, r *http.Request) {
	if h.ctx.Err() != nil && !h.restarting() {
		panic(http.ErrAbortHandler) // the host is about to end
	}
	last := h.hub.now()
	resumed := false
	if s := r.Header.Get("Last-Event-ID"); s != "" {
		if id, err := strconv.ParseUint(s, 10, 64); err == nil {
			last, resumed = id, true
		}
	}
	defer h.following.add(or(who(r), "a client"))()
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
		evs, lost, wake, more := h.hub.since(last)
		b = b[:0]
		if lost > 0 && resumed {
			b = appendEvent(b, wire.Event{
				Kind: wire.EventLost, Lost: lost,
				ID: h.hub.now() - uint64(len(evs)),
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
			last = h.hub.now()
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
			case h.restarting():
				<-h.closed // the client reconnects at once, and must reach the next process
				return
			case h.ctx.Err() == nil:
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
