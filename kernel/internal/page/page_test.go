package page_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"metalab/kernel/internal/page"
)

// Pages fetch nothing from elsewhere.
var address = regexp.MustCompile(`(?i)https?://(?:[a-z0-9-]+\.)+[a-z]{2,}`)

func TestFiles(t *testing.T) {
	t.Parallel()
	all := ""
	for _, f := range page.Files() {
		s := string(f.Data)
		if len(s) == 0 || f.Type == "" || !strings.HasPrefix(f.Path, "/") {
			t.Errorf("%s: %d bytes of %q", f.Path, len(s), f.Type)
		}
		if a := address.FindString(strings.ReplaceAll(s, "http://www.w3.org/", "")); a != "" {
			t.Errorf("%s names %s", f.Path, a)
		}
		all += s
	}
	script, err := page.Script(page.Config{
		Element: "e1", Kind: "sliders", Base: "http://127.0.0.1:1",
		Page: "T", Session: `</script><b>`, Run: "a",
	})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(script, "</") && strings.Contains(strings.ToLower(script), "</script") ||
		!strings.Contains(script, `"page":"T"`) {
		t.Errorf("the script: %.200s", script)
	}
	// What lies here is part of a page.
	files, err := filepath.Glob("*.js")
	if err != nil || len(files) < 10 {
		t.Fatalf("%v: %v", files, err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(all, string(b)) && !strings.Contains(script, string(b)) {
			t.Errorf("%s is part of no page", name)
		}
	}
}

func TestLeads(t *testing.T) {
	t.Parallel()
	s := string(page.Leads(`http://127.0.0.1:1/#a"><script>`))
	if !strings.Contains(s, `url=http://127.0.0.1:1/#a&#34;&gt;`) || strings.Contains(s, "<script") {
		t.Errorf("it leads by %s", s)
	}
}
