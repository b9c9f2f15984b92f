package pages_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// What Jupyter's page and another one say of themselves.
const jupyter, evil = "http://localhost:8888", "http://evil.example"

// A cellPage is a page of a cell before it is let in: what of it passes through iopub.
type cellPage struct {
	*visitor
	id, script string
}

// cellPage shows the sliders of run a in a cell.
func (l *lab) cellPage() *cellPage {
	l.Helper()
	base, _ := l.address()
	v := &visitor{
		lab: l, base: base, origin: jupyter,
		client: http.Client{Transport: &http.Transport{}},
	}
	l.Cleanup(v.client.CloseIdleConnections)
	p, err := l.C.Page(l.Context(), wire.PageRequest{
		Kind: wire.PageSliders, Element: "e1", Run: "a",
		Names: []string{"moves"}, Kernel: "k-1",
	})
	if err != nil {
		l.Fatal(err)
	}
	id := regexp.MustCompile(`"page":"([^"]{22})"`).FindStringSubmatch(p.Script)
	if id == nil || id[1] != p.ID || strings.Contains(p.Script, "</script") {
		l.Fatalf("the script: %.300s", p.Script)
	}
	return &cellPage{v, p.ID, p.Script}
}

// by is what a page enters with.
func by(id, secret string) string { return `{"page":"` + id + `","secret":"` + secret + `"}` }

func secretOf(n int) string { return fmt.Sprintf("%032x", n+1) }

// refused tries to enter and must not be let in.
func (v *visitor) refused(what, by, origin string) string {
	v.Helper()
	status, _, body := v.ask("POST", "/v1/enter", by, "Origin", origin)
	if status != 403 || strings.Contains(string(body), `"token"`) {
		v.Errorf("%s: %d %s", what, status, body)
	}
	return string(body)
}

// A page of a cell is let in by a secret that the kernel told, once, and only its origin from
// then on.
func TestPagesOfCells(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a")
	base, _ := l.address()
	v := &visitor{
		lab: l, base: base, origin: jupyter,
		client: http.Client{Transport: &http.Transport{}},
	}
	defer v.client.CloseIdleConnections()
	preflight := func(path, origin string) (int, http.Header) {
		status, h, _ := v.ask("OPTIONS", path, "", "Origin", origin, "Access-Control-Request-Method",
			"POST",
			"Access-Control-Request-Headers", "authorization,content-type",
			"Access-Control-Request-Private-Network", "true")
		return status, h
	}
	if status, h := preflight("/v1/enter", jupyter); status != 403 ||
		h.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("before anything was shown: %d %v", status, h)
	}
	page := l.cellPage()
	if status, h := preflight("/v1/enter", jupyter); status != 204 ||
		h.Get("Access-Control-Allow-Origin") != jupyter ||
		h.Get("Access-Control-Allow-Private-Network") != "true" {
		t.Errorf("preflight of entering: %d %v", status, h)
	}
	if status, _ := preflight("/v1/do/set", jupyter); status != 403 {
		t.Errorf("preflight of set before entering: %d", status)
	}
	if err := l.C.Admit(t.Context(), page.id, secretOf(0)); err != nil {
		t.Fatal(err)
	}
	v.enter(by(page.id, secretOf(0)))
	if ok, err := l.C.PageEntered(t.Context(), page.id); err != nil || !ok {
		t.Errorf("the page has not entered: %v", err)
	}
	if status, h := preflight("/v1/do/set", jupyter); status != 204 ||
		h.Get("Access-Control-Allow-Headers") == "" {
		t.Errorf("preflight of set: %d %v", status, h)
	}
	if status, h := preflight("/v1/do/set", evil); status != 403 ||
		h.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("preflight of another page's set: %d %v", status, h)
	}
	status, h, _ := v.ask("POST", "/v1/do/set", `{"run":"a","params":{"moves":6}}`)
	if status != 200 || h.Get("Access-Control-Allow-Origin") != jupyter || h.Get("Vary") != "Origin" {
		t.Errorf("set: %d %v", status, h)
	}
	if j := l.Do("journal a").(*reply.JournalReply); len(j.Changes) != 1 ||
		j.Changes[0].Who != "sliders" {
		t.Errorf("journal: %v", j)
	}
	if status, _, _ := v.ask("POST", "/v1/do/set", `{"run":"a","params":{"moves":8}}`, "Origin",
		evil); status != 403 {
		t.Errorf("the token from another origin: %d", status)
	}
	// The same notebook in another window is a page of its own.
	other := &visitor{lab: l, base: base, origin: jupyter, client: v.client}
	if err := l.C.Admit(t.Context(), page.id, secretOf(1)); err != nil {
		t.Fatal(err)
	}
	other.enter(by(page.id, secretOf(1)))

	// The dashboard's ticket is for the host's own page only.
	var link struct{ URL string }
	_, _, body := v.ask("POST", "/v1/ticket", `{}`)
	if err := json.Unmarshal(body, &link); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	_, own, _ := strings.Cut(link.URL, "#")
	v.refused("the dashboard's ticket from a notebook", `{"ticket":"`+own+`"}`, jupyter)
	v.origin = base
	v.enter(`{"ticket":"` + own + `"}`)
	v.enter(`{"ticket":"` + own + `"}`) // a second window

	for _, q := range []wire.PageRequest{
		{Kind: "frob", Element: "e", Kernel: "k"},
		{Kind: wire.PageSliders, Element: "e", Run: "zz", Kernel: "k"},
		{Kind: wire.PageSliders, Element: "e", Run: "a", Names: []string{"zz"}, Kernel: "k"},
		// structural
		{Kind: wire.PageSliders, Element: "e", Run: "a", Names: []string{"size"}, Kernel: "k"},
		{Kind: wire.PageSliders, Element: `"><script>`, Run: "a", Kernel: "k"},
		{Kind: wire.PageSliders, Element: "e", Run: "a"},
		{Kind: wire.PageSliders, Element: "e", Run: "a", Kernel: "k/../x"},
	} {
		if p, err := l.C.Page(t.Context(), q); err == nil {
			t.Errorf("%+v: a page %.40s", q, p.Script)
		}
	}
}

// listeners are what somebody tries who reads all that passes through iopub, but does not hear
// what the page tells the kernel.
func (p *cellPage) listeners() []string {
	all := []string{
		by(p.id, ""), by(p.id, p.id), by(p.id, secretOf(99)), `{"ticket":"` + p.id + `"}`,
		by(p.id, strings.Repeat("0", 32)),
	}
	for _, word := range regexp.MustCompile(`[A-Za-z0-9_-]{16,}`).FindAllString(p.script, -1) {
		all = append(all, by(p.id, word))
		if len(all) > 40 {
			break
		}
	}
	return all
}

// Somebody who reads what a cell shows is not let in: not before the page that it is for, not at
// the same time, not afterwards; and the owner is told.
func TestPassIsNoUseToListeners(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a")
	notices := l.Notices()
	page := l.cellPage()
	listener := &visitor{
		lab: l, base: page.base, origin: evil,
		client: http.Client{Transport: &http.Transport{}},
	}
	t.Cleanup(listener.client.CloseIdleConnections)
	try := func(when string) {
		for _, by := range page.listeners() {
			for _, origin := range []string{jupyter, evil, page.base} {
				listener.refused(when+" "+by, by, origin)
			}
		}
	}
	try("before the kernel told")
	if got := <-notices; !strings.Contains(got, "was refused") {
		t.Errorf("the owner hears %q", got)
	}
	if err := l.C.Admit(t.Context(), page.id, secretOf(0)); err != nil {
		t.Fatal(err)
	}
	try("before the page")

	// Together: only the page gets in.
	var g sync.WaitGroup
	for range 4 {
		g.Go(func() { try("together with the page") })
	}
	page.enter(by(page.id, secretOf(0)))
	g.Wait()
	try("after the page")
	if status, _, _ := page.ask("POST", "/v1/do/set",
		`{"run":"a","params":{"moves":6}}`); status != 200 {
		t.Errorf("the page itself: %d", status)
	}

	// If somebody knew the secret, its second use shuts out the page too, and says so.
	body := page.refused("the secret again", by(page.id, secretOf(0)), jupyter)
	if !strings.Contains(body, "opened already") {
		t.Error(body)
	}
	if got := <-notices; !strings.Contains(got, "used twice") {
		t.Errorf("the owner hears %q", got)
	}
	if status, _, _ := page.ask("POST", "/v1/do/set",
		`{"run":"a","params":{"moves":7}}`); status != 401 {
		t.Errorf("a page whose secret was used twice goes on: %d", status)
	}
	// The next cell is told, once.
	for i, want := range []int{2, 0} {
		c, err := wire.Dial(t.Context(), l.C.Hello().Socket, wire.WhoCell)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Hello().Alarms; len(got) != want {
			t.Errorf("cell %d is told %q", i+1, got)
		}
		c.Close()
	}
	if s := l.Show("a"); s.Changes != 1 {
		t.Errorf("the run was touched: %+v", s)
	}
}

// The kernel tells of pages that were asked for, with a secret that is long enough, and of so many
// only.
func TestAdmitted(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a")
	page := l.cellPage()
	for _, bad := range [][2]string{
		{page.id, ""},
		{page.id, "short"},
		{"AAAAAAAAAAAAAAAAAAAAAA", secretOf(0)},
		{"", secretOf(0)},
	} {
		if err := l.C.Admit(t.Context(), bad[0], bad[1]); err == nil {
			t.Errorf("admitted %q", bad)
		}
	}
	n := 0
	for l.C.Admit(t.Context(), page.id, secretOf(n)) == nil {
		if n++; n > 1000 {
			t.Fatal("as many secrets as anybody likes")
		}
	}
	page.enter(by(page.id, secretOf(n-1)))
}
