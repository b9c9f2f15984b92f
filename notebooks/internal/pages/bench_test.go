package pages_test

import (
	"slices"
	"syscall"
	"testing"
	"time"

	"metalab/kernel/reply"
	"metalab/notebooks/internal/browser"
)

// BenchmarkSliderToPlot measures the time from the release of a slider to the frame of the
// curve with the mark of the change, in the page.
func BenchmarkSliderToPlot(b *testing.B) {
	c := browser.Start(b)
	s := start(b)
	s.do("open acs E1k.0 as a seed=3 ants=10; step a 50")
	p := c.Open(s.url())
	p.Wait(`document.querySelectorAll(".picture svg").length === 2`)
	var all []float64
	for i := 0; b.Loop(); i++ {
		s.do("step a 1")
		time.Sleep(700 * time.Millisecond) // until the page has drawn the step
		var ms float64
		p.Eval(`new Promise(done => {
			const box = document.querySelector(".picture"), before = box.innerHTML
			const slider = document.querySelector('.control[data-name="q0"] .slider')
			slider.value = slider.value > 500 ? 200 : 800
			const t0 = performance.now()
			for (const kind of ["input", "change"]) slider.dispatchEvent(new Event(kind, {bubbles: true}))
			const look = () => box.innerHTML !== before ?
				done(performance.now() - t0) : requestAnimationFrame(look)
			look()
		})`, &ms)
		all = append(all, ms)
	}
	slices.Sort(all)
	b.ReportMetric(all[len(all)/2], "ms-median")
	b.ReportMetric(all[len(all)-1], "ms-worst")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkPromptTenThousand measures a run on ten thousand cities at the prompt of a page: seconds
// to open it, for an iteration and for the figure of its tour, and the memory of the tab, which is
// that of the page itself and the engine's.
func BenchmarkPromptTenThousand(b *testing.B) {
	c := browser.Start(b)
	dir := b.TempDir()
	prompted(b, dir)
	p := c.Open("file://" + dir + "/prompt.html")
	p.Wait(`document.querySelector("#status").textContent === "ready"`)
	took := func(line string) float64 {
		began := time.Now()
		p.Type("#line", line+"\r")
		p.Wait(idle)
		return time.Since(began).Seconds()
	}
	for b.Loop() {
		b.ReportMetric(took("open ils E10k.0 as a seed=1"), "s-open")
		b.ReportMetric(took("step a 30")/30, "s/iteration")
		b.ReportMetric(took("plot a tour"), "s-figure")
		b.ReportMetric(took("open acs E10k.0 as c seed=1; step c 3")/3, "s/iteration-of-acs")
		var page float64
		p.Eval(`performance.memory.usedJSHeapSize / 1e6`, &page)
		b.ReportMetric(page, "MB-page")
		b.Log(p.Text(`document.querySelector("#memory").textContent`), p.Text(logged))
		took("close all")
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkWatching measures what a dashboard that is looked at costs a run that goes on: how
// many fewer iterations it makes for a second of its own, and which share of a processor the
// host takes beside.
func BenchmarkWatching(b *testing.B) {
	c := browser.Start(b)
	s := start(b)
	s.do("open acs E1k.0 as a seed=3 ants=10; step a 50")
	p := c.Open(s.url())
	p.Wait(`document.querySelectorAll(".picture svg").length === 2`)
	s.do("go a")
	const round = 1500 * time.Millisecond
	// iterations a CPU second of the run; CPU seconds of the process a second of the run's
	var own, beside [2]float64
	rounds := 0.0
	for b.Loop() {
		for watched := range 2 {
			// What is not seen is not drawn.
			p.Eval(`document.querySelectorAll(".panels").forEach(e => { e.style.display = `+
				[]string{`"none"`, `""`}[watched]+` })`, nil)
			time.Sleep(300 * time.Millisecond)
			s0, c0 := s.do("show a").(*reply.ShowReply), cpu(b)
			time.Sleep(round)
			s1, c1 := s.do("show a").(*reply.ShowReply), cpu(b)
			run := float64(s1.CPUS - s0.CPUS)
			own[watched] += float64(s1.Iteration-s0.Iteration) / run
			beside[watched] += (c1 - c0) / run
		}
		rounds++
	}
	b.ReportMetric(own[0]/rounds, "iterations/cpu-s-alone")
	b.ReportMetric(own[1]/rounds, "iterations/cpu-s-watched")
	b.ReportMetric(100*(1-own[1]/own[0]), "%-slower")
	b.ReportMetric(100*(beside[1]-beside[0])/rounds, "%-cpu-beside")
	b.ReportMetric(0, "ns/op")
	s.do("pause a")
}

// cpu is the time that the processors gave this process, in seconds.
func cpu(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}
