package moves

import (
	"context"
	"sync/atomic"
	"testing"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/own"
	"metalab/solvers/record"
)

// quick is the problem order with deltas of swaps and insertions, whole ones; it counts the swaps
// that its values are told of.
type quick struct {
	order
	made *atomic.Int64
}

func (q quick) after(p []int32, change func(p []int32)) int64 {
	c := append([]int32(nil), p...)
	change(c)
	return q.Cost(c) - q.Cost(p)
}

func (q quick) DeltaSwap(p []int32, i, j int) int64 {
	return q.after(p, func(p []int32) { p[i], p[j] = p[j], p[i] })
}

func (q quick) DeltaInsert(p []int32, i, j int) int64 {
	return q.after(p, func(p []int32) { insert(p, i, j) })
}

func (q quick) Load([]int32)                { q.made.Add(1 << 20) }
func (q quick) ApplySwap([]int32, int, int) { q.made.Add(1) }

// A walk that one goroutine scans tells one value of each move, and loads one solution.
func TestOwnMovesOnce(t *testing.T) {
	pool := solvers.NewPool(1)
	defer pool.Close()
	var made atomic.Int64
	p, err := own.New("own", record.Form{Kind: record.FormPermutation, N: 9},
		func() any { return quick{made: &made} })
	if err != nil {
		t.Fatal(err)
	}
	w, err := newOwnWalk(p)
	if err != nil {
		t.Fatal(err)
	}
	made.Store(0)
	if err := w.Load(record.Solution{Perm: []int32{3, 1, 4, 0, 5, 8, 2, 6, 7}}); err != nil {
		t.Fatal(err)
	}
	nb := w.Neighbourhoods()[0]
	for range 5 {
		c, err := w.scan(0, wave{ctx: context.Background(), pool: pool, block: nb.Size()}, nil)
		if err != nil {
			t.Fatal(err)
		}
		w.Apply(nb.Move(c.index))
	}
	if n := made.Load(); n != 1<<20+5 {
		t.Errorf("%d solutions were loaded and %d swaps told, want 1 and 5", n>>20, n%(1<<20))
	}
}

// A scan of swaps that looks up itself what tabu search forbids finds what one finds that asks.
func TestOwnBan(t *testing.T) {
	for _, maximise := range []bool{false, true} {
		form := record.Form{Kind: record.FormPermutation, N: 9, Maximise: maximise}
		p, err := own.New("own", form, func() any { return quick{made: &atomic.Int64{}} })
		if err != nil {
			t.Fatal(err)
		}
		w, err := newOwnWalk(p)
		if err != nil {
			t.Fatal(err)
		}
		o := w.(*ownWalk)
		draws := arith.NewStream(5, 0, 0, 0)
		m := &elements{until: make([]int64, form.N), n: form.N, byEntry: true}
		in := wave{ctx: context.Background(), block: 1 << 20, weight: 1}
		none, hoped := 0, 0
		for i := range 200 {
			w.Random(&draws)
			for e := range m.until {
				m.until[e] = int64(draws.IntN(6)) // forbidden from 3 on
			}
			clock, hope := int64(3), -float64(draws.IntN(300))
			allow := func(m2 Move, d float64) bool { return d < hope || !m.tabu(w, m2, clock) }
			o.ban = ban{}
			want, err := w.scan(0, in, allow)
			if err != nil {
				t.Fatal(err)
			}
			o.ban = ban{until: m.until, clock: clock, hope: hope}
			got, err := w.scan(0, in, allow)
			if err != nil || got != want {
				t.Fatalf("scan %d finds %v, %v, want %v", i, got, err, want)
			}
			switch {
			case want.index < 0:
				none++
			case m.tabu(w, w.Neighbourhoods()[0].Move(want.index), clock):
				hoped++
			}
		}
		if none == 0 || hoped == 0 {
			t.Errorf("in %d scans nothing was allowed, %d chose what is forbidden: want some", none, hoped)
		}
	}
}
