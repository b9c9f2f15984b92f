package prompt

import (
	"strings"
	"testing"
	"unicode/utf8"

	"metalab/solvers/conform"
)

// Plots are as wide as the screen, curves of runs have letters where there are no colours,
// and runs of different problems stand side by side, when they are watched too.
func TestPlotsOnAWideScreen(t *testing.T) {
	conform.Brief(t, "looks at plots")
	s := onScreen(t, shortDir(t), 200, 50, "NO_COLOR=1")
	s.want("lab>")
	s.line("open as rand-60-1 as p; open as rand-60-1 as q seed=2; step p 200; step q 200")
	s.want("q: iteration 200")
	s.line("plot p q")
	s.want("p, q", "⠤p⠤⠄p", "q⠤⠄q", "  iteration  ")
	widest, letters := 0, 0
	for l := range strings.Lines(s.text()) {
		widest = max(widest, utf8.RuneCountInString(strings.TrimRight(l, " \n")))
		if _, right, ok := strings.Cut(l, "⢸"); ok {
			letters += strings.Count(right, "p") + strings.Count(right, "q")
		}
	}
	if widest < 190 || letters < 10 {
		t.Errorf("the plot is %d columns wide and has %d letters:\n%s", widest, letters, s.text())
	}
	s.line("open tabu tai10a as t; step t 20")
	s.want("t: iteration 20")
	s.line("watch p t")
	s.want("watching", "p: as/scan on rand-60-1, iteration 200",
		"t: tabu/robust on tai10a, iteration 20")
	for l := range strings.Lines(s.text()) {
		if strings.Contains(l, "p: as/scan") && strings.Contains(l, "t: tabu/robust") {
			return
		}
	}
	t.Errorf("the two problems do not stand side by side:\n%s", s.text())
}

// In the C locale figures are made of ASCII.
func TestPlotsInASCII(t *testing.T) {
	s := onScreen(t, shortDir(t), 80, 24, "LC_ALL=C")
	s.want("lab>")
	s.line("open as rand-60-1 as p; step p 20; set p rho=0.6; step p 20")
	s.want("p: iteration 40")
	s.keys("\x0c")
	s.line("plot p")
	s.want("rho 0.5>0.6", "--best", "|....")
	s.line("watch p tour")
	s.want("watching; watch off ends it", "--------", "p: as/scan on rand-60-1, iteration 40")
	for _, r := range s.text() {
		if r > 0x7e && r != '→' { // of the answer to set, which is no figure
			t.Fatalf("%q is on the screen:\n%s", r, s.text())
		}
	}
}
