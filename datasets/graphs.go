package datasets

import (
	"fmt"
	"strings"
)

// Queens returns the graph of the queen's moves on a board of the given rows and columns (1 to 141
// each), to be coloured: two squares are joined when a queen moves from one to the other. Squares
// are numbered row by row. Its name is queenR_C, as in the DIMACS collection, whose graphs of that
// name have the same edges; colours is as in NewColouring.
func Queens(rows, columns, colours int) (*Colouring, error) {
	if rows < 1 || columns < 1 || rows > 141 || columns > 141 {
		return nil, fmt.Errorf(
			"datasets: queens on a board of %d x %d, want from 1 to 141", rows, columns,
		)
	}
	var edges [][2]int32
	for a := range rows * columns {
		for b := a + 1; b < rows*columns; b++ {
			dr, dc := b/columns-a/columns, b%columns-a%columns
			if dr == 0 || dc == 0 || dr == dc || dr == -dc {
				edges = append(edges, [2]int32{int32(a), int32(b)})
			}
		}
	}
	return NewColouring(fmt.Sprintf("queen%d_%d", rows, columns), rows*columns, edges, colours)
}

// Mycielski returns the graph of J. Mycielski, Sur le coloriage des graphs, Colloquium Mathematicum
// 3 (1955), doi:10.4064/cm-3-2-161-162, after the given number of steps from one edge (1 to 12): it
// has no triangle and needs step+1 colours. A step adds to every vertex v a twin, joined to v's
// neighbours, and a vertex that is joined to all twins; the twins follow the old vertices, and the
// new one is last. Its name is mycielSTEP, as in the DIMACS collection, where vertices may be in
// another order.
func Mycielski(step, colours int) (*Colouring, error) {
	if step < 1 || step > 12 {
		return nil, fmt.Errorf("datasets: graph of Mycielski after %d steps, want from 1 to 12", step)
	}
	n, edges := int32(2), [][2]int32{{0, 1}}
	for range step - 1 {
		for _, e := range edges[:len(edges):len(edges)] {
			edges = append(edges, [2]int32{e[0], n + e[1]}, [2]int32{n + e[0], e[1]})
		}
		for v := range n {
			edges = append(edges, [2]int32{n + v, 2 * n})
		}
		n = 2*n + 1
	}
	return NewColouring(fmt.Sprintf("myciel%d", step), int(n), edges, colours)
}

// RandomGraph returns the graph of n vertices (1 to 20000) in which every pair is joined with a
// probability of percent (0 to 100) in a hundred, to be coloured. Its name is gnp-N-PERCENT-SEED. A
// pair, in lexicographic order, is joined when the next number of SplitMix64 (see NewPPP) with the
// seed, less than 2^64, is below percent/100 of that.
func RandomGraph(n, percent int, seed uint64, colours int) (*Colouring, error) {
	if n < 1 || n > maxVertices || percent < 0 || percent > 100 {
		return nil, fmt.Errorf(
			"datasets: random graph of %d vertices with %d percent of the edges, want from 1 to %d and "+
				"from 0 to 100",
			n, percent, maxVertices,
		)
	}
	if pairs := n * (n - 1) / 2; pairs*percent/100 > 1<<26 {
		return nil, fmt.Errorf(
			"datasets: random graph with some %d edges, want at most %d", pairs*percent/100, 1<<26,
		)
	}
	g := splitMix{state: seed}
	var edges [][2]int32
	for u := range n {
		for v := u + 1; v < n; v++ {
			if g.left = 0; g.next()/100 < uint64(percent)*(1<<63/5000) {
				edges = append(edges, [2]int32{int32(u), int32(v)})
			}
		}
	}
	return NewColouring(fmt.Sprintf("gnp-%d-%d-%d", n, percent, seed), n, edges, colours)
}

// next is the next number as a whole.
func (g *splitMix) next() uint64 {
	g.left = 0
	g.sign()
	return g.word
}

// graphByName knows queenR_C, mycielS and gnp-N-PERCENT-SEED, each also with -kCOLOURS.
func graphByName(name string) (Instance, bool, error) {
	graph, colours, cut := cutColours(name)
	if cut && colours == 0 {
		return nil, false, nil
	}
	if rest, found := strings.CutPrefix(graph, "queen"); found {
		a, b, two := strings.Cut(rest, "_")
		rows, good1 := number(a)
		columns, good2 := number(b)
		if two && good1 && good2 {
			return exactly(name, colours, func(k int) (*Colouring, error) {
				return Queens(
					rows, columns, k,
				)
			})
		}
	}
	if rest, found := strings.CutPrefix(graph, "myciel"); found {
		if step, good := number(rest); good {
			return exactly(name, colours, func(k int) (*Colouring, error) { return Mycielski(step, k) })
		}
	}
	if rest, found := strings.CutPrefix(graph, "gnp-"); found {
		parts := strings.Split(rest, "-")
		if len(parts) == 3 {
			n, good1 := number(parts[0])
			percent, good2 := number(parts[1])
			seed, good3 := number(parts[2])
			if good1 && good2 && good3 {
				return exactly(name, colours, func(k int) (*Colouring, error) {
					return RandomGraph(
						n, percent, uint64(seed), k,
					)
				})
			}
		}
	}
	return nil, false, nil
}

// exactly returns a graph's problem. It refuses a name with a redundant number of colours, so that
// a problem has only one name.
func exactly(
	name string, colours int, make func(k int) (*Colouring, error),
) (Instance, bool, error) {
	g, err := make(colours)
	if err == nil && g.Title != name {
		return nil, true, fmt.Errorf(
			"datasets: %d colours go without saying, want the name %s", colours, g.Title,
		)
	}
	return made(g, err)
}
