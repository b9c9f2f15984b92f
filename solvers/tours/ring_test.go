package tours_test

import (
	"slices"
	"testing"

	"metalab/solvers/tours"

	"pgregory.net/rapid"
)

// model is a tour without tricks: exchange finds the edges in a slice and reverses a part.
type model []int32

func (m model) exchange(a, b, c, d int32) {
	// Turned so that the path from b to d stands inside the slice.
	for m[0] != b {
		rotate(m)
	}
	if m[len(m)-1] != a { // b came before a
		slices.Reverse(m)
		for m[0] != b {
			rotate(m)
		}
	}
	slices.Reverse(m[:slices.Index(m, d)+1])
	if m[0] != d {
		panic("model: d does not follow c as b follows a")
	}
}

func rotate(m model) {
	first := m[0]
	copy(m, m[1:])
	m[len(m)-1] = first
}

// canonical is the circle from city 0 on towards its smaller neighbour.
func (m model) canonical() []int32 {
	c := slices.Clone(m)
	for c[0] != 0 {
		rotate(c)
	}
	if c[len(c)-1] < c[1] {
		slices.Reverse(c[1:])
	}
	return c
}

// All structures lead to the circle of the model, operation by operation, and back; the list that
// does as an array is stored as the array is.
func TestRingsFollowTheModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(3, 12), rapid.IntRange(13, 300)).Draw(t, "n")
		order := rapid.Permutation(seq(n)).Draw(t, "order")
		rings := []tours.Ring{
			tours.NewRing(n, false), tours.NewRing(n, true), tours.NewMirroredRing(n),
		}
		same := func(t *rapid.T) {
			if got, want := rings[2].Whole(), rings[0].Whole(); !slices.Equal(got, want) {
				t.Fatalf("the list is stored as %v, the array as %v", got, want)
			}
		}
		m := model(slices.Clone(order))
		start := m.canonical()
		for i, r := range rings {
			r.Set(order)
			if got := r.Get(); !slices.Equal(got, start) {
				t.Fatalf("ring %d after Set: %v, want %v", i, got, start)
			}
		}
		city := rapid.Int32Range(0, int32(n-1))
		for range rapid.IntRange(1, 60).Draw(t, "operations") {
			a, d := city.Draw(t, "a"), city.Draw(t, "d")
			if a == d {
				continue
			}
			// In the direction of the model now: a b ... d c, so that (a, b) and (c, d) can go.
			ia, id := slices.Index(m, a), slices.Index(m, d)
			b, c := m[(ia+1)%n], m[(id+1)%n]
			if rapid.Bool().Draw(t, "backwards") {
				b, c = m[(ia+n-1)%n], m[(id+n-1)%n]
			}
			if b == d || c == a || b == c {
				continue // shares a city: no exchange of two edges
			}
			m.exchange(a, b, c, d)
			want := m.canonical()
			for i, r := range rings {
				r.Exchange(a, b, c, d)
				if got := r.Get(); !slices.Equal(got, want) {
					t.Fatalf(
						"ring %d after the exchange of %d-%d and %d-%d: %v, want %v", i, a, b, c, d, got, want,
					)
				}
				checkOrder(t, r, n)
			}
			same(t)
		}
		for i, r := range rings {
			r.Undo()
			if got := r.Get(); !slices.Equal(got, start) {
				t.Fatalf("ring %d after Undo: %v, want %v", i, got, start)
			}
		}
		same(t)
	})
}

// checkOrder: keys grow along the circle but for one drop, and prev is the inverse of next.
func checkOrder(t *rapid.T, r tours.Ring, n int) {
	drops := 0
	for c, i := int32(0), 0; i < n; i++ {
		next := r.Next(c)
		if r.Prev(next) != c {
			t.Fatalf("next of %d is %d, whose prev is %d", c, next, r.Prev(next))
		}
		if r.Key(next) < r.Key(c) {
			drops++
		}
		c = next
	}
	if drops != 1 {
		t.Fatalf("keys drop %d times round the circle", drops)
	}
}
