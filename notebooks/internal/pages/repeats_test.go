package pages_test

import (
	"testing"

	"metalab/notebooks/internal/browser"
	"metalab/solvers/conform"
)

// The comparison shows what runs were repeated for, and not the runs, which were never stepped.
func TestDashboardOfRepeats(t *testing.T) {
	conform.Brief(t, "repeats and their figures in Chromium take seconds of a core")
	t.Parallel()
	b := browser.Start(t)
	s := start(t)
	s.do("open acs E1k.0 as p; open acs E1k.0 as r ants=100; repeat p 5 n=4; repeat r 5 n=4")
	p := b.Open(s.url())
	cells := func(row int) string {
		return `[...document.querySelectorAll(".compare tbody tr")[` + string(rune('0'+row)) +
			`].cells].map(c => c.textContent)`
	}
	p.Wait(`document.querySelectorAll(".compare tbody tr").length === 2`)
	for row, name := range []string{"p", "r"} {
		p.Wait(cells(row) + `.toSpliced(1, 1).slice(0, 3).join(" ") === "` + name + ` 5 4"`)
		p.Wait(cells(row) + `.slice(4, 8).every(text => /[1-9]/.test(text))`)
	}
	p.Wait(`document.querySelector(".compare").textContent.includes("Warning: the same 4 ` +
		`iterations cost r ")`)
	p.Wait(`document.querySelector(".compare").textContent.includes("Mann-Whitney")`)
	p.Shot("dashboard-repeats", true)
	badge := `document.querySelector("tr[data-run=p] .badge").textContent`
	s.do("repeat p 5000 n=20 background")
	p.Wait(badge + `.startsWith("repeat ") && ` + badge + `.endsWith("/5000")`)
	s.do("pause p")
	p.Wait(badge + ` === "paused"`)
}
