package pages

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"metalab/kernel/host"
	"metalab/kernel/host/serve"
	"metalab/kernel/internal/page"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// maxPageBody bounds a request of a page, in bytes.
const maxPageBody = 64 << 10

// pagePolicy says what a page of the host may load: its own script and style, and pictures that it
// makes itself. Pictures have their styles in attributes.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr " +
	"'unsafe-inline'; " +
	"img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'none'"

// pageHandler answers everything on 127.0.0.1.
func (h *pages) pageHandler() http.Handler {
	m := http.NewServeMux()
	for _, f := range page.Files() {
		m.HandleFunc("GET "+f.Path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", f.Type)
			w.Header().Set("Cache-Control", "no-store")
			_, _ = w.Write(f.Data) // it fails only if the page has gone
		})
	}
	m.HandleFunc("POST /v1/enter", h.pageEnter)
	m.HandleFunc("POST /v1/do/{verb}", h.granted(h.pageDo))
	m.HandleFunc("POST /v1/events",
		h.granted(func(w http.ResponseWriter, r *http.Request, _ *grant) { h.server.Events(w, r) }))
	m.HandleFunc("POST /v1/figure", h.granted(h.pageFigure))
	m.HandleFunc("POST /v1/experiments", h.granted(h.pageExperiments))
	m.HandleFunc("POST /v1/experiment", h.granted(h.pageExperiment))
	m.HandleFunc("POST /v1/chart", h.granted(h.pageChart))
	m.HandleFunc("POST /v1/units", h.granted(h.pageUnits))
	m.HandleFunc("POST /v1/unit", h.granted(h.pageUnit))
	m.HandleFunc("POST /v1/record", h.granted(h.pageRecord))
	m.HandleFunc("POST /v1/ticket", h.granted(h.pageTicket))
	m.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/v1/") && r.Method != http.MethodPost {
			w.Header().Set("Allow", "POST")
			refuse(w, http.StatusMethodNotAllowed, fmt.Sprintf("%s: pages ask by POST", r.URL.Path))
			return
		}
		refuse(w, http.StatusNotFound, "nothing is there")
	})
	return h.guarded(m)
}

// refuse answers a request that is refused.
func refuse(w http.ResponseWriter, status int, why string) {
	// two strings: it cannot fail
	b, _ := json.Marshal(map[string]*wire.Error{"error": {
		Code:    wire.CodeDenied,
		Message: "page: " + why,
	}})
	serve.WriteRaw(w, status, b)
}

// guarded makes the checks for all requests: the name in the header Host, and who may read the
// answer.
func (h *pages) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "no-referrer")
		head.Set("Content-Security-Policy", pagePolicy)
		head.Set("Cross-Origin-Opener-Policy", "same-origin")
		head.Set("X-Frame-Options", "DENY")
		if !slices.Contains(h.hostNames(), r.Host) {
			refuse(w, http.StatusMisdirectedRequest,
				fmt.Sprintf("%q is not the name of this host; where a port is forwarded, forward the same port",
					reply.Printable(r.Host)))
			return
		}
		origins := r.Header.Values("Origin")
		if len(origins) > 1 {
			refuse(w, http.StatusForbidden, "more than one origin")
			return
		}
		head.Add("Vary", "Origin")
		known := len(origins) == 1 && h.knows(origins[0], r.URL.Path == "/v1/enter")
		if known {
			head.Set("Access-Control-Allow-Origin", origins[0])
		}
		if r.Method == http.MethodOptions {
			if !known {
				refuse(w, http.StatusForbidden, "this page was not let in")
				return
			}
			head.Set("Access-Control-Allow-Methods", "POST")
			head.Set("Access-Control-Allow-Headers", "authorization, content-type, last-event-id")
			head.Set("Access-Control-Max-Age", "600")
			// Chromium asks this for public pages that connect to the machine itself.
			if r.Header.Get("Access-Control-Request-Private-Network") == "true" {
				head.Set("Access-Control-Allow-Private-Network", "true")
			}
			w.WriteHeader(http.StatusNoContent)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxPageBody)
		next.ServeHTTP(w, r)
	})
}

// hostNames returns the values that the header Host may have.
func (h *pages) hostNames() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.names()
}

// asked checks that a request is a page's: JSON, with an origin. Pages without an origin, such as
// files, all have the origin null.
func asked(w http.ResponseWriter, r *http.Request) (origin string, ok bool) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil ||
		kind != "application/json" {
		refuse(w, http.StatusUnsupportedMediaType, "the content is no application/json")
		return "", false
	}
	origin = r.Header.Get("Origin")
	if origin == "" || origin == "null" {
		refuse(w, http.StatusForbidden, "the page does not say its origin")
		return "", false
	}
	return origin, true
}

// granted lets in requests with a token from the origin that it is bound to.
func (h *pages) granted(f func(http.ResponseWriter, *http.Request, *grant)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		origin, ok := asked(w, r)
		if !ok {
			return
		}
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		var g *grant
		if ok {
			g = h.grant(token)
		}
		if g == nil {
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized,
				"no token, or one of another session; run the cell again, or type dashboard")
			return
		}
		if origin != g.origin {
			w.Header().Del("Access-Control-Allow-Origin")
			refuse(w, http.StatusForbidden, "the token is another page's")
			return
		}
		// The page's own claim of who it is must not count.
		r.Header.Set(wire.HeaderWho, g.who)
		r.Header.Del(wire.HeaderCall)
		f(w, r, g)
	}
}

// readPage reads the request of a page.
func readPage(w http.ResponseWriter, r *http.Request, into any) bool {
	b, err := io.ReadAll(r.Body)
	if err == nil {
		err = host.Decode(b, into)
	}
	if err != nil {
		serve.WriteError(w, &wire.Error{Code: wire.CodeRequest, Message: "page: " + err.Error()})
	}
	return err == nil
}

// pageEnter exchanges a ticket, or the secret of a cell's page, for a token.
func (h *pages) pageEnter(w http.ResponseWriter, r *http.Request) {
	origin, ok := asked(w, r)
	if !ok {
		return
	}
	var q struct {
		Ticket string `json:"ticket"` // of the dashboard
		Page   string `json:"page"`   // of a cell
		Secret string `json:"secret"`
	}
	if !readPage(w, r, &q) {
		return
	}
	var token string
	var g *grant
	var no *refused
	if q.Page != "" {
		token, g, no = h.enterCell(q.Page, q.Secret, origin)
	} else {
		token, g, no = h.enter(q.Ticket, origin)
	}
	if no != nil {
		if no.alarm != "" {
			h.Alarm(no.alarm)
		}
		refuse(w, http.StatusForbidden, no.why)
		return
	}
	h.Logf("page %s of %s", g.who, reply.Printable(origin))
	serve.WriteJSON(w, http.StatusOK, map[string]string{
		"token": token, "who": g.who, "session": h.Options().Session,
		"machine": h.Hello().Machine,
	})
}

// pageDo carries out a verb, if pages may ask for it.
func (h *pages) pageDo(w http.ResponseWriter, r *http.Request, _ *grant) {
	if v, ok := wire.Find(r.PathValue("verb")); !ok || !v.Browser {
		refuse(w, http.StatusForbidden,
			fmt.Sprintf("%q is not for pages", reply.Printable(r.PathValue("verb"))))
		return
	}
	switch r.PathValue("verb") {
	case "step":
		h.pageStep(w, r)
		return
	case "workers", "worker":
		if !narrowed(w, r) {
			return
		}
	}
	h.server.Do(w, r)
}

// stepWait is how long a page waits for its step, so that errors are shown at once.
const stepWait = 300 * time.Millisecond

// pageStep makes a step that continues if the page is closed, and answers before its end: browsers
// make only six requests at a time, and a page that waits for steps could not even pause them.
func (h *pages) pageStep(w http.ResponseWriter, r *http.Request) {
	var q wire.StepRequest
	if !readPage(w, r, &q) {
		return
	}
	type result struct {
		rep *reply.StepReply
		err error
	}
	done := make(chan result, 1)
	c := h.Inner(r.Header.Get(wire.HeaderWho))
	if err := h.Go(func() {
		rep, err := c.Step(&q)
		done <- result{rep, err}
	}); err != nil {
		serve.WriteError(w, host.WireError("step", err))
		return
	}
	select {
	case x := <-done:
		if x.err != nil {
			serve.WriteError(w, host.WireError("step", x.err))
			return
		}
		serve.WriteJSON(w, http.StatusOK, x.rep)
	case <-time.After(stepWait):
		if e := h.Lookup(q.Run); e != nil {
			serve.WriteJSON(w, http.StatusAccepted,
				reply.StepReply{Status: e.Status("step"), Made: c.Made()})
			return
		}
		serve.WriteError(w, &wire.Error{Code: wire.CodeClosed, Message: "step: the run was closed"})
	case <-r.Context().Done():
	}
}

// pageTicket gives a page of a notebook the address of the dashboard.
func (h *pages) pageTicket(w http.ResponseWriter, _ *http.Request, _ *grant) {
	base, err := h.openPages()
	if err != nil {
		serve.WriteError(w, host.WireError("page", err))
		return
	}
	s, _ := h.ticket(linkTicket)
	serve.WriteJSON(w, http.StatusOK, map[string]string{"url": base + "/#" + s})
}
