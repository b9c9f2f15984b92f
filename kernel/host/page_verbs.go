package host

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"metalab/kernel/page"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

var _ = handle("sliders", (*Host).sliders)

// sliders lists the parameters that controls are made of.
func (h *Host) sliders(_ *call, q *wire.SlidersRequest) (*reply.SlidersReply, error) {
	e, err := h.find(q.Run)
	if err != nil {
		return nil, err
	}
	ps, err := e.sliders(wire.NamesOf(q.Names))
	if err != nil {
		return nil, err
	}
	return &reply.SlidersReply{Status: e.status("sliders"), Params: ps}, nil
}

// sliders returns the parameters of the run that have names, or all that may change while it
// runs.
func (e *entry) sliders(names []string) ([]reply.Param, error) {
	out, all := []reply.Param{}, e.params()
	if len(names) == 0 {
		for _, p := range all {
			if p.Class == "live" {
				out = append(out, p)
			}
		}
		return out, nil
	}
	out, err := e.named("sliders", names)
	for _, p := range out {
		if p.Class == "structural" {
			return nil, wrong(fmt.Sprintf("sliders: %s is fixed for a run: fork %s as <name> "+
				"%s=… changes it", p.Name, e.name, p.Name))
		}
	}
	return out, err
}

// named are the parameters of the run that have names.
func (e *entry) named(verb string, names []string) ([]reply.Param, error) {
	var out []reply.Param
	all := e.params()
	for _, n := range names {
		i := slices.IndexFunc(all, func(p reply.Param) bool { return p.Name == n })
		if i < 0 {
			var have []string
			for _, p := range all {
				if p.Class == "live" || verb != "sliders" {
					have = append(have, p.Name)
				}
			}
			return nil, wrong(fmt.Sprintf("%s: %s has no parameter %q, want some of %s", verb, e.name, n,
				strings.Join(have, ", ")))
		}
		out = append(out, all[i])
	}
	return out, nil
}

var _ = handle("dashboard", (*Host).dashboard)

// dashboard returns the address of the dashboard.
func (h *Host) dashboard(*call, *wire.Empty) (*reply.DashboardReply, error) {
	base, err := h.openPages()
	if err != nil {
		return nil, err
	}
	s, until := h.pages.ticket(dashboardTicket)
	rep := &reply.DashboardReply{Verb: "dashboard", URL: base + "/#" + s, Ends: until.Format("15:04")}
	// Arguments of programs can be read by all users of a machine, so a browser is started with a
	// file that only this user can read, and that redirects to the dashboard. If it cannot be
	// written, the address is used.
	path := h.leadsPath()
	if err := os.WriteFile(path, page.Leads(rep.URL), 0o600); err != nil {
		h.logf("%s: %v", path, err)
		return rep, nil
	}
	if err := os.Chmod(path, 0o600); err == nil {
		rep.File = path
	}
	return rep, nil
}

// leadsPath is the path of the file that redirects to the dashboard.
func (h *Host) leadsPath() string { return filepath.Join(h.store.dir, "dashboard.html") }

var (
	elementName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,99}$`)
	kernelID    = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
)

// pageScript gives a client the script of a page in the output of a cell.
func (h *Host) pageScript(w http.ResponseWriter, r *http.Request) {
	var q wire.PageRequest
	if !readPage(w, r, &q) {
		return
	}
	fail := func(err error) { writeError(w, wireError("page", err)) }
	c := page.Config{
		Element: q.Element, Kind: q.Kind, Run: q.Run, Names: q.Names,
		Session: h.o.Session, Kernel: q.Kernel, Table: q.Table,
	}
	name := ""
	switch q.Kind {
	case wire.PageSliders:
		e, err := h.find(q.Run)
		if err == nil {
			_, err = e.sliders(q.Names)
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
	c.Base, c.Page = base, h.pages.pass(name)
	script, err := page.Script(c)
	if err != nil {
		fail(err)
		return
	}
	if q.Table != "" && q.Kind == wire.PageSliders && h.o.Display != nil {
		h.keepTable(q.Table, q.Run, q.Names)
	}
	writeJSON(w, http.StatusOK, wire.PageReply{ID: c.Page, Script: script})
}

// pageEntered waits until a page has entered.
func (h *Host) pageEntered(w http.ResponseWriter, r *http.Request) {
	entered := h.pages.waitEntered(r.PathValue("id"), r.Context().Done(), h.o.EnterWait)
	writeJSON(w, http.StatusOK, map[string]bool{"entered": entered})
}
