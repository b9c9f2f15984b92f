package pages_test

import (
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/reply"
	"metalab/notebooks/internal/browser"
	"metalab/solvers/conform"
)

// TestFirefox opens the page of a record and the prompt in Firefox: a run is made again to the last
// bit, commands and Go are typed, a run is gone through, seeds are made by workers.
func TestFirefox(t *testing.T) {
	conform.Brief(t, "Firefox, and the engines of pages, take a minute of a core")
	t.Parallel()
	f := browser.StartFirefox(t)
	dir := t.TempDir()
	s := start(t)
	three(s, dir)
	if rep := s.do("export a " + dir + "/a.html").(*reply.FileReply); filepath.Dir(rep.Engine) != dir {
		t.Errorf("export: %+v", rep)
	}
	prompted(t, dir)

	f.Open("file://"+dir+"/a.html", 1000, 900)
	f.Wait(`!document.querySelector("#do").hidden`)
	f.Text(`document.querySelector("#replay").click()`)
	f.Wait(`document.querySelector("#said.same")`)
	if got := f.Text(said); got != "identical over 110 iterations; of its repeats, with 2 seeds, "+
		"nothing was made again" {
		t.Errorf("replay says %q", got)
	}
	f.Shot("firefox-replay")

	f.Open("file://"+dir+"/prompt.html", 400, 800)
	f.Wait(`document.querySelector("#status").textContent === "ready"`)
	for _, q := range []struct{ line, said string }{
		{"open acs rand-100-1 as a seed=1", "a: acs/seq"},
		{"step a 20", "iteration 20"},
		{"repeat a 4 n=20", "4 seeds, 20 iterations each"},
		{"x := 6; x * 7", "42"},
		{"scrub a", "best tours on the way"},
	} {
		f.Type(q.line + browser.Enter)
		f.Wait(idle + ` && ` + logged + `.includes(` + quoted("> "+q.line) + `)`)
		got := strings.Join(strings.Fields(f.Text(logged)), " ") // lines are as wide as the page
		if !strings.Contains(got, q.said) {
			t.Errorf("%s: the page says\n%s", q.line, got)
		}
	}
	if got := f.Text(wrong); got != "" {
		t.Error(got)
	}
	// Its bar takes a part of the window.
	const root = "document.documentElement"
	if w := f.Text(root + ".scrollWidth - " + root + ".clientWidth"); w != "0" {
		t.Errorf("the page is %s pixels wider than its window", w)
	}
	f.Shot("firefox-prompt")
	t.Log(f.Text(`navigator.userAgent`), f.Text(`document.querySelector("#memory").textContent`))
}
