package pages

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"

	"metalab/kernel/host"
	"metalab/kernel/host/serve"
	"metalab/kernel/internal/page"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

var _ = host.HandleIn(here, "dashboard", (*pages).dashboard)

// dashboard returns the address of the dashboard.
func (h *pages) dashboard(*host.Call, *wire.Empty) (*reply.DashboardReply, error) {
	base, err := h.openPages()
	if err != nil {
		return nil, err
	}
	s, until := h.ticket(dashboardTicket)
	rep := &reply.DashboardReply{Verb: "dashboard", URL: base + "/#" + s, Ends: until.Format("15:04")}
	// Arguments of programs can be read by all users of a machine, so a browser is started with a
	// file that only this user can read, and that redirects to the dashboard. If it cannot be
	// written, the address is used.
	path := h.leadsPath()
	if err := os.WriteFile(path, page.Leads(rep.URL), 0o600); err != nil {
		h.Logf("%s: %v", path, err)
		return rep, nil
	}
	if err := os.Chmod(path, 0o600); err == nil {
		rep.File = path
	}
	return rep, nil
}

// leadsPath is the path of the file that redirects to the dashboard.
func (h *pages) leadsPath() string { return filepath.Join(h.Dir(), "dashboard.html") }

var (
	elementName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,99}$`)
	kernelID    = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
)

// pageScript gives a client the script of a page in the output of a cell.
func (h *pages) pageScript(w http.ResponseWriter, r *http.Request) {
	var q wire.PageRequest
	if !readPage(w, r, &q) {
		return
	}
	fail := func(err error) { serve.WriteError(w, host.WireError("page", err)) }
	c := page.Config{
		Element: q.Element, Kind: q.Kind, Run: q.Run, Names: q.Names,
		Session: h.Options().Session, Kernel: q.Kernel, Table: q.Table,
	}
	name := ""
	switch q.Kind {
	case wire.PageSliders:
		e, err := h.Find(q.Run)
		if err == nil {
			_, err = e.Sliders(q.Names)
		}
		if err != nil {
			fail(err)
			return
		}
		name = "sliders"
	case wire.PageLink:
		name = "notebook"
	default:
		fail(wrong(fmt.Sprintf("page: kind is %.20q, want sliders or link", q.Kind)))
		return
	}
	if !elementName.MatchString(q.Element) {
		fail(wrong(fmt.Sprintf("page: element is %.40q, want letters, digits, dashes and underscores, "+
			"the first a letter", q.Element)))
		return
	}
	if q.Table != "" && !elementName.MatchString(q.Table) {
		fail(wrong(fmt.Sprintf("page: table is %.40q, want the name of an element", q.Table)))
		return
	}
	if !kernelID.MatchString(q.Kernel) {
		fail(wrong(fmt.Sprintf("page: kernel is %.40q, want the id that Jupyter gave it", q.Kernel)))
		return
	}
	base, err := h.openPages()
	if err != nil {
		fail(err)
		return
	}
	c.Base, c.Page = base, h.pass(name)
	script, err := page.Script(c)
	if err != nil {
		fail(err)
		return
	}
	if q.Table != "" && q.Kind == wire.PageSliders && h.Options().Display != nil {
		h.keepTable(q.Table, q.Run, q.Names)
	}
	serve.WriteJSON(w, http.StatusOK, wire.PageReply{ID: c.Page, Script: script})
}

// pageEntered waits until a page has entered.
func (h *pages) pageEntered(w http.ResponseWriter, r *http.Request) {
	entered := h.waitEntered(r.PathValue("id"), r.Context().Done(), h.Options().EnterWait)
	serve.WriteJSON(w, http.StatusOK, map[string]bool{"entered": entered})
}
