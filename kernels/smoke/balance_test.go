package smoke_test

import (
	"os"
	"strconv"
	"testing"
	"time"

	"metalab/gpu"
	"metalab/kernels/internal/gputest"
)

// opens is how often TestBalance opens the device beside another: METALAB_GPU_OPENS, or
// 100 times. It starts the context anew a tenth as often, for that takes 0.2 s.
func opens(t *testing.T) int {
	if n, err := strconv.Atoi(os.Getenv("METALAB_GPU_OPENS")); err == nil {
		return n
	}
	return 100
}

// use puts something of every kind on a new Device, and closes it; free is what was free
// with all of that freed again.
func use(t *testing.T) (free int64) {
	t.Helper()
	d := must(gpu.Open(t.Context(), 0))(t)
	defer d.Close()
	k := kernel(t, d, "saxpy")
	s, e := must(d.NewStream())(t), must(d.NewEvent())(t)
	b := must(gpu.Alloc[float32](d, 1<<20))(t)
	p := must(gpu.NewPinned[float32](d, 1<<10))(t)
	c := gpu.Linear(1<<20, 256)
	c.Stream = s
	g := must(d.Capture(s, func() error { return k.Launch(c, b, b, float32(0), int32(1<<20)) }))(t)
	ok(t, b.Zero(s), g.Launch(s), e.Record(s), s.Sync())
	ok(t, g.Free(), b.Free(), p.Free(), s.Free(), e.Free())
	free, _, err := d.MemInfo()
	ok(t, err)
	if _, err := gpu.Alloc[float32](d, 1<<20); err != nil { // left to Close
		t.Fatal(err)
	}
	return free
}

// TestBalance opens and closes the device again and again, with and without another Device
// that keeps the context: in the end as much memory is free as after the first time; see
// gputest.Balance.
func TestBalance(t *testing.T) {
	device(t).Close()
	n := opens(t) / 10
	last := int64(0)
	timed := func(what string, n int, free func() int64) {
		start, calls := time.Now(), 0
		gputest.Balance(t, n, free, func() {
			last = use(t)
			calls++
		})
		t.Logf("%d opens and closes %s, %.2f ms each", calls, what,
			time.Since(start).Seconds()*1e3/float64(calls))
	}
	use(t)
	timed("of the context", n, func() int64 { return last })
	keeper := device(t)
	timed("beside another", 10*n, func() int64 {
		free, _, err := keeper.MemInfo()
		ok(t, err)
		return free
	})
}
