package tiles

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// problem makes n cities on a square, or close together in a few places.
func problem(tb testing.TB, n int, metric datasets.Metric, side int, seed uint64) *Problem {
	tb.Helper()
	r := arith.NewStream(seed, 0, 0, 9)
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = float64(r.IntN(side)), float64(r.IntN(side))
	}
	in, err := datasets.NewTSP(fmt.Sprintf("square%d", n), metric, x, y)
	if err != nil {
		tb.Fatal(err)
	}
	sp, err := tours.NewSpace(in)
	if err != nil {
		tb.Fatal(err)
	}
	return &Problem{
		Space: sp, Near: sp.Quadrant(8), Seed: seed, Env: &solvers.Env{Pool: solvers.NewPool(2)},
	}
}

// Every cut has every city once, no piece has too many cities, and pieces are about equal.
func TestCut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, size := rapid.IntRange(1, 700).Draw(t, "n"), rapid.IntRange(8, 120).Draw(t, "size")
		side := rapid.SampledFrom([]int{1, 3, 1000}).Draw(t, "side")
		p := problem(&testing.T{}, n, datasets.Euc2D, side, 3)
		number := rapid.IntRange(0, 50).Draw(t, "number")
		c := NewCut(p.Space, p.Seed, number, size, p.Env.Pool)
		if err := datasets.CheckPermutation(c.City, n); err != nil {
			t.Fatal(err)
		}
		if c.Start[0] != 0 || c.Start[c.Pieces()] != int32(n) {
			t.Fatalf("starts %v of %d cities", c.Start, n)
		}
		for i := range c.Pieces() {
			if l := len(c.Of(i)); l < 1 || l > size {
				t.Fatalf("piece %d of %d has %d cities, want 1 to %d", i, c.Pieces(), l, size)
			}
		}
		d := NewCut(p.Space, p.Seed, number, size, solvers.NewPool(1))
		if !slices.Equal(c.Start, d.Start) {
			t.Fatal("a cut depends on the workers")
		}
		for i := range c.Pieces() {
			a, b := slices.Sorted(slices.Values(c.Of(i))), slices.Sorted(slices.Values(d.Of(i)))
			if !slices.Equal(a, b) {
				t.Fatalf("piece %d depends on the workers", i)
			}
		}
	})
}

// A round leaves a tour whose length changed by what the kicks say, and pieces that nothing was
// done to leave it as it was.
func TestRounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 400).Draw(t, "n")
		side := rapid.SampledFrom([]int{2, 12, 5000}).Draw(t, "side")
		metric := rapid.SampledFrom(
			[]datasets.Metric{datasets.Euc2D, datasets.Ceil2D, datasets.Att},
		).Draw(t, "metric")
		p := problem(&testing.T{}, n, metric, side, uint64(n))
		r := arith.NewStream(5, 0, 0, 1)
		start := p.Space.Random(&r)
		if rapid.Bool().Draw(t, "greedy") && n > 1 {
			start = p.Space.Greedy(p.Near)
		}
		e, _ := NewCPU(p)
		if err := e.Load([][]int32{start}); err != nil {
			t.Fatal(err)
		}
		job := Job{
			Rate:     rapid.SampledFrom([]int{0, 300, 2000}).Draw(t, "rate"),
			Kick:     rapid.SampledFrom([]Kick{Walk, Segment}).Draw(t, "kick"),
			Width:    rapid.IntRange(1, MaxWidth).Draw(t, "width"),
			Operator: rapid.SampledFrom([]Operator{TwoOpt, OrTwoOpt, OrThreeOpt}).Draw(t, "op"),
		}
		if rapid.Bool().Draw(t, "threshold") {
			job.Scale = []float64{float64(side) / 20}
		}
		length, tour := p.Space.Length(start), make([]int32, n)
		for it := range int64(4) {
			job.Iter = it
			job.Cut = NewCut(
				p.Space, p.Seed, int(it), rapid.IntRange(8, 200).Draw(t, "size"), p.Env.Pool,
			)
			var out [1]Outcome
			before := slices.Clone(start)
			_ = e.Tour(0, before)
			if err := e.Iterate(context.Background(), job, out[:]); err != nil {
				t.Fatal(err)
			}
			_ = e.Tour(0, tour)
			if err := datasets.CheckPermutation(tour, n); err != nil {
				t.Fatal(err)
			}
			if out[0].Length != length+out[0].Change || out[0].Length != p.Space.Length(tour) {
				t.Fatalf("%+v from the length %d to %d", out[0], length, p.Space.Length(tour))
			}
			if job.Scale == nil && out[0].Change > 0 {
				t.Fatalf("the tour became longer: %+v", out[0])
			}
			if out[0].Kicks == 0 && !sameCircle(before, tour) {
				t.Fatal("a round without kicks changed the tour")
			}
			length = out[0].Length
		}
	})
}

// sameCircle tells whether two tours visit cities in the same order, from whatever city on.
func sameCircle(a, b []int32) bool {
	at := slices.Index(b, a[0])
	return slices.Equal(a, append(slices.Clone(b[at:]), b[:at]...))
}

// The gain of a move is what the circle becomes shorter by, and the marks of its edges tell whether
// it is the one before.
func TestMoves(t *testing.T) {
	t.Parallel()
	for _, op := range []Operator{TwoOpt, OrTwoOpt, OrThreeOpt} {
		p := problem(t, 150, datasets.Euc2D, 1000, 4)
		q := newPiece(p)
		r := arith.NewStream(8, 0, 0, 1)
		tour := p.Space.Random(&r)
		q.load(tour, inverse(tour))
		made := map[kind]int{}
		for c := uint16(0); ; {
			before, marks := circle(q)
			gain, m := q.best(c, op)
			if gain > 0 {
				q.change, q.marks = 0, 0
				q.apply(&m)
				made[m.kind]++
				after, now := circle(q)
				if before-after != int64(gain) || now-marks != q.marks {
					t.Fatalf("%d: %+v gains %d, says %d; marks %d, says %d",
						op, m, before-after, gain, now-marks, q.marks)
				}
			}
			if q.wait == 0 {
				if c++; int(c) == q.m {
					break
				}
				q.push(c)
			}
			c = max(c, q.pop())
		}
		if want := []int{1, 3, 4}[op]; len(made) != want {
			t.Errorf("operator %d made moves of the kinds %v, want %d kinds", op, made, want)
		}
	}
}

func inverse(tour []int32) []int32 {
	place := make([]int32, len(tour))
	for i, c := range tour {
		place[c] = int32(i)
	}
	return place
}

// circle is the length of a piece's circle and the sum of its marks.
func circle(p *piece) (length int64, marks uint32) {
	for i := range p.m {
		a, b := p.order[i], p.order[(i+1)%p.m]
		length += int64(p.dist(a, b))
		marks += mark(a, b)
	}
	return length, marks
}

// A piece that holds a part of a tour leaves its fixed edges alone, and refuses what would join
// other ends of paths.
func TestFixedEdges(t *testing.T) {
	t.Parallel()
	p := problem(t, 600, datasets.Euc2D, 1000, 6)
	tour := p.Space.Greedy(p.Near)
	q := newPiece(p)
	refused := int64(0)
	cut := NewCut(p.Space, p.Seed, 1, 100, p.Env.Pool)
	for i := range cut.Pieces() {
		q.load(cut.Of(i), inverse(tour))
		fixed := slices.Clone(q.mate[:q.m])
		if q.fixed < 1 {
			t.Fatalf("piece %d has no fixed edge", i)
		}
		for k := range 300 {
			var out Outcome
			d := draws{seed: 1, iter: 1, agent: uint32(i), kick: uint32(k)}
			q.trial(&Job{Width: 10, Operator: OrThreeOpt, Scale: []float64{20}}, 20, &d, &out)
			refused += out.Refused
			for c, mate := range fixed {
				a, b := q.step(uint16(c), 1), q.step(uint16(c), -1)
				if mate != none && a != mate && b != mate {
					t.Fatalf("the fixed edge of %d to %d is gone", c, mate)
				}
			}
			if !q.paired() {
				t.Fatal("other ends of paths are joined")
			}
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}

// A round that is cancelled leaves the tours as they were.
func TestCancelled(t *testing.T) {
	t.Parallel()
	p := problem(t, 300, datasets.Euc2D, 1000, 6)
	e, _ := NewCPU(p)
	tour, got := p.Space.Curve(), make([]int32, 300)
	if err := e.Load([][]int32{tour}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	job := Job{Rate: 500, Width: 5, Cut: NewCut(p.Space, p.Seed, 0, 50, p.Env.Pool)}
	if err := e.Iterate(ctx, job, make([]Outcome, 1)); err == nil {
		t.Error("no error")
	}
	if _ = e.Tour(0, got); !slices.Equal(got, tour) {
		t.Error("the tour was changed")
	}
}

// Cuts that are made beforehand are those that NewCut makes.
func TestCuts(t *testing.T) {
	t.Parallel()
	p := problem(t, 500, datasets.Euc2D, 1000, 6)
	c := NewCuts(p.Space, p.Seed, 60)
	defer c.Wait()
	c.Begin(1, 3)
	for it := range 7 {
		c.Drop(3)
		got, want := c.Get(it%3, 3), NewCut(p.Space, p.Seed, it%3, 60, p.Env.Pool)
		if !slices.Equal(got.Start, want.Start) || !slices.Equal(got.City, want.City) {
			t.Errorf("cut %d is another one", it%3)
		}
	}
	if got := c.Get(3, 9); got.Number != 3 || got.Pieces() != NewCut(p.Space, p.Seed, 3, 60,
		p.Env.Pool).Pieces() {
		t.Errorf("cut %d instead of 3", got.Number)
	}
}

// Polish leaves a tour of all cities, never a longer one, by the same kicks on any number of cores,
// and ends early when it is cancelled.
func TestPolish(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ n, side, size int }{{7, 20, 8}, {300, 1000, 40}, {2000, 30, 500}} {
		p := problem(t, c.n, datasets.Euc2D, c.side, 4)
		first := p.Space.Greedy(p.Near)
		set := tours.DefaultSettings()
		set.Ends, set.OneWay, set.Around = true, true, 5
		var want []int32
		for _, workers := range []int{1, 3} {
			pool := solvers.NewPool(workers)
			tour := slices.Clone(first)
			length := p.Space.Length(tour)
			for round := range 3 {
				polish := Polish{
					Space: p.Space, Near: p.Near, Seed: 1, Round: round, Settings: set, Hunt: 4, Steps: 10,
					Kicks: 0.5,
				}
				cut := NewCut(p.Space, 1, round, c.size, pool)
				if err := polish.Make(t.Context(), cut, tour, pool.Run); err != nil {
					t.Fatal(err)
				}
				now := p.Space.Length(tour)
				if now > length || round == 0 && c.n > 8 && now == length {
					t.Errorf("%d cities, round %d: from %d to %d", c.n, round, length, now)
				}
				length = now
			}
			if want == nil {
				want = slices.Clone(tour)
			}
			if !slices.Equal(tour, want) {
				t.Errorf("%d cities, %d workers: another tour", c.n, workers)
			}
			slices.Sort(tour)
			for i, v := range tour {
				if v != int32(i) {
					t.Fatalf("%d cities: %d at %d of the sorted tour", c.n, v, i)
				}
			}
		}
		over, cancel := context.WithCancel(t.Context())
		cancel()
		polish := Polish{Space: p.Space, Near: p.Near, Settings: set, Hunt: 1, Steps: 5, Kicks: 1}
		cut := NewCut(p.Space, 1, 0, c.size, p.Env.Pool)
		err := polish.Make(over, cut, slices.Clone(first), p.Env.Pool.Run)
		if c.n > 8 && err == nil {
			t.Errorf("%d cities: cancelled without an error", c.n)
		}
	}
}
