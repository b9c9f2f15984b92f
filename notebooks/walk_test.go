package notebooks_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"metalab/notebooks/internal/browser"
)

// write puts a text into a cell.
func (n *book) write(i int, text string) {
	n.t.Helper()
	n.Eval(fmt.Sprintf("Jupyter.notebook.get_cell(%d).set_text(%q)", i, text), nil)
}

// change puts another text in the place of one that a cell has, where it is first.
func (n *book) change(i int, old, with string) {
	n.t.Helper()
	cell := fmt.Sprintf("Jupyter.notebook.get_cell(%d)", i)
	if !n.True(fmt.Sprintf("%s.get_text().includes(%q)", cell, old)) {
		n.t.Fatalf("cell %d has no %q", i+1, old)
	}
	n.Eval(fmt.Sprintf("%s.set_text(%[1]s.get_text().replace(%q, %q))", cell, old, with), nil)
}

// panel runs a cell with sliders until they are there: what a cell says while the page's connection
// is made anew reaches nobody, and is said again when it is run again.
func (n *book) panel(i int) {
	n.t.Helper()
	for range 3 {
		n.run(i)
		for range 400 {
			if n.True(sliders(i)) {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		n.t.Logf("the sliders' cell shows %s", n.look(i))
	}
}

// The window is closed while a cell goes on, and opened again: the kernel, its run and the other
// notebook's are there; the sliders come back when their cell is run.
func TestWindowClosedInJupyter(t *testing.T) {
	t.Parallel()
	s := jupyter(t)
	b := browser.Start(t)
	n := s.open(b, "02_tuning_while_it_runs.ipynb")
	knobs := n.code("lab.Sliders(")
	n.run(knobs)
	long := n.code(".Journal()")
	n.write(long, "%lab step a 1000000")
	n.Eval("Jupyter.notebook.save_notebook()", nil)
	n.start(long)
	n.Wait(fmt.Sprintf("Jupyter.notebook.get_cell(%d).output_area.element.find('progress').length > 0",
		long))
	n.save()
	n.Shot("walk-1-long-cell", false)
	n.Close()

	other := s.open(b, "03_a_solver_of_your_own.ipynb")
	for i, c := range other.cells {
		if c.Type == "code" {
			other.run(i)
			break
		}
	}
	other.Shot("walk-2-other", false)

	p := b.Open(s.url + "/notebooks/02_tuning_while_it_runs.ipynb?token=" + s.token)
	p.Expect("")
	again := &book{p, t, n.cells, n.path}
	again.patiently("Jupyter.notebook.kernel.is_connected() && Jupyter.notebook._fully_loaded")
	again.patiently( // it says that its kernel is at work
		"document.querySelector('#kernel_indicator_icon').className.includes('kernel_busy_icon')")
	again.Shot("walk-3-again", false)
	again.Click(`button[data-jupyter-action="jupyter-notebook:interrupt-kernel"]`)
	again.idle()
	again.write(long, "%%\nlab.Get(\"a\").Show()")
	again.run(long)
	again.Shot("walk-4-after-stop", false)
	if got := again.look(long); !strings.Contains(got, "paused") {
		t.Errorf("after the window was closed the run shows %s", got)
	}
	again.panel(knobs)
	again.drag(knobs, "q0", 0.5)
	value := sliders(knobs) + ".querySelector('[data-name=\"q0\"] input[type=number]').value"
	again.Wait("Math.abs(Number(" + value + ") - 0.5) < 0.1")
	again.save()
	again.Do(chromedp.Reload())
	again.patiently("Jupyter.notebook.kernel.is_connected() && Jupyter.notebook._fully_loaded")
	again.Shot("walk-5-reloaded", false)
	if got := again.look(knobs); !strings.Contains(got, "q0") {
		t.Errorf("after a reload the sliders' cell shows %s", got)
	}

	// A line of the prompt is completed.
	again.Eval(fmt.Sprintf("Jupyter.notebook.select(%d); Jupyter.notebook.edit_mode()", long), nil)
	again.write(long, "")
	again.Do(chromedp.KeyEvent("%lab step a un" + kb.Tab))
	again.patiently(fmt.Sprintf("Jupyter.notebook.get_cell(%d).get_text().includes('until')", long))
	again.Do(chromedp.KeyEvent(" iteration=5"))
	again.Shot("walk-6-completed", false)
}
