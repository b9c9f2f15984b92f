package bench

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// A Paper is a publication whose tables are tables here.
type Paper struct {
	Name  string // as it is typed, and as the names of its tables begin
	Who   string // as "Kang et al. 2016"
	Title string // authors, title, journal, year and doi
}

//go:embed papers/*.txt
var paperFiles embed.FS

var papers = readPapers()

// Papers lists the papers, in the order of papers/papers.txt.
func Papers() []Paper { return papers }

// FindPaper returns the paper of a name, and whether there is one.
func FindPaper(name string) (Paper, bool) {
	i := slices.IndexFunc(papers, func(p Paper) bool { return p.Name == name })
	if i < 0 {
		return Paper{}, false
	}
	return papers[i], true
}

// TablesOf lists the tables of a paper in their order there, or of all papers of an author, whose
// surname it takes in small letters.
func TablesOf(name string) []Table {
	var out []Table
	for _, t := range Tables() {
		p, _ := FindPaper(t.Paper)
		author, _, _ := strings.Cut(strings.ToLower(p.Who), " ")
		if t.Paper != "" && (p.Name == name || author == name) {
			out = append(out, t)
		}
	}
	return out
}

func readPapers() []Paper {
	text, err := paperFiles.ReadFile("papers/papers.txt")
	if err != nil {
		panic(err) // it is embedded
	}
	var out []Paper
	for line := range strings.Lines(string(text)) {
		p := strings.SplitN(line, "|", 3)
		if len(p) != 3 {
			panic(fmt.Sprintf("bench: papers.txt: %q, want name | who | title", line))
		}
		out = append(out, Paper{
			strings.TrimSpace(p[0]), strings.TrimSpace(p[1]), strings.TrimSpace(p[2]),
		})
	}
	return out
}

// published registers the tables of papers, when tables are first asked for: to read them takes a
// tenth of a second, in a page ten times that.
var published = sync.OnceFunc(func() {
	list, err := readPaperTables(paperFiles)
	if err != nil {
		panic(err) // the files are embedded, and a test has read them
	}
	for _, t := range list {
		Register(t)
	}
})

// readPaperTables parses all files of papers but papers.txt.
func readPaperTables(dir fs.FS) ([]Table, error) {
	names, err := fs.Glob(dir, "papers/*.txt")
	if err != nil {
		return nil, err
	}
	var list []Table
	for _, name := range names {
		if name == "papers/papers.txt" {
			continue
		}
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, err
		}
		t, err := parsePaperTable(name, string(text))
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// order is the order of tables: those of our own by name, then the papers', by paper and number,
// tables before figures.
func order(a, b Table) int {
	if a.Paper != b.Paper && (a.Paper == "" || b.Paper == "") {
		return cmp.Compare(len(a.Paper), len(b.Paper))
	}
	at := func(t Table) int {
		return slices.IndexFunc(papers, func(p Paper) bool { return p.Name == t.Paper })
	}
	word := func(t Table) string { return strings.TrimRightFunc(t.Number, unicode.IsDigit) }
	digits := func(t Table) int {
		n, _ := strconv.Atoi(strings.TrimPrefix(t.Number, word(t)))
		return n
	}
	return cmp.Or(
		cmp.Compare(at(a), at(b)), strings.Compare(word(a), word(b)),
		cmp.Compare(digits(a), digits(b)), strings.Compare(a.Name, b.Name),
	)
}
