package ants

import (
	"errors"
	"testing"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/kernels/rounds"
)

// noting is a local search that notes with how many warps a tour it was queued.
type noting struct{ warps int }

func (n *noting) Room(int) error { return nil }

func (n *noting) Queue(_ *gpu.Stream, b rounds.Batch) error {
	n.warps = b.Warps
	return nil
}

// TestGraphsOfSearches lets the launch of a local search change while that of the construction
// stays: the graph of an iteration is made with the new one.
func TestGraphsOfSearches(t *testing.T) {
	if !onFake(t) {
		return
	}
	var b *deviceCrew
	watch("graphs", func(made *deviceCrew) { b = made })
	c := trial{
		Solver: "mmas", Variant: "wrs", Cities: 101, Metric: "EUC_2D", Spread: 1e4,
		Params: params("ants", 7, "local_search", "none"),
	}
	c.open(t, "graphs", c.instance(t))
	note := &noting{}
	b.search.polisher = note
	if err := errors.Join(b.improveFrom(7), b.size(7)); err != nil {
		t.Fatal(err)
	}
	times := 0
	// What Construct does, without the kernels of ants, which the driver that is none has not.
	queue := func() error {
		return errors.Join(b.Launch(&b.launches.construction, func() error { return nil }),
			b.queueSearch())
	}
	construct := func() {
		t.Helper()
		times++
		err := errors.Join(b.Settle(&b.launches.construction), b.Settle(&b.launches.local))
		whole, werr := b.launches.graph.Whole(b.d, &b.Tuner, queue)
		if err := errors.Join(err, werr); err != nil {
			t.Fatal(err)
		}
		if err := b.d.Do(t.Context(), func() error {
			return errors.Join(b.First(), whole(), b.Last(), b.d.Sync(), b.Read())
		}); err != nil {
			t.Fatal(err)
		}
	}
	b.Schedule(0, 1)
	done := func() bool {
		w := b.Waves()
		return len(w) == 2 && w[0].Tuned && w[1].Tuned
	}
	for construct(); !done(); construct() {
		if times > 10_000 {
			t.Fatalf("not tuned: %+v", b.Waves())
		}
	}
	construct()
	tuned := b.Waves()
	if note.warps == 0 || note.warps != tuned[1].Config.Block/launch.Warp {
		t.Errorf("the search has %d warps, %v was found", note.warps, tuned[1].Config)
	}
	b.Schedule(tuned[0].Config.Block/launch.Warp, 0)
	construct()
	if note.warps != 0 {
		t.Errorf("the search has %d warps, and nothing says so: %+v", note.warps, b.Waves())
	}
}
