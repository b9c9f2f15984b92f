package pages_test

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"metalab/notebooks/internal/browser"
	"metalab/solvers/conform"
)

// TestPromptLive does at the prompt of a page what is more than text: a run with a slider over its
// iterations, parameters that are turned, and the seeds of a repeat in workers of their own.
func TestPromptLive(t *testing.T) {
	conform.Brief(t, "a page with its engine and workers takes a minute of a core")
	t.Parallel()
	b := browser.Start(t)
	dir := t.TempDir()
	prompted(t, dir)
	p := b.Open("about:blank")
	p.Size(400, 800, 2, false)
	p.Do(chromedp.ActionFunc(func(ctx context.Context) error { // as many workers on every machine
		_, err := page.AddScriptToEvaluateOnNewDocument(
			`Object.defineProperty(Navigator.prototype, "hardwareConcurrency", {get: () => 3})`).Do(ctx)
		return err
	}), chromedp.Navigate("file://"+dir+"/prompt.html"))
	p.Wait(`document.querySelector("#status").textContent === "ready"`)
	do := func(line string) {
		t.Helper()
		p.Type("#line", line+"\r")
		p.Wait(idle)
		if got := p.Text(wrong); got != "" {
			t.Fatalf("%s: %s", line, got)
		}
	}
	do("open acs rand-200-1 as a seed=3 local_search=none; step a 30; set a q0=0.5; step a 30")

	t.Run("scrub", func(t *testing.T) {
		do("scrub a")
		p.Wait(`document.querySelectorAll("#log .live canvas").length === 2`)
		where := `document.querySelector("#log .live output").textContent`
		p.Wait(where + `.startsWith("60, best ") && ` + where + `.endsWith("; q0 0.98 → 0.5")`)
		picture := `[...document.querySelectorAll("#log .live canvas")].map(c => c.toDataURL()).join()`
		p.Eval(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, nil)
		before := p.Text(picture)
		p.Type("#log .live input", kb.ArrowLeft+kb.ArrowLeft) // the keyboard is enough
		p.Wait(where + `.startsWith("58, best ")`)
		p.Slide("#log .live input", 2)
		p.Wait(where + `.startsWith("2, best ") && !` + where + `.includes("q0")`)
		p.Wait(picture + ` !== ` + quoted(before))
		p.Shot("prompt-scrub", true)
	})

	t.Run("sliders", func(t *testing.T) {
		do("sliders a q0,ants")
		turn := `.live:last-of-type input`
		p.Wait(`document.querySelectorAll("#log ` + turn + `").length === 2`)
		p.Slide("#log "+turn, 0.75)
		p.Type("#line", "params a q0\r")
		p.Wait(idle + ` && ` + logged + `.includes("0.75")`)
		do("set a q0=0.25")
		p.Wait(`document.querySelector("#log ` + turn + `").value === "0.25"`)
	})

	t.Run("repeat", func(t *testing.T) {
		s := start(t)
		line := "open acs rand-200-1 as r seed=3 local_search=none; repeat r 6 n=40"
		want := s.do(line).String()
		do(line)
		p.Wait(`/3 workers for seeds/.test(document.querySelector("#memory").textContent)`)
		got := p.Text(logged)
		for _, l := range strings.Split(want, "\n")[1:7] { // seed and best
			all := strings.Join(strings.Fields(got), " ")
			if f := strings.Fields(l); len(f) < 3 || !strings.Contains(all,
				strings.Join(f[:3], " ")) {
				t.Errorf("the page's table has no %q:\n%s", l, got)
			}
		}
		p.Type("#line", "repeat r 900 n=20\r")
		p.Wait(`/repeat [1-9]\d+\/900/.test(document.querySelector("#status").textContent)`)
		p.Shot("prompt-repeat", true)
		p.Eval(`dispatchEvent(new KeyboardEvent("keydown", {key: "c", ctrlKey: true}))`, nil)
		p.Wait(idle)
		do("seeds r")
		if got := p.Text(logged); !strings.Contains(got, "seeds, 20 iterations each") {
			t.Errorf("what was made is not kept:\n%s", got)
		}
		t.Log(p.Text(`document.querySelector("#memory").textContent`))
	})
	if w := p.Text("document.documentElement.scrollWidth"); w != "400" {
		t.Errorf("the page is %s pixels wide in a window of 400", w)
	}
}

// A run of 10,000 cities is opened, made, drawn and watched in a page.
func TestPromptLarge(t *testing.T) {
	if !conform.IsLong() {
		t.Skip(conform.LongVar + " makes a run of 10,000 cities in a page: minutes")
	}
	t.Parallel()
	b := browser.Start(t)
	dir := t.TempDir()
	prompted(t, dir)
	p := b.Open("file://" + dir + "/prompt.html")
	p.Wait(`document.querySelector("#status").textContent === "ready"`)
	for _, line := range []string{
		"open ils E10k.0 as a", "step a 5", "plot a tour", "watch a", "step a 3", "watch off", "scrub a",
	} {
		began := p.Text("performance.now()")
		p.Type("#line", line+"\r")
		p.Wait(idle)
		t.Logf("%s: %s ms; %s", line, p.Text(`Math.round(performance.now() - `+began+`)`),
			p.Text(`document.querySelector("#memory").textContent`))
		if got := p.Text(wrong); got != "" {
			t.Fatal(got)
		}
	}
	p.Shot("prompt-large", true)
}
