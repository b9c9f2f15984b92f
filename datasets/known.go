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
}

// known reads the table at first use. A row that does not parse is a mistake of
// the program, which a test excludes.
var known = sync.OnceValue(func() table {
	t := table{rows: map[string]fact{}}
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
		}
	}
	return t
})

// lookup returns what the table says of the name.
func lookup(name string) (fact, bool) {
	f, ok := known().rows[name]
	return f, ok
}

// Published is the best known value of a published instance by its name, without its data.
func Published(name string) (BestKnown, bool) {
	f, ok := lookup(name)
	return f.best, ok && f.hasBest
}
