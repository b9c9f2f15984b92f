package site

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// alone reports whether a page is independent, with scripts of its own: links lead to it, but the
// crawler does not follow its own.
func alone(page string) bool {
	return page == "prompt.html" || strings.HasPrefix(page, "records/")
}

// Crawl follows the links of a site from its first page and says what is wrong: links to files and
// anchors that are not there, pages that no link reaches, addresses that begin at a disk or a root.
func Crawl(folder string) (problems []string, err error) {
	c := crawler{folder: folder, pages: map[string]*crawled{}}
	todo := []string{"index.html"}
	seen := map[string]bool{"index.html": true}
	for ; len(todo) > 0; todo = todo[1:] {
		at := todo[0]
		p, err := c.page(at)
		if err != nil {
			return nil, err
		}
		if alone(at) {
			continue
		}
		for _, l := range p.links {
			to, why := c.follow(at, l)
			if why != "" {
				problems = append(problems, fmt.Sprintf("%s leads to %s: %s", at, l, why))
				continue
			}
			if to != "" && !seen[to] && path.Ext(to) == ".html" {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
	err = filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(folder, file)
		rel = filepath.ToSlash(rel)
		if path.Ext(rel) == ".html" && !strings.HasPrefix(rel, "js/") && !seen[rel] {
			problems = append(problems, rel+" is not reached from index.html")
		}
		return err
	})
	return problems, err
}

type crawled struct {
	links   []string
	anchors map[string]bool
}

type crawler struct {
	folder string
	pages  map[string]*crawled
}

// page reads a page, once.
func (c *crawler) page(name string) (*crawled, error) {
	if p := c.pages[name]; p != nil {
		return p, nil
	}
	f, err := os.Open(filepath.Join(c.folder, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	doc, err := html.Parse(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p := &crawled{anchors: map[string]bool{"": true, "top": true}}
	c.pages[name] = p
	for n := range doc.Descendants() {
		for _, a := range n.Attr {
			switch a.Key {
			case "id", "name":
				p.anchors[a.Val] = true
			case "href", "src":
				if !slices.Contains(p.links, a.Val) {
					p.links = append(p.links, a.Val)
				}
			}
		}
	}
	return p, nil
}

// follow returns the file of the site to which a link leads, empty for one out of it, or why it is
// wrong.
func (c *crawler) follow(at, link string) (to, why string) {
	u, err := url.Parse(link)
	switch {
	case strings.HasPrefix(link, "data:"):
		return "", ""
	case err != nil:
		return "", err.Error()
	case u.Scheme == "file", u.Scheme == "" && strings.HasPrefix(u.Path, "/"):
		return "", "it holds in one place alone"
	case u.Scheme != "" || u.Host != "":
		return "", ""
	}
	to = at
	if u.Path != "" {
		to = path.Join(path.Dir(at), u.Path)
	}
	st, err := os.Stat(filepath.Join(c.folder, filepath.FromSlash(to)))
	switch {
	case err != nil || strings.HasPrefix(to, ".."):
		return "", "there is no " + to
	case st.IsDir():
		return "", "it is a folder, which a disk does not show as a page"
	case path.Ext(to) != ".html" || alone(to) || u.Fragment == "":
		return to, ""
	}
	p, err := c.page(to)
	if err != nil {
		return "", err.Error()
	}
	// A browser takes the anchor as it is written first.
	if _, raw, _ := strings.Cut(link, "#"); !p.anchors[u.Fragment] && !p.anchors[raw] {
		return "", fmt.Sprintf("%s has no place %q", to, u.Fragment)
	}
	return to, ""
}
