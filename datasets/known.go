package datasets

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// knownText is the table of published instances: facts only, see its head.
//
//go:embed known.tsv
var knownText string

// fact is a row of the table.
type fact struct {
	kind    Kind
	size    int
	best    BestKnown
	hasBest bool
	origin  string // the key of the source, which says where to fetch it
	sha256  string // of the canonical form; empty when it is not pinned
}

// table is knownText as a map, and its names in the order of the rows.
type table struct {
	rows  map[string]fact
	names []string
	sizes map[form][]string // names by kind and size
}

// form is what an instance is before its numbers are looked at.
type form struct {
	kind Kind
	size int
}

// known reads the table at first use. A row that does not parse is a mistake of
// the program, which a test excludes.
var known = sync.OnceValue(func() table {
	t := table{rows: map[string]fact{}, sizes: map[form][]string{}}
	sources := map[string]string{}
	for line := range strings.Lines(knownText) {
		col := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case col[0] == "source":
			sources[col[1]] = col[2]
		default:
			size, err1 := strconv.Atoi(col[2])
			value, err2 := strconv.ParseInt(col[3], 10, 64)
			source, ok := sources[col[5]]
			if err1 != nil || err2 != nil || !ok {
				panic("datasets: bad row in known.tsv: " + line)
			}
			f := fact{
				kind: Kind(col[1]), size: size, hasBest: true, origin: col[5],
				sha256: strings.Trim(col[6], "-"),
			}
			f.best = BestKnown{Value: float64(value), Proven: col[4] == "optimal", Source: source}
			t.rows[col[0]] = f
			t.names = append(t.names, col[0])
			t.sizes[form{f.kind, f.size}] = append(t.sizes[form{f.kind, f.size}], col[0])
		}
	}
	return t
})

// lookup returns what the table says of the name.
func lookup(name string) (fact, bool) {
	f, ok := known().rows[name]
	return f, ok
}

// Published returns the best known value of a published instance by its name, without its data.
func Published(name string) (BestKnown, bool) {
	f, ok := lookup(name)
	return f.best, ok && f.hasBest
}

// factOf returns what the table says of an instance: under its name, else under its SHA-256, else,
// where the table has no hash, under the name that its file has inside.
func factOf(c canonical) (fact, bool) {
	names := known().sizes[form{c.Kind(), c.Size()}]
	title := ""
	if t, ok := c.(*TSP); ok {
		title = t.Title
	}
	at := func(fits func(name string, f fact) bool) (fact, bool) {
		for _, name := range names {
			if f := known().rows[name]; fits(name, f) {
				return f, true
			}
		}
		return fact{}, false
	}
	if len(names) == 0 {
		return fact{}, false
	}
	sha := c.SHA256()
	if f, ok := at(func(name string, f fact) bool {
		return name == c.Name() && (f.sha256 == "" || f.sha256 == sha)
	}); ok {
		return f, true
	}
	if f, ok := at(func(_ string, f fact) bool { return f.sha256 == sha }); ok {
		return f, true
	}
	return at(func(name string, f fact) bool { return f.sha256 == "" && name == title })
}
