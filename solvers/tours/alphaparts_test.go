package tours

import (
	"slices"
	"testing"
)

// Weights found in parts make the whole's tree as long as those found in the whole do: the bound of
// Held and Karp is not lower by more than a five hundredth.
func TestWeightsOfPartsFitTogether(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"E3k.1", "C3k.1"} {
		sp := alphaSpace(t, name)
		bound := func(pi []int64) float64 {
			a := newAscent(sp, alphaFrom)
			copy(a.pi, pi)
			a.order()
			sum := int64(0)
			for c := range a.parent {
				a.parent[c] = int32(c)
				sum -= 2 * a.pi[c]
			}
			for _, key := range a.keys {
				e := &a.edges[uint32(key)]
				if x, y := a.root(e.a), a.root(e.b); x != y {
					a.parent[x] = y
					sum += a.cost(e)
				}
			}
			return float64(sum)
		}
		whole, parts := newAscent(sp, alphaFrom), newAscent(sp, alphaFrom)
		whole.keep, parts.keep = alphaKeep, alphaKeep
		none := bound(whole.pi)
		whole.climb()
		const count = 4
		for i := range count {
			parts.part(sp.bound(i, count), sp.bound(i+1, count))
		}
		a, b := bound(whole.pi), bound(parts.pi)
		t.Logf("%s: %.0f without weights, %.0f in the whole, %.0f in parts", name, none, a, b)
		if b < a-a/500 || none > a-a/50 {
			t.Errorf("%s: the tree has %.0f without weights, %.0f with those of the whole, %.0f with "+
				"those of parts", name, none, a, b)
		}
	}
}

// A part's lists have the weights of its cities, and costs to match.
func TestPartsOfListsWithWeights(t *testing.T) {
	t.Parallel()
	sp := alphaSpace(t, "C1k.1")
	near := sp.Alpha(5)
	for _, lo := range []int{0, 300, 990} {
		sub, lists := sp.part(near, lo, min(lo+200, sp.N))
		for c := range int32(sub.N) {
			for i, d := range lists.Of(c) {
				want := sub.D(c, d)*near.Scale + near.Pi[int(c)+lo] + near.Pi[int(d)+lo]
				if got := lists.DistOf(c)[i]; got != want || lists.Pi[c] != near.Pi[int(c)+lo] {
					t.Fatalf("part from %d: the edge (%d, %d) costs %d, want %d", lo, c, d, got, want)
				}
			}
		}
	}
}

// Joined lists have the first list's neighbours, then those of the others in turn, each once.
func TestJoinedLists(t *testing.T) {
	t.Parallel()
	sp := alphaSpace(t, "C1k.1")
	a, b := sp.Alpha(5), sp.Quadrant(4)
	for _, k := range []int{3, 7, 9} {
		got := sp.Joined(k, a, b, sp.Quadrant(10))
		for c := range int32(sp.N) {
			in := map[int32]bool{}
			for i, d := range got.Of(c) {
				in[d] = true
				if want := sp.D(c, d)*a.Scale + a.Pi[c] + a.Pi[d]; got.DistOf(c)[i] != want ||
					i > 0 && want < got.DistOf(c)[i-1] {
					t.Fatalf("%d neighbours of %d: %v cost %v", k, c, got.Of(c), got.DistOf(c))
				}
			}
			want := append(slices.Clone(a.Of(c)[:min(k, 5)]), b.Of(c)...)
			for _, d := range want {
				if len(in) == k && !in[d] && (slices.Contains(a.Of(c)[:min(k, 5)], d) ||
					len(slices.Compact(slices.Sorted(slices.Values(want)))) <= k) {
					t.Fatalf("%d neighbours of %d: %v, want all of %v", k, c, got.Of(c), want)
				}
			}
			if len(in) != k {
				t.Fatalf("%d neighbours of %d: %v", k, c, got.Of(c))
			}
		}
	}
}
