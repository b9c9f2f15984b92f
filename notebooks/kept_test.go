package notebooks_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A notebook as it is kept is small, was executed once from beginning to end without an error,
// holds nothing of the machine on which that was, and describes its pictures in words.
func TestKept(t *testing.T) {
	t.Parallel()
	for _, path := range notebooks(t) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) >= 1_000_000 {
			t.Errorf("%s has %d bytes, at most 999999 are kept", path, len(b))
		}
		clean(t, path, string(b))
		count := 0
		for i, c := range read(t, path) {
			source := strings.Join(c.Source, "")
			if i == 0 && (c.Type != "markdown" || !strings.HasPrefix(source, "# ")) {
				t.Errorf("%s does not begin with a heading", path)
			}
			if c.Type != "code" {
				for _, p := range undescribed(source) {
					t.Errorf("%s: cell %d: a picture without a text: %s", path, i+1, p)
				}
				continue
			}
			count++
			if c.Count == nil || *c.Count != count {
				t.Errorf("%s: code cell %d was not executed in order", path, count)
			}
			for _, o := range c.Outputs {
				if o.Type == "error" {
					t.Errorf("%s: cell %d fails", path, i+1)
				}
				if o.left() {
					t.Errorf("%s: cell %d tells what lay there before: %s", path, i+1, o.Text)
				}
				for _, kind := range []string{"text/html", "image/svg+xml"} {
					for _, p := range undescribed(strings.Join(o.Data[kind], "")) {
						t.Errorf("%s: cell %d: a picture without a text: %.200s", path, i+1, p)
					}
				}
				// A picture is PNG, which everything shows that shows notebooks, with its size and words.
				if o.Data["image/png"] != nil && (len(strings.Join(o.Data["text/plain"], "")) < 5 ||
					o.Meta.PNG.Width < 100 || len(o.Meta.PNG.Alt) < 5) {
					t.Errorf("%s: cell %d shows a picture without a text, or without its size", path, i+1)
				}
				if o.Data["image/svg+xml"] != nil {
					t.Errorf("%s: cell %d shows a picture as SVG, which exporters empty", path, i+1)
				}
			}
		}
	}
}

var (
	tagged  = regexp.MustCompile(`(?s)<(img|svg)\b[^>]*>`)
	inWords = regexp.MustCompile(`(?s)(alt|aria-label)="[^"]{5}|aria-hidden="true"`)
	mdImage = regexp.MustCompile(`!\[(.*?)\]\(`)
)

// undescribed are the pictures in HTML, SVG or Markdown that have no text.
func undescribed(text string) []string {
	var out []string
	for _, tag := range tagged.FindAllString(text, -1) {
		if !inWords.MatchString(tag) {
			out = append(out, tag)
		}
	}
	for _, m := range mdImage.FindAllStringSubmatch(text, -1) {
		if len(m[1]) < 5 {
			out = append(out, m[0])
		}
	}
	return out
}

func TestUndescribed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		`<svg width="9"><path/></svg>`: 1, `<svg role="img" aria-label="a tour">`: 0,
		`<img src="x"> <img alt="" src="x">`: 2, `<img alt="a curve" src="x">`: 0,
		"![](x.png) and ![a curve](x.png)": 1,
	} {
		if got := undescribed(text); len(got) != want {
			t.Errorf("%s: %q, want %d", text, got, want)
		}
	}
}

// clean checks that a text holds no token, no address, and no place of the machine on which it
// was made.
func clean(t *testing.T, path, text string) {
	t.Helper()
	words := []string{
		"/tmp/", "/home/", "/root/", ".sock", "127.0.0.1", "localhost",
		"ticket", "token", "kernel install, then restart",
	}
	if root, err := filepath.Abs(".."); err == nil {
		words = append(words, root)
	}
	if host, err := os.Hostname(); err == nil && len(host) > 5 {
		words = append(words, host)
	}
	for _, s := range words {
		if i := strings.Index(text, s); i >= 0 {
			t.Errorf("%s holds %q: …%s…", path, s, text[max(i-40, 0):min(i+40, len(text))])
		}
	}
}

// The lists of notebooks name each of them, and links from one page to another lead somewhere.
func TestListed(t *testing.T) {
	t.Parallel()
	lists := map[string]string{}
	for _, list := range []string{"doc.go", "index.md"} {
		b, err := os.ReadFile(list)
		if err != nil {
			t.Fatal(err)
		}
		lists[list] = string(b)
	}
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	check := func(in, text string) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(in), m[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", in, m[1])
			}
		}
	}
	for _, path := range notebooks(t) {
		for list, text := range lists {
			if !strings.Contains(text, path) {
				t.Errorf("%s does not name %s", list, path)
			}
		}
		for _, c := range read(t, path) {
			if c.Type == "markdown" {
				check(path, strings.Join(c.Source, ""))
			}
		}
	}
	pages, _ := filepath.Glob("*.md")
	for _, page := range append(pages, "../CONTRIBUTING.md", "../CHANGELOG.md") {
		b, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		check(page, string(b))
	}
}
