package pages_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"metalab/kernel/reply"
	"metalab/notebooks/internal/browser"
)

// On a phone's width and by keys alone: a run is chosen, goes, is paused, a value is typed and
// taken back, and figures are chosen, without the focus ever being lost.
func TestKeyboardAlone(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	s := start(t)
	s.do("open acs E1k.0 as a seed=3 ants=10; step a 5; fork a as b q0=0.5; step b 5; " +
		"experiment e solvers=acs instances=rand-50-1 seeds=2 n=3")
	p := b.Open(s.url())
	p.Size(400, 800, 1, false)
	p.Wait(`document.querySelector('.control[data-name="q0"] .number')`)
	p.Wait(`document.querySelectorAll(".picture svg").length > 1`)

	// tab goes on by Tab until the element of a selector has the focus.
	tab := func(selector string) {
		t.Helper()
		there := fmt.Sprintf("document.activeElement.matches(%q)", selector)
		for n := 0; !p.True(there); n++ {
			if n == 60 {
				t.Fatalf("60 tabs do not lead to %s", selector)
			}
			keys(p, kb.Tab)
			if r := p.Text(`(e => { const r = e.getBoundingClientRect(); return e === document.body || ` +
				`r.left >= 0 && r.right <= innerWidth && r.bottom > 0 && r.top < innerHeight ` +
				`? "" : e.outerHTML.slice(0, 90) })(document.activeElement)`); r != "" {
				t.Errorf("the focus is on %s, which is not seen", r)
			}
		}
	}
	focused := func(selector string) {
		t.Helper()
		p.Wait(fmt.Sprintf("document.activeElement.matches(%q)", selector))
	}
	state := func(want string) {
		t.Helper()
		p.Wait(fmt.Sprintf("document.querySelector('tr[data-run=b] .badge').textContent === %q", want))
	}
	tab("tr[data-run=b] .pick")
	keys(p, kb.Enter)
	p.Wait(`document.querySelector("tr[data-run=b]").getAttribute("aria-selected") === "true"`)
	tab(".bar .go")
	keys(p, kb.Enter)
	state("running")
	focused(".bar .pause")
	keys(p, kb.Enter)
	state("paused")
	focused(".bar .go")

	// One tab of a row is reached by Tab, the others by arrow keys.
	chosen := func(figure string) {
		t.Helper()
		focused(".panel:first-child .tabs [aria-selected=true][data-figure=" + figure + "]")
	}
	tab(".panel:first-child .tabs button")
	chosen("best")
	keys(p, kb.ArrowRight)
	chosen("tour")
	keys(p, kb.ArrowLeft+kb.ArrowLeft)
	chosen("fallback")
	keys(p, kb.Home)
	chosen("best")
	keys(p, kb.Tab)
	focused(".panel:nth-child(2) .tabs [aria-selected=true]")

	const field = `.control[data-name="q0"] .number`
	value := fmt.Sprintf("document.querySelector(%q).value", field)
	changes := func() int { return len(s.do("journal b").(*reply.JournalReply).Changes) }
	tab(field)
	said := changes()
	for _, typed := range []string{"0.3", "7"} {
		p.Eval(fmt.Sprintf("document.querySelector(%q).select()", field), nil)
		keys(p, typed)
		p.Wait(value + " === '" + typed + "'")
		keys(p, kb.Escape)
		p.Wait(value + ` === "0.5" && !document.querySelector('.control[data-name="q0"].failed')`)
	}
	keys(p, kb.Tab) // what was taken back is not given when the focus goes
	focused(`.control[data-name="q0"] .back`)
	if now := changes(); now != said {
		t.Errorf("%d changes of values that were taken back", now-said)
	}
	keys(p, kb.Enter)
	p.Wait(value + ` === "0.98"`)
	focused(field)
	for s.param("b", "q0") != "0.98" {
	}

	p.Eval(`document.querySelector(".experiments .pick").focus()`, nil)
	keys(p, kb.Enter)
	p.Wait(`document.querySelector(".results .tabs")`)
	tab(".results .tabs button")
	keys(p, kb.End)
	focused(".results .tabs button:last-child[aria-selected=true]")
	if p.True(`document.documentElement.scrollWidth > innerWidth`) {
		t.Error("the page is wider than the phone")
	}
}
