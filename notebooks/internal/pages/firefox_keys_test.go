package pages_test

import (
	"fmt"
	"strings"
	"testing"

	"metalab/notebooks/internal/browser"
	"metalab/solvers/conform"
)

// TestFirefoxKeys works with the pages in Firefox by keys: they lead to buttons and sliders, with
// which a record and an experiment are gone through; the prompt completes, brings lines back, stops
// and is left. Keys that are synthesised do not press buttons there: scripts do.
func TestFirefoxKeys(t *testing.T) {
	conform.Brief(t, "Firefox, and the engines of pages, take a minute of a core")
	t.Parallel()
	f := browser.StartFirefox(t)
	dir := t.TempDir()
	s := start(t)
	three(s, dir)
	s.do("export a " + dir + "/a.html")
	s.do("experiment e1 solvers=acs,tabu instances=rand-60-1 seeds=5 n=20")
	s.do("export e1 " + dir + "/e1.html")
	prompted(t, dir)

	// tab goes on by Tab until the element of a selector has the focus.
	tab := func(selector string) {
		t.Helper()
		for n := 0; f.Text(fmt.Sprintf("document.activeElement.matches(%q)", selector)) != "true"; n++ {
			if n == 40 {
				t.Fatalf("40 tabs do not lead to %s, but to %s", selector,
					f.Text("document.activeElement.outerHTML.slice(0, 90)"))
			}
			f.Type(browser.Tab)
		}
	}

	f.Open("file://"+dir+"/a.html", 1000, 900)
	f.Wait(`!document.querySelector("#do").hidden`)
	tab("#replay")
	f.Text(`document.activeElement.click()`)
	f.Wait(`document.querySelector("#said.same")`)
	tab("input[type=range]")
	const value = "document.activeElement.value"
	if got := f.Text(value); got != "110" {
		t.Errorf("the slider of the run is at %s", got)
	}
	f.Type(browser.Left)
	f.Wait(value + ` === "109"`)

	f.Open("file://"+dir+"/e1.html", 1000, 900)
	f.Wait(`!document.querySelector("#over").hidden`)
	tab("#upto")
	f.Type(browser.Home)
	f.Wait(`document.querySelector("#uptosaid").textContent === "1 of 20"`)
	tab("#all")
	f.Text(`document.activeElement.click()`)
	f.Wait(`document.querySelector("#said").textContent === "10 of 10 units identical"`)

	f.Open("file://"+dir+"/prompt.html", 1000, 800)
	f.Wait(`document.querySelector("#status").textContent === "ready"`)
	const line = `document.querySelector("#line").value`
	f.Type("ope" + browser.Tab)
	f.Wait(line + `.trim() === "open"`)
	f.Type(" acs rand-100-1 as a seed=1" + browser.Enter)
	f.Wait(idle + ` && ` + logged + `.includes("a: acs/seq")`)
	f.Type(browser.Up)
	f.Wait(line + `.includes("acs rand-100-1")`)
	f.Type(browser.Ctrl + "c")
	f.Wait(line + ` === ""`)
	f.Type("step a 100000000" + browser.Enter)
	f.Wait(`document.querySelector("#status").textContent !== "ready"`)
	f.Type(browser.Ctrl + "c")
	f.Wait(idle)
	f.Type("show a" + browser.Enter)
	f.Wait(idle + ` && ` + logged + `.includes("> show a")`)
	got := f.Text(logged)
	if !strings.Contains(got, "stopped") && !strings.Contains(got, "interrupt") {
		t.Errorf("^C: the page says\n%s", got)
	}
	f.Type(browser.Escape + browser.Tab)
	f.Wait(`document.activeElement.id !== "line"`)
}
