package gputest

import (
	"slices"
	"testing"

	"metalab/gpu"
)

// balanceRounds is how many times in a row memory must be missing before that is a leak.
const balanceRounds = 5

// Balance calls f, which takes a device's memory and gives it back, so many times: this process
// must hold in the end what it held before, and as much memory must be free as after the first
// call. Other processes may use the card: their part may be missing once, or several times, but a
// leak is there in every round of calls.
func Balance(t testing.TB, times int, free func() int64, f func()) {
	t.Helper()
	before := gpu.Holdings(0)
	f()
	first, last := int64(0), int64(0)
	for range balanceRounds {
		first = free()
		for range times {
			f()
		}
		if after := gpu.Holdings(0); !slices.Equal(after, before) {
			t.Fatalf("this process holds %v, and held %v before", after, before)
		}
		if last = free(); last >= first {
			return
		}
	}
	t.Errorf("%d bytes free before and %d after %d calls, and less in %d rounds of them, one after "+
		"the other", first, last, times, balanceRounds)
}
