package site

import (
	"path"
	"slices"
	"strings"
)

// A section is a part of the navigation: pages by patterns of their paths in the repository.
type section struct {
	title    string
	patterns []string
	index    string // the page whose headings part it; empty: it has no parts
}

// sections are the parts of the navigation, in order. A page is in the first that names it.
var sections = []section{
	{title: "Start", patterns: []string{"README.md"}},
	{title: "Notebooks", index: "notebooks/index.md", patterns: []string{
		"notebooks/index.md", "notebooks/[0-9]*.ipynb", "notebooks/*.md",
	}},
	{title: "Guide", index: "notebooks/guide/index.md", patterns: []string{
		"notebooks/guide/README.md", "notebooks/guide/index.md", "notebooks/guide/*.md",
		"notebooks/guide/*/*.md",
	}},
	{title: "Parts", patterns: []string{
		"repl/README.md", "kernel/README.md", "datasets/README.md", "solvers/README.md",
		"solvers/experiment/README.md", "gpu/README.md", "kernels/README.md", "*/README.md",
	}},
	{title: "Reference", patterns: []string{
		"reference/index.md", "reference/verbs.md", "reference/verbs/*.md", "reference/solvers.md",
		"reference/solvers/*.md", "reference/solvers/*/*.md", "reference/parameters.md",
		"reference/*.md", "solvers/experiment/sqlite/SCHEMA.md",
	}},
	{title: "Measured", patterns: []string{"solvers/bench/*.md", "solvers/bench/*/*.md"}},
	{title: "Project", patterns: []string{"CHANGELOG.md", "CONTRIBUTING.md", "*.md"}},
}

// place is where a page stands: its section, and the pattern in it; what none names is the last.
func place(source string) (sec, pattern int) {
	for i, s := range sections {
		for j, p := range s.patterns {
			if ok, _ := path.Match(p, source); ok {
				return i, j
			}
		}
	}
	return len(sections) - 1, 1 << 20
}

// order sorts pages as they stand in the navigation. Within a pattern the pages that an index
// links to are in the order of its links.
func order(pages []*Page) {
	ranks := map[string]int{} // of what indexes link to
	for _, p := range pages {
		if base := path.Base(p.Source); base != "index.md" && base != "README.md" {
			continue
		}
		for i, l := range listed(p) {
			if _, ok := ranks[l.source]; !ok {
				ranks[l.source] = i + 1
			}
		}
	}
	rank := func(p *Page) int {
		if r := ranks[p.Source]; r > 0 {
			return r
		}
		return 1 << 20
	}
	slices.SortStableFunc(pages, func(a, b *Page) int {
		i, j := place(a.Source)
		k, l := place(b.Source)
		for _, d := range []int{i - k, j - l, rank(a) - rank(b)} {
			if d != 0 {
				return d
			}
		}
		return strings.Compare(a.Source, b.Source)
	})
}

// A listing is a link of an index to a page of its folder.
type listing struct {
	source  string
	heading string // below which it stands
	about   string // the line in which it stands, as "compute on a GPU"
}

// listed are the links of an index to pages of its folder.
func listed(index *Page) (out []listing) {
	heading := ""
	for line := range strings.Lines(fence.ReplaceAllString(index.Text, "")) {
		if h, ok := strings.CutPrefix(line, "## "); ok {
			heading = plain(h)
		}
		about := ""
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			about = plain(cells[1] + " " + cells[2])
		}
		for _, m := range mdLink.FindAllStringSubmatch(line, -1) {
			to := path.Join(path.Dir(index.Source), strings.TrimPrefix(cutAnchor(m[1]), "/"))
			if path.Dir(to) == path.Dir(index.Source) {
				out = append(out, listing{to, heading, about})
			}
		}
	}
	return out
}

// An Item is a page in the navigation beside a page's text.
type Item struct {
	Title string `json:"title"`
	URL   string `json:"url"`
}

// A Group is a section of the navigation, or a part of one.
type Group struct {
	Title string  `json:"title"`
	Items []Item  `json:"items"`
	Parts []Group `json:"parts"` // below its items, as the index of the section has them
}

// navigation is what stands beside each page. Pages two folders down, as that of a verb, are
// reached from the lists of their kind.
func navigation(pages []*Page) (groups []Group) {
	for i, s := range sections {
		g := Group{Title: s.title}
		parts := map[string]string{} // the headings below which the index lists pages
		for _, p := range pages {
			if p.Source == s.index {
				for _, l := range slices.Backward(listed(p)) {
					parts[l.source] = l.heading
				}
			}
		}
		for _, p := range pages {
			if sec, _ := place(p.Source); sec != i || nested(p.Source) {
				continue
			}
			item, part := Item{p.short(), p.URL}, parts[p.Source]
			if part == "" {
				g.Items = append(g.Items, item)
				continue
			}
			at := slices.IndexFunc(g.Parts, func(g Group) bool { return g.Title == part })
			if at < 0 {
				at = len(g.Parts)
				g.Parts = append(g.Parts, Group{Title: part})
			}
			g.Parts[at].Items = append(g.Parts[at].Items, item)
		}
		if s.title == "Start" {
			g.Items = append(g.Items, Item{"The prompt in a page", "prompt.html"})
		}
		if len(g.Items)+len(g.Parts) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// nested reports whether a page has its place in the list of another page of the reference alone.
func nested(source string) bool {
	return strings.HasPrefix(source, "reference/") && strings.Count(source, "/") > 1
}

// parent is the page of the reference that lists a nested one; empty: there is none.
func parent(source string) string {
	if !nested(source) {
		return ""
	}
	return path.Dir(source) + ".md"
}
