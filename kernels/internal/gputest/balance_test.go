package gputest

import (
	"fmt"
	"testing"
)

// told is a test that only notes what it is told.
type told struct {
	testing.TB
	text string
}

func (t *told) Helper() {}

func (t *told) Errorf(format string, args ...any) { t.text += fmt.Sprintf(format, args...) }

func TestBalanceOfALeak(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		leak  int64
		noise []int64 // what others take and give back, a call each
		want  bool
	}{
		{"nothing", 0, nil, false},
		{"a leak", 1, nil, true},
		{"others", 0, []int64{5, 3, -9, 4}, false},
		{"others take all the time", 0, []int64{5, 0, 0, 0, 0, 0, 0}, false},
		{"a leak among others that end", 2, []int64{5, -5}, true},
	} {
		free, calls := int64(1<<20), 0
		got := &told{TB: t}
		Balance(got, 6, func() int64 { return free }, func() {
			free -= c.leak
			if calls++; calls <= 3*len(c.noise) {
				free -= c.noise[calls%len(c.noise)]
			}
		})
		if (got.text != "") != c.want {
			t.Errorf("%s: %q", c.name, got.text)
		}
	}
}
