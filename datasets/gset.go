package datasets

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// gsetText is the table of best known cuts: facts only, see its head.
//
//go:embed gset.tsv
var gsetText string

// gsetRow is a row of the table.
type gsetRow struct {
	best        BestKnown // as a cost
	md5, sha256 string
}

// gsetTable reads the table at first use. A row that does not parse is a mistake of the program,
// which a test excludes.
var gsetTable = sync.OnceValue(func() map[string]gsetRow {
	rows, sources := map[string]gsetRow{}, map[string]string{}
	for line := range strings.Lines(gsetText) {
		col := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case col[0] == "source":
			sources[col[1]] = col[2]
		default:
			cut, err := strconv.Atoi(col[1])
			source, ok := sources[col[3]]
			if err != nil || !ok {
				panic("datasets: bad row in gset.tsv: " + line)
			}
			rows[col[0]] = gsetRow{
				best: BestKnown{Value: -float64(cut), Proven: col[2] == "optimal", Source: source},
				md5:  col[4], sha256: col[5],
			}
		}
	}
	return rows
})

// A gsetGraph says how rudy, the generator of G. Rinaldi, made a graph of the G-set.
type gsetGraph struct {
	kind    gsetKind
	n       int     // vertices
	density float64 // in percent: of all pairs, or of the edges of a planar graph
	rows    int     // of a torus
	seed    int64   // of the graph
	signs   int64   // seed of the weights of -1 and 1; 0: all are 1
}

// The kinds of graphs of rudy.
type gsetKind byte

const (
	gsetRandom gsetKind = iota
	gsetTorus
	gsetPlanar // the union of two planar graphs
)

// gsetRows are families of graphs: the first number, how many there are, and the first of them.
// Seeds of the next are greater by 1, those of unions of two graphs by 2.
var gsetRows = []struct {
	id, count int
	first     gsetGraph
}{
	{1, 5, gsetGraph{kind: gsetRandom, n: 800, density: 6, seed: 8001}},
	{6, 5, gsetGraph{kind: gsetRandom, n: 800, density: 6, seed: 8001, signs: 8001}},
	{11, 1, gsetGraph{kind: gsetTorus, n: 800, rows: 100, signs: 8001}},
	{12, 1, gsetGraph{kind: gsetTorus, n: 800, rows: 50, signs: 8002}},
	{13, 1, gsetGraph{kind: gsetTorus, n: 800, rows: 25, signs: 8003}},
	{14, 4, gsetGraph{kind: gsetPlanar, n: 800, density: 99, seed: 8001}},
	{18, 4, gsetGraph{kind: gsetPlanar, n: 800, density: 99, seed: 8001, signs: 8001}},
	{22, 1, gsetGraph{kind: gsetRandom, n: 2000, density: 1, seed: 20001}},
	{23, 1, gsetGraph{kind: gsetRandom, n: 2000, density: 1, seed: 2002}}, // as published
	{24, 3, gsetGraph{kind: gsetRandom, n: 2000, density: 1, seed: 20003}},
	{27, 5, gsetGraph{kind: gsetRandom, n: 2000, density: 1, seed: 20001, signs: 20001}},
	{32, 1, gsetGraph{kind: gsetTorus, n: 2000, rows: 100, signs: 20003}},
	{33, 1, gsetGraph{kind: gsetTorus, n: 2000, rows: 80, signs: 20002}},
	{34, 1, gsetGraph{kind: gsetTorus, n: 2000, rows: 50, signs: 20001}},
	{35, 4, gsetGraph{kind: gsetPlanar, n: 2000, density: 99, seed: 20001}},
	{39, 4, gsetGraph{kind: gsetPlanar, n: 2000, density: 99, seed: 20001, signs: 20001}},
	{43, 5, gsetGraph{kind: gsetRandom, n: 1000, density: 2, seed: 10001}},
	{48, 1, gsetGraph{kind: gsetTorus, n: 3000, rows: 50}},
	{49, 1, gsetGraph{kind: gsetTorus, n: 3000, rows: 30}},
	{50, 1, gsetGraph{kind: gsetTorus, n: 3000, rows: 25}},
	{51, 4, gsetGraph{kind: gsetPlanar, n: 1000, density: 100, seed: 10001}},
	{55, 1, gsetGraph{kind: gsetRandom, n: 5000, density: 0.1, seed: 50001}},
	{56, 1, gsetGraph{kind: gsetRandom, n: 5000, density: 0.1, seed: 50001, signs: 50001}},
	{57, 1, gsetGraph{kind: gsetTorus, n: 5000, rows: 100, signs: 50001}},
	{58, 1, gsetGraph{kind: gsetPlanar, n: 5000, density: 99, seed: 50001}},
	{59, 1, gsetGraph{kind: gsetPlanar, n: 5000, density: 99, seed: 50001, signs: 50001}},
	{60, 1, gsetGraph{kind: gsetRandom, n: 7000, density: 0.07, seed: 70001}},
	{61, 1, gsetGraph{kind: gsetRandom, n: 7000, density: 0.07, seed: 70001, signs: 70001}},
	{62, 1, gsetGraph{kind: gsetTorus, n: 7000, rows: 100, signs: 50001}},
	{63, 1, gsetGraph{kind: gsetPlanar, n: 7000, density: 99, seed: 70001}},
	{64, 1, gsetGraph{kind: gsetPlanar, n: 7000, density: 99, seed: 70001, signs: 70001}},
	{65, 1, gsetGraph{kind: gsetTorus, n: 8000, rows: 100, signs: 80001}},
	{66, 1, gsetGraph{kind: gsetTorus, n: 9000, rows: 90, signs: 90001}},
	{67, 1, gsetGraph{kind: gsetTorus, n: 10000, rows: 100, signs: 100001}},
	{70, 1, gsetGraph{kind: gsetRandom, n: 10000, density: 0.02, seed: 100001}},
	{72, 1, gsetGraph{kind: gsetTorus, n: 10000, rows: 100, signs: 10001}},
	{77, 1, gsetGraph{kind: gsetTorus, n: 14000, rows: 140, signs: 140001}},
	{81, 1, gsetGraph{kind: gsetTorus, n: 20000, rows: 200, signs: 200001}},
}

// gsetOf returns how the graph with a number of the G-set was made.
func gsetOf(id int) (g gsetGraph, ok bool) {
	for _, row := range gsetRows {
		by := int64(id - row.id)
		if by < 0 || by >= int64(row.count) {
			continue
		}
		g = row.first
		if g.kind == gsetPlanar {
			g.seed += 2 * by
		} else {
			g.seed += by
		}
		if g.signs > 0 {
			g.signs += by
		}
		return g, true
	}
	return gsetGraph{}, false
}

// GSet returns a graph of the G-set of C. Helmberg and F. Rendl (A spectral bundle method for
// semidefinite programming, SIAM Journal on Optimization 10, 2000,
// doi:10.1137/S1052623497328987) by its number, 1 to 67, 70, 72, 77 or 81. It is made as rudy, the
// generator of G. Rinaldi, made it, with numbers of the Stanford GraphBase of D. E. Knuth, and
// written by WriteRudy it is the published file, byte for byte.
func GSet(number int) (*Cut, error) {
	g, ok := gsetOf(number)
	if !ok {
		return nil, fmt.Errorf("datasets: G%d is not in the set, which has G1 to G67, G70, G72, G77 "+
			"and G81", number)
	}
	return g.make(fmt.Sprintf("G%d", number))
}

// make makes the instance.
func (g gsetGraph) make(name string) (*Cut, error) {
	edges := g.edges()
	c, err := NewCut(name, g.n, edges)
	if err != nil {
		return nil, err
	}
	c.listed = edges
	return c, nil
}

// edges are those of the graph in the order of rudy.
func (g gsetGraph) edges() []Edge {
	var lists *sgbGraph
	switch g.kind {
	case gsetRandom:
		lists = sgbRandom(g.n, g.density, g.seed)
	case gsetTorus:
		lists = sgbTorus(g.rows, g.n/g.rows)
	case gsetPlanar:
		lists = sgbUnion(sgbPlanar(g.n, g.density, g.seed), sgbPlanar(g.n, g.density, g.seed+1))
	}
	f := newFlip(g.signs)
	edges := make([]Edge, 0, lists.edges)
	for v, near := range lists.near {
		for i := len(near) - 1; i >= 0; i-- {
			if int(near[i]) <= v {
				continue
			}
			w := int64(1)
			if g.signs != 0 {
				w = 2*f.below(2) - 1
			}
			edges = append(edges, Edge{int32(v), near[i], w})
		}
	}
	return edges
}

// sgbGraph is a graph as the Stanford GraphBase has it: each vertex has a list of neighbours, here
// the oldest first, which are read from the newest.
type sgbGraph struct {
	near  [][]int32
	edges int
}

func (g *sgbGraph) join(u, v int) {
	g.near[u], g.near[v] = append(g.near[u], int32(v)), append(g.near[v], int32(u))
	g.edges++
}

// sgbRandom is a random graph with a density in percent.
func sgbRandom(n int, density float64, seed int64) *sgbGraph {
	g, f := &sgbGraph{near: make([][]int32, n)}, newFlip(seed)
	for count := gsetEdges(n, density); g.edges < count; {
		u, v := int(f.below(int64(n))), int(f.below(int64(n)))
		if u == v {
			continue
		}
		there := false
		for _, w := range g.near[u] {
			there = there || int(w) == v
		}
		if !there {
			g.join(u, v)
		}
	}
	return g
}

// gsetEdges is the number of edges of a random graph.
func gsetEdges(n int, density float64) int {
	x := float64(float64(n)*float64(n-1)) * density / 200
	count := int(x)
	if x-float64(count) >= 0.5 {
		count++
	}
	return count
}

// sgbPlanar is a random triangulation in which each vertex is put into a face, with so many percent
// of its edges.
func sgbPlanar(n int, density float64, seed int64) *sgbGraph {
	f := newFlip(seed)
	edges := [][2]int{{0, 1}, {0, 2}, {1, 2}}
	faces := [][3]int{{0, 1, 2}}
	for d := 3; d < n; d++ {
		k := f.below(int64(len(faces)))
		t := faces[k]
		for _, v := range t {
			edges = append(edges, [2]int{v, d})
		}
		faces[k][2] = d
		faces = append(faces, [3]int{t[0], t[2], d}, [3]int{t[1], t[2], d})
	}
	for most := density * float64(3*(n-2)) / 100; float64(len(edges)) > most; {
		k, last := f.below(int64(len(edges))), len(edges)-1
		edges[k] = edges[last]
		edges = edges[:last]
	}
	g := &sgbGraph{near: make([][]int32, n)}
	for _, e := range edges {
		g.join(e[0], e[1])
	}
	return g
}

// sgbTorus is a grid of rows and columns that is closed both ways.
func sgbTorus(rows, columns int) *sgbGraph {
	n := rows * columns
	g := &sgbGraph{near: make([][]int32, n)}
	for v := range n {
		g.join(v, v/columns*columns+(v%columns+1)%columns)
	}
	for v := range n {
		g.join(v, (v+columns)%n)
	}
	return g
}

// sgbUnion has the edges of both graphs, each once.
func sgbUnion(a, b *sgbGraph) *sgbGraph {
	n := len(a.near)
	g, seen := &sgbGraph{near: make([][]int32, n)}, make([]int, n)
	for v := range n {
		for _, h := range []*sgbGraph{a, b} {
			for i := len(h.near[v]) - 1; i >= 0; i-- {
				if u := int(h.near[v][i]); u >= v && seen[u] != v+1 {
					g.join(v, u)
					seen[u] = v + 1
				}
			}
		}
	}
	return g
}

// flip is the random number generator of the Stanford GraphBase: x[n] = x[n-55] - x[n-24] modulo
// 2^31, made 55 at a time and used from the last to the first.
type flip struct {
	a  [56]int64
	at int
}

func newFlip(seed int64) *flip {
	f := &flip{}
	f.a[0] = -1
	before, next := flipLess(seed, 0), int64(1)
	seed = before
	f.a[55] = before
	for i := 21; i != 0; i = (i + 21) % 55 {
		f.a[i] = next
		next = flipLess(before, next)
		if seed&1 != 0 {
			seed = 1<<30 + seed>>1
		} else {
			seed >>= 1
		}
		next = flipLess(next, seed)
		before = f.a[i]
	}
	for range 5 {
		f.cycle()
	}
	return f
}

// flipLess is the difference modulo 2^31.
func flipLess(x, y int64) int64 { return (x - y) & (1<<31 - 1) }

func (f *flip) cycle() int64 {
	for i := 1; i <= 24; i++ {
		f.a[i] = flipLess(f.a[i], f.a[i+31])
	}
	for i := 25; i <= 55; i++ {
		f.a[i] = flipLess(f.a[i], f.a[i-24])
	}
	f.at = 54
	return f.a[55]
}

func (f *flip) next() int64 {
	if f.at == 0 {
		return f.cycle()
	}
	f.at--
	return f.a[f.at+1]
}

// below is uniform in [0, m).
func (f *flip) below(m int64) int64 {
	most := int64(1)<<31 - (1<<31)%m
	for {
		if r := f.next(); r < most {
			return r % m
		}
	}
}
