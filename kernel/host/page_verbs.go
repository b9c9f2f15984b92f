package host

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"metalab/kernel/page"
	"metalab/kernel/wire"
)

// sliders lists the parameters that controls are made of.
func (h *Host) sliders(_ *call, q *wire.SlidersRequest) (*wire.SlidersReply, error) {
	e, err := h.find(q.Run)
	if err != nil {
		return nil, err
	}
	ps, err := e.sliders(wire.NamesOf(q.Names))
	if err != nil {
		return nil, err
	}
	return &wire.SlidersReply{Status: e.status("sliders"), Params: ps}, nil
}

// sliders returns the parameters of the run that have names, or all that may change while it
// runs.
func (e *entry) sliders(names []string) ([]wire.Param, error) {
	out, all := []wire.Param{}, e.params()
	if len(names) == 0 {
		for _, p := range all {
			if p.Class == "live" {
				out = append(out, p)
			}
		}
		return out, nil
	}
	for _, n := range names {
		i := slices.IndexFunc(all, func(p wire.Param) bool { return p.Name == n })
		if i < 0 {
			var live []string
			for _, p := range all {
				if p.Class == "live" {
					live = append(live, p.Name)
				}
			}
			return nil, wrong(fmt.Sprintf("sliders: %s has no parameter %q, want some of %s", e.name, n, strings.Join(live, ", ")))
		}
		if all[i].Class == "structural" {
			return nil, wrong(fmt.Sprintf("sliders: %s is fixed for a run: fork %s as <name> %s=… changes it", n, e.name, n))
		}
		out = append(out, all[i])
	}
	return out, nil
}

// dashboard says where the dashboard is.
func (h *Host) dashboard(*call, *wire.Empty) (*wire.DashboardReply, error) {
	base, err := h.openPages()
	if err != nil {
		return nil, err
	}
	t, s := h.pages.ticket("dashboard", true, dashboardTicket)
	rep := &wire.DashboardReply{Verb: "dashboard", URL: base + "/#" + s, Ends: t.until.Format("15:04")}
	// Arguments of programs can be read by all users of a machine, so a browser is started
	// with a file that only this one can read, and which leads on. Where it cannot be
	// written, there is the address.
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

// leadsPath is where the page lies that leads to the dashboard.
func (h *Host) leadsPath() string { return filepath.Join(h.store.dir, "dashboard.html") }

var elementName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,99}$`)

// pageScript gives a client the script of a page in the output of a cell.
func (h *Host) pageScript(w http.ResponseWriter, r *http.Request) {
	var q wire.PageRequest
	if !readPage(w, r, &q) {
		return
	}
	fail := func(err error) { writeError(w, wireError("page", err)) }
	c := page.Config{Element: q.Element, Kind: q.Kind, Run: q.Run, Names: q.Names, Session: h.o.Session}
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
		fail(wrong(fmt.Sprintf("page: element is %.40q, want letters, digits, dashes and underscores, the first a letter", q.Element)))
		return
	}
	base, err := h.openPages()
	if err != nil {
		fail(err)
		return
	}
	t, s := h.pages.ticket(name, false, cellTicket)
	c.Base, c.Ticket = base, s
	script, err := page.Script(c)
	if err != nil {
		fail(err)
		return
	}
	writeJSON(w, http.StatusOK, wire.PageReply{ID: t.id, Script: script})
}

// pageEntered waits until a page has entered.
func (h *Host) pageEntered(w http.ResponseWriter, r *http.Request) {
	entered := false
	if t := h.pages.find(r.PathValue("id")); t != nil {
		select {
		case <-t.entered:
			entered = true
		case <-time.After(h.o.EnterWait):
		case <-r.Context().Done():
		}
	} else {
		entered = true // used already; tickets that were never used are kept for longer than a wait
	}
	writeJSON(w, http.StatusOK, map[string]bool{"entered": entered})
}
