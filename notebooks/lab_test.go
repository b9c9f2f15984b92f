package notebooks_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"metalab/notebooks/internal/browser"
)

// The sliders are widgets in JupyterLab 4, below a path as a hub has it: there they act, and are
// there again when the page is loaded anew. METALAB_JUPYTERLAB names the program, of a JupyterLab
// that has jupyterlab_widgets.
func TestWidgetsInLab(t *testing.T) {
	program := os.Getenv("METALAB_JUPYTERLAB")
	if program == "" {
		t.Skip("METALAB_JUPYTERLAB names no program: Debian 12 has no JupyterLab")
	}
	s := serve(t, program, os.Getenv("METALAB_IPYWIDGETS"), "/user/me",
		"--ServerApp.base_url=/user/me/", "--LabApp.news_url=None")
	const notebook = "02_tuning_while_it_runs.ipynb"
	path := s.copied(notebook)
	b := browser.Start(t)
	const cell = "document.querySelectorAll('.jp-CodeCell')[0]"
	knob := func(name, selector string) string {
		return fmt.Sprintf("[...%s.querySelectorAll('.widget-hbox')].find(r => "+
			"r.querySelector('.widget-label')?.textContent === %q).querySelector(%q)", cell, name, selector)
	}
	value := func(name string) string {
		return "Number(" + knob(name, "input[type=number]") + ".value)"
	}
	load := func() *book {
		p := b.Open(s.url + "/lab/tree/" + notebook + "?reset&token=" + s.token)
		p.Expect("reading 'type'") // Lab's own, at every notebook
		p.Size(1300, 900, 1, false)
		n := &book{p, t, nil, path}
		n.patiently("document.querySelector('.jp-Notebook-ExecutionIndicator').dataset.status === " +
			"'idle' && " + cell + ".querySelector('.jp-InputArea-editor')")
		return n
	}
	n := load()
	n.Click(".jp-CodeCell .jp-InputArea-editor")
	n.Do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(input.ModifierShift)))
	n.patiently(value("q0") + " === 0.98 && " + cell +
		".querySelector('.widget-vbox img').naturalWidth > 100")
	n.at(knob("q0", ".noUi-target"), 0.5)
	n.Wait("Math.abs(" + value("q0") + " - 0.5) < 0.06")
	n.Wait(cell + ".querySelector('.widget-vbox').textContent.includes('q0 0.98 → 0.')")
	n.Shot("lab", false)
	n.Do(chromedp.KeyEvent("s", chromedp.KeyModifiers(input.ModifierCtrl)))
	for end := time.Now().Add(browser.Limit); ; time.Sleep(50 * time.Millisecond) {
		kept, err := os.ReadFile(filepath.Join(s.dir, notebook))
		if err == nil && strings.Contains(string(kept), "widget-view+json") {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the notebook is not saved with a view of the widgets: ", err)
		}
	}
	n.Close()
	n = load()
	n.patiently("Math.abs(" + value("q0") + " - 0.5) < 0.06")
	n.at(knob("ants", ".noUi-target"), 0.9)
	n.Wait(value("ants") + " > 100")
	n.Shot("lab-again", false)
}
