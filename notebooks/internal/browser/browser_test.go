package browser_test

import (
	"bytes"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"metalab/notebooks/internal/browser"
)

const page = `<!doctype html><title>a page</title>
<body style="margin:0"><h1>here</h1>
<input id=n type=range min=0 max=10 value=3><input id=t type=checkbox>
<select id=s><option>x<option>y</select><input id=w><button>press</button>
<p id=out></p>
<script>
const out = document.getElementById("out")
const said = []
for (const e of document.querySelectorAll("input, select"))
	e.addEventListener("change", () => {
		said.push(e.id + "=" + (e.type === "checkbox" ? e.checked : e.value))
		out.textContent = said.join(" ")
	})
document.querySelector("button").addEventListener("click",
	() => setTimeout(() => document.body.classList.add("pressed"), 50))
</script>`

func TestMain(m *testing.M) { os.Exit(browser.Tests{M: m}.Run()) }

func TestPage(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(page))
	}))
	defer srv.Close()
	p := b.Open(srv.URL)
	p.Wait(`document.querySelector("h1").textContent === "here"`)
	if p.True(`document.querySelector("#none").value`) || p.True("1 > 2") || !p.True("2 > 1") {
		t.Error("True does not tell what holds")
	}
	p.Slide("#n", 7)
	p.Slide("#t", true)
	p.Slide("#s", "y")
	p.Type("#w", "abc")
	p.Click("button")
	p.Wait(`document.body.classList.contains("pressed")`)
	if got, want := p.Text("out.textContent"), "n=7 t=true s=y w=abc"; got != want {
		t.Errorf("the page was told %q, want %q", got, want)
	}
	p.Size(390, 844, 2, true)
	if !p.True(`innerWidth === 390 && matchMedia("(prefers-color-scheme: dark)").matches`) {
		t.Errorf("a page of %s pixels, want 390 and dark", p.Text("innerWidth"))
	}
	img, err := png.Decode(bytes.NewReader(p.PNG(false)))
	if err != nil || img.Bounds().Dx() != 780 {
		t.Errorf("a picture of 390 pixels at scale 2: %v, %v", img, err)
	}
	var n int
	if p.Eval("new Promise(done => setTimeout(() => done(42), 10))", &n); n != 42 {
		t.Errorf("the promise brought %d, want 42", n)
	}
	p.Eval(`console.error("of this test", 1)`, nil)
	p.Wait("true") // what is told later comes later
	if errs := p.Errors(); len(errs) != 1 {
		t.Errorf("errors %q, want one", errs)
	}
	p.Expect("of this test")
	if errs := p.Errors(); len(errs) != 0 {
		t.Errorf("errors %q that were expected", errs)
	}
}

// A page that asks whether its reader means to leave is left: without an answer the browser
// waits, as Jupyter's page does when its kernel is at work. Other questions are errors.
func TestLeave(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><button>stay</button><script>
addEventListener("beforeunload", e => { e.preventDefault(); e.returnValue = "busy" })
</script>`))
	}))
	defer srv.Close()
	p := b.Open(srv.URL)
	p.Click("button") // a browser asks only whom it saw act
	p.Eval("window.mark = 1", nil)
	p.Do(chromedp.Reload())
	if p.True("window.mark === 1") {
		t.Error("the page was not loaded again")
	}
	p.Eval(`alert("here")`, nil)
	if got := p.Errors(); len(got) != 1 || !strings.Contains(got[0], "alert): here") {
		t.Errorf("after an alert the page's errors are %q", got)
	}
	p.Expect("alert): here")
}

// A page that waits is loaded anew meanwhile, and two tests see nothing of each other's profile.
func TestWait(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><p>here</p><script>
const before = Number(localStorage.getItem("loads"))
localStorage.setItem("loads", before + 1)
if (before < 3) setTimeout(() => location.reload(), 50)
</script>`))
	}))
	defer srv.Close()
	for range 2 {
		p := browser.Start(t).Open(srv.URL)
		p.Wait(`document.querySelector("p") && localStorage.getItem("loads") === "4"`)
		other := browser.Start(t).Open(srv.URL + "/other")
		if got := p.Text(`document.hasFocus() + " " + document.visibilityState`); got != "true visible" {
			t.Errorf("behind another window a page is %s", got)
		}
		other.Wait(`localStorage.getItem("loads") === "4"`)
	}
}
