package site

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Archive is the name of the whole site as one file.
const Archive = "metalab-site.zip"

// An Entry is what the search finds: a page, or a part of one below a heading.
type Entry struct {
	URL   string `json:"u"`
	Page  string `json:"p"` // the title of the page
	Title string `json:"t"` // the heading; empty: the page itself
	Text  string `json:"x"`

	Keys   string  `json:"k,omitempty"` // other words by which it is looked for
	Weight float64 `json:"w,omitempty"` // how much it counts; 0: as much as most
}

// Finish writes into the folder of a made site the index of the search, llms.txt and the archive.
func Finish(folder string, pages []*Page) error {
	var all []Entry
	keys := keywords(pages)
	for _, p := range pages {
		b, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(p.URL)))
		if err != nil {
			return fmt.Errorf("site: %s was not made: %w", p.URL, err)
		}
		entries, err := entriesOf(p, string(b))
		if err != nil {
			return fmt.Errorf("site: %s: %w", p.URL, err)
		}
		for i := range entries {
			entries[i].Weight = weight(p.Source)
		}
		entries[0].Keys = keys[p.Source]
		all = append(all, entries...)
	}
	index, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return errors.Join(
		write(filepath.Join(folder, "site", "index.js"), []byte("window.metalabIndex = "+
			string(index)+"\n")),
		write(filepath.Join(folder, "llms.txt"), []byte(llms(pages))),
		archive(folder))
}

// longest is how many bytes of a part's text are searched.
const longest = 4000

// entriesOf are the parts of a page by its headings.
func entriesOf(p *Page, page string) ([]Entry, error) {
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return nil, err
	}
	content := byID(doc, "text")
	if content == nil {
		return nil, errors.New("it has no text")
	}
	entries := []Entry{{URL: p.URL, Page: p.Title}}
	var text strings.Builder
	end := func() {
		e := &entries[len(entries)-1]
		e.Text = strings.Join(strings.Fields(text.String()), " ")
		if len(e.Text) > longest {
			e.Text = strings.ToValidUTF8(e.Text[:longest], "")
		}
		text.Reset()
	}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			text.WriteString(n.Data)
			return
		case n.Type != html.ElementNode:
		case n.DataAtom == atom.Script || n.DataAtom == atom.Style || n.DataAtom == atom.Svg ||
			has(n, "anchor-link") || has(n, "to-prompt"):
			return
		case n.DataAtom == atom.H2 || n.DataAtom == atom.H3:
			if id := attribute(n, "id"); id != "" {
				end()
				title := strings.TrimSpace(strings.TrimSuffix(textOf(n), "¶"))
				entries = append(entries, Entry{URL: p.URL + "#" + id, Page: p.Title, Title: title})
			}
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
		text.WriteByte(' ')
	}
	for c := content.FirstChild; c != nil; c = c.NextSibling {
		walk(c)
	}
	end()
	return slices.DeleteFunc(entries, func(e Entry) bool { return repeated(p.Source, e) }), nil
}

// repeated reports whether a part says what other pages say: the fields of a reply that all replies
// have, and a parameter, which the list of parameters tells about.
func repeated(source string, e Entry) bool {
	_, anchor, part := strings.Cut(e.URL, "#")
	switch {
	case !part:
		return false
	case strings.HasPrefix(source, "reference/verbs/"):
		return anchor == "json" || anchor == "request" || anchor == "reply"
	}
	return strings.HasPrefix(source, "reference/solvers/")
}

func byID(n *html.Node, id string) *html.Node {
	if n.Type == html.ElementNode && attribute(n, "id") == id {
		return n
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if f := byID(c, id); f != nil {
			return f
		}
	}
	return nil
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(attribute(n, "class")), class)
}

func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.WriteString(textOf(c))
	}
	return b.String()
}

// llms is the list of pages for programs that read text, with their sources.
func llms(pages []*Page) string {
	var b strings.Builder
	b.WriteString("# metalab\n\n> " + pages[0].About + "\n\nEach page is here as Markdown or as a " +
		"notebook; the same address with .html is the page of the site.\n")
	last := ""
	for _, p := range pages {
		sec, _ := place(p.Source)
		if t := sections[sec].title; t != last {
			fmt.Fprintf(&b, "\n## %s\n\n", t)
			last = t
		}
		to := strings.TrimSuffix(p.URL, ".html") + path.Ext(p.Source)
		fmt.Fprintf(&b, "- [%s](%s): %s\n", p.Title, to, p.About)
	}
	return b.String()
}

// toArchive is the link to the archive, which is not in itself.
var toArchive = regexp.MustCompile(`<span class="archive">.*?</span>`)

// archive writes all files of the site into one, to be read without a network. Its bytes depend on
// those files alone.
func archive(folder string) (err error) {
	to := filepath.Join(folder, Archive)
	if err := os.Remove(to); err != nil && !os.IsNotExist(err) {
		return err
	}
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z := zip.NewWriter(f)
	err = filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || file == to {
			return err
		}
		rel, err := filepath.Rel(folder, file)
		if err != nil {
			return err
		}
		w, err := z.CreateHeader(&zip.FileHeader{
			Name: "metalab/" + filepath.ToSlash(rel), Method: zip.Deflate,
			Modified: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC),
		})
		if err != nil {
			return err
		}
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if path.Ext(rel) == ".html" {
			b = toArchive.ReplaceAll(b, nil)
		}
		_, err = w.Write(b)
		return err
	})
	return errors.Join(err, z.Close())
}
