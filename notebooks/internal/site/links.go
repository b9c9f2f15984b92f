package site

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	// A link or picture of Markdown: what stands between the brackets, and a title.
	mdLink = regexp.MustCompile(`\]\(([^)\s]+)(\s+"[^"]*")?\)`)
	// The same with its text, for links to remove.
	mdWhole = regexp.MustCompile(`(!?)\[([^\[\]]*)\]\(([^)\s]+)(?:\s+"[^"]*")?\)`)
	attr    = regexp.MustCompile(`\b(href|src)="([^"]*)"`)
	fence   = regexp.MustCompile("(?ms)^ *(?:```|~~~).*?^ *(?:```|~~~) *$")
)

// cutAnchor is an address without its anchor.
func cutAnchor(to string) string {
	to, _, _ = strings.Cut(to, "#")
	return to
}

// pictures are the kinds of files that pages show.
var pictures = map[string]bool{
	".png": true, ".svg": true, ".jpg": true, ".gif": true, ".webp": true,
}

// A linker lets links between files of the repository lead to pages of the site.
type linker struct {
	root   string
	pages  map[string]*Page  // by their sources
	assets map[string]string // other files that pages lead to: from a path in the site to the source
}

// to is where a link of a page leads in the site. It is empty for what the site does not have, as a
// folder of sources, and the same for what is no file of the repository.
func (l *linker) to(p *Page, dest string) string {
	name, anchor, found := strings.Cut(dest, "#")
	if name == "" || strings.Contains(name, ":") || strings.HasPrefix(name, "//") {
		return dest
	}
	if found {
		anchor = "#" + anchor
	}
	source := path.Join(path.Dir(p.Source), name)
	if strings.HasPrefix(name, "/") {
		source = path.Clean(name[1:])
	}
	at := path.Dir(p.URL)
	for _, s := range []string{source, source + "/README.md", source + "/index.md"} {
		if q := l.pages[s]; q != nil {
			return relative(at, q.URL) + anchor
		}
	}
	st, err := os.Stat(filepath.Join(l.root, filepath.FromSlash(source)))
	if err != nil || strings.HasPrefix(source, "..") {
		return dest
	}
	if st.IsDir() {
		return ""
	}
	to := strings.TrimPrefix(source, "notebooks/")
	if ext := path.Ext(source); !pictures[ext] {
		to = "files/" + source
		// Files that a browser would not show are text.
		switch ext {
		case ".csv", ".txt", ".json":
		default:
			to += ".txt"
		}
	}
	l.assets[to] = source
	return relative(at, to) + anchor
}

// relative is the address of a page from a folder of the site.
func relative(from, to string) string {
	rel, err := filepath.Rel(filepath.FromSlash(from), filepath.FromSlash(to))
	if err != nil {
		return to
	}
	return filepath.ToSlash(rel)
}

// relink returns the text of a page with links that lead to pages of the site.
func (l *linker) relink(p *Page) string {
	if p.HTML {
		return l.attrs(p, p.Text)
	}
	var b strings.Builder
	at := 0
	for _, m := range append(fence.FindAllStringIndex(p.Text, -1), []int{len(p.Text), len(p.Text)}) {
		b.WriteString(l.prose(p, p.Text[at:m[0]]))
		b.WriteString(p.Text[m[0]:m[1]])
		at = m[1]
	}
	return b.String()
}

// prose relinks Markdown without code.
func (l *linker) prose(p *Page, text string) string {
	text = mdWhole.ReplaceAllStringFunc(text, func(s string) string {
		m := mdWhole.FindStringSubmatch(s)
		if l.to(p, m[3]) == "" {
			return m[2]
		}
		return s
	})
	text = mdLink.ReplaceAllStringFunc(text, func(s string) string {
		m := mdLink.FindStringSubmatch(s)
		return "](" + l.to(p, m[1]) + m[2] + ")"
	})
	return l.attrs(p, text)
}

// attrs relinks HTML.
func (l *linker) attrs(p *Page, text string) string {
	return attr.ReplaceAllStringFunc(text, func(s string) string {
		m := attr.FindStringSubmatch(s)
		if strings.HasPrefix(m[2], "data:") {
			return s
		}
		to := l.to(p, m[2])
		if to == "" {
			return "" // an anchor that leads nowhere is text
		}
		return m[1] + `="` + to + `"`
	})
}
