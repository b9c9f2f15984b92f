package pages_test

import (
	"fmt"
	"strings"
	"testing"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/notebooks/internal/browser"
	"metalab/solvers/conform"
)

// slider moves the slider of a parameter to a place from 0 to 1000 on the page.
func slider(p *browser.Page, name string, place int) {
	p.Slide(`.control[data-name="`+name+`"] .slider`, place)
}

const field = `document.querySelector('.control[data-name="q0"] .number').value`

func TestDashboard(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	s := start(t)
	p := b.Open(s.url())
	p.Wait(`document.querySelector(".empty").textContent.includes("No run is open")`)
	if p.True(`location.hash`) || p.True(`location.href.length > 40`) {
		t.Errorf("the ticket stays in the address: %s", p.Text("location.href"))
	}
	p.Shot("dashboard-empty", false)
	s.do("open acs E1k.0 as a seed=3 ants=10; step a 20")
	p.Wait(`document.querySelector("tr[data-run=a] .badge").textContent === "paused"`)
	p.Wait(`document.querySelectorAll(".picture svg").length === 2`)

	// A slider, the journal, and a new frame of the plot.
	frames := p.Text(`document.querySelector(".picture").dataset.frames`)
	slider(p, "q0", 500)
	p.Wait(`document.querySelector(".journal").textContent.includes("q0 0.98 → 0.5")`)
	p.Wait(`document.querySelector(".picture").dataset.frames > ` + frames)
	p.Wait(`document.querySelector(".picture svg").textContent.includes("q0")`)
	if got := s.param("a", "q0"); got != "0.5" {
		t.Errorf("q0 is %s, want 0.5", got)
	}
	j := s.do("journal a").(*reply.JournalReply)
	if len(j.Changes) != 1 || j.Changes[0].Who != "dashboard" {
		t.Errorf("journal: %v", j)
	}

	// A window more: each sees what the other does, and who it was.
	q := b.Open(s.url())
	q.Wait(field + ` === "0.5"`)
	slider(q, "q0", 900)
	p.Wait(field + ` === "0.9"`)
	p.Wait(`document.querySelector('.control[data-name="q0"] ` +
		`.told').textContent.includes("by dashboard 2")`)
	s.do("set a q0=0.25")
	for _, w := range []*browser.Page{p, q} {
		w.Wait(field + ` === "0.25"`)
		w.Wait(`document.querySelector('.control[data-name="q0"] ` +
			`.told').textContent.includes("by prompt")`)
	}
	p.Click(`.control[data-name="q0"] .back`)
	q.Wait(field + ` === "0.98"`)

	// Buttons.
	p.Click(".bar .go")
	q.Wait(`document.querySelector("tr[data-run=a] .badge").textContent === "running"`)
	at := p.Text(`document.querySelectorAll(".picture")[0].dataset.frames`)
	q.Wait(`document.querySelectorAll(".picture")[0].dataset.frames > 3`)
	p.Wait(`document.querySelectorAll(".picture")[0].dataset.frames > ` + at)
	q.Click(".bar .pause")
	p.Wait(`document.querySelector("tr[data-run=a] .badge").textContent === "paused"`)
	p.Eval(`document.querySelector(".bar .count").value = "7"`, nil)
	was := s.do("show a").(*reply.ShowReply).Iteration
	p.Click(".bar .step button")
	for s.do("show a").(*reply.ShowReply).Iteration != was+7 {
	}
	p.Click(".bar .fork")
	q.Wait(`document.querySelector("tr[data-run=b]")`)
	s.do("set b q0=0.5; step b 30")
	q.Wait(`document.querySelector(".compare table").textContent.includes("q0=0.5")`)
	q.Wait(`document.querySelector(".compare .picture svg")`)

	// A record, as the browser would save it.
	var record string
	p.Eval(`(() => {
		const old = URL.createObjectURL
		return new Promise(done => {
			URL.createObjectURL = b => { b.text().then(done); return old.call(URL, b) }
			HTMLAnchorElement.prototype.click = () => {}
			document.querySelector("tr[data-run=a]").click()
			setTimeout(() => document.querySelector(".side .bar button").click(), 50)
		})
	})()`, &record)
	if !strings.Contains(record, `"run":"a"`) || strings.Count(record, "\n") < 20 {
		t.Errorf("the record: %.200s", record)
	}

	p.Click("tr[data-run=b]")
	p.Wait(`document.querySelectorAll(".columns .picture")[1].dataset.frames > 0`)
	for _, c := range []struct {
		name string
		w, h int64
		dark bool
	}{
		{"wide", 1280, 900, false},
		{"dark", 1280, 900, true},
		{"phone", 390, 844, false},
		{"phone-dark", 390, 844, true},
	} {
		scale := 1.0
		if c.w < 500 {
			scale = 2
		}
		p.Size(c.w, c.h, scale, c.dark)
		p.Wait(fmt.Sprintf(`document.body.classList.contains("dark") === %v`, c.dark))
		p.Eval(`document.querySelector(".compare").scrollIntoView()`, nil) // so that all is drawn
		p.Wait(`[...document.querySelectorAll(".picture")].every(e => ` +
			`e.dataset.size.startsWith(e.clientWidth + "x") && e.dataset.ground === ` +
			`getComputedStyle(e).getPropertyValue("--ground"))`)
		if p.True(`[...document.querySelectorAll(".compare .by")].some(e => ` +
			`e.getBoundingClientRect().right > e.closest(".scroll").getBoundingClientRect().right + 1)`) {
			t.Errorf("%s: what the runs differ in is cut", c.name)
		}
		if c.w < 500 {
			if p.True(`document.documentElement.scrollWidth > innerWidth`) {
				t.Errorf("at %d pixels the page is %s wide", c.w,
					p.Text("document.documentElement.scrollWidth"))
			}
			slider(p, "beta", 250)
			p.Wait(`document.querySelector('.control[data-name="beta"] .number').value === "5"`)
			slider(p, "beta", 100)
			for s.param("b", "beta") != "2" {
			}
		}
		p.Eval(`scrollTo(0, 0)`, nil)
		p.Shot("dashboard-"+c.name, true)
	}

	p.Axe("dashboard")

	// Reloading goes on with the tab's token; the address alone lets nobody in.
	p.Do(reload)
	p.Wait(`document.querySelectorAll("tr[data-run]").length === 2`)
	n := b.Open(strings.Split(s.url(), "#")[0])
	n.Wait(`document.getElementById("note").textContent.includes("no ticket")`)
	s.do("close b")
	p.Wait(`document.querySelectorAll("tr[data-run]").length === 1`)
}

// Browsers make six connections to a host, and there may be more windows than that: they
// share a stream, also when the window that read it is closed.
func TestManyWindows(t *testing.T) {
	conform.Brief(t, "eight windows of Chromium take seconds of a core")
	t.Parallel()
	b := browser.Start(t)
	s := start(t)
	s.do("open acs E1k.0 as a seed=3 ants=2; step a 3")
	var all []*browser.Page
	for range 8 {
		p := b.Open(s.url())
		p.Wait(field + ` === "0.98"`)
		all = append(all, p)
	}
	slider(all[7], "q0", 500)
	for _, p := range all {
		p.Wait(field + ` === "0.5"`)
	}
	all[0].Close()
	all[3].Close()
	s.do("set a q0=0.25")
	for i, p := range all {
		if i != 0 && i != 3 {
			p.Wait(field + ` === "0.25"`)
		}
	}
}

// What runs and solvers are called is text on the page, whatever it looks like.
func TestNamesAreText(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	s := start(t)
	s.do("open acs E1k.0 as a seed=3 ants=2; step a 3")
	c, err := wire.Dial(t.Context(), s.c.Hello().Socket,
		`<img src=x onerror="document.title='taken'">`)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	p := b.Open(s.url())
	p.Wait(`document.querySelectorAll(".picture svg").length === 2`)
	if err := c.Do(t.Context(), "set", map[string]any{"run": "a", "params": map[string]any{"q0": 0.5}},
		nil); err != nil {
		t.Fatal(err)
	}
	p.Wait(`document.querySelector(".journal").textContent.includes("onerror")`)
	p.Wait(`document.querySelector(".picture svg").textContent.includes("q0")`)
	if p.True(`document.querySelector(".journal img, .picture img, .told img")`) ||
		p.Text("document.title") == "taken" {
		t.Error("a name became an element")
	}
}

// README's picture of the dashboard shows what it still is: runs, one of which goes on, its curve
// and tour, sliders, journal and record.
func TestPictureOfTheDashboard(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	s := start(t)
	s.do("open acs E1k.0 as ants seed=5; step ants 100; set ants q0=0.9 ants=20; step ants 60")
	s.do("open mmas E1k.0 as maxmin seed=5; step maxmin 60")
	s.do("fork ants as greedy q0=0.5; step greedy 60")
	p := b.Open(s.url())
	p.Size(1240, 860, 1.5, false)
	p.Wait(`document.querySelectorAll("tr[data-run]").length === 3`)
	p.Click("tr[data-run=ants]")
	p.Click(".bar .go")
	p.Wait(`document.querySelector("tr[data-run=ants] .badge").textContent === "running"`)
	p.Wait(`document.querySelectorAll(".picture svg").length >= 2`)
	p.Wait(`document.querySelector(".picture").dataset.frames > 8`)
	p.Eval(`scrollTo(0, 0)`, nil)
	p.Picture("../../../kernel/internal/page/dashboard.png", "document.body")
	p.Click(".bar .pause")
	p.Wait(`document.querySelector("tr[data-run=ants] .badge").textContent === "paused"`)
}
