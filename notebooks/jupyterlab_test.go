package notebooks_test

import (
	"fmt"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/security"
	"github.com/chromedp/chromedp"

	"metalab/notebooks/internal/browser"
)

// labCells are a notebook of a run with its sliders, and what is done with it.
var labCells = []string{
	"%%\na := lab.Open(\"a\", \"acs\", lab.Load(\"rand-50-1\"), lab.Seed(3), " +
		"lab.With(\"ants\", 4))\nlab.Sliders(a, \"q0\", \"rho\")",
	"%%\nlab.Get(\"a\").Set(\"rho\", 0.25)",
	"%%\nlab.Get(\"a\").Step(1_000_000_000)",
	"%%\nfmt.Println(lab.Get(\"a\").Journal())",
	"%%\nb := lab.Open(\"b\", \"acs\", lab.Load(\"rand-200-1\"), lab.With(\"ants\", 2))\n" +
		"b.Step(30)\nb.Set(\"q0\", 0.5)\nb.Step(30)\nb.Scrub()",
}

// A labPage is a notebook that is open in JupyterLab.
type labPage struct {
	*browser.Page
	t *testing.T
}

// openLab starts JupyterLab, which .ci/widgets fetches with its widgets, below a path of addresses;
// through goes before it what is reached in its place.
func openLab(t *testing.T, base string, through func(*server)) (s *server, name string) {
	t.Helper()
	program := os.Getenv("METALAB_JUPYTERLAB")
	if program == "" {
		t.Skip("METALAB_JUPYTERLAB names no program: .ci/widgets fetches JupyterLab")
	}
	s = serve(t, program, "", base, "--expose-app-in-browser", "--ServerApp.base_url=/"+base,
		"--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate")
	if through != nil {
		through(s)
	}
	path := written(t, labCells...)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const none, ours = `"metadata":{},"nbformat"`, `"metadata":{"kernelspec":{"name":"metalab",` +
		`"display_name":"metalab (Go)","language":"go"}},"nbformat"`
	if !strings.Contains(string(b), none) {
		t.Fatalf("the notebook is %s", b)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "n.ipynb"), []byte(strings.Replace(string(b), none,
		ours, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	return s, "n.ipynb"
}

// lab opens a notebook in JupyterLab in a new window and waits until its kernel is idle. workspace
// names how Lab's windows are laid out: two windows may not share one.
func (s *server) lab(b *browser.Browser, name, workspace string) *labPage {
	s.t.Helper()
	p := b.Open("about:blank")
	p.Expect("") // the page is Jupyter's
	p.Do(security.SetIgnoreCertificateErrors(true),
		chromedp.Navigate(s.url+"/lab/workspaces/"+workspace+"/tree/"+name+"?token="+s.token))
	n := &labPage{p, s.t}
	n.ready()
	return n
}

// ready waits until the page shows the notebook and its kernel is idle.
func (n *labPage) ready() {
	n.t.Helper()
	patiently(n.Page, n.t, "window.jupyterapp?.shell.currentWidget?.content?.widgets?.length === "+
		fmt.Sprint(len(labCells))+" && jupyterapp.shell.currentWidget.sessionContext.session?.kernel"+
		"?.status === 'idle'")
}

// start runs a cell; run waits for its end too.
func (n *labPage) start(i int) {
	n.t.Helper()
	n.Eval(fmt.Sprintf("(c => {c.activeCellIndex = %d; c.deselectAll(); "+
		"jupyterapp.commands.execute('notebook:run-cell')})"+
		"(jupyterapp.shell.currentWidget.content), 0", i), nil)
}

func (n *labPage) run(i int) {
	n.t.Helper()
	n.start(i)
	n.ended(i)
}

// ended waits for the end of a cell.
func (n *labPage) ended(i int) {
	n.t.Helper()
	patiently(n.Page, n.t, fmt.Sprintf("jupyterapp.shell.currentWidget.content.widgets[%d]"+
		".model.executionCount > 0 && jupyterapp.shell.currentWidget.sessionContext.session.kernel"+
		".status === 'idle'", i))
}

// labKnob is an element of the row of a parameter in the first cell.
func labKnob(name, selector string) string {
	return fmt.Sprintf("[...jupyterapp.shell.currentWidget.content.widgets[0].node.querySelectorAll("+
		"'.widget-hbox')].find(r => r.querySelector('.widget-label')?.textContent === %q)"+
		"?.querySelector(%q)", name, selector)
}

const labImage = "document.querySelector('.jp-OutputArea .widget-vbox img')"

// In JupyterLab the sliders act while the kernel is idle and while a cell runs, in two windows, in
// one that is loaded anew and after the kernel was started anew.
func TestWidgetsInJupyterLab(t *testing.T) {
	s, name := openLab(t, "", nil)
	b := browser.Start(t)
	n := s.lab(b, name, "one")
	n.run(0)
	value := func(name string) string {
		return "Number(" + labKnob(name, "input[type=number]") + ".value)"
	}
	patiently(n.Page, t, value("rho")+" > 0 && "+labImage+".naturalWidth > 100")
	n.Shot("lab", false)
	drag := func(p *labPage, name string, part, want float64) {
		t.Helper()
		press(p.Page, labKnob(name, ".noUi-target"), part)
		patiently(p.Page, t, fmt.Sprintf("Math.abs(%s - %v) < 0.06", value(name), want))
	}
	drag(n, "q0", 0.5, 0.5)
	n.run(1) // another cell sets what the slider follows
	patiently(n.Page, t, value("rho")+" === 0.25")

	// While a cell runs, in both windows.
	n.start(2)
	patiently(n.Page, t, "jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === "+
		"'busy' && document.querySelector('.widget-html-content').textContent.includes('stepping')")
	before := n.Text(labImage + ".src")
	drag(n, "rho", 0.75, 0.75)
	patiently(n.Page, t, labImage+".src !== '"+before+"'")
	n.Eval("jupyterapp.commands.execute('docmanager:save'), 0", nil)
	m := s.labBusy(b, name, "two")
	patiently(m.Page, t, "Math.abs("+value("rho")+" - 0.75) < 0.06")
	drag(m, "q0", 0.25, 0.25)
	patiently(n.Page, t, "Math.abs("+value("q0")+" - 0.25) < 0.06")
	m.Close()
	n.Eval("jupyterapp.shell.currentWidget.sessionContext.session.kernel.interrupt(), 0", nil)
	n.ended(2)
	n.run(3)
	text := n.Text("jupyterapp.shell.currentWidget.content.widgets[3].node.innerText")
	for _, want := range []string{"q0 ", "rho ", "sliders"} {
		if !strings.Contains(text, want) {
			t.Errorf("the journal lacks %q: %s", want, text)
		}
	}

	// The page, loaded anew.
	n.Do(chromedp.Reload())
	n.ready()
	patiently(n.Page, t, "Math.abs("+value("q0")+" - 0.25) < 0.06")
	drag(n, "q0", 0.75, 0.75)

	// The kernel, started anew: its widgets are gone until their cell is executed.
	n.Eval("jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart(), 0", nil)
	n.ready()
	n.run(0)
	drag(n, "q0", 0.25, 0.25)
	n.Shot("lab-again", false)
}

// labBusy is lab for a notebook whose kernel is busy.
func (s *server) labBusy(b *browser.Browser, name, workspace string) *labPage {
	s.t.Helper()
	p := b.Open(s.url + "/lab/workspaces/" + workspace + "/tree/" + name + "?token=" + s.token)
	p.Expect("")
	n := &labPage{p, s.t}
	patiently(p, s.t, "window.jupyterapp?.shell.currentWidget?.content?.widgets?.length > 0")
	return n
}

// Behind a proxy that speaks https and below a path, as JupyterHub's, the sliders act too.
func TestWidgetsBehindAProxy(t *testing.T) {
	s, name := openLab(t, "user/me/", func(s *server) {
		to, err := url.Parse(s.url)
		if err != nil {
			t.Fatal(err)
		}
		to.Path = ""
		proxy := httptest.NewTLSServer(httputil.NewSingleHostReverseProxy(to))
		t.Cleanup(proxy.Close)
		s.url = proxy.URL + "/user/me"
	})
	b := browser.Start(t)
	n := s.lab(b, name, "one")
	n.run(0)
	value := "Number(" + labKnob("q0", "input[type=number]") + ".value)"
	patiently(n.Page, t, value+" > 0 && "+labImage+".naturalWidth > 100")
	press(n.Page, labKnob("q0", ".noUi-target"), 0.5)
	patiently(n.Page, t, "Math.abs("+value+" - 0.5) < 0.06")
	n.run(3)
	if text := n.Text("jupyterapp.shell.currentWidget.content.widgets[3].node.innerText"); !strings.
		Contains(text, "q0 ") || !strings.Contains(text, "sliders") {
		t.Errorf("the journal: %s", text)
	}
	if at := n.Text("location.href"); !strings.HasPrefix(at, "https://") ||
		!strings.Contains(at, "/user/me/") {
		t.Errorf("the page is at %s", at)
	}
	n.run(4)
	scrubbed(t, n.Page)
	n.Shot("lab-proxy", false)
}
