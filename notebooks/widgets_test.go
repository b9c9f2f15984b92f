package notebooks_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"metalab/notebooks/internal/browser"
)

// widgetFiles is the folder share/jupyter with the front end's side of widgets, which .ci/widgets
// fetches; the test is passed over where there is none.
func widgetFiles(t *testing.T) string {
	t.Helper()
	share := os.Getenv("METALAB_IPYWIDGETS")
	if share == "" {
		t.Skip("METALAB_IPYWIDGETS names no folder with ipywidgets' files: .ci/widgets fetches them")
	}
	if _, err := os.Stat(filepath.Join(share, "nbextensions", "jupyter-js-widgets",
		"extension.js")); err != nil {
		t.Fatal("METALAB_IPYWIDGETS: ", err)
	}
	return share
}

// panel is an element of the widgets in the output of a cell, as JavaScript.
func panel(cell int, selector string) string {
	return fmt.Sprintf("Jupyter.notebook.get_cell(%d).output_area.element[0].querySelector(%q)", cell,
		".widget-vbox "+selector)
}

// knob is an element of the row of a parameter.
func knob(cell int, name, selector string) string {
	return fmt.Sprintf("[...Jupyter.notebook.get_cell(%d).output_area.element[0].querySelectorAll("+
		"'.widget-hbox')].find(r => r.querySelector('.widget-label')?.textContent === %q)"+
		".querySelector(%q)", cell, name, selector)
}

// at is press on the page.
func (n *book) at(element string, part float64) {
	n.t.Helper()
	press(n.Page, element, part)
}

// press presses the mouse on an element that is an expression, at a part of its width, once it
// stands still: pictures above and below it come when they are drawn.
func press(n *browser.Page, element string, part float64) {
	n.Wait(element)
	type rect struct{ X, Y, Width, Height float64 }
	var r, before rect
	for still := 0; still < 3; time.Sleep(100 * time.Millisecond) {
		n.Eval("("+element+").scrollIntoView({block: 'center'})", nil)
		n.Eval("(r => ({X: r.x, Y: r.y, Width: r.width, Height: r.height}))(("+element+
			").getBoundingClientRect())", &r)
		if still++; r != before {
			still = 0
		}
		before = r
	}
	n.Do(chromedp.MouseClickXY(r.X+r.Width*part, r.Y+r.Height/2))
}

// asked waits until the front end has learned which widgets there are: on a slow machine a cell may
// be run before. When it has, it draws cells anew, and loses those that it knows by then
// (ipywidgets 8.1.5). It asks over a comm, which it closes when it is answered; where that takes
// more than four seconds it asks otherwise.
func (n *book) asked() {
	n.t.Helper()
	n.patiently("Jupyter.notebook.kernel.widget_manager && " +
		"(globalThis.closedComm || performance.now() > 30000)")
}

// Where the front end has widgets they are what cells show: they act when their cell has ended and
// while another runs, follow what others do, and are there again on a page that is loaded anew.
func TestWidgetsInJupyter(t *testing.T) {
	t.Parallel()
	s := jupyterWith(t, widgetFiles(t))
	b := browser.Start(t)
	n := s.open(b, "02_tuning_while_it_runs.ipynb")
	n.Size(1180, 830, 1, false)
	n.asked()
	knobs, watch, journal := n.code("lab.Sliders("), n.code("lab.Watch("), n.code(".Journal()")
	n.run(knobs)
	const track, field = ".noUi-target", "input[type=number]"
	value := func(name string) string { return "Number(" + knob(knobs, name, field) + ".value)" }
	n.Wait(value("q0") + " === 0.98")
	n.Wait(panel(knobs, "img") + ".naturalWidth > 100")
	n.Shot("widgets", false)

	// The kernel is idle: a drag is one change.
	n.at(knob(knobs, "q0", track), 0.5)
	n.Wait("Math.abs(" + value("q0") + " - 0.5) < 0.06")
	n.run(journal)
	if got := n.look(journal); strings.Count(got, "q0 0.98 →") != 1 || !strings.Contains(got,
		"sliders") {
		t.Errorf("after a slider was moved the journal says %s", got)
	}
	// What stays in the file, at once, is the new value.
	if kept := n.save(); !strings.Contains(kept, "widget-view+json") ||
		strings.Contains(kept, "<script") || strings.Contains(kept, "127.0.0.1") {
		t.Error("the saved notebook has no view of the widgets, or a script")
	}
	// A value out of range comes back, and the reason stands beside it.
	n.at(knob(knobs, "q0", field), 0.5)
	n.Eval(knob(knobs, "q0", field)+".select()", nil)
	n.Do(chromedp.KeyEvent("7" + kb.Enter))
	n.Wait(knob(knobs, "q0", "[role=alert]") + ".textContent.includes('0 to 1')")
	n.Wait("Math.abs(" + value("q0") + " - 0.5) < 0.06")
	n.Shot("widgets-refused", false)

	// Another cell sets what the sliders follow, and runs while they act.
	n.change(watch, "go a 100", "go a")
	n.change(watch, "a.Step(150)", "a.Step(1)")
	n.start(watch)
	n.patiently(value("q0") + " === 0.6 && " + value("ants") + " === 12")
	n.Wait(knob(knobs, "ants", ".widget-html-content") + ".textContent.includes('6 → 12 by cell')")
	before := n.Text(panel(knobs, "img") + ".src")
	n.at(knob(knobs, "local_period", track), 0.5)
	n.Wait(panel(knobs, "img") + ".src !== '" + before + "'")
	n.Wait(value("local_period") + " !== 1")

	// A second window finds the widgets, and what is done in one is seen in the other.
	m := s.again(b, n)
	m.patiently(value("ants") + " === 12 && " + value("local_period") + " !== 1")
	m.Wait(panel(knobs, "img") + ".naturalWidth > 100")
	m.at(knob(knobs, "rho", track), 0.5)
	n.Wait("Math.abs(" + value("rho") + " - 0.5) < 0.06")
	n.at(button(knobs, "pause"), 0.5)
	n.finish(watch)
	m.Wait(panel(knobs, ".widget-html-content") + ".textContent.includes('paused')")
	n.run(journal)
	for _, want := range []string{"local_period 1 →", "ants 6 → 12", "rho "} {
		if got := n.look(journal); !strings.Contains(got, want) {
			t.Errorf("the journal lacks %q: %s", want, got)
		}
	}
	m.Shot("widgets-second", false)
	m.Close()

	// The page, loaded anew.
	n.save()
	old := n
	n = s.again(b, old)
	old.Close()
	n.patiently(value("ants") + " === 12")
	n.at(button(knobs, "step"), 0.5)
	n.at(knob(knobs, "q0", track), 0.9)
	n.Wait("Math.abs(" + value("q0") + " - 0.9) < 0.06")
	n.Shot("widgets-again", false)
}

// button is a button of the widgets, by its text.
func button(cell int, text string) string {
	return fmt.Sprintf("[...Jupyter.notebook.get_cell(%d).output_area.element[0].querySelectorAll("+
		"'.widget-vbox button')].find(b => b.textContent === %q)", cell, text)
}

// again opens a notebook that is open, as it was saved, in another window.
func (s *server) again(b *browser.Browser, n *book) *book {
	s.t.Helper()
	// Jupyter asks the reader whether cells that were not executed here are trusted: yes.
	n.Eval("Jupyter.notebook.contents.trust(Jupyter.notebook.notebook_path)", nil)
	p := b.Open(s.url + "/notebooks/" + filepath.Base(n.path) + "?token=" + s.token)
	p.Expect("")
	m := &book{p, s.t, n.cells, n.path}
	m.patiently("Jupyter.notebook.kernel.is_connected() && Jupyter.notebook._fully_loaded && " +
		"Jupyter.notebook.get_cells().length > 0")
	return m
}
