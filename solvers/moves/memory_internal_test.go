package moves

import (
	"testing"

	"pgregory.net/rapid"
)

// Whether a placement is overdue does not depend on what was asked before: forks and
// revived runs begin without the bound that any keeps.
func TestOverdueIsAFunctionOfTheTimes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 5).Draw(t, "n")
		identity := make([]int32, n)
		for i := range identity {
			identity[i] = int32(i)
		}
		p := append([]int32(nil), identity...)
		m := newPlacements(p)
		for clock := int64(1); clock < 60; clock++ {
			if rapid.IntRange(0, 9).Draw(t, "jump") == 0 {
				copy(p, rapid.Permutation(identity).Draw(t, "p"))
				m.jumped()
			}
			limit := clock - int64(rapid.IntRange(1, 20).Draw(t, "aspiration"))
			want := false
			for i := range n {
				for j, u := range m.until[i*n:][:n] {
					want = want || u < limit && j != int(p[i])
				}
			}
			if got := m.any(nil, limit); got != want {
				t.Fatalf("scan %d: something is overdue: %v, want %v", clock, got, want)
			}
			i := rapid.IntRange(0, n-2).Draw(t, "i")
			j := rapid.IntRange(i+1, n-1).Draw(t, "j")
			move := Move{At: [3]int32{int32(i), int32(j), none}}
			m.note(nil, move, clock, func() int64 { return int64(rapid.IntRange(0, 30).Draw(t, "wait")) })
			permute(p, move)
		}
	})
}
