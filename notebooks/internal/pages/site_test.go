package pages_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/notebooks/internal/browser"
)

// siteFolder is the site that .ci/site has made into the folder METALAB_SITE.
func siteFolder(t *testing.T) string {
	t.Helper()
	site := os.Getenv("METALAB_SITE")
	if site == "" {
		t.Skip("METALAB_SITE names no folder with the site: .ci/site makes one")
	}
	return site
}

// tenPages are pages of each kind: prose, lists, figures, formulas, tables, code.
var tenPages = []string{
	"index", "notebooks", "00_first_steps", "08_mmas_on_gpus", "guide/stop_rules",
	"reference/index", "reference/verbs/step", "reference/solvers/acs/seq", "reference/formats",
	"CONTRIBUTING",
}

// The pages of the site are read by all, as axe-core says: ten of them, with METALAB_LONG all,
// which takes most of an hour. Each fits a phone.
func TestSitePages(t *testing.T) {
	site := siteFolder(t)
	if os.Getenv("METALAB_AXE") == "" {
		t.Skip("METALAB_AXE names no axe.min.js")
	}
	names := tenPages
	if os.Getenv("METALAB_LONG") != "" {
		names = nil
		for _, pattern := range []string{"*.html", "*/*.html", "*/*/*.html", "*/*/*/*.html"} {
			all, err := filepath.Glob(filepath.Join(site, pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range all {
				rel, err := filepath.Rel(site, path)
				if err != nil {
					t.Fatal(err)
				}
				name := filepath.ToSlash(strings.TrimSuffix(rel, ".html"))
				if name != "prompt" && !strings.HasPrefix(name, "records/") { // have tests of their own
					names = append(names, name)
				}
			}
		}
		if len(names) < 100 {
			t.Fatalf("%s has %d pages", site, len(names))
		}
	}
	b := browser.Start(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			p := b.Open("file://" + filepath.Join(site, filepath.FromSlash(name)+".html"))
			defer p.Close()
			p.Wait(`document.readyState === "complete"`)
			// Formulas are set meanwhile.
			p.Wait(`!document.querySelector('script[src*="MathJax.js"]') ||
				MathJax.isReady && MathJax.Hub.queue.pending === 0`)
			if n := p.Text(`[...document.images].filter(i => !i.hasAttribute("alt") ||
				i.closest("main") && !i.alt).length`); n != "0" {
				t.Errorf("%s pictures have no text", n)
			}
			p.Axe("site-" + strings.ReplaceAll(name, "/", "-")) // ends at 400 pixels
			if !p.True(`document.documentElement.scrollWidth <= 400`) {
				t.Errorf("a phone of 400 pixels shows it %s wide", p.Text(
					`document.documentElement.scrollWidth`))
			}
		})
	}
}

// The search finds words of the prompt, from a page two folders down, without a server.
func TestSiteSearch(t *testing.T) {
	site := siteFolder(t)
	b := browser.Start(t)
	p := b.Open("file://" + filepath.Join(site, "reference", "verbs", "go.html"))
	p.Wait(`document.readyState === "complete" && !document.querySelector(".search").hidden`)
	for _, c := range []struct{ text, want string }{
		{"stall", "reference/verbs/step.html#arguments"},
		{"q0", "reference/parameters.html#q0"},
		{"METALAB_DATA", "reference/environment.html#metalab_data"},
		{"metalab_data", "reference/environment.html#metalab_data"},
		{"local search kicks", "reference/parameters.html#local_kicks"},
		{"step", "reference/verbs/step.html"},
		{"Run.Step", "reference/lab.html#runstep"},
		{"stop after no improvement", "guide/stop_rules.html"},
		{"xyzzyplugh", ""},
	} {
		p.Eval(`query.value = "", query.oninput()`, nil)
		p.Wait(`found.hidden`)
		p.Type("#query", c.text)
		p.Wait(`!found.hidden && /^(Nothing has|[0-9]+ (of|place))/.test(found.textContent)`)
		links := p.Text(`[...found.querySelectorAll("a")].map(a => a.getAttribute("href")).join("\n")`)
		switch {
		case c.want == "" && links != "":
			t.Errorf("%q finds %s", c.text, links)
		case c.want != "" && !strings.Contains(links+"\n", "../../"+c.want+"\n"):
			t.Errorf("%q finds no %s:\n%s", c.text, c.want, links)
		}
		t.Logf("%q: %s", c.text, strings.ReplaceAll(links, "\n", " "))
	}
	// What is found leads there.
	p.Eval(`query.value = "", query.oninput()`, nil)
	p.Wait(`found.hidden`)
	p.Type("#query", "METALAB_OFFLINE")
	p.Wait(`!found.hidden && found.querySelector('a[href$="#metalab_offline"]')`)
	p.Eval(`found.querySelector('a[href$="#metalab_offline"]').click()`, nil)
	p.Wait(`location.pathname.endsWith("/reference/environment.html") && document.title`)
}

// The colours follow the system until the reader chooses, and the choice holds for other pages.
func TestSiteColours(t *testing.T) {
	site := siteFolder(t)
	b := browser.Start(t)
	p := b.Open("file://" + filepath.Join(site, "index.html"))
	const ready = `document.readyState === "complete" && !theme.hidden`
	const dark = `getComputedStyle(document.documentElement).colorScheme === "dark"`
	p.Wait(ready)
	p.Size(1200, 900, 1, true)
	p.Wait(dark)
	p.Size(1200, 900, 1, false)
	p.Wait(`!(` + dark + `)`)
	p.Click("#theme")
	p.Wait(dark)
	p.Eval(`document.querySelector('a[href="CHANGELOG.html"]').click()`, nil)
	p.Wait(`location.pathname.endsWith("/CHANGELOG.html") && ` + ready)
	if !p.True(dark) {
		t.Error("another page does not have the colours that were chosen")
	}
	p.Click("#theme")
	p.Wait(`!(` + dark + `)`)
	p.Size(1200, 900, 1, true)
	p.Wait(dark)
}
