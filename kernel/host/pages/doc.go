// Package pages is the room of the host for pages in a browser: the dashboard, and pages in the
// output of a notebook's cells; the verb dashboard.
//
// When a page is first asked for, by that verb or for the output of a cell, the host begins to
// listen on a port of 127.0.0.1 as well. There it serves the dashboard (package
// kernel/internal/page) to everybody, and the verbs that the table marks for browsers, figures as
// SVG and records to pages with access. Pages can read experiments, but not change them; they can
// list workers, and order them to end. The dashboard has a ticket from a client on the socket; a
// page in a cell has a secret that it made itself and that the notebook's kernel, a client too,
// passed on to the host. The page exchanges it for a token that is bound to its origin, and every
// request has the token in its header. The comments of pages.go and pass.go explain what the host
// refuses, and why the output of a cell gives access to nobody else.
package pages

import (
	"net/http"

	"metalab/kernel/host"
	"metalab/kernel/host/serve"
)

// here is the room in each host.
var here = host.Furnish("pages", func(h *host.Host) (*pages, host.Hooks) {
	p := &pages{Host: h}
	return p, host.Hooks{Park: p.park, Reopen: p.reopen}
})

func init() {
	serve.Mount(func(s *serve.Server, m *http.ServeMux) {
		p := here.In(s.Host)
		p.server, p.handler = s, p.pageHandler()
		m.HandleFunc("POST /v1/page", s.Versioned(p.pageScript))
		m.HandleFunc("POST /v1/page/{id}", s.Versioned(p.pageEntered))
		m.HandleFunc("POST /v1/page/{id}/admit", s.Versioned(p.pageAdmit))
	})
}

// wrong is an error about a request.
func wrong(msg string) error { return host.Wrong(msg) }
