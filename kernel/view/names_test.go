package view

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Names below groups are whole where there is room; else what all have is left out before they are
// cut.
func TestNamesOfGroups(t *testing.T) {
	labels := func(g groupNames) (out []string) {
		for _, k := range g.Ticks(0, 1) {
			out = append(out, strings.TrimLeft(k.Label, "\n"))
		}
		return out
	}
	long := []string{
		"acs/seq local_search=none ants=5", "acs/seq local_search=none ants=10",
		"mmas/scan local_search=none ants=5", "mmas/scan local_search=none ants=10",
	}
	for _, q := range []struct {
		names []string
		width int
		want  []string
	}{
		{long, 200, long},
		{long, 40, []string{
			"acs/seq ants=5", "acs/seq ants=10", "mmas/scan ants=5", "mmas/scan ants=10",
		}},
		{long[:2], 30, []string{"ants=5", "ants=10"}},
		{[]string{"same name", "same name"}, 6, []string{"same", "same"}},
		{[]string{"abcdefghij", "klmnopqrst"}, 10, []string{"abcdefgh…", "klmnopqr…"}},
		{[]string{""}, 10, []string{""}},
	} {
		if got := labels(groupNames{q.names, q.width}); !slices.Equal(got, q.want) {
			t.Errorf("%q in %d letters: %q, want %q", q.names, q.width, got, q.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"acs", "mmas", "ants=5", "ants=10", "local_search=none"})
		name := rapid.Map(rapid.SliceOfN(word, 0, 4),
			func(w []string) string { return strings.Join(w, " ") })
		names := rapid.SliceOfN(name, 1, 12).Draw(t, "names")
		width := rapid.IntRange(1, 120).Draw(t, "width")
		got := groupNames{names, width}.Ticks(0, 1)
		if len(got) != len(names) {
			t.Fatalf("%d labels of %d names", len(got), len(names))
		}
		// In a row no label is wider than the room up to the next one in that row.
		space := max(width/len(names), 1)
		rows := 1
		for _, k := range got {
			rows = max(rows, strings.Count(k.Label, "\n")+1)
		}
		for _, k := range got {
			if n := len([]rune(strings.TrimLeft(k.Label, "\n"))); n > max(space*rows-1, 3) {
				t.Fatalf("%q has %d letters, and there is room for %d", k.Label, n, space*rows-1)
			}
		}
	})
}
