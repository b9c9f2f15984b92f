package bundle

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// Words is what the writer of a page says on it. All may be empty.
type Words struct {
	Title string // the heading, in place of the page's own
	Text  string // a paragraph below it
	Link  string // where the page belongs: https://… or the path of another page
}

// Check says what is wrong with them.
func (w Words) Check() error {
	u, err := url.Parse(w.Link)
	if err != nil {
		return fmt.Errorf("link is %q, want an address as https://example.org/ or ../index.html", w.Link)
	}
	switch u.Scheme {
	case "", "http", "https":
		return nil
	}
	return fmt.Errorf("link is %q, want an address of http or https, or the path of a page", w.Link)
}

// Cited is a part of the source of an algorithm: text, and the DOI that follows it.
type Cited struct {
	Text string
	DOI  string // without doi:; empty: none
}

var doi = regexp.MustCompile(`doi:(10\.[^\s,;)]+)`)

// PaperOf reads the source of a variant.
func PaperOf(source string) []Cited {
	source = strings.TrimRight(strings.TrimSpace(source), ".")
	var out []Cited
	at := 0
	for _, m := range doi.FindAllStringSubmatchIndex(source, -1) {
		out = append(out, Cited{source[at:m[0]], source[m[2]:m[3]]})
		at = m[1]
	}
	if at < len(source) {
		out = append(out, Cited{Text: source[at:]})
	}
	return out
}
