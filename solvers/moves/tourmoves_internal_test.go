package moves

import (
	"fmt"
	"slices"
	"testing"
)

// edges are the edges of a tour, in one order whatever its start and direction are.
func edges(tour []int32) string {
	var e []string
	for i, a := range tour {
		b := tour[(i+1)%len(tour)]
		e = append(e, fmt.Sprint(min(a, b), "-", max(a, b)))
	}
	slices.Sort(e)
	return fmt.Sprint(e)
}

// All moves of 2-opt lead to tours that differ, n(n-3)/2 of them; those of Or-opt to all tours that
// have one to three cities elsewhere, none of which is the tour itself.
func TestTourMoves(t *testing.T) {
	t.Parallel()
	for n := range 11 {
		var tour []int32
		for i := range n {
			tour = append(tour, int32(i))
		}
		for _, nb := range []Neighbourhood{twoOpts{int64(n)}, orOpts{int64(n)}} {
			reached, before := map[string]bool{}, Move{}
			for x := range nb.Size() {
				m := nb.Move(x)
				if got := nb.Index(m); got != x {
					t.Fatalf("%d cities, %s: move %d has the index %d", n, nb.Name(), x, got)
				}
				if x > 0 && nb.Next(before) != m {
					t.Fatalf("%d cities, %s: after %v comes %v, want %v", n, nb.Name(), before,
						nb.Next(before), m)
				}
				before = m
				p := slices.Clone(tour)
				if m.reversal() {
					reverse(p, int(m.At[0]), int(m.At[1]))
				} else {
					jump(p, m)
				}
				if n > 3 && nb.Name() == "2opt" && edges(p) == edges(tour) {
					t.Errorf("%d cities: %v changes nothing", n, m)
				}
				reached[edges(p)] = true
			}
			if want := n * (n - 3) / 2; n > 3 && nb.Name() == "2opt" && len(reached) != want {
				t.Errorf("%d cities: 2-opt reaches %d tours, want %d", n, len(reached), want)
			}
			if want := orTours(tour); n > 4 && nb.Name() == "oropt" {
				for e := range want {
					if !reached[e] && e != edges(tour) {
						t.Fatalf("%d cities: Or-opt does not reach %s", n, e)
					}
				}
				for e := range reached {
					if !want[e] {
						t.Fatalf("%d cities: Or-opt reaches %s", n, e)
					}
				}
			}
		}
	}
}

// orTours are the tours that Or-opt can reach, by taking parts out of the tour turned to each of
// its cities and putting them in everywhere.
func orTours(tour []int32) map[string]bool {
	out := map[string]bool{}
	for i := range tour {
		turned := slices.Concat(tour[i:], tour[:i])
		for part := 1; part <= longestPart && part < len(tour); part++ {
			rest := turned[part:]
			for to := 1; to < len(rest); to++ {
				for _, back := range []bool{false, true} {
					p := slices.Clone(turned[:part])
					if back {
						slices.Reverse(p)
					}
					out[edges(slices.Concat(rest[:to], p, rest[to:]))] = true
				}
			}
		}
	}
	return out
}
