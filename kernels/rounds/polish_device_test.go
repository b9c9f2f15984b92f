//go:build cuda

package rounds

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/kernels/internal/gputest"
	"metalab/solvers/rounds"
	"metalab/solvers/tours"
)

// onDevice makes a batch of tours that lie close behind each other, and reads what came of it.
func onDevice(
	t testing.TB, o *Polisher, d *gpu.Device, b Batch, tours [][]int32, records []tourRecord,
	known []int32,
) {
	t.Helper()
	n := len(tours[0])
	all := make([]uint16, 0, n*len(tours))
	for _, tour := range tours {
		all = append(all, knownOrNone(tour, n)...)
	}
	at, err := gpu.Upload(d, all)
	must(t, err)
	heads, err := gpu.Upload(d, records)
	must(t, err)
	best, err := gpu.Upload(d, knownOrNone(known, n))
	must(t, err)
	b.Tours, b.Stride, b.Count = at.View().Ptr, n, len(tours)
	b.Heads, b.Step, b.Known = heads.View().Ptr, int(unsafe.Sizeof(tourRecord{})), best.View().Ptr
	must(t, o.Room(len(tours)))
	must(t, d.Do(context.Background(), func() error {
		if err := o.Queue(nil, b); err != nil {
			return err
		}
		return d.Sync()
	}))
	must(t, heads.DownloadTo(records))
	must(t, at.DownloadTo(all))
	for a, tour := range tours {
		for i := range tour {
			tour[i] = int32(all[a*n+i])
		}
	}
	must(t, at.Free())
	must(t, heads.Free())
	must(t, best.Free())
}

// TestPolishTwin compares the search on others' tours with rounds.Polisher on a device.
func TestPolishTwin(t *testing.T) {
	gputest.Need(t)
	d, err := gpu.Open(context.Background(), 0)
	must(t, err)
	t.Cleanup(d.Close)
	more := []polishTrial{
		{1002, datasets.Euc2D, 1, 10, 40, 33, true, false},
		{3001, datasets.Euc2D, 1, 10, 12, 12, true, false},
		{3001, datasets.Euc2D, 0.3, 10, 6, 5, false, false},
		{7777, datasets.Euc2D, 1, 10, 4, 3, true, false},
		{20011, datasets.Euc2D, 1, 10, 3, 3, true, false},
	}
	all := append(polishTrials[:len(polishTrials):len(polishTrials)], more...)
	for i := range 2 * len(all) {
		c, or := all[i/2], i%2 == 1
		t.Run(fmt.Sprintf("%+v insertions %v", c, or), func(t *testing.T) {
			p := twin(t, spread(t, c.n, c.metric, c.scale), c.neighbours, rounds.Lanes)
			p.Or = or
			o, err := NewPolisher(d, p)
			must(t, err)
			want, known := c.tours(p)
			first := cloned(want)
			before := recordsOf(p, first)
			wanted := recordsOf(p, want)
			polished(p, want, wanted, known, c.best)
			for _, warps := range []int{0, 1, 3, 8, 10, 16, 32} {
				tours, records := cloned(first), append([]tourRecord(nil), before...)
				onDevice(t, o, d, Batch{Best: c.best, Warps: warps}, tours, records, known)
				samePolish(t, fmt.Sprintf("%d warps", warps), tours, want, records, wanted)
			}
		})
	}
}

// More cities than a block's shared memory holds are refused with the number that it does.
func TestPolishTooManyCities(t *testing.T) {
	gputest.Need(t)
	d, err := gpu.Open(context.Background(), 0)
	must(t, err)
	t.Cleanup(d.Close)
	in, err := datasets.Uniform(60000, 1)
	must(t, err)
	sp, err := tours.NewSpace(in)
	must(t, err)
	_, err = NewPolisher(d, &rounds.Problem{Space: sp, Near: sp.Nearest(8), Width: rounds.Lanes})
	if err == nil || !strings.Contains(err.Error(), "want at most") {
		t.Errorf("60,000 cities: %v", err)
	}
	t.Log(err)
}
