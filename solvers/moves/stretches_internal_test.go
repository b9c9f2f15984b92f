package moves

import (
	"fmt"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"

	"pgregory.net/rapid"
)

// Stretches hold at each position what an array of the same reversals and jumps holds there, and
// what they held at a mark.
func TestStretches(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "n")
		var want, kept []int32
		for i := range n {
			want = append(want, int32(i))
		}
		o := newStretches(slices.Clone(want))
		place := rapid.IntRange(0, n-1)
		for range rapid.IntRange(1, 120).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{
				"reverse", "reverse", "reverse", "jump", "mark", "marked", "look", "own",
			}).Draw(t, "step") {
			case "reverse":
				i, j := place.Draw(t, "i"), place.Draw(t, "j")
				i, j = min(i, j), max(i, j)
				reverse(want, i, j)
				o.reverse(i, j)
			case "jump":
				if orOpts := (orOpts{int64(n)}); orOpts.Size() > 0 {
					m := orOpts.Move(rapid.Int64Range(0, orOpts.Size()-1).Draw(t, "move"))
					jump(want, m)
					o.jump(m)
				}
			case "mark":
				o.mark()
				kept = slices.Clone(want)
			case "marked":
				if kept == nil {
					break
				}
				if got := o.marked(); !slices.Equal(got, kept) {
					t.Fatalf("marked %v, want %v", got, kept)
				}
				kept = nil
			case "look": // changes become rare
				for range 10 * n {
					o.look()
				}
			case "own":
				p := o.own()
				p[0], p[n-1] = p[n-1], p[0]
				want[0], want[n-1] = want[n-1], want[0]
			}
			for i, c := range want {
				next := want[(i+1)%n]
				if a, b := o.pair(int32(i)); a != c || b != next || o.entry(int32(i)) != c {
					t.Fatalf("at %d: %d and %d, want %d and %d", i, a, b, c, next)
				}
			}
			o.looked = 0
		}
	})
}

// A reversal costs the root of the number of entries: the list stays short, and arrays are not
// written more often than that.
func TestStretchesStayShort(t *testing.T) {
	t.Parallel()
	for _, n := range []int{5_000, 20_000, 80_000} {
		o := newStretches(identity(n))
		draws := arith.NewStream(1, 2, 3, 4)
		longest, written := 0, 0
		const turns = 2000
		for range turns {
			i, j := draws.IntN(n), draws.IntN(n)
			before := &o.cells[0]
			o.reverse(min(i, j), max(i, j))
			if &o.cells[0] != before {
				written++
			}
			longest = max(longest, len(o.parts))
		}
		if longest*longest > 9*n || written*written*n > 16*turns*turns {
			t.Errorf("%d entries: up to %d stretches, written %d times in %d reversals", n, longest,
				written, turns)
		}
	}
}

// A walk with stretches says and does the same as one with an array, move by move, with all
// neighbourhoods mixed.
func TestLongWalks(t *testing.T) {
	t.Parallel()
	for _, n := range []int{5, 6, 7, 12, 40, 200} {
		inst := uniformTSP(t, n)
		walks, err := Sampled(inst, 2)
		if err != nil {
			t.Fatal(err)
		}
		walks[1].(*tspWalk).lengthen()
		if MarkerOf(walks[0]) != nil {
			t.Fatalf("%d cities: a walk with an array has marks", n)
		}
		compareWalks(t, inst, walks[0], walks[1])
		checkMoves(t, inst, walks[1], 3)
	}
}

func compareWalks(t *testing.T, inst *datasets.TSP, a, b Walk) {
	t.Helper()
	draws := arith.NewStream(9, 1, 2, 3)
	same := draws
	a.Random(&draws)
	b.Random(&same)
	marker := MarkerOf(b)
	kept := a.Solution()
	marker.Mark()
	nbs := a.Neighbourhoods()
	for step := range 3000 {
		nb := nbs[draws.IntN(len(nbs))]
		m := nb.Move(int64(draws.IntN(int(nb.Size()))))
		what := fmt.Sprintf("%d cities, step %d: %s %v", inst.N, step, nb.Name(), m)
		if x, y := a.Delta(m), b.Delta(m); x != y {
			t.Fatalf("%s: delta %v, want %v", what, y, x)
		}
		if draws.IntN(3) == 0 {
			a.Apply(m)
			b.Apply(m)
		}
		switch draws.IntN(20) {
		case 0:
			if got := marker.Marked(); !slices.Equal(got.Perm, kept.Perm) {
				t.Fatalf("%s: the mark is %v, want %v", what, got.Perm, kept.Perm)
			}
			kept = a.Solution()
			marker.Mark()
		case 1:
			if a.Hash() != b.Hash() || a.Cost() != b.Cost() {
				t.Fatalf("%s: the tour is %v, want %v", what, b.Solution().Perm, a.Solution().Perm)
			}
		}
		if at := int32(draws.IntN(inst.N)); a.entry(at) != b.entry(at) {
			t.Fatalf("%s: another city at %d", what, at)
		}
	}
}

func identity(n int) []int32 {
	p := make([]int32, n)
	for i := range p {
		p[i] = int32(i)
	}
	return p
}
