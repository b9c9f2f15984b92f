package notebooks_test

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"metalab/notebooks/internal/site"
)

// The site that .ci/site has made into the folder METALAB_SITE has a page for each notebook, with
// its pictures, and what opens its cells in the prompt. All links lead somewhere, and the first
// page leads to all others.
func TestSite(t *testing.T) {
	folder := os.Getenv("METALAB_SITE")
	if folder == "" {
		t.Skip("METALAB_SITE names no folder with the site: .ci/site makes one")
	}
	picture := regexp.MustCompile(`<img\b[^>]*src="data:image/png;base64,`)
	elsewhere := regexp.MustCompile(
		`<(?:script|link|img|iframe)\b[^>]*(?:src|href)="(?:https?:)?//[^"]*"`)
	lines := regexp.MustCompile(`href="prompt\.html#(?:lines|cells)=([^"]*)"`)
	asked := 0 // links that bring lines to the prompt
	for _, path := range append(notebooks(t), "index.ipynb", "notebooks.ipynb",
		"lab.ipynb", "reference/index.ipynb") {
		page := filepath.Join(folder, strings.TrimSuffix(path, ".ipynb")+".html")
		b, err := os.ReadFile(page)
		if err != nil {
			t.Error(err)
			continue
		}
		html := string(b)
		if !strings.Contains(html, "<h1") {
			t.Errorf("%s has no heading", page)
		}
		for _, m := range elsewhere.FindAllString(html, -1) {
			t.Errorf("%s asks another machine: %s", page, m)
		}
		if path == "00_first_steps.ipynb" || path == "notebooks.ipynb" {
			for _, l := range lines.FindAllStringSubmatch(html, -1) {
				text, err := url.PathUnescape(l[1])
				if err != nil || !strings.HasPrefix(text, "open acs E1k.0 as a") {
					t.Errorf("%s opens the prompt with %q, %v", page, text, err)
				}
				asked++
			}
		}
		// A paper's record is gone through where it is replayed.
		if strings.Contains(html, ">make this run again in your browser</a>") &&
			!strings.Contains(html, `<div id="metalab-scrub-`) {
			t.Errorf("%s has a record, and no figure that goes through it", page)
		}
		// Each cell of code has a link, or says why it has none.
		if path[0] >= '0' && path[0] <= '9' {
			cells := 0
			for _, c := range read(t, path) {
				if c.Type == "code" {
					cells++
				}
			}
			said := len(lines.FindAllString(html, -1)) + strings.Count(html, "not in a page: ") +
				strings.Count(html, ">make this run again in your browser</a>")
			if said < cells {
				t.Errorf("%s has %d cells of code, and of %d links to the prompt or why not", page, cells, said)
			}
		}
		if strings.Contains(html, "file:///") {
			t.Errorf("%s needs files of the machine that made it", page)
		}
		want := 0
		if path[0] >= '0' && path[0] <= '9' {
			for _, c := range read(t, path) {
				want += strings.Count(c.kinds(), "picture")
			}
		}
		if got := len(picture.FindAllString(html, -1)); got < want {
			t.Errorf("%s shows %d of %d pictures", page, got, want)
		}
	}
	if asked < 10 {
		t.Errorf("%d links bring lines to the prompt, want 10: of the list of notebooks and of each "+
			"cell of the first one", asked)
	}
	problems, err := site.Crawl(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
	for _, name := range []string{
		"acs", "fosin", "kang", "luong", "mmas", "experiment-six", "experiment-fair",
	} {
		if _, err := os.Stat(filepath.Join(folder, "records", name+".html")); err != nil {
			t.Error(err)
		}
	}
}
