package datasets_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/datasets"

	"pgregory.net/rapid"
)

func graph(t testing.TB, name string) *datasets.Colouring {
	t.Helper()
	g, ok := generate(t, name).(*datasets.Colouring)
	if !ok {
		t.Fatalf("%s is no graph", name)
	}
	return g
}

// Vertices, edges and chromatic numbers of the published graphs that can be made.
func TestPublishedGraphs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("chromatic.tsv")
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	for line := range strings.Lines(string(text)) {
		col := strings.Split(strings.TrimSpace(line), "\t")
		if !strings.HasPrefix(line, "queen") && !strings.HasPrefix(line, "myciel") {
			if !strings.HasPrefix(line, "#") && col[0] != "source" && len(col) != 5 {
				t.Errorf("bad row %q", line)
			}
			continue
		}
		made++
		g := graph(t, col[0])
		k, source, ok := g.Chromatic()
		if !ok || k != g.K || source == "" {
			t.Errorf("%s: %d colours, chromatic number %d (%q, %v)", col[0], g.K, k, source, ok)
		}
		best, known := g.BestKnown()
		if !known || best.Value != 0 || !best.Proven {
			t.Errorf("%s: best known %+v, %v", col[0], best, known)
		}
		if fewer, err := g.WithColours(max(k-1, 1)); err != nil || fewer.K != g.K {
			if _, known := fewer.BestKnown(); known {
				t.Errorf("%s: a best value is known of %d colours", col[0], k-1)
			}
		}
	}
	if made < 18 {
		t.Errorf("%d graphs were made", made)
	}
}

func TestGraphNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][3]int{ // vertices, edges, colours
		"queen5_5": {25, 160, 5}, "queen5_5-k6": {25, 160, 6}, "queen8_12": {96, 1368, 12},
		"myciel3-k3": {11, 20, 3},
		"gnp-20-0-3": {20, 0, 1}, "gnp-20-100-3": {20, 190, 19}, "gnp-1-50-1": {1, 0, 1},
	} {
		if g := graph(t, name); [3]int{g.N, g.Edges(), g.K} != want || g.Size() != g.N {
			t.Errorf("%s has %d vertices, %d edges, %d colours, want %v", name, g.N, g.Edges(), g.K, want)
		}
	}
	for _, name := range []string{
		"queen0_3", "queen5_5-k5", "queen5_5-k26", "queen200_2", "myciel0", "myciel13", "gnp-0-5-1",
		"gnp-5-101-1", "gnp-20000-90-1",
	} {
		if inst, ok, err := datasets.Generate(name); !ok || err == nil || inst != nil ||
			!strings.Contains(err.Error(), "want") || strings.Count(err.Error(), "datasets: ") != 1 {
			t.Errorf("Generate(%q) = %v, %v, %v", name, inst, ok, err)
		}
	}
	for _, name := range []string{
		"queen5", "queen5_5-k0", "queen5_5-k", "queen_5", "myciel", "gnp-5-5", "-k5", "queen05_5",
	} {
		if inst, ok, err := datasets.Generate(name); ok || err != nil || inst != nil {
			t.Errorf("Generate(%q) = %v, %v, %v", name, inst, ok, err)
		}
	}
}

// The random graph has about as many edges as it should, and always the same.
func TestRandomGraph(t *testing.T) {
	t.Parallel()
	g := graph(t, "gnp-125-50-1")
	if n := g.Edges(); n < 3650 || n > 4100 {
		t.Errorf("%d edges of %d", n, 125*124/2)
	}
	got, want := g.SHA256(), "1f97e547baecd4fad75c9ce6b7088348519020ef38780f5068cab05d1c9e8576"
	if got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}

// The method of Brélaz colours properly; costs and deltas agree with each other and with a
// count over all pairs.
func TestColouringCosts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		g, err := datasets.RandomGraph(
			n, rapid.IntRange(0, 100).Draw(t, "percent"), rapid.Uint64Range(0, 9).Draw(t, "seed"), 0,
		)
		if err != nil {
			t.Fatal(err)
		}
		proper, k := g.Greedy()
		if g, err = g.WithColours(k); err != nil {
			t.Fatal(err)
		}
		if c, err := g.Cost(proper); err != nil || c != 0 {
			t.Fatalf("the greedy colouring has %d conflicts (%v)", c, err)
		}
		if best, ok := g.BestKnown(); !ok || best.Value != 0 {
			t.Fatalf("best known: %v, %v", best, ok)
		}
		c := rapid.SliceOfN(rapid.Int32Range(0, int32(k-1)), n, n).Draw(t, "colours")
		before, err := g.Cost(c)
		if err != nil {
			t.Fatal(err)
		}
		var pairs int64
		for u := range n {
			for v := range u {
				if g.Adjacent(u, v) != g.Adjacent(v, u) {
					t.Fatalf("an edge of %d and %d one way only", u, v)
				}
				if g.Adjacent(u, v) && c[u] == c[v] {
					pairs++
				}
			}
		}
		if pairs != before {
			t.Fatalf("cost %d, conflicts %d", before, pairs)
		}
	})
	g := graph(t, "myciel3")
	for _, c := range [][]int32{
		nil, make([]int32, 12), {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4}, {-1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
	} {
		if _, err := g.Cost(c); err == nil || !strings.Contains(err.Error(), "want") {
			t.Errorf("Cost(%v): %v", c, err)
		}
	}
	if _, err := g.WithColours(0); err == nil {
		t.Error("no colours are taken")
	}
	for _, e := range [][2]int32{{0, 0}, {0, 3}, {-1, 1}} {
		if _, err := datasets.NewColouring("bad", 3, [][2]int32{e}, 1); err == nil {
			t.Errorf("edge %v is taken", e)
		}
	}
}

func TestReadColouring(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/col/grotzsch")
	if err != nil {
		t.Fatal(err)
	}
	g, err := datasets.ReadColouring(bytes.NewReader(data), "myciel3", 0)
	if err != nil || g.N != 11 || g.Edges() != 20 || g.K != 4 || g.Name() != "myciel3" ||
		!g.Adjacent(0, 8) {
		t.Errorf("%+v, %v", g, err)
	}
	if g, err := datasets.ReadColouring(bytes.NewReader(data), "other", 5); err != nil || g.K != 5 ||
		g.Name() != "other-k5" {
		t.Errorf("%+v, %v", g, err)
	}
	for text, want := range map[string]string{
		"":                           "begins with p",
		"e 1 2\n":                    "begins with p before",
		"p edge 3 1\n":               "1 edges where there are 0",
		"p edge 3 1\ne 1 1\n":        ":2:",
		"p edge 3 1\ne 1 4\n":        "a vertex from 1 to 3",
		"p edge 3 1\ne 1\n":          "a vertex",
		"p edge 3 1\ne 1 2 3\n":      "the end of the line",
		"p tsp 3 1\n":                "edge or col",
		"p edge 0 1\n":               "number of vertices",
		"p edge 30000 1\n":           "number of vertices",
		"p edge 3 1\np edge 3 1\n":   "second",
		"q\n":                        "begins with c, p or e",
		"p edge 3 2\ne 1 2\ne\x00\n": "begins with c, p or e",
	} {
		if _, err := datasets.ReadColouring(strings.NewReader(text), "bad", 0); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// A file is found by its name and colours, and by its content where its name does not tell.
func TestLoadColouring(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var b bytes.Buffer
	if err := datasets.WriteColouring(&b, graph(t, "queen6_6")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"board.col", "plain"} {
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, title := range map[string]string{
		"board": "board", "board-k9": "board-k9", filepath.Join(dir, "plain"): "plain",
		filepath.Join(dir, "board.col"): "board",
	} {
		inst, err := datasets.Load(name, datasets.Folders(dir), datasets.Offline(), datasets.Cache(""))
		if err != nil {
			t.Error(err)
			continue
		}
		if inst.Name() != title || inst.Kind() != datasets.KindColouring || inst.Size() != 36 {
			t.Errorf("%s: %s, %s, %d", name, inst.Name(), inst.Kind(), inst.Size())
		}
	}
	if _, err := datasets.Load(
		"board-k99", datasets.Folders(dir), datasets.Offline(), datasets.Cache(""),
	); err == nil || !strings.Contains(err.Error(), "99 colours") {
		t.Errorf("99 colours for 36 vertices: %v", err)
	}
}

// A published graph that cannot be made is known by name, with or without its colours.
func TestGraphWithoutAFile(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"le450_15c", "DSJC125.5-k18"} {
		_, err := datasets.Load(name, datasets.Folders(t.TempDir()), datasets.Cache(""))
		if err == nil || !strings.Contains(err.Error(), ".col into a folder of METALAB_DATA") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzReadColouring(f *testing.F) {
	seed(f, "col")
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > fuzzLimit {
			t.Skip()
		}
		g, err := datasets.ReadColouring(bytes.NewReader(data), "fuzz", 0)
		if err != nil {
			checkSyntaxError(t, data, err)
			return
		}
		if g.Edges() > len(data) || g.K < 1 || g.K > g.N {
			t.Fatalf("%d vertices, %d edges, %d colours from %d bytes", g.N, g.Edges(), g.K, len(data))
		}
		var b bytes.Buffer
		if err := datasets.WriteColouring(&b, g); err != nil {
			t.Fatal(err)
		}
		again, err := datasets.ReadColouring(&b, "fuzz", 0)
		if err != nil || again.SHA256() != g.SHA256() {
			t.Fatalf("what was written reads differently: %v", err)
		}
	})
}

// ExampleLoad_colouring loads the graph of the queen's moves with as many colours as it needs.
func ExampleLoad_colouring() {
	inst, err := datasets.Load("queen8_8")
	if err != nil {
		panic(err)
	}
	g := inst.(*datasets.Colouring)
	_, greedy := g.Greedy()
	fmt.Println(
		g.N, "vertices,", g.Edges(), "edges,", g.K, "colours; the method of Brélaz needs", greedy,
	)
	// Output: 64 vertices, 728 edges, 9 colours; the method of Brélaz needs 12
}
