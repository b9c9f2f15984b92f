package pages_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"metalab/kernel/cells"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/notebooks/internal/browser"
	"metalab/solvers/conform"
)

// channels stands in for the connection to the kernel that a Jupyter server gives its pages.
const channels = `
globalThis.WebSocket = class {
	constructor(url) { this.url = String(url); setTimeout(() => this.onopen()) }
	send(text) {
		fetch("/channels", {
			method: "POST",
			headers: {"Content-Type": "application/json"},
			body: JSON.stringify({url: this.url, text}),
		}).then(r => r.text()).then(data => this.onmessage({data}))
	}
	close() {}
}`

// answer answers a message of a page as the kernel does.
func answer(t *testing.T, k *cells.Kernel, r *http.Request) []byte {
	var q struct{ URL, Text string }
	var m struct {
		Channel string          `json:"channel"`
		Header  json.RawMessage `json:"header"`
		Content map[string]any  `json:"content"`
	}
	b, err := io.ReadAll(r.Body)
	if err == nil {
		err = errors.Join(json.Unmarshal(b, &q), json.Unmarshal([]byte(q.Text), &m))
	}
	if err != nil || m.Channel != "shell" ||
		!strings.HasPrefix(q.URL, "ws://"+r.Host+"/base/api/kernels/k-1/channels?") ||
		!strings.Contains(q.URL, "token=jupyter") {
		t.Errorf("a page says %s: %v", b, err)
	}
	if !cells.Ours(m.Content) {
		t.Errorf("not for metalab: %s", q.Text)
	}
	kind, reply := k.Comm(m.Content)
	b, err = json.Marshal(map[string]any{
		"header":        map[string]any{"msg_type": kind},
		"parent_header": m.Header, "content": reply,
	})
	if err != nil {
		t.Error(err)
	}
	return b
}

// notebook serves a page that shows cells' outputs as Jupyter does: at an origin of its own,
// HTML with a script behind it.
func notebook(t *testing.T, s *session, change func(script string) string,
	qs ...wire.PageRequest,
) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang=en><meta charset=utf-8><title>notebook</title><body ` +
		`style="margin:24px;background:#fff;font:13px Georgia"><main><h1>a notebook</h1>`)
	b.WriteString(`<script id="jupyter-config-data" type="application/json">{"baseUrl": "/base/", ` +
		`"token": "jupyter"}</script><script>` + channels + `</script>`)
	kernel := cells.New(s.c.Hello().Socket)
	t.Cleanup(kernel.Close)
	for i, q := range qs {
		q.Element, q.Kernel = fmt.Sprintf("e%d", i), "k-1"
		p, err := s.c.Page(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		still := ""
		if q.Run != "" {
			still = s.do("sliders " + q.Run).HTML()
		}
		fmt.Fprintf(&b, "<p>Out [%d]</p><div id=%q>%s</div><script>%s</script>", i, q.Element, still,
			change(p.Script))
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/channels" {
			_, _ = w.Write(answer(t, kernel, r))
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path != "/" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = w.Write([]byte(b.String()))
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

func same(s string) string { return s }

// in is an expression within the live page of a cell.
func in(i int, expr string) string {
	return fmt.Sprintf(`(r => %s)(document.getElementById("e%d").shadowRoot)`, expr, i)
}

// move moves a slider within a cell.
func move(p *browser.Page, i int, name string, place int) {
	p.Eval(in(i, fmt.Sprintf(`{
		const e = r.querySelector('.control[data-name="%s"] .slider')
		e.value = %d
		e.dispatchEvent(new Event("input", {bubbles: true}))
		e.dispatchEvent(new Event("change", {bubbles: true}))
	}`, name, place)), nil)
}

// Sliders in two cells, at another origin than the host's: they act, and follow each other
// and the prompt.
func TestCells(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	s := start(t)
	s.do("open acs E1k.0 as a seed=3 ants=10; step a 20; open ils E1k.0 as l kicks=10; step l 2")
	p := b.Open(notebook(t, s, same,
		wire.PageRequest{Kind: wire.PageSliders, Run: "a", Names: []string{"q0", "ants", "local_period"}},
		wire.PageRequest{Kind: wire.PageSliders, Run: "l"},
		wire.PageRequest{Kind: wire.PageSliders, Run: "a", Names: []string{"q0"}},
		wire.PageRequest{Kind: wire.PageLink}))
	for i := range 3 {
		p.Wait(in(i, `r.querySelectorAll(".picture svg").length === 2`))
	}
	if p.True(in(0, `!r.querySelector(".still").hidden`)) {
		t.Error("the table stands beside the sliders")
	}
	move(p, 0, "q0", 500)
	p.Wait(in(2, `r.querySelector(".number").value === "0.5"`))
	p.Wait(in(0, `r.querySelector(".picture svg").textContent.includes("q0")`))
	j := s.do("journal a").(*reply.JournalReply)
	if s.param("a", "q0") != "0.5" || len(j.Changes) != 1 ||
		!strings.HasPrefix(j.Changes[0].Who, "sliders") {
		t.Errorf("journal: %v", j)
	}
	s.do("set a q0=0.75")
	p.Wait(in(0, `r.querySelector(".number").value === "0.75" && `+
		`r.querySelector(".told").textContent.includes("by prompt")`))

	// A select and a checkbox.
	p.Eval(in(1, `{
		const e = r.querySelector('.control[data-name="operator"] select')
		e.value = "2opt"
		e.dispatchEvent(new Event("change", {bubbles: true}))
		r.querySelector('.control[data-name="quadrant"] .check').click()
	}`), nil)
	p.Wait(in(1, `r.querySelectorAll(".control.changed").length >= 2`))
	for s.param("l", "operator") != "2opt" || s.param("l", "quadrant") != "false" {
	}

	// What is refused says why, and the control goes back.
	s.do("set a ants=4")
	p.Wait(in(0, `r.querySelector('.control[data-name="ants"] .number').value === "4"`))
	p.Eval(in(0, `{
		const e = r.querySelector('.control[data-name="ants"] .number')
		e.value = "99999999"
		e.dispatchEvent(new Event("change", {bubbles: true}))
	}`), nil)
	p.Wait(in(0, `r.querySelector('.control[data-name="ants"].failed `+
		`.told').textContent.includes("65\u202f536")`))
	p.Wait(in(0, `r.querySelector('.control[data-name="ants"] .number').value === "4"`))

	p.Eval(in(0, `{ r.querySelector(".go").click() }`), nil)
	p.Wait(in(2, `r.querySelector(".badge").textContent === "running"`))
	p.Wait(in(0, `r.querySelector(".picture").dataset.frames > 5`))
	p.Eval(in(2, `{ r.querySelector(".pause").click() }`), nil)
	p.Wait(in(0, `r.querySelector(".badge").textContent === "paused"`))
	p.Eval(`scrollTo(0, 0)`, nil)
	p.Shot("cells", true)
	p.Size(390, 844, 2, false)
	p.Wait(in(0, `[...r.querySelectorAll(".picture")].every(e => `+
		`e.dataset.size.startsWith(e.clientWidth + "x"))`))
	if p.True(`document.documentElement.scrollWidth > innerWidth`) {
		t.Errorf("at 390 pixels the page is %s wide", p.Text("document.documentElement.scrollWidth"))
	}
	p.Shot("cells-phone", true)
	p.Axe("cells")
	p.Size(1280, 900, 1, false)

	// The dashboard, from its button.
	var url string
	p.Eval(`new Promise(done => {
		window.open = () => ({location: {replace: done}, close() {}})
		document.getElementById("e3").shadowRoot.querySelector("button").click()
	})`, &url)
	q := b.Open(url)
	q.Wait(`document.querySelectorAll("tr[data-run]").length === 2`)

	// What cells show is no use where the kernel does not know the page: without Jupyter, and
	// where somebody else's answers.
	for change, says := range map[string]string{
		`"id": "jupyter-config-data"`: "no Jupyter around",
		`new WebSocket`:               "does not answer for it",
	} {
		q := b.Open(notebook(t, s, func(script string) string {
			switch change {
			case `new WebSocket`:
				return strings.Replace(script, change,
					"new (class { constructor() { setTimeout(() => this.onopen()) } send(t) { setTimeout(() => "+
						"this.onmessage({data: JSON.stringify({header: {msg_type: 'metalab_answer'}, "+
						"parent_header: JSON.parse(t).header, content: {error: 'the kernel does not answer for "+
						"it'}})})) } close() {} })", 1)
			default:
				return strings.Replace(script, "jupyter-config-data", "nothing", 1)
			}
		}, wire.PageRequest{Kind: wire.PageSliders, Run: "a"}))
		q.Wait(in(0, fmt.Sprintf(`r.querySelector(".note").textContent.includes(%q)`, says)))
		if q.True(in(0, `r.querySelector(".still").hidden`)) {
			t.Error("the table is not shown in the place of the sliders")
		}
	}

	// The run is closed.
	r := b.Open(notebook(t, s, same, wire.PageRequest{Kind: wire.PageSliders, Run: "a"}))
	r.Wait(in(0, `r.querySelectorAll(".picture svg").length === 2`))
	s.do("close a")
	r.Wait(in(0, `r.querySelector(".metalab.lost .note").textContent.includes("was closed")`))
}

var base = regexp.MustCompile(`"base":"http://127\.0\.0\.1:\d+"`)

// Where the host cannot be reached, the table is greyed and says what can be done.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	s := start(t)
	s.do("open acs E1k.0 as a seed=3 ants=10; step a 5")
	away := func(script string) string {
		return base.ReplaceAllString(script, `"base":"http://127.0.0.1:9"`)
	}
	p := b.Open(notebook(t, s, away, wire.PageRequest{
		Kind: wire.PageSliders, Run: "a",
		Names: []string{"q0"},
	}))
	p.Expect("")
	p.Wait(in(0, `r.querySelector(".metalab.lost .note").textContent.includes("ipywidgets>=8.1")`))
	if !p.True(in(0, `!r.querySelector(".still").hidden && r.querySelector("td").textContent === `+
		`"q0" || r.querySelector(".still").textContent.includes("q0")`)) {
		t.Errorf("the table is gone: %s", p.Text(in(0, `r.querySelector(".still").innerHTML`)))
	}
	p.Shot("cells-unreachable", true)
}

// When the host ends, the page says so.
func TestTheHostEnds(t *testing.T) {
	conform.Brief(t, "two hosts and their pages in Chromium take seconds of a core")
	t.Parallel()
	b := browser.Start(t)
	s := start(t)
	s.do("open acs E1k.0 as a seed=3 ants=10; step a 5")
	p := b.Open(notebook(t, s, same, wire.PageRequest{
		Kind: wire.PageSliders, Run: "a",
		Names: []string{"q0"},
	}))
	d := b.Open(s.url())
	for _, w := range []*browser.Page{p, d} {
		w.Expect("")
	}
	p.Wait(in(0, `r.querySelector(".control")`))
	d.Wait(`document.querySelector("tr[data-run=a]")`)
	s.do("shutdown")
	p.Wait(in(0, `r.querySelector(".metalab.lost .note").textContent.includes("connection")`))
	d.Wait(`document.getElementById("link").textContent.includes("lost")`)
	p.Wait(in(0, `r.querySelector(".note").textContent.includes("session has ended")`))
	if got := p.Text(in(0, `r.querySelector(".note").textContent`)); !strings.Contains(got,
		`lab.Recover("a")`) || strings.Contains(got, "tried again") {
		t.Errorf("after the end of its session the page says %q", got)
	}
	d.Wait(`document.getElementById("note").textContent.includes("no session any more")`)
	if html.EscapeString(d.Text(`document.title`)) == "" {
		t.Error("no title")
	}
}
