package prompt

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	fenced   = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	target   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	pictures = regexp.MustCompile(`!\[[^\]]*\]\([^)]*\)`)
	anchor   = regexp.MustCompile(`<a id="([^"]+)">`)
	heading  = regexp.MustCompile(`(?m)^#+ (.*)$`)
	ends     = regexp.MustCompile(`[.!?](?:\s|$)`)
	listed   = regexp.MustCompile(`^(?:[*-]|\d+\.) `)
)

// sentences are the sentences of a page: no code, headings, tables, pictures.
func sentences(text string) (all []string) {
	text = pictures.ReplaceAllString(fenced.ReplaceAllString(text, "\n"), "")
	paragraph := ""
	end := func() {
		for _, s := range ends.Split(paragraph, -1) {
			if s = strings.TrimSpace(s); s != "" {
				all = append(all, s)
			}
		}
		paragraph = ""
	}
	for _, line := range strings.Split(text, "\n") {
		switch {
		case line == "", strings.HasPrefix(line, "|"), strings.HasPrefix(line, "#"):
			end()
		case listed.MatchString(line):
			end()
			paragraph = listed.ReplaceAllString(line, "")
		default:
			paragraph += " " + line
		}
	}
	end()
	return all
}

// A page is short, and so are its sentences: README has at most 1,000 words and 140 lines with all
// that stands in it, a page of the guide at most 400 words in sentences, and a sentence of any page
// 20 words on average.
func TestPagesAreShort(t *testing.T) {
	t.Parallel()
	for _, path := range documented(t) {
		text, _ := readPage(t, path)
		n, said := 0, sentences(text)
		for _, s := range said {
			n += len(strings.Fields(s))
		}
		if n == 0 {
			t.Errorf("%s has no sentence", path)
		}
		mean := float64(n) / float64(len(said))
		t.Logf("%-42s %5d words, %4d in sentences, %4.1f a sentence", strings.TrimPrefix(path, "../../"),
			len(strings.Fields(text)), n, mean)
		if mean > 20 {
			t.Errorf("%s: its sentences have %.1f words on average, want at most 20", path, mean)
		}
		if strings.Contains(path, "guide/") && n > 400 {
			t.Errorf("%s: its sentences have %d words, want at most 400", path, n)
		}
		if path == "../../README.md" {
			words, lines := len(strings.Fields(text)), strings.Count(text, "\n")
			if words > 1000 || lines > 140 {
				t.Errorf("README has %d words and %d lines, want at most 1000 and 140", words, lines)
			}
		}
	}
}

// anchors are the places of a page that links can lead to.
func anchors(text string) (all []string) {
	text = fenced.ReplaceAllString(text, "")
	for _, m := range anchor.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		slug := strings.ToLower(strings.TrimSpace(m[1]))
		slug = regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(slug, "")
		all = append(all, strings.ReplaceAll(slug, " ", "-"))
	}
	return all
}

// Links lead to what is there, and from README to every page. Where README led to before it was
// short, it leads on.
func TestPagesLinks(t *testing.T) {
	t.Parallel()
	pages := documented(t)
	reached := []string{"../../README.md"}
	for i := 0; i < len(reached); i++ {
		text, _ := readPage(t, reached[i])
		for _, m := range target.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			if strings.Contains(m[1], ":") {
				continue
			}
			file, place, _ := strings.Cut(m[1], "#")
			to := reached[i]
			if file != "" {
				to = filepath.Join(filepath.Dir(reached[i]), file)
			}
			raw, err := os.ReadFile(to)
			if err != nil {
				t.Errorf("%s links to %s, which is not there", reached[i], m[1])
			} else if place != "" && !slices.Contains(anchors(string(raw)), place) {
				t.Errorf("%s links to %s, which has no such place", reached[i], m[1])
			}
			if slices.Contains(pages, to) && !slices.Contains(reached, to) {
				reached = append(reached, to)
			}
		}
	}
	for _, p := range pages {
		if !slices.Contains(reached, p) {
			t.Errorf("no links lead from README to %s", p)
		}
	}
	text, _ := readPage(t, "../../README.md")
	for _, old := range []string{
		"the-first-five-minutes", "islands", "experiments", "over-several-machines", "in-a-notebook",
		"sliders-and-the-dashboard", "a-page-that-makes-its-run-again", "the-prompt-in-a-page",
		"a-solver-of-your-own", "a-problem-of-your-own", "instances", "which-solver", "as-a-library",
		"what-it-promises", "with-a-gpu", "several-gpus", "kernels-of-your-own", "the-folders",
	} {
		if !slices.Contains(anchors(text), old) {
			t.Errorf("README has no place %s any more", old)
		}
	}
}
