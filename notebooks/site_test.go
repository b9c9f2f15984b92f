package notebooks_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The site that .ci/site has made into the folder METALAB_SITE has a page for each notebook, with
// its pictures, and its links lead to pages that are there.
func TestSite(t *testing.T) {
	site := os.Getenv("METALAB_SITE")
	if site == "" {
		t.Skip("METALAB_SITE names no folder with the site: .ci/site makes one")
	}
	picture := regexp.MustCompile(`<img\b[^>]*src="data:image/png;base64,`)
	link := regexp.MustCompile(`href="([\w][\w./-]*)(#[^"]*)?"`)
	for _, path := range append(notebooks(t), "index.ipynb", "lab.ipynb") {
		page := filepath.Join(site, strings.TrimSuffix(path, ".ipynb")+".html")
		b, err := os.ReadFile(page)
		if err != nil {
			t.Error(err)
			continue
		}
		html := string(b)
		if !strings.Contains(html, "<h1") {
			t.Errorf("%s has no heading", page)
		}
		if strings.Contains(html, "file:///") {
			t.Errorf("%s needs files of the machine that made it", page)
		}
		for _, m := range link.FindAllStringSubmatch(html, -1) {
			if _, err := os.Stat(filepath.Join(site, m[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", page, m[1])
			}
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
}
