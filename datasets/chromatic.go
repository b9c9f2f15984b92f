package datasets

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// chromaticText is the table of published graphs: facts only, see its head.
//
//go:embed chromatic.tsv
var chromaticText string

// chromatic is a row of the table.
type chromatic struct {
	vertices, edges, colours int
	source                   string
}

// chromatics reads the table at first use. A row that does not parse is a mistake of the
// program, which a test excludes.
var chromatics = sync.OnceValue(func() map[string]chromatic {
	rows, sources := map[string]chromatic{}, map[string]string{}
	for line := range strings.Lines(chromaticText) {
		col := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case col[0] == "source":
			sources[col[1]] = col[2]
		default:
			var n [3]int
			for i := range n {
				var err error
				if n[i], err = strconv.Atoi(col[i+1]); err != nil {
					panic("datasets: bad row in chromatic.tsv: " + line)
				}
			}
			rows[col[0]] = chromatic{n[0], n[1], n[2], sources[col[4]]}
		}
	}
	return rows
})

// best is the value of a colouring with at least so many colours.
func (c chromatic) best() BestKnown {
	return BestKnown{
		Value: 0, Proven: true, Source: fmt.Sprintf("chromatic number %d: %s", c.colours, c.source),
	}
}

// Chromatic returns the graph's chromatic number, the fewest colours of a proper colouring, and
// where it is published. ok is false if none is published for a graph with this name and as many
// vertices and edges.
func (g *Colouring) Chromatic() (k int, source string, ok bool) {
	row, ok := chromatics()[g.graph]
	if !ok || row.vertices != g.N || row.edges != g.Edges() {
		return 0, "", false
	}
	return row.colours, row.source, true
}
