package datasets_test

import (
	"strings"
	"testing"

	"metalab/datasets"

	"pgregory.net/rapid"
)

// drawCut draws fields, couplings and an offset, and bits.
func drawCut(t *rapid.T) (n int, fields []int64, edges []datasets.Edge, offset int64, x []int8) {
	n = rapid.IntRange(1, 9).Draw(t, "n")
	weight := rapid.Int64Range(-50, 50)
	if rapid.Bool().Draw(t, "fields") {
		fields = rapid.SliceOfN(weight, n, n).Draw(t, "h")
	}
	for range rapid.IntRange(0, 20).Draw(t, "m") {
		u, v := rapid.IntRange(0, n-1).Draw(t, "u"), rapid.IntRange(0, n-1).Draw(t, "v")
		if u != v {
			edges = append(edges, datasets.Edge{
				U: int32(u), V: int32(v), Weight: weight.Draw(t, "w"),
			})
		}
	}
	x = rapid.SliceOfN(rapid.Int8Range(0, 1), n, n).Draw(t, "x")
	return n, fields, edges, weight.Draw(t, "offset"), x
}

// The cost is what the three definitions say, and so are cut, energy and offset: as dimod has it,
// E = sum h s + sum J s s + offset, and cut = (W - E) / 2.
func TestCutIsItsDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, fields, edges, offset, x := drawCut(t)
		spin := func(v int32) int64 { return 2*int64(x[v]) - 1 }
		var cut, energy, qubo, all int64
		energy, qubo = offset, offset
		for _, e := range edges {
			all += e.Weight
			energy += e.Weight * spin(e.U) * spin(e.V)
			qubo += e.Weight * int64(x[e.U]) * int64(x[e.V])
			if x[e.U] != x[e.V] {
				cut += e.Weight
			}
		}
		for v, h := range fields {
			energy += h * spin(int32(v))
			qubo += h * int64(x[v])
		}
		check := func(c *datasets.Cut, err error, cost int64, e float64) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.Cost(x)
			a := c.Answer(got)
			if err != nil || got != cost || a.Energy != e {
				t.Fatalf("%s: cost %d (%v), %+v, want %d and the energy %v", c.Objective(), got, err, a,
					cost, e)
			}
			for v := range x {
				y := append([]int8(nil), x...)
				y[v] ^= 1
				if after, _ := c.Cost(y); after-got != c.Loss(x, v) {
					t.Fatalf("%s: the flip of %d costs %d, Loss says %d", c.Objective(), v, after-got,
						c.Loss(x, v))
				}
			}
		}
		c, err := datasets.NewCut("c", n, edges)
		check(c, err, -cut, float64(all-2*cut))
		if a := c.Answer(-cut); a.Cut != float64(cut) || a.Offset != 0 {
			t.Fatalf("%+v, want the cut %d", a, cut)
		}
		c, err = datasets.NewIsing("i", n, fields, edges, offset)
		check(c, err, energy, float64(energy))
		if a := c.Answer(energy); a.Offset != float64(offset) {
			t.Fatalf("%+v, want the offset %d", a, offset)
		}
		c, err = datasets.NewQUBO("q", n, fields, edges, offset, false)
		check(c, err, qubo, float64(qubo))
		c, err = datasets.NewQUBO("q", n, fields, edges, offset, true)
		check(c, err, -qubo, -float64(qubo))
	})
}

// The signs of the page signs.md on its example.
func TestSigns(t *testing.T) {
	t.Parallel()
	edges := []datasets.Edge{{U: 0, V: 1, Weight: 3}, {U: 1, V: 2, Weight: -2}}
	x := []int8{1, 0, 0}
	c, err := datasets.NewCut("three", 3, edges)
	if err != nil {
		t.Fatal(err)
	}
	cost, err := c.Cost(x)
	if err != nil {
		t.Fatal(err)
	}
	if a := c.Answer(cost); a != (datasets.Answer{Cut: 3, Energy: -5}) || cost != -3 ||
		!c.Maximises() {
		t.Errorf("cost %d, %+v", cost, a)
	}
}

// What cannot be counted with is refused, with the number and the place.
func TestCutRefuses(t *testing.T) {
	t.Parallel()
	edge := func(u, v int32, w int64) []datasets.Edge {
		return []datasets.Edge{{U: u, V: v, Weight: w}}
	}
	many := append(edge(0, 1, 1<<30), edge(1, 0, 1<<30)...)
	for _, c := range []struct {
		n     int
		edges []datasets.Edge
		want  string
	}{
		{0, nil, "0 vertices"},
		{1<<20 + 1, nil, "1048577 vertices"},
		{2, edge(0, 2, 1), "joins 0 and 2"},
		{2, edge(1, 1, 1), "joins 1 and 1"},
		{2, edge(0, 1, 1<<31), "a weight of 2147483648"},
		{2, many, "is 2147483648"},
		{3, append(edge(0, 1, 1<<30), edge(0, 2, -1<<30)...), "a flip of vertex 0"},
	} {
		if _, err := datasets.NewCut("c", c.n, c.edges); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.edges, err, c.want)
		}
	}
	g, err := datasets.NewCut("c", 2, edge(0, 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range [][]int8{{0}, {0, -1}, {2, 0}} {
		if _, err := g.Cost(x); err == nil {
			t.Errorf("%v has a cost", x)
		}
	}
}

// Edges between the same vertices are added up, whatever their order, and the hash follows the
// problem alone.
func TestCutIsCanonical(t *testing.T) {
	t.Parallel()
	a, err := datasets.NewCut("a", 3, []datasets.Edge{
		{U: 0, V: 1, Weight: 2}, {U: 1, V: 2, Weight: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	b, err := datasets.NewCut("b", 3, []datasets.Edge{
		{U: 2, V: 1, Weight: 1},
		{U: 1, V: 0, Weight: 5},
		{U: 0, V: 1, Weight: -3},
		{U: 0, V: 2, Weight: 1},
		{U: 0, V: 2, Weight: -1},
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := datasets.NewIsing("c", 3, nil, []datasets.Edge{{U: 0, V: 1, Weight: 2}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if a.SHA256() != b.SHA256() || a.SHA256() == c.SHA256() || b.Edges() != 2 {
		t.Errorf("hashes %s, %s, %s; %d edges", a.SHA256(), b.SHA256(), c.SHA256(), b.Edges())
	}
}

// The families with free numbers are of the size that their names say, and the same each time.
func TestSpinsByName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		size, edges int
		same        string // a graph with the same hash
	}{
		{"gset-like-800-6-8001", 800, 19176, "G1"},
		{"gset-like-800-6-8001-pm", 800, 19176, "G6"},
		{"gset-like-5000-0.1-50001", 5000, 12498, "G55"},
		{"torus-100x8-8001", 800, 1600, "G11"},
		{"torus-50x60", 3000, 6000, "G48"},
		{"glass-3x4-1", 12, 17, "glass-3x4-1"},
		{"glass-1x1-0", 1, 0, "glass-1x1-0"},
	} {
		g, ok := generate(t, c.name).(*datasets.Cut)
		if !ok || g.Size() != c.size || g.Edges() != c.edges ||
			g.SHA256() != generate(t, c.same).SHA256() {
			t.Errorf("%s: %d vertices, %d edges, or not %s", c.name, g.Size(), g.Edges(), c.same)
		}
	}
	for _, name := range []string{
		"gset-like-800-6", "gset-like-800-06-1", "gset-like-800-6-1-mp", "torus-3-3", "glass-3x3",
		"torus-3x3x", "glass-x3-1",
	} {
		if _, ok, err := datasets.Generate(name); ok {
			t.Errorf("%s is made (%v)", name, err)
		}
	}
	for _, name := range []string{
		"gset-like-1-6-1", "gset-like-800-60-1", "gset-like-800-6-0", "gset-like-1000000-1-1",
		"torus-2x9", "torus-3x3-0", "torus-9999999999x9999999999", "glass-0x3-1", "glass-1025x1025-1",
	} {
		if _, ok, err := datasets.Generate(name); !ok || err == nil {
			t.Errorf("%s: %v, %v, want a refusal", name, ok, err)
		}
	}
}
