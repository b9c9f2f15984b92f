package notebooks_test

import (
	"fmt"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/security"
	"github.com/chromedp/chromedp"

	"metalab/notebooks/internal/browser"
)

// labCells are a notebook of a run with its sliders, and what is done with it.
var labCells = []string{
	"%%\na := lab.Open(\"a\", \"acs\", lab.Load(\"rand-50-1\"), lab.Seed(3), " +
		"lab.With(\"ants\", 4))\na.Step(30)\nlab.Sliders(a, \"q0\", \"rho\")",
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
	if err := os.WriteFile(filepath.Join(s.books, "n.ipynb"), []byte(strings.Replace(string(b), none,
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

// Behind a proxy that speaks https and below a path, as JupyterHub's, the sliders of JupyterLab
// act: by a click and a drag, in two windows, while a cell runs, on a page that is loaded anew and
// after a restart of the kernel.
func TestWidgetsInJupyterLab(t *testing.T) {
	t.Parallel()
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
	if text := n.Text(cellText(3)); strings.Count(text, "q0 ") != 1 ||
		!strings.Contains(text, "sliders") {
		t.Errorf("the journal: %s", text)
	}
	if at := n.Text("location.href"); !strings.HasPrefix(at, "https://") ||
		!strings.Contains(at, "/user/me/") {
		t.Errorf("the page is at %s", at)
	}
	n.run(4)
	scrubbed(t, n.Page)
	n.Shot("lab-proxy", false)

	n.latency("while the kernel is idle")

	// A slider that is dragged writes one change, when it is let go, and shows it meanwhile.
	drag(n, labKnob("q0", ".noUi-handle"), labKnob("q0", ".noUi-target"), 0.7, 0.4, 0.2)
	patiently(n.Page, t, "Math.abs("+value+" - 0.2) < 0.06")
	n.run(3)
	if text := n.Text(cellText(3)); strings.Count(text, "q0 ") != 2+latencies {
		t.Errorf("after %d clicks and a drag the journal says %s", 1+latencies, text)
	}

	// A second window finds the widgets; what is done in one is seen in the other.
	n.saved()
	m := s.lab(b, name, "two")
	patiently(m.Page, t, "Math.abs("+value+" - 0.2) < 0.06")
	press(m.Page, labKnob("q0", ".noUi-target"), 0.8)
	patiently(n.Page, t, "Math.abs("+value+" - 0.8) < 0.06")
	n.run(1)
	rho := "Number(" + labKnob("rho", "input[type=number]") + ".value)"
	patiently(m.Page, t, rho+" === 0.25")
	m.Close()

	// While a cell runs the sliders act, and its picture moves.
	n.start(2)
	before := n.Text(labImage + ".src")
	press(n.Page, labKnob("q0", ".noUi-target"), 0.3)
	patiently(n.Page, t, "Math.abs("+value+" - 0.3) < 0.06 && "+labImage+".src !== '"+before+"'")
	n.latency("while a cell runs")
	press(n.Page, labKnob("q0", ".noUi-target"), 0.3)
	patiently(n.Page, t, "Math.abs("+value+" - 0.3) < 0.06")
	n.Eval("jupyterapp.shell.currentWidget.sessionContext.session.kernel.interrupt(), 0", nil)
	n.ended(2)

	// The page, loaded anew, has them, with the values as they are.
	n.saved()
	n.Do(chromedp.Reload())
	n.ready()
	patiently(n.Page, t, "Math.abs("+value+" - 0.3) < 0.06 && "+rho+" === 0.25")
	press(n.Page, labKnob("q0", ".noUi-target"), 0.6)
	patiently(n.Page, t, "Math.abs("+value+" - 0.6) < 0.06")

	// After a restart of the kernel, and with the cell run again, they act on the new run.
	n.Eval("(async k => {await k.restart(); window.restarted = true})"+
		"(jupyterapp.shell.currentWidget.sessionContext.session.kernel), 0", nil)
	patiently(n.Page, t, "window.restarted")
	n.ready()
	n.run(0)
	patiently(n.Page, t, value+" > 0.9")
	press(n.Page, labKnob("q0", ".noUi-target"), 0.5)
	patiently(n.Page, t, "Math.abs("+value+" - 0.5) < 0.06")
	n.run(3)
	if text := n.Text(cellText(3)); strings.Count(text, "q0 ") != 1 {
		t.Errorf("after the restart the journal says %s", text)
	}
	n.Shot("lab-restarted", false)
}

// latencies is how many times latency clicks.
const latencies = 5

// latency clicks on the slider of q0 and logs how long it takes from the button's release until the
// kernel answers and until the picture is another one, which of a run that goes on may be one that
// was being drawn: medians, and nothing that a test asserts.
func (n *labPage) latency(when string) {
	n.t.Helper()
	var kernel, picture []float64
	for i := range latencies {
		n.Eval("(k => {const w = window.latency = {}, look = () => "+labImage+".src === w.src ? "+
			"requestAnimationFrame(look) : w.picture = performance.now() - w.began; "+
			"addEventListener('pointerup', () => {w.began = performance.now(); w.src = "+labImage+
			".src; look()}, {once: true, capture: true}); k.iopubMessage.connect((_, m) => "+
			"{if (w.began && !w.kernel && m.header.msg_type === 'comm_msg') "+
			"w.kernel = performance.now() - w.began})})"+
			"(jupyterapp.shell.currentWidget.sessionContext.session.kernel), 0", nil)
		press(n.Page, labKnob("q0", ".noUi-target"), 0.4+0.1*float64(i%2)+0.02*float64(i))
		patiently(n.Page, n.t, "window.latency.kernel > 0")
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end) &&
			!n.True("window.latency.picture > 0"); {
			time.Sleep(20 * time.Millisecond)
		}
		var ms struct{ Kernel, Picture float64 }
		n.Eval("({Kernel: window.latency.kernel, Picture: window.latency.picture || 1e5})", &ms)
		kernel, picture = append(kernel, ms.Kernel), append(picture, ms.Picture)
	}
	slices.Sort(kernel)
	slices.Sort(picture)
	load, _ := os.ReadFile("/proc/loadavg")
	n.t.Logf("%s: slider to kernel and back %.0f ms, to picture %.0f ms; medians of %d; load %s", when,
		kernel[latencies/2], picture[latencies/2], latencies, strings.TrimSpace(string(load)))
}

// cellText is the text of a cell and of what it shows.
func cellText(i int) string {
	return fmt.Sprintf("jupyterapp.shell.currentWidget.content.widgets[%d].node.innerText", i)
}

// saved saves the notebook, so that another window and a page that is loaded anew show its outputs.
func (n *labPage) saved() {
	n.t.Helper()
	n.Eval("window.kept = false, jupyterapp.shell.currentWidget.context.save().then(() => "+
		"{window.kept = true}), 0", nil)
	patiently(n.Page, n.t, "window.kept")
}

// drag takes a handle with the mouse along parts of a track's width, and lets it go at the last.
func drag(n *labPage, handle, track string, parts ...float64) {
	n.t.Helper()
	type rect struct{ X, Y, Width, Height float64 }
	of := func(element string) (r rect) {
		n.Eval("(r => ({X: r.x, Y: r.y, Width: r.width, Height: r.height}))(("+element+
			").getBoundingClientRect())", &r)
		return r
	}
	var before rect
	for still := 0; still < 3; time.Sleep(100 * time.Millisecond) {
		n.Eval("("+track+").scrollIntoView({block: 'center'})", nil)
		r := of(track)
		if still++; r != before {
			still = 0
		}
		before = r
	}
	h, r := of(handle), of(track)
	mouse := func(kind input.MouseType, x float64) {
		n.Do(input.DispatchMouseEvent(kind, x, r.Y+r.Height/2).WithButton(input.Left).
			WithButtons(1).WithClickCount(1))
	}
	mouse(input.MousePressed, h.X+h.Width/2)
	for _, part := range parts {
		mouse(input.MouseMoved, r.X+r.Width*part)
		time.Sleep(100 * time.Millisecond) // somebody's hand
	}
	mouse(input.MouseReleased, r.X+r.Width*parts[len(parts)-1])
}
