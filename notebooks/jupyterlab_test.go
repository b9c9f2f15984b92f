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
