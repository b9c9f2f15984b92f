package site

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"metalab/solvers/record"
)

//go:embed all:theme
var theme embed.FS

// Options describe the sources of a site.
type Options struct {
	Root   string // the repository
	Bodies string // the folder with the cells of notebooks as HTML
	Folder string // of Hugo's project; what is in it is replaced
	Math   bool   // MathJax is in the site, at js/mathjax
	Search bool   // lunr is in the site, at js/lunr.min.js
}

// Prepare writes Hugo's project and returns the pages.
func Prepare(o Options) ([]*Page, error) {
	pages, err := Collect(o.Root, o.Bodies)
	if err != nil {
		return nil, err
	}
	l := &linker{root: o.Root, pages: map[string]*Page{}, assets: map[string]string{}}
	for _, p := range pages {
		l.pages[p.Source] = p
	}
	content := filepath.Join(o.Folder, "content")
	static := filepath.Join(o.Folder, "static")
	if err := errors.Join(os.RemoveAll(content), os.RemoveAll(static)); err != nil {
		return nil, err
	}
	for i, p := range pages {
		m := metaOf(l, p)
		m.Math = m.Math && o.Math
		m.Search = o.Search
		if i > 0 {
			m.Prev = itemOf(p, pages[i-1])
		}
		if i+1 < len(pages) {
			m.Next = itemOf(p, pages[i+1])
		}
		if err := writePage(content, static, o.Root, p, m, l.relink(p)); err != nil {
			return nil, err
		}
	}
	for to, source := range l.assets {
		b, err := os.ReadFile(filepath.Join(o.Root, filepath.FromSlash(source)))
		if err := errors.Join(err, write(filepath.Join(static, filepath.FromSlash(to)), b)); err != nil {
			return nil, err
		}
	}
	data, err := json.MarshalIndent(map[string]any{
		"groups": navigation(pages), "version": Version(o.Root),
	}, "", " ")
	if err != nil {
		return nil, err
	}
	if err := write(filepath.Join(o.Folder, "data", "site.json"), data); err != nil {
		return nil, err
	}
	return pages, CopyTheme(o.Folder)
}

// CopyTheme writes the files of the theme into a folder.
func CopyTheme(folder string) error {
	return fs.WalkDir(theme, "theme", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := theme.ReadFile(name)
		if err != nil {
			return err
		}
		return write(filepath.Join(folder, filepath.FromSlash(strings.TrimPrefix(name, "theme/"))), b)
	})
}

func write(file string, b []byte) error {
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, b, 0o644))
}

// meta is what the theme knows of a page, its front matter.
type meta struct {
	Title    string  `json:"title"`
	About    string  `json:"description"`
	URL      string  `json:"url"`
	Base     string  `json:"base"`   // from the page to the site's first folder
	At       string  `json:"at"`     // its URL again, or that of the page of which it is a part
	Part     string  `json:"part"`   // the section that it is in
	Within   *Item   `json:"within"` // the page that lists it
	Source   string  `json:"source"`
	Download string  `json:"download"` // its source in the site
	Prev     *Item   `json:"before"`
	Next     *Item   `json:"after"`
	Headings [][]any `json:"headings"` // of a notebook: anchor and text
	Math     bool    `json:"math"`
	Notebook bool    `json:"notebook"`
	Search   bool    `json:"search"`
}

func itemOf(from, to *Page) *Item {
	return &Item{to.Title, relative(path.Dir(from.URL), to.URL)}
}

var h2 = regexp.MustCompile(`(?s)<h2 id="([^"]*)">(.*?)<a class="anchor-link"`)

func metaOf(l *linker, p *Page) meta {
	sec, _ := place(p.Source)
	m := meta{
		Title: p.Title, About: p.About, URL: "/" + p.URL, At: p.URL, Part: sections[sec].title,
		Base:   strings.Repeat("../", strings.Count(p.URL, "/")),
		Source: p.Source, Notebook: p.HTML,
	}
	if up := l.pages[parent(p.Source)]; up != nil {
		m.Within = itemOf(p, up)
		m.At = up.URL
		if over := l.pages[parent(up.Source)]; over != nil {
			m.At = over.URL
		}
	}
	m.Download = strings.TrimSuffix(p.URL, ".html") + path.Ext(p.Source)
	if p.HTML {
		// Text between dollars is a formula; HTML without any needs no MathJax.
		m.Math = strings.Contains(p.Text, "$")
		for _, h := range h2.FindAllStringSubmatch(p.Text, -1) {
			text := plain(unescape.Replace(tags.ReplaceAllString(h[2], "")))
			m.Headings = append(m.Headings, []any{h[1], text})
		}
	}
	return m
}

// buttons stand below the first paragraph of the first page.
const buttons = `
<p class="doors">
<a class="button first" href="prompt.html#lines=open%20acs%20E1k.0%20as%20a%20seed%3D42` +
	`%0Astep%20a%20200%0Aplot%20a%20tour" target="metalab-prompt">Try it in this browser</a>
<a class="button" href="00_first_steps.html">First steps</a>
<a class="button" href="reference/index.html">Reference</a>
</p>
`

// landed is the text of the first page with its buttons below the first paragraph.
func landed(text string) string {
	head, rest, ok := strings.Cut(text, "\n# ")
	if strings.HasPrefix(text, "# ") {
		head, rest, ok = "", text[2:], true
	}
	if !ok {
		return buttons + text
	}
	title, rest, _ := strings.Cut(rest, "\n")
	first, rest, _ := strings.Cut(strings.TrimLeft(rest, "\n"), "\n\n")
	return head + "\n# " + title + "\n\n" + first + "\n" + buttons + "\n" + rest
}

// apart parts what Hugo would take for a shortcode; the layout puts it together again.
var apart = strings.NewReplacer("{{<", "{\ue000{<", "{{%", "{\ue000{%")

// writePage writes a page for Hugo, and its source to be downloaded.
func writePage(content, static, root string, p *Page, m meta, text string) error {
	front, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	ext, source := ".md", []byte(text)
	text = prompted(text)
	if p.HTML {
		ext = ".html"
		if source, err = os.ReadFile(filepath.Join(root, filepath.FromSlash(p.Source))); err != nil {
			return err
		}
	}
	if p.URL == "index.html" {
		text = landed(text)
	}
	text = apart.Replace(text)
	// Hugo takes what is called index for folders: the address in the front matter counts.
	name := strings.NewReplacer("/", "--", "index", "index-").Replace(strings.TrimSuffix(p.URL,
		".html"))
	return errors.Join(
		write(filepath.Join(content, name+ext), []byte(string(front)+"\n\n"+text)),
		write(filepath.Join(static, filepath.FromSlash(m.Download)), source))
}

// Version is the line that says what the site is of: the version and, where it is known, the commit
// with its date.
func Version(root string) string {
	v := "metalab " + record.Release
	out, err := exec.Command("git", "-C", root, "log", "-1", "--format=%h %cd", "--abbrev=12",
		"--date=format:%-d %B %Y").Output()
	if commit, date, ok := strings.Cut(strings.TrimSpace(string(out)), " "); err == nil && ok {
		v += fmt.Sprintf(", commit %s of %s", commit, date)
	}
	return v
}
