package notebooks_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"metalab/kernel/reply"
	"metalab/notebooks/internal/browser"
)

// sliders are the live controls in the output of a cell, as JavaScript: they stand in a tree
// of their own.
func sliders(cell int) string {
	return fmt.Sprintf(
		"[...Jupyter.notebook.get_cell(%d).output_area.element[0].querySelectorAll('*')].find(e => "+
			"e.shadowRoot).shadowRoot", cell)
}

// press presses the mouse on an element within the live controls of a cell.
func (n *book) press(cell int, selector string) {
	n.t.Helper()
	find := fmt.Sprintf("%s.querySelector(%q)", sliders(cell), selector)
	n.Wait(find)
	n.Eval(find+".scrollIntoView({block: 'center'})", nil)
	var at struct{ X, Y float64 }
	n.Eval(fmt.Sprintf("(r => ({X: r.x + r.width / 2, Y: r.y + r.height / "+
		"2}))(%s.getBoundingClientRect())", find), &at)
	n.Do(chromedp.MouseClickXY(at.X, at.Y))
}

// drag presses the mouse on a slider at a part of its length, as a user does.
func (n *book) drag(cell int, name string, part float64) {
	n.t.Helper()
	track := fmt.Sprintf("%s.querySelector('[data-name=\"%s\"] input[type=range]')",
		sliders(cell), name)
	n.Wait(track)
	n.Eval(track+".scrollIntoView({block: 'center'})", nil)
	var r struct{ X, Y, Width, Height float64 }
	n.Eval(fmt.Sprintf("(r => ({X: r.x, Y: r.y, Width: r.width, Height: "+
		"r.height}))(%s.getBoundingClientRect())", track), &r)
	n.Do(chromedp.MouseClickXY(r.X+r.Width*part, r.Y+r.Height/2))
}

// named waits until a session is called by the name of its notebook, which this Jupyter tells only
// who asks.
func (s *server) named(notebook string) {
	s.t.Helper()
	is := func(h reply.Hello) bool { return h.Notebook == notebook }
	for end := time.Now().Add(browser.Limit); ; time.Sleep(100 * time.Millisecond) {
		all := s.sessions(s.t.Context())
		if slices.ContainsFunc(all, is) {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("none of %v is of %s", all, notebook)
		}
	}
}

// The sliders act after their cell has ended and while another cell watches the run: the plot
// and the journal change, and nothing of it but a static table is in the saved file.
func TestTuningInJupyter(t *testing.T) {
	t.Parallel()
	s := jupyter(t)
	n := s.open(browser.Start(t), "02_tuning_while_it_runs.ipynb")
	n.Size(1180, 830, 1, false)
	s.named("02_tuning_while_it_runs.ipynb")
	knobs, watch, journal := n.code("lab.Sliders("), n.code("lab.Watch("), n.code(".Journal()")
	n.run(knobs)

	// The kernel is idle.
	n.drag(knobs, "q0", 0.9)
	value := sliders(knobs) + ".querySelector('[data-name=\"q0\"] input[type=number]').value"
	n.Wait("Math.abs(Number(" + value + ") - 0.9) < 0.06")
	n.run(journal)
	if got := n.look(journal); !strings.Contains(got, "q0 0.98") {
		t.Errorf("after a slider was moved the journal says %s", got)
	}

	// Keys that are pressed on the controls are not the notebook's, wherever the focus comes from.
	cells := n.Text("Jupyter.notebook.get_cells().map(c => c.cell_type).join()")
	const field = `[data-name="q0"] input[type=number]`
	for i, before := range []string{
		`[data-name="q0"] input[type=range]`, ".bar .step button",
		".tabs button",
	} {
		n.press(knobs, before)
		n.press(knobs, field)
		n.Eval(fmt.Sprintf("%s.querySelector(%q).select()", sliders(knobs), field), nil)
		typed := fmt.Sprintf("0.5%d", i+1)
		n.Do(chromedp.KeyEvent(typed + kb.Enter))
		n.Wait(value + " === '" + typed + "'")
		n.press(knobs, before)
		n.Do(chromedp.KeyEvent("ddx5m0" + kb.Escape))
	}
	n.Wait(value + " === '0.53'")
	if got := n.Text("Jupyter.notebook.get_cells().map(c => c.cell_type).join()"); got != cells {
		t.Fatalf("keys on the controls made of the cells %s, before %s", got, cells)
	}

	// Another cell is running, until somebody presses Pause: on a fast machine the lesson's
	// hundred iterations would be over before the slider is moved.
	n.change(watch, "go a 100", "go a")
	n.start(watch)
	picture := fmt.Sprintf("Jupyter.notebook.get_cell(%d).output_area.element.find('svg').first()",
		watch)
	n.patiently(picture + ".text().includes('iteration')") // the cell makes iterations first
	// By now the cell has set q0 and the ants itself, and the slider has followed.
	n.Wait("Number(" + value + ") === 0.6")
	n.drag(knobs, "local_period", 0.5)
	// The mark of the change, which is one with those of the cell where they are close.
	n.Wait("/local_period|3 changes/.test(" + picture + ".text())")
	n.Eval(fmt.Sprintf("Jupyter.notebook.get_cell(%d).element[0].scrollIntoView(); "+
		"document.querySelector('#site').scrollTop -= 8", knobs), nil)
	n.press(knobs, "button.pause")
	n.finish(watch)
	n.run(journal)
	got := n.look(journal)
	for _, want := range []string{"local_period 1", "q0 0.98", "→ 0.6", "ants 6 → 12"} {
		if !strings.Contains(got, want) {
			t.Errorf("the journal lacks %q: %s", want, got)
		}
	}
	// What many seeds show is in the file, see [TestTuning].
	seeds := n.code("lab.Repeat(")
	n.change(seeds, "8, 25", "2, 3")
	n.change(seeds, "8, 25", "2, 3")
	for i := journal + 1; i < len(n.cells); i++ {
		if n.cells[i].Type == "code" {
			n.run(i)
			n.Shot(fmt.Sprintf("tuning-%02d", i), false)
		}
	}
	// What stays in the file is the table as it was last, which the sliders hide meanwhile.
	tables := fmt.Sprintf(
		"[...Jupyter.notebook.get_cell(%d).output_area.element[0].querySelectorAll('table')]", knobs)
	n.Wait(tables + ".some(e => e.textContent.includes('0.6'))")
	if n.True(tables + ".some(e => e.checkVisibility())") {
		t.Error("the table stands beside the sliders")
	}
	b := n.save()
	for _, secret := range []string{s.token, "ticket", "127.0.0.1", "shadowRoot"} {
		if strings.Contains(b, secret) {
			t.Errorf("%q is in the saved notebook", secret)
		}
	}
}

// README's picture of the sliders shows what they still are: a run that goes on is tuned by them.
func TestPictureOfTuning(t *testing.T) {
	t.Parallel()
	s := jupyterWith(t, widgetFiles(t))
	n := s.open(browser.Start(t), "02_tuning_while_it_runs.ipynb")
	n.Size(1180, 960, 1, false)
	n.asked()
	knobs := n.code("lab.Sliders(")
	n.run(knobs)
	s.named("02_tuning_while_it_runs.ipynb")
	n.Eval("Jupyter.notebook.save_notebook()", nil)
	n.Wait(panel(knobs, "img") + ".naturalWidth > 100")
	stands := panel(knobs, ".widget-html-content") + ".textContent"
	iteration := "Number((" + stands + ".match(/iteration ([^,]+)/) || ['', '0'])[1]" +
		".replace(/\\D/g, ''))"
	n.at(button(knobs, "go"), 0.5)
	n.patiently(iteration + " > 120")
	n.at(knob(knobs, "q0", ".noUi-target"), 0.8)
	n.patiently("[..." + panel(knobs, "") + ".querySelectorAll('.widget-html-content')]" +
		".some(e => e.textContent.includes('q0 0.98 →'))")
	n.patiently(iteration + " > 250")
	n.Eval(fmt.Sprintf("Jupyter.notebook.get_cell(%d).element[0].scrollIntoView(); "+
		"document.querySelector('#site').scrollTop -= 8", knobs), nil)
	n.Picture("tuning.png", fmt.Sprintf("Jupyter.notebook.get_cell(%d).element[0]", knobs))
	n.at(button(knobs, "pause"), 0.5)
}
