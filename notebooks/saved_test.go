package notebooks_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"metalab/notebooks/internal/browser"
)

// written writes a notebook of cells of code into a new folder, and returns its path.
func written(t *testing.T, cells ...string) string {
	t.Helper()
	list := []map[string]any{}
	for _, c := range cells {
		list = append(list, map[string]any{
			"cell_type": "code", "metadata": map[string]any{}, "source": strings.SplitAfter(c, "\n"),
			"outputs": []any{}, "execution_count": nil,
		})
	}
	b, err := json.Marshal(map[string]any{
		"nbformat": 4, "nbformat_minor": 4, "metadata": map[string]any{}, "cells": list,
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "n.ipynb")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// executed executes a notebook without Jupyter, by the command kernel, and returns the file.
func (h home) executed(t *testing.T, path string) string {
	t.Helper()
	to := filepath.Join(filepath.Dir(path), "executed.ipynb")
	h.exec(t, path, to)
	b, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	clean(t, to, string(b))
	if len(b) >= 1_000_000 {
		t.Errorf("the notebook has %d bytes", len(b))
	}
	return to
}

// htmlOf makes HTML of a notebook with nbconvert, which takes the scripts of widgets from share.
func htmlOf(t *testing.T, path, share string) (url string) {
	t.Helper()
	const convert, scripts = "/usr/bin/jupyter-nbconvert", "/usr/share/javascript/requirejs"
	if _, err := os.Stat(convert); err != nil {
		t.Skip("no jupyter-nbconvert")
	}
	dir := filepath.Dir(path)
	mux := http.NewServeMux()
	mux.Handle("/require/", http.StripPrefix("/require/", http.FileServer(http.Dir(scripts))))
	manager := filepath.Join(share, "..", "nodejs", "@jupyter-widgets", "html-manager")
	if _, err := os.Stat(filepath.Join(manager, "dist", "embed-amd.js")); err != nil {
		t.Skip("no scripts of widgets for pages without a kernel: .ci/widgets fetches them: ", err)
	}
	mux.Handle("/w/@jupyter-widgets/html-manager@1/", http.StripPrefix(
		"/w/@jupyter-widgets/html-manager@1/", http.FileServer(http.Dir(manager))))
	mux.Handle("/", http.FileServer(http.Dir(dir)))
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	cmd := exec.Command(convert, "--log-level=ERROR", "--to", "html", "--output", "n.html",
		"--HTMLExporter.jupyter_widgets_base_url="+s.URL+"/w/",
		"--HTMLExporter.html_manager_semver_range=1",
		"--HTMLExporter.require_js_url="+s.URL+"/require/require.min.js", path)
	cmd.Env = append(os.Environ(), "PYDEVD_DISABLE_FILE_VALIDATION=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return s.URL + "/n.html"
}

// A notebook that was executed without Jupyter shows, as a page without a kernel, its widgets as
// they were at its end; where a front end has none, a picture and a table.
func TestSavedWidgets(t *testing.T) {
	t.Parallel()
	share := widgetFiles(t)
	if browser.Find() == "" {
		t.Skip("no Chromium on PATH")
	}
	path := written(t,
		"%%\na := lab.Open(\"a\", \"acs\", lab.Load(\"rand-50-1\"), lab.Seed(3), "+
			"lab.With(\"ants\", 4))\nlab.Sliders(a, \"q0\", \"ants\")",
		"%%\na := lab.Get(\"a\")\na.Set(\"q0\", 0.25)\na.Step(20)",
		"%%\nb := lab.Open(\"b\", \"acs\", lab.Load(\"rand-200-1\"), lab.With(\"ants\", 2))\n"+
			"b.Step(30)\nb.Set(\"q0\", 0.5)\nb.Step(30)\nb.Scrub()")
	h := tool(t)
	to := h.executed(t, path)
	first := read(t, to)[0]
	if len(first.Outputs) != 2 || first.Outputs[0].Meta.PNG.Width < 100 ||
		len(strings.Join(first.Outputs[0].Data["image/png"], "")) < 1000 {
		t.Errorf("the cell shows %d outputs, want a picture beside the widgets and a table",
			len(first.Outputs))
	} else if got := strings.Join(first.Outputs[1].Data["text/html"], ""); !strings.Contains(got,
		">0.25<") {
		t.Errorf("the table has not the last value: %s", got)
	}
	// The same notebook has the same widgets.
	states := func(path string) (out map[string]json.RawMessage) {
		var nb struct {
			Metadata struct {
				Widgets map[string]struct {
					State map[string]json.RawMessage
				}
			}
		}
		b, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(b, &nb)
		}
		if err != nil {
			t.Fatal(err)
		}
		return nb.Metadata.Widgets["application/vnd.jupyter.widget-state+json"].State
	}
	one := states(to)
	two := states(h.executed(t, path))
	if len(one) < 10 || len(two) != len(one) {
		t.Fatalf("%d and %d models", len(one), len(two))
	}
	for id := range one {
		if two[id] == nil {
			t.Errorf("%s is not there the second time", id)
		}
	}

	p := browser.Start(t).Open(htmlOf(t, to, share))
	p.Expect("MathJax", "cdnjs", "tslib") // of nbconvert's page
	row := "[...document.querySelectorAll('.widget-hbox')].find(r => " +
		"r.querySelector('.widget-label')?.textContent === 'q0')"
	p.Wait(row + ".querySelector('input[type=number]').value === '0.25'")
	p.Wait("document.querySelector('.widget-vbox img').naturalWidth > 100")
	p.Wait("document.querySelector('.widget-html-content').textContent.includes('iteration 20,')")
	if !p.True("[...document.querySelectorAll('.widget-vbox button')].every(b => b.disabled)") {
		t.Error("a button may be pressed that nobody hears")
	}
	p.Shot("widgets-saved", false)
	scrubbed(t, p)
	p.Shot("scrub-saved", false)
}

// scrubbed moves the slider of a scrub of run b, which has 60 iterations, and sees tour, line and
// words follow.
func scrubbed(t *testing.T, p *browser.Page) {
	t.Helper()
	const root = "document.querySelector('[id^=metalab-scrub-]')"
	patiently(p, t, root+".querySelector('input').oninput && true")
	to := func(i int) (tour, said string) {
		p.Eval(fmt.Sprintf("(r => {r.scrollIntoView({block: 'center'}); const x = "+
			"r.querySelector('input'); x.value = %d; x.dispatchEvent(new Event('input', "+
			"{bubbles: true}))})(%s), 0", i, root), nil)
		return p.Text(root + ".querySelector('[data-part=line]').getAttribute('d')"),
			p.Text(root + ".querySelector('output').textContent")
	}
	last := p.Text(root + ".querySelector('[data-part=line]').getAttribute('d')")
	none, _ := to(0)
	early, before := to(1)
	late, after := to(60)
	if none != "" || early == last || late != last || strings.Count(early, "L") != 199 ||
		!strings.HasPrefix(before, "1, best ") || strings.Contains(before, "q0") ||
		!strings.Contains(after, "q0") {
		t.Errorf("the tour at 0, 1 and 60 has %d, %d and %d characters, at the end %d; it says %q "+
			"and %q", len(none), len(early), len(late), len(last), before, after)
	}
}
