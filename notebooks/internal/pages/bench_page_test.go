package pages_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"metalab/notebooks/internal/browser"
)

// BenchmarkReplayPage measures the page of 100 iterations of acs on E1k.0, from a file server, when
// its engine is in the browser's cache: seconds from the press of the button to the first iteration
// and to the verdict, and the memory of the tab.
func BenchmarkReplayPage(b *testing.B) {
	c := browser.Alone(b)
	s := start(b)
	dir := b.TempDir()
	s.do("open acs E1k.0 as a seed=42; step a 100")
	s.do("export a " + dir + "/a.html")
	web := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer web.Close()
	for i := 0; b.Loop(); i++ {
		p := c.Open(web.URL + "/a.html")
		p.Wait(`!document.querySelector("#do").hidden`)
		var took [2]float64
		p.Eval(`new Promise(done => {
			const far = document.querySelector("#far"), t0 = performance.now()
			let first = 0
			document.querySelector("#replay").click()
			const look = () => {
				if (!first && far.value > 0) first = performance.now() - t0
				if (!document.querySelector("#said.same")) return void setTimeout(look, 5)
				const end = performance.now() - t0
				done([first || end, end])
			}
			look()
		})`, &took)
		b.ReportMetric(took[0]/1e3, "s-to-first")
		b.ReportMetric(took[1]/1e3, "s-to-verdict")
		b.ReportMetric(memoryOf(p), "MB-tab")
		p.Close()
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkPromptPage measures the prompt in a page, from a file server, when its engine is in the
// browser's cache: seconds until it is ready, to the first iteration of a run, and to the first
// answer of Go, and the memory of the tab before Go and with it.
func BenchmarkPromptPage(b *testing.B) {
	c := browser.Alone(b)
	dir := b.TempDir()
	prompted(b, dir)
	web := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer web.Close()
	c.Open(web.URL + "/prompt.html").Wait(`document.querySelector("#status").textContent === "ready"`)
	for b.Loop() {
		began := time.Now()
		p := c.Open(web.URL + "/prompt.html")
		p.Wait(`document.querySelector("#status").textContent === "ready"`)
		b.ReportMetric(time.Since(began).Seconds(), "s-ready")
		p.Type("#line", "open acs E1k.0 as a seed=42; step a 1\r")
		p.Wait(idle)
		b.ReportMetric(time.Since(began).Seconds(), "s-to-first")
		b.ReportMetric(memoryOf(p), "MB-tab")
		began = time.Now()
		p.Type("#line", "6 * 7\r")
		p.Wait(idle + ` && ` + logged + `.includes("42")`)
		b.ReportMetric(time.Since(began).Seconds(), "s-go")
		b.ReportMetric(memoryOf(p), "MB-tab-with-go")
		p.Close()
	}
	b.ReportMetric(0, "ns/op")
}

// memoryOf is what the process of a tab has of the machine's memory by itself, in MB: what it
// shares with others is shared out.
func memoryOf(p *browser.Page) float64 {
	most := 0.0
	for _, pid := range p.Renderers() {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
		if err != nil {
			continue // it has ended
		}
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) > 1 && f[0] == "Pss:" {
				kB, _ := strconv.ParseFloat(f[1], 64)
				most = max(most, kB*1024/1e6)
			}
		}
	}
	return most
}
