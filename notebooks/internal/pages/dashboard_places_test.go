package pages_test

import (
	"strings"
	"testing"

	"metalab/notebooks/internal/browser"
)

// TestDashboardPlaces gives what a page shows an address, compares runs of one instance only, draws
// curves large, and says of nothing that it runs when the session has ended.
func TestDashboardPlaces(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	s := start(t)
	s.do("open acs E1k.0 as a seed=3 ants=10; step a 20; open ils rand-100-1 as b; step b 3")
	s.do("open acs E1k.0 as c seed=4 ants=10; step c 10; open ils rand-100-1 as d seed=2; step d 3")
	p := b.Open(s.url())
	p.Size(1200, 900, 1, false)
	p.Wait(`document.querySelector(".run .name").textContent === "a" && location.hash === "#run/a"`)
	p.Wait(`document.querySelectorAll(".compare .picture svg").length === 2`)
	got := p.Text(`[...document.querySelectorAll(".compare")].map(c => c.querySelector("h2")` +
		`.textContent + ":" + [...c.querySelectorAll("tbody b")].map(b => b.textContent)).join(" ")`)
	if got != "Comparison on E1k.0:a,c Comparison on rand-100-1:b,d" {
		t.Errorf("compared are %s", got)
	}
	if p.True(`document.querySelector(".run .picture").clientWidth < 600`) {
		t.Errorf("the curve has %s pixels", p.Text(`document.querySelector(".run .picture").clientWidth`))
	}
	p.Wait(`document.querySelectorAll(".run .picture svg").length === 2`)
	p.Shot("dashboard-places", true)

	p.Click("tr[data-run=b] .pick")
	p.Click("tr[data-run=c] .pick")
	for _, c := range []struct{ go_, run string }{
		{"history.back()", "b"}, {"history.back()", "a"}, {"history.forward()", "b"},
	} {
		p.Eval(c.go_, nil)
		p.Wait(`location.hash === "#run/` + c.run + `" && document.querySelector(".run .name")` +
			`.textContent === "` + c.run + `"`)
	}
	p.Do(reload)
	p.Wait(`document.querySelector(".run .name").textContent === "b"`)

	s.do("go a")
	p.Wait(`document.querySelector("tr[data-run=a] .badge").textContent === "running"`)
	p.Expect("")
	s.do("shutdown")
	p.Wait(`document.getElementById("link").textContent === "ended"`)
	got = p.Text(`[...document.querySelectorAll(".badge")].map(e => e.textContent).join(" ")`)
	if strings.Contains(got, "running") || !strings.Contains(got, "ended") {
		t.Errorf("after the end of the session runs are %s", got)
	}
	p.Axe("dashboard-gone")
}
