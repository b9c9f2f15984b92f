package pages_test

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"metalab/notebooks/internal/browser"
)

// late holds back the answers to changes that a page asks for, until release is called.
const late = `{
	const ask = globalThis.fetch, held = new Promise(done => { globalThis.release = done })
	globalThis.answered = 0
	globalThis.fetch = async (url, options) => {
		const r = await ask(url, options)
		if (!String(url).endsWith("/do/set")) return r
		globalThis.answered++
		await held
		return r
	}
}`

// News of a change and the answer to another take two ways to a page. An answer that comes behind
// the news of a later change of somebody else is not the parameter's value any more.
func TestAnswerBehindNews(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	s := start(t)
	s.do("open acs E1k.0 as a seed=3 ants=10; step a 5")
	p := b.Open(s.url())
	const row = `document.querySelector('.control[data-name="ants"]')`
	p.Wait(row + ".querySelector('.number').value === '10'")
	p.Eval(late, nil)
	p.Eval(row+".querySelector('.number').focus()", nil)
	keys(p, kb.ArrowUp)
	p.Wait("answered === 1")
	if got := s.param("a", "ants"); got != "11" {
		t.Fatalf("after a key ants is %s, want 11", got)
	}
	s.do("set a ants=20")
	p.Wait(row + ".querySelector('.told').textContent.includes('11 → 20')")
	p.Eval("release()", nil)
	p.Wait("!" + row + ".classList.contains('pending')")
	if got := p.Text(row + ".querySelector('.number').value"); got != "20" {
		t.Errorf("the page shows %s ants, the run has 20", got)
	}
}

// A change that is made while a page reads a run anew, between the answers about its parameters and
// about its journal, is not lost.
func TestChangeWhileRead(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	s := start(t)
	s.do("open acs E1k.0 as a seed=3 ants=10; step a 5")
	p := b.Open(s.url())
	p.Wait(`document.querySelector('.control[data-name="ants"] .number')`)
	p.Eval(`{
		const ask = globalThis.fetch, held = new Promise(done => { globalThis.release = done })
		globalThis.asked = globalThis.told = 0
		globalThis.fetch = async (url, options) => {
			if (String(url).endsWith("/do/journal")) {
				globalThis.asked++
				await held
			}
			const r = await ask(url, options)
			if (String(url).endsWith("/do/params")) globalThis.told++
			return r
		}
	}`, nil)
	s.do("fork a as b")
	p.Wait("asked === 1")
	for end := time.Now().Add(time.Second); !p.True("told") && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond) // where it asks for both at once, they come now
	}
	s.do("set b ants=20")
	p.Eval("release()", nil)
	p.Click("tr[data-run=b] .pick")
	const field = `document.querySelector('tr[data-run=b][aria-selected=true]') && ` +
		`document.querySelector('.control[data-name="ants"] .number').value`
	p.Wait(field)
	for end := time.Now().Add(browser.Limit); p.Text(field) != "20"; {
		if time.Now().After(end) {
			t.Fatalf("the page shows %s ants, the run has 20", p.Text(field))
		}
		time.Sleep(20 * time.Millisecond)
	}
}
