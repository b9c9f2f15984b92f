package site

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"metalab/kernel/reference"
)

// A Page is a page of the site.
type Page struct {
	Source string // its path in the repository; below reference/ for generated ones
	URL    string // its path in the site
	Title  string
	About  string // a sentence or two
	Text   string // Markdown, or the HTML of a notebook's cells
	HTML   bool   // Text is HTML
}

// short is its title for the navigation.
func (p *Page) short() string {
	switch {
	case p.URL == "index.html":
		return "Overview"
	case p.Source == "notebooks/index.md":
		return "All notebooks"
	case p.Source == "notebooks/guide/index.md":
		return "All of the guide"
	case p.Source == "reference/index.md":
		return "All of the reference"
	case p.Source == "reference/solvers.md":
		return "List of solvers"
	case p.Source == "SECURITY.md":
		return "To report a weakness"
	case p.HTML:
		return path.Base(p.Source)[:2] + " " + p.Title
	}
	return p.Title
}

// Collect returns the pages of the repository in a folder, with those of the reference. Bodies is
// the folder with the cells of notebooks as HTML; a notebook that is not there has no page.
func Collect(root, bodies string) ([]*Page, error) {
	var pages []*Page
	made, err := reference.Pages(root)
	if err != nil {
		return nil, err
	}
	for _, m := range made {
		source := "reference/" + m.Path
		pages = append(pages, &Page{
			Source: source, URL: address(source), Title: m.Title, About: m.About, Text: m.Markdown(),
		})
	}
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		source := filepath.ToSlash(rel)
		if d.IsDir() {
			// Names that begin with a dot, data of tests and the theme have no pages.
			if n := d.Name(); source != "." && (n[0] == '.' || n[0] == '_' || n == "testdata" ||
				n == "theme") {
				return fs.SkipDir
			}
			return nil
		}
		switch path.Ext(source) {
		case ".md":
			b, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			p := &Page{Source: source, URL: address(source), Text: string(b)}
			p.Title, p.About = heading(p.Text)
			pages = append(pages, p)
		case ".ipynb":
			name := strings.TrimSuffix(path.Base(source), ".ipynb") + ".html"
			b, err := os.ReadFile(filepath.Join(bodies, name))
			if os.IsNotExist(err) || path.Dir(source) != "notebooks" {
				return nil
			}
			if err != nil {
				return err
			}
			p := &Page{Source: source, URL: address(source), Text: string(b), HTML: true}
			p.Title, p.About = headingHTML(p.Text)
			pages = append(pages, p)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	order(pages)
	byURL := map[string]string{}
	for _, p := range pages {
		if p.Title == "" {
			return nil, fmt.Errorf("site: %s does not begin with a heading", p.Source)
		}
		if o := byURL[p.URL]; o != "" {
			return nil, fmt.Errorf("site: %s and %s have one address, %s", o, p.Source, p.URL)
		}
		byURL[p.URL] = p.Source
	}
	return pages, nil
}

// address is the path in the site of a page of the repository.
func address(source string) string {
	switch source {
	case "README.md":
		return "index.html"
	case "notebooks/index.md":
		return "notebooks.html"
	}
	source = strings.TrimPrefix(source, "notebooks/")
	if path.Base(source) == "README.md" {
		return path.Join(path.Dir(source), "index.html")
	}
	return strings.TrimSuffix(source, path.Ext(source)) + ".html"
}

var (
	markup  = regexp.MustCompile(`!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)|[*\x60\[]|<[^>]*>`)
	firstH1 = regexp.MustCompile(`(?s)<h1\b[^>]*>(.*?)(?:<a class="anchor-link"|</h1>)`)
	firstP  = regexp.MustCompile(`(?s)</h1>\s*<p>(.*?)</p>`)
	tags    = regexp.MustCompile(`<[^>]*>`)
)

// noProse is how a paragraph begins that is a heading, a table, HTML, a quotation or a list.
var noProse = regexp.MustCompile(`^(#|\||<|>|[*+-] |\d+[.)] )`)

// heading is the title of a page of Markdown, and what its first paragraph of prose says.
func heading(text string) (title, about string) {
	for _, paragraph := range strings.Split(fence.ReplaceAllString(text, "\n"), "\n\n") {
		paragraph = strings.TrimSpace(paragraph)
		if title == "" {
			rest, ok := strings.CutPrefix(paragraph, "# ")
			if !ok {
				continue
			}
			title, paragraph, _ = strings.Cut(rest, "\n")
			title = plain(title)
		}
		if noProse.MatchString(strings.TrimSpace(paragraph)) {
			continue
		}
		if about = said(plain(paragraph)); about != "" {
			return title, brief(about)
		}
	}
	return title, title
}

// said is a text without its last sentence where that ends with a colon: it leads to what follows.
func said(text string) string {
	if !strings.HasSuffix(text, ":") {
		return text
	}
	return text[:strings.LastIndex(text, ". ")+1]
}

// headingHTML is heading of HTML.
func headingHTML(text string) (title, about string) {
	get := func(re *regexp.Regexp) string {
		if m := re.FindStringSubmatch(text); m != nil {
			return plain(unescape.Replace(tags.ReplaceAllString(m[1], "")))
		}
		return ""
	}
	title, about = get(firstH1), get(firstP)
	if s := said(about); s != "" {
		about = s
	} else if about == "" {
		about = title
	}
	return title, brief(about)
}

var unescape = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#39;", "'",
	"&#182;", "", "¶", "", "&amp;", "&")

// plain is Markdown without its marks, in one line.
func plain(text string) string {
	text = markup.ReplaceAllString(text, "")
	return strings.Join(strings.Fields(strings.NewReplacer(`\_`, "_", `\`, "", "]", "").
		Replace(text)), " ")
}

// brief is a text of at most 200 letters, cut behind a sentence or a word.
func brief(text string) string {
	const most = 200
	r := []rune(text)
	if len(r) <= most {
		return text
	}
	cut := string(r[:most])
	if i := strings.LastIndex(cut, ". "); i > most/3 {
		return cut[:i+1]
	}
	return cut[:strings.LastIndex(cut, " ")] + " …"
}
