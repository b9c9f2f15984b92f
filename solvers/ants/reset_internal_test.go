package ants

import "testing"

// Trails are set back when the last better tour is reset iterations old: with deposit=drawn at
// every 10th iteration from then on, with mixed at every 100th after it, with another one never.
func TestStagnates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		deposit string
		reset   int
		found   int64
		at      []int64 // of iterations 1 to 500, the first four
	}{
		{depositDrawn, 50, 0, []int64{50, 60, 70, 80}},
		{depositDrawn, 50, 3, []int64{60, 70, 80, 90}},
		{depositDrawn, 45, 5, []int64{50, 60, 70, 80}},
		{depositDrawn, 1, 30, []int64{40, 50, 60, 70}},
		{depositDrawn, 0, 0, nil},
		{depositMixed, 250, 0, []int64{300, 400, 500}},
		{depositMixed, 250, 50, []int64{400, 500}},
		{depositMixed, 99, 0, []int64{100, 200, 300, 400}},
		{depositMixed, 100, 0, []int64{200, 300, 400, 500}},
		{depositMixed, 0, 0, nil},
		{depositDrawn + "?", 50, 0, nil},
	} {
		var m maxMin
		m.deposit, m.reset, m.restart.found = c.deposit, c.reset, c.found
		var got []int64
		for it := c.found + 1; it <= 500 && len(got) < 4; it++ {
			if m.stagnates(it) {
				got = append(got, it)
			}
		}
		if len(got) != len(c.at) {
			t.Errorf("%s, reset %d, found in %d: at %v, want %v", c.deposit, c.reset, c.found, got, c.at)
			continue
		}
		for i := range got {
			if got[i] != c.at[i] {
				t.Errorf("%s, reset %d, found in %d: at %v, want %v", c.deposit, c.reset, c.found, got, c.at)
				break
			}
		}
	}
}
