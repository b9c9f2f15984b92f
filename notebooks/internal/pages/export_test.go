package pages_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"metalab/kernel/reply"
	"metalab/notebooks/internal/browser"
)

// three makes a run with three changes and saves it in dir.
func three(s *session, dir string) {
	s.do("open acs rand-100-1 as a seed=42 local_search=none; step a 50; set a q0=0.5; step a 30; " +
		"set a ants=40; step a 20; set a rho=0.2; step a 10; repeat a 2 n=30; save a " + dir + "/a.run")
}

const said = `document.querySelector("#said").textContent`

// TestExportedPage opens pages from a disk and from a plain server, where they make their run
// again.
func TestExportedPage(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	s := start(t)
	dir := filepath.Join(t.TempDir(), "deep", "down")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	three(s, dir)
	rep := s.do("export a " + dir + "/a.html").(*reply.FileReply)
	if rep.Bytes > 300_000 || filepath.Dir(rep.Engine) != dir {
		t.Errorf("export: %+v", rep)
	}
	s.do("export " + dir + "/a.run " + dir + "/in.html inline")
	record, err := os.ReadFile(dir + "/a.run")
	if err != nil {
		t.Fatal(err)
	}

	t.Run("from a disk", func(t *testing.T) {
		p := b.Open("file://" + dir + "/a.html")
		p.Wait(`!document.querySelector("#do").hidden`)
		p.Shot("export-before", true)
		p.Eval(`document.querySelector("#replay").focus()`, nil)
		p.Type("#replay", "\r") // by the keyboard
		p.Wait(`document.querySelector("#said.same")`)
		if got := p.Text(said); !strings.HasPrefix(got, "identical over 110 iterations") {
			t.Errorf("replay says %q", got)
		}
		p.Shot("export-after", true)

		// Through the iterations, and another way from one of them on.
		p.Slide("#at", 60)
		p.Wait(`document.querySelector("#where").textContent.startsWith("60: best ")`)
		p.Slide("#name", "q0")
		if got := p.Text(`document.querySelector("#value").value`); got != "0.5" {
			t.Errorf("q0 after iteration 60 is %s, want 0.5", got)
		}
		p.Slide("#value", "0.9")
		p.Click("#fork button")
		p.Wait(`document.querySelector("#parted").textContent`)
		got := p.Text(`document.querySelector("#parted").textContent`)
		if !strings.HasPrefix(got, "q0=0.9 from iteration 61 on: the walks part in iteration 61") {
			t.Errorf("the fork says %q", got)
		}
		p.Shot("export-fork", true)
		p.Axe("record")
		p.Eval(`window.drawn = "", (canvas => {
			const f = canvas.fillText
			canvas.fillText = function (s, ...at) {
				window.drawn += s + ";"
				return f.call(this, s, ...at)
			}
		})(CanvasRenderingContext2D.prototype)`, nil)
		p.Size(700, 900, 1, false) // a narrower one, for which all is drawn again
		p.Wait(`["q0 0.98 → 0.5", "ants 10 → 40", "rho 0.1 → 0.2"].every(s => drawn.includes(s + ";"))`)
		p.Size(1280, 900, 1, false)
		p.Eval(`scrollTo(0, 0)`, nil)
		p.Slide("#at", 5)
		p.Picture("../../../kernel/browser/bundle/page.png", `document.querySelector("#live")`)
		p.Slide("#value", "7")
		p.Click("#fork button")
		p.Wait(`document.querySelector("#trouble").textContent.includes("q0 is 7")`)

		// Other seeds, in workers of their own; the record has two of them.
		p.Slide("#seeds", 3)
		p.Slide("#until", 30)
		p.Click("#repeat button")
		p.Wait(`document.querySelector("#seeded").textContent.startsWith("3 seeds: best ")`)
		p.Wait(`document.querySelector("#said.same")`)
		got = p.Text(`document.querySelector("#seeded").textContent`)
		if !strings.HasSuffix(got, " The record has 2 of them: identical.") {
			t.Errorf("the seeds: %q, %s", got, p.Text(`document.querySelector("#results").textContent`))
		}
		if n := p.Text(`document.querySelectorAll("#results tr").length`); n != "4" {
			t.Errorf("the table of seeds has %s rows, want 4", n)
		}

		// The record comes out as it went in.
		p.Eval(`URL.createObjectURL = b => { window.got = b; return "#" }`, nil)
		p.Click("#download")
		var text string
		p.Eval(`window.got.text()`, &text)
		if text != string(record) {
			t.Error("the record that a page gives away is another")
		}
	})

	t.Run("from a server", func(t *testing.T) {
		var mu sync.Mutex
		var asked []string
		files := http.FileServer(http.Dir(filepath.Dir(filepath.Dir(dir))))
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			asked = append(asked, r.URL.Path)
			mu.Unlock()
			files.ServeHTTP(w, r)
		}))
		t.Cleanup(srv.Close)
		for _, name := range []string{"a", "in"} {
			p := b.Open(srv.URL + "/deep/down/" + name + ".html")
			p.Size(400, 800, 2, name == "in")
			p.Click("#replay")
			p.Wait(`document.querySelector("#said.same")`)
			if w := p.Text("document.documentElement.scrollWidth"); w != "400" {
				t.Errorf("%s.html is %s pixels wide in a window of 400", name, w)
			}
			elsewhere := p.Text(`performance.getEntriesByType("resource").map(e => e.name)` +
				`.filter(n => !n.startsWith(location.origin) && !n.startsWith("blob:")).join(" ")`)
			if elsewhere != "" {
				t.Errorf("%s.html asked elsewhere: %s", name, elsewhere)
			}
			p.Shot("export-narrow-"+name, true)
			p.Close()
		}
		mu.Lock()
		defer mu.Unlock()
		want := "/deep/down/a.html /deep/down/" + filepath.Base(rep.Engine) + " /deep/down/in.html"
		got := strings.ReplaceAll(strings.Join(asked, " "), " /favicon.ico", "")
		if got != want {
			t.Errorf("the server was asked for %s, want %s", got, want)
		}
	})

	t.Run("tampered", func(t *testing.T) {
		line := regexp.MustCompile(`(?m)^\{"i":64,.*$`)
		bad := line.ReplaceAllStringFunc(string(record), func(l string) string {
			return regexp.MustCompile(`"mean":\d`).ReplaceAllString(l, `"mean":5`)
		})
		if bad == string(record) {
			t.Fatal("nothing was changed")
		}
		if err := os.WriteFile(dir+"/bad.run", []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		s.do("export " + dir + "/bad.run " + dir + "/bad.html")
		p := b.Open("file://" + dir + "/bad.html")
		p.Click("#replay")
		p.Wait(`document.querySelector("#said.other")`)
		got := p.Text(said)
		want := s.do("replay " + dir + "/bad.run differs").(*reply.ReplayReply).String()
		if !strings.HasSuffix(want, ": "+got) || !strings.Contains(got, "iteration 64: mean") {
			t.Errorf("the page says %q, and the prompt %q", got, want)
		}
		p.Shot("export-tampered", false)
	})

	t.Run("of another problem", func(t *testing.T) {
		s.do("open tabu tai12a as q seed=1; step q 40; export q " + dir + "/q.html")
		p := b.Open("file://" + dir + "/q.html")
		p.Click("#replay")
		p.Wait(`document.querySelector("#said.same")`)
		if got := p.Text(said); got != "identical over 40 iterations" {
			t.Errorf("replay says %q", got)
		}
		if !p.True(`document.querySelector("#tour").hidden`) {
			t.Error("there is a place for a tour")
		}
		p.Shot("export-qap", true)
	})

	t.Run("another revision", func(t *testing.T) {
		other := strings.Replace(string(record), `"revision":1`, `"revision":9`, 1)
		if err := os.WriteFile(dir+"/other.run", []byte(other), 0o644); err != nil {
			t.Fatal(err)
		}
		s.do("export " + dir + "/other.run " + dir + "/other.html engine=" + rep.Engine)
		p := b.Open("file://" + dir + "/other.html")
		p.Click("#replay")
		p.Wait(`document.querySelector("#trouble").textContent.includes(` +
			`"Wanted is an engine with revision 9 of acs/seq")`)
		p.Do(chromedp.SetUploadFiles("#file", []string{rep.Engine}, chromedp.ByQuery))
		p.Wait(`!document.querySelector("#stop").hidden`) // it is tried
		p.Wait(`document.querySelector("#trouble").textContent.includes("revision 9")`)
	})

	t.Run("stopped", func(t *testing.T) {
		s.do("open mmas rand-300-1 as m seed=1; step m 60; export m " + dir + "/m.html")
		p := b.Open("file://" + dir + "/m.html")
		p.Click("#replay")
		p.Wait(`document.querySelector("#far").value > 0`)
		p.Click("#stop")
		p.Wait(said + ` === "stopped"`)
		p.Wait(`!document.querySelector("#replay").disabled`)
	})

	t.Run("without its engine", func(t *testing.T) {
		if err := os.Mkdir(dir+"/alone", 0o755); err != nil {
			t.Fatal(err)
		}
		page, err := os.ReadFile(dir + "/a.html")
		if err == nil {
			err = os.WriteFile(dir+"/alone/a.html", page, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		p := b.Open("file://" + dir + "/alone/a.html")
		p.Click("#replay")
		p.Wait(`document.querySelector("#trouble").textContent.includes("` +
			filepath.Base(rep.Engine) + `")`)
		p.Shot("export-alone", false)
		p.Do(chromedp.SetUploadFiles("#file", []string{rep.Engine}, chromedp.ByQuery))
		p.Wait(`document.querySelector("#said.same")`)
	})
}

// TestNumbersOfAxesAreWhole draws a curve on a canvas that tells where numbers end: the last one of
// an axis lies within the picture, however long it is.
func TestNumbersOfAxesAreWhole(t *testing.T) {
	t.Parallel()
	draw, err := os.ReadFile("../../../kernel/browser/bundle/draw.js")
	if err != nil {
		t.Fatal(err)
	}
	p := browser.Start(t).Open("about:blank")
	for _, end := range []int{9, 110, 1500, 200_000} {
		got := p.Text(fmt.Sprintf(`(() => {%s
			let last = ""
			const told = {measureText: s => ({width: 8 * s.length}), fillText(s, x) {
				if (this.textAlign === "center") last = s + " ends at " + (x + 4 * s.length)
			}}
			const g = new Proxy(told, {get: (o, k) => o[k] ?? (() => {})})
			drawCurves(g, 300, 200, () => "", [{bests: [3, 2, 1], from: 0}], {end: %d, label: "length"})
			return last
		})()`, draw, end))
		_, at, _ := strings.Cut(got, " ends at ")
		if x, err := strconv.ParseFloat(at, 64); err != nil || x > 300 || x < 150 {
			t.Errorf("of %d iterations the last number %s, in a picture of 300 pixels (%v)", end, got, err)
		}
	}
}
