package host

import (
	"testing"

	"pgregory.net/rapid"
)

// Of many, some are kept in order, the first and the last among them, and at least half as many as
// there may be.
func TestThin(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		most, n := rapid.IntRange(2, 20).Draw(t, "most"), rapid.IntRange(1, 500).Draw(t, "n")
		s := thin[int]{most: most}
		for i := range n {
			s.add(i)
		}
		got := s.all()
		if got[0] != 0 || got[len(got)-1] != n-1 || len(got) > most || len(got) < min(n, most/2) {
			t.Fatalf("of %d, at most %d: %v", n, most, got)
		}
		for i := 1; i < len(got); i++ {
			if got[i] <= got[i-1] {
				t.Fatalf("not in order: %v", got)
			}
		}
	})
}
