package pages_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/notebooks/internal/browser"
	"metalab/solvers/conform"
)

// shortcuts makes the page around cells one that listens for keys as the two kinds of Jupyter
// do. JupyterLab and Notebook 7 listen at the document before the element does; a key is a
// shortcut where the element that the document knows, or one around it, is in a notebook in
// command mode and has the focus, unless a field for text has it, which they look for when the
// focus moves. Notebook 6 listens at the document after the element, for all keys while its
// manager is enabled. Every shortcut is noted, and one on the cell destroys it, as "5" does.
const shortcuts = `
document.body.classList.add("notebook", "command")
document.body.tabIndex = -1
globalThis.taken = []
globalThis.saved = 0
const editable = () => document.activeElement &&
	document.activeElement.matches("input, textarea, select")
const look = () => document.body.classList.toggle("writing", editable())
document.addEventListener("focusin", look)
document.addEventListener("focusout", look)
const take = (e, by) => {
	if ((e.ctrlKey || e.metaKey) && e.key === "s") {
		if (by === "before") globalThis.saved++
		e.preventDefault()
		return
	}
	for (let at = e.target; at; at = at.parentElement) {
		if (!at.matches(".notebook.command:not(.writing) :focus")) continue
		taken.push(by + " " + e.key)
		e.preventDefault()
		at.remove()
		return
	}
}
document.addEventListener("keydown", e => take(e, "before"), true)
document.addEventListener("keydown", e => take(e, "after"))`

// press presses the mouse on an element within a cell's page.
func press(p *browser.Page, i int, selector string) {
	var r struct{ X, Y float64 }
	find := fmt.Sprintf("r.querySelector(%q)", selector)
	p.Wait(in(i, find))
	p.Eval(in(i, find+".scrollIntoView({block: 'center'})"), nil)
	p.Eval(in(i, "(b => ({X: b.x + b.width / 2, Y: b.y + b.height / 2}))("+find+
		".getBoundingClientRect())"), &r)
	p.Do(chromedp.MouseClickXY(r.X, r.Y))
}

// keys presses keys, one after the other, where the focus is.
func keys(p *browser.Page, text string) { p.Do(chromedp.KeyEvent(text)) }

// Whatever has the focus in a cell's page, a key that is pressed there is no shortcut of the
// notebook around it: neither in a field that was come to from a slider, a button or a tab, nor
// on these themselves.
func TestKeysStayInTheCell(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	s := start(t)
	s.do("open acs E1k.0 as a seed=3 ants=10; step a 5")
	p := b.Open(notebook(t, s, same, wire.PageRequest{
		Kind: wire.PageSliders, Run: "a",
		Names: []string{"q0", "ants"},
	}))
	p.Wait(in(0, `r.querySelectorAll(".picture svg").length === 2`))
	p.Eval(shortcuts, nil)
	// The page does what it is to stand for: elsewhere a key is a shortcut.
	p.Eval(`{ const e = document.createElement("button"); e.id = "own"; e.textContent = "own"; `+
		`document.body.prepend(e); e.focus() }`, nil)
	keys(p, "5")
	p.Wait(`taken.length === 1 && !document.getElementById("own")`)
	p.Eval("taken.length = 0", nil)

	const field = `.control[data-name="q0"] .number`
	value := 0.51
	for _, before := range []string{
		`.control[data-name="q0"] .slider`, ".bar .step button",
		".tabs button", field,
	} {
		press(p, 0, before)
		press(p, 0, field)
		p.Eval(in(0, fmt.Sprintf("r.querySelector(%q).select()", field)), nil)
		keys(p, fmt.Sprintf("%.2f%s", value, kb.Enter))
		p.Wait(in(0, fmt.Sprintf("r.querySelector(%q).value === '%.2f'", field, value)))
		for s.param("a", "q0") != fmt.Sprint(value) {
		}
		value += 0.01
	}
	// Keys that Jupyter would delete, cut and undo by, on each kind of element.
	for _, on := range []string{
		`.control[data-name="q0"] .slider`, ".bar .count",
		".tabs button", field,
	} {
		press(p, 0, on)
		keys(p, "ddxz0015am"+kb.Escape)
	}
	if p.True("taken.length > 0") {
		t.Errorf("the notebook took %s for shortcuts", p.Text("taken.join(', ')"))
	}
	if !p.True(`document.getElementById("e0") && ` +
		`document.getElementById("e0").shadowRoot.querySelector(".control")`) {
		t.Error("the cell is destroyed")
	}
	// The notebook is saved from everywhere.
	p.Do(chromedp.KeyEvent("s", chromedp.KeyModifiers(2)))
	p.Wait("saved === 1")
}

// Arrow keys move sliders and numbers by a step of the parameter, in a cell and on the
// dashboard; what a parameter cannot be is refused as it is typed, and not sent.
func TestArrowsAndRanges(t *testing.T) {
	conform.Brief(t, "each key is awaited in Chromium, which takes seconds of a core")
	t.Parallel()
	b := browser.Start(t)
	s := start(t)
	s.do("open acs E1k.0 as a seed=3 ants=10; step a 5")
	cell := b.Open(notebook(t, s, same, wire.PageRequest{
		Kind: wire.PageSliders, Run: "a",
		Names: []string{"q0", "ants"},
	}))
	board := b.Open(s.url())
	for _, c := range []struct {
		p  *browser.Page
		in func(expr string) string
	}{
		{cell, func(expr string) string { return in(0, expr) }},
		{board, func(expr string) string { return "(r => " + expr + ")(document)" }},
	} {
		s.do("set a q0=0.5 ants=10")
		at := func(name, part string) string {
			return fmt.Sprintf(`r.querySelector('.control[data-name="%s"] .%s')`, name, part)
		}
		shows := func(name, value string) {
			t.Helper()
			c.p.Wait(c.in(at(name, "number") + ".value === '" + value + "'"))
			for s.param("a", name) != value {
			}
		}
		shows("q0", "0.5")
		shows("ants", "10")
		focus := func(name, part string) { c.p.Eval(c.in("{ "+at(name, part)+".focus() }"), nil) }
		focus("q0", "slider")
		keys(c.p, kb.ArrowRight+kb.ArrowUp+kb.ArrowLeft+kb.ArrowRight)
		shows("q0", "0.52")
		focus("ants", "slider")
		keys(c.p, kb.ArrowLeft+kb.ArrowLeft)
		shows("ants", "8")
		keys(c.p, kb.PageUp)
		shows("ants", "18")
		focus("ants", "number")
		keys(c.p, kb.ArrowUp)
		shows("ants", "19")

		// A change of somebody else, heard of late, does not take away what is said of a value that
		// is being typed.
		focus("ants", "number")
		c.p.Eval(c.in(at("ants", "number")+".select()"), nil)
		keys(c.p, "0.5")
		refused := c.in(`r.querySelector('.control[data-name="ants"].failed .told').textContent` +
			`.includes("a whole number")`)
		c.p.Wait(refused)
		s.do("set a q0=0.4 ants=20")
		c.p.Wait(c.in(at("q0", "number") + ".value === '0.4'"))
		if !c.p.True(refused) {
			t.Error("a change of another took away why a value that is being typed is refused")
		}
		keys(c.p, kb.Enter)
		shows("ants", "20")

		said := len(s.do("journal a").(*reply.JournalReply).Changes)
		for _, bad := range []struct{ name, typed, want string }{
			{"q0", "1.2", "want 0 to 1"},
			{"ants", "0.5", "a whole number, 1 to 65\u202f536"},
			{"ants", "99999999", "65\u202f536"},
		} {
			focus(bad.name, "number")
			c.p.Eval(c.in(at(bad.name, "number")+".select()"), nil)
			keys(c.p, bad.typed)
			c.p.Wait(c.in(fmt.Sprintf(`r.querySelector('.control[data-name="%s"].failed `+
				`.told').textContent.includes("%s")`, bad.name, bad.want)))
			keys(c.p, kb.Enter)
			c.p.Wait(c.in(at(bad.name, "number") + ".value !== '" + bad.typed + "'"))
		}
		if now := len(s.do("journal a").(*reply.JournalReply).Changes); now != said {
			t.Errorf("%d changes were made of values out of range", now-said)
		}
		focus("q0", "number")
		c.p.Eval(c.in(at("q0", "number")+".select()"), nil)
		keys(c.p, "0.")
		s.do("set a q0=0.11 ants=12") // of somebody else: what is being typed stays
		shows("ants", "12")
		keys(c.p, "7"+kb.Enter)
		shows("q0", "0.7")
		c.p.Wait(c.in(`!r.querySelector('.control[data-name="q0"].failed')`))
	}
}
