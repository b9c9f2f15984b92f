package rounds

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/tours"

	"pgregory.net/rapid"
)

// instance draws cities, often on few places so that there are equal distances and zeros.
func instance(t *rapid.T) *datasets.TSP {
	n := rapid.IntRange(1, 90).Draw(t, "cities")
	side := rapid.SampledFrom([]int{1, 4, 1000, 1 << 20}).Draw(t, "side")
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i] = float64(rapid.IntRange(0, side).Draw(t, "x"))
		y[i] = float64(rapid.IntRange(0, side).Draw(t, "y"))
	}
	metric := rapid.SampledFrom(
		[]datasets.Metric{datasets.Euc2D, datasets.Ceil2D, datasets.Att, datasets.Man2D},
	).Draw(t, "metric")
	in, err := datasets.NewTSP("drawn", metric, x, y)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// table is the instance prepared, with lists of k neighbours.
func table(t interface{ Fatal(...any) }, in *datasets.TSP, k, width int) *Problem {
	sp, err := tours.NewSpace(in)
	if err != nil {
		t.Fatal(err)
	}
	return &Problem{
		Space: sp, Near: sp.Nearest(k), Seed: 9, Env: &solvers.Env{Pool: solvers.NewPool(1)},
		Width: width,
	}
}

// check holds a board to what must be true between rounds.
func (b *board) check(t *rapid.T) {
	if err := datasets.CheckPermutation(b.tour, b.n); err != nil {
		t.Fatal(err)
	}
	for i, c := range b.tour {
		if int(b.pos[c]) != i {
			t.Fatalf("city %d is at %d, its position says %d", c, i, b.pos[c])
		}
	}
	if l := b.sp.Length(b.tour); l != b.length {
		t.Fatalf("the tour has the length %d, the board says %d", l, b.length)
	}
	seen := make([]bool, b.n)
	for k := range b.waiting {
		c := b.queue[(b.head+k)%b.n]
		if seen[c] || !b.queued[c] {
			t.Fatalf("city %d waits twice (%v) or does not know that it waits (%v)", c, seen[c], b.queued[c])
		}
		seen[c] = true
	}
	if !slices.Equal(seen, b.queued) {
		t.Fatal("a city believes that it waits and is not in the queue")
	}
}

// Every round leaves a permutation that is shorter by what the moves gained, and ends, and
// no gaining move is left after a descent: looked for with code of its own.
func TestRounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := instance(t)
		p := table(
			t, in, rapid.IntRange(1, MaxNeighbours).Draw(t, "neighbours"),
			rapid.IntRange(1, Lanes).Draw(t, "width"),
		)
		p.Or = rapid.Bool().Draw(t, "or")
		b := newBoard(p)
		r := arith.NewStream(rapid.Uint64().Draw(t, "seed"), 0, 0, 0)
		tour := p.Space.Random(&r)
		b.load(tour)
		b.length = p.Space.Length(tour)
		for b.fill(); b.waiting > 0; b.fill() {
			for b.waiting > 0 {
				was, moves := b.length, b.moves
				b.round()
				b.check(t)
				if (b.moves > moves) != (b.length < was) {
					t.Fatalf("%d moves changed the length from %d to %d", b.moves-moves, was, b.length)
				}
			}
		}
		if c, d := improvable(p, b.tour); c >= 0 {
			t.Fatalf("the edge from %d to %d would shorten the tour", c, d)
		}
		if other := insertable(p, b.tour); p.Or && other != nil {
			t.Fatalf(
				"%v has the length %d, and an insertion makes %v, %d", b.tour, b.length, other,
				p.Space.Length(other),
			)
		}
	})
}

// improvable returns the new edge of a gaining 2-opt move within the lists, -1 for none. It
// makes the moves on copies of the tour.
func improvable(p *Problem, tour []int32) (from, to int32) {
	n, length := len(tour), p.Space.Length(tour)
	if n < 4 {
		return -1, -1
	}
	for i, c := range tour {
		for _, near := range p.Near.Of(c) {
			j := slices.Index(tour, near)
			for _, back := range []int{0, 1} { // the edges behind c and near go, or those before
				lo, hi := min(i, j)+1-back, max(i, j)+1-back
				other := slices.Clone(tour)
				slices.Reverse(other[lo:hi])
				leaves := tour[(i+1-2*back+n)%n]
				if p.Space.Length(other) < length && p.Space.D(c, near) < p.Space.D(c, leaves) {
					return c, near
				}
			}
		}
	}
	return -1, -1
}

// An insertion makes the edges that it says, saves what it says, and changes no position
// outside its stretch, which is the shorter that will do.
func TestInsert(t *testing.T) {
	t.Parallel()
	insertions := 0
	rapid.Check(t, func(t *rapid.T) {
		p := table(t, instance(t), rapid.IntRange(1, MaxNeighbours).Draw(t, "neighbours"), Lanes)
		p.Or = true
		b := newBoard(p)
		r := arith.NewStream(rapid.Uint64().Draw(t, "seed"), 0, 0, 0)
		tour := p.Space.Random(&r)
		for c := range int32(b.n) {
			b.load(tour)
			m := b.propose(c)
			if m.gain == 0 || m.segment == 0 {
				continue
			}
			insertions++
			b.apply(&m)
			b.length = p.Space.Length(tour) - m.gain
			b.check(t)
			inside := make([]bool, b.n)
			for k := range m.size {
				inside[b.wrap(m.from+k)] = true
			}
			for i := range tour {
				if !inside[i] && b.tour[i] != tour[i] {
					t.Fatalf("%+v changes position %d", m, i)
				}
			}
			if 2*m.size > b.n+m.segment || m.segment > MaxSegment || m.from < 0 || m.from >= b.n {
				t.Fatalf(
					"a stretch of %d from %d for a segment of %d among %d cities", m.size, m.from, m.segment, b.n,
				)
			}
			for _, e := range [][2]int32{
				{m.ends[0], m.ends[1]}, {m.ends[4], m.ends[3]}, {m.ends[2], m.ends[5]},
			} {
				if d := b.wrap(int(b.pos[e[0]] - b.pos[e[1]])); d != 1 && d != b.n-1 {
					t.Fatalf("%+v does not join %v", m, e)
				}
			}
		}
	})
	if insertions == 0 {
		t.Error("no insertion was proposed")
	}
}

// insertable returns a shorter tour that one insertion within the lists makes, nil for none.
// It takes segments out of copies of the tour and puts them into every gap, both ways round.
func insertable(p *Problem, tour []int32) []int32 {
	n, length := len(tour), p.Space.Length(tour)
	for size := 1; size <= min(MaxSegment, n-2); size++ {
		for i := range tour {
			// The tour from a segment on, and again with the segment's cities in the other order.
			turned := append(slices.Clone(tour[i:]), tour[:i]...)
			before, after := turned[n-1], turned[size]
			for range 2 {
				segment, rest := turned[:size], turned[size:]
				for gap := range len(rest) {
					other := slices.Concat(rest[:gap], segment, rest[gap:])
					if p.Space.Length(other) >= length {
						continue
					}
					// One end gets a nearer city of its list than the one that it leaves.
					left, right := rest[(gap+len(rest)-1)%len(rest)], rest[gap]
					first, last := before, after // beside the ends of the segment as it lies in turned
					if segment[0] != tour[i] {
						first, last = after, before
					}
					if gains(p, segment[0], left, first) || gains(p, segment[size-1], right, last) ||
						size == 1 && (gains(p, segment[0], left, last) || gains(p, segment[0], right, first)) {
						return other
					}
				}
				slices.Reverse(segment)
			}
		}
	}
	return nil
}

// gains tells whether c has near in its list, and it is nearer than left.
func gains(p *Problem, c, near, left int32) bool {
	return slices.Contains(p.Near.Of(c), near) && p.Space.D(c, near) < p.Space.D(c, left)
}

// A kick keeps the tour whole and its length right, and changes only what it should.
func TestKick(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := table(t, instance(t), 5, Lanes)
		if p.Space.N < minKick {
			t.Skip()
		}
		b := newBoard(p)
		b.load(p.Space.Curve())
		b.length = p.Space.Length(b.tour)
		size := rapid.IntRange(1, 100).Draw(t, "size")
		b.kick(rapid.Uint64().Draw(t, "seed"), 3, 1, 7, size)
		b.check(t)
		if b.waiting < 4 || b.waiting > 8 {
			t.Fatalf("%d cities wait after a kick", b.waiting)
		}
		broken := 0
		for i, c := range b.tour {
			if d := b.at(i + 1); d != c+1 && (c != int32(b.n-1) || d != 0) {
				broken++
			}
		}
		if broken < 3 || broken > 4 {
			t.Fatalf("%d edges are new", broken)
		}
	})
}

// The accepted moves are those of the definition: none is at odds with another, and one that
// was not accepted is at odds with one that gains no less.
func TestAccept(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := &board{n: rapid.IntRange(8, 300).Draw(t, "cities")}
		slots := make([]proposal, rapid.IntRange(1, Lanes).Draw(t, "proposals"))
		for s := range slots {
			slots[s].gain = int64(rapid.IntRange(0, 5).Draw(t, "gain"))
			slots[s].from = rapid.IntRange(0, b.n-1).Draw(t, "from")
			slots[s].size = rapid.IntRange(1, min(b.n/2, 20)).Draw(t, "size")
		}
		b.accept(slots)
		positions := func(p proposal) map[int]bool {
			m := map[int]bool{}
			for k := -1; k <= p.size; k++ {
				m[(p.from+k+b.n)%b.n] = true
			}
			return m
		}
		share := func(p, q proposal) bool {
			in := positions(p)
			for k := range positions(q) {
				if in[k] {
					return true
				}
			}
			return false
		}
		for s, p := range slots {
			excused := false
			for o, q := range slots {
				if o == s || !q.won || !share(p, q) {
					continue
				}
				if p.won {
					t.Fatalf("moves %d and %d are at odds and both accepted", s, o)
				}
				excused = excused || q.gain > p.gain || q.gain == p.gain && o < s
			}
			if !p.won && p.gain > 0 && !excused || p.won && p.gain == 0 {
				t.Fatalf("move %d: accepted is %v, wrongly: %+v", s, p.won, slots)
			}
		}
	})
}

func BenchmarkDescend(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			in, err := datasets.DIMACS(false, n, 1)
			if err != nil {
				b.Fatal(err)
			}
			p := table(b, in, 10, Lanes)
			start := p.Space.NearestNeighbour(0)
			board := newBoard(p)
			for b.Loop() {
				board.load(start)
				board.length, board.moves, board.rounds = p.Space.Length(start), 0, 0
				_ = board.descend(context.Background())
			}
			b.ReportMetric(float64(board.rounds), "rounds")
			b.ReportMetric(float64(board.moves), "moves")
		})
	}
}
