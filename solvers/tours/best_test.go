package tours_test

import (
	"slices"
	"testing"

	"metalab/solvers/arith"
	"metalab/solvers/tours"

	"pgregory.net/rapid"
)

// plain is Best by looking at everything before each move: a tour, read from city 0 towards the
// smaller of its neighbours, whose moves are made by the edges that go and come.
type plain struct {
	sp   *tours.Space
	near tours.Neighbours
	op   tours.BestOperator
	tour []int32
	pos  []int
}

type edges [][2]int32

func (p *plain) set(tour []int32) {
	at := slices.Index(tour, 0)
	tour = append(slices.Clone(tour[at:]), tour[:at]...)
	if tour[len(tour)-1] < tour[1] {
		slices.Reverse(tour[1:])
	}
	p.tour, p.pos = tour, make([]int, len(tour))
	for i, c := range tour {
		p.pos[c] = i
	}
}

func (p *plain) beside(c int32) [2]int32 {
	n := len(p.tour)
	return [2]int32{p.tour[(p.pos[c]+n-1)%n], p.tour[(p.pos[c]+1)%n]}
}

// with is the tour after a change of edges, or nil where they make none.
func (p *plain) with(gone, come edges) []int32 {
	next := map[int32][]int32{}
	for _, c := range p.tour {
		b := p.beside(c)
		next[c] = b[:]
	}
	drop := func(a, b int32) {
		if at := slices.Index(next[a], b); at >= 0 {
			next[a] = slices.Delete(slices.Clone(next[a]), at, at+1)
		}
	}
	for _, e := range gone {
		drop(e[0], e[1])
		drop(e[1], e[0])
	}
	for _, e := range come {
		next[e[0]] = append(slices.Clone(next[e[0]]), e[1])
		next[e[1]] = append(slices.Clone(next[e[1]]), e[0])
	}
	var tour []int32
	for c, from := int32(0), int32(-1); ; {
		if len(next[c]) != 2 || next[c][0] == next[c][1] {
			return nil
		}
		tour = append(tour, c)
		to := next[c][0]
		if to == from {
			to = next[c][1]
		}
		if c, from = to, c; c == 0 {
			break
		}
	}
	if len(tour) != len(p.tour) {
		return nil
	}
	return tour
}

// best is the gain of the best move and the tour after it.
func (p *plain) best() (int64, []int32) {
	type found struct {
		gain int64
		rank []int32
		tour []int32
	}
	var best found
	offer := func(gone, come edges, rank ...int32) {
		for _, e := range come {
			for _, g := range gone {
				if e == g || e[0] == g[1] && e[1] == g[0] || e[0] == e[1] {
					return
				}
			}
		}
		var gain int64
		for _, e := range gone {
			gain += int64(p.sp.D(e[0], e[1]))
		}
		for _, e := range come {
			gain -= int64(p.sp.D(e[0], e[1]))
		}
		if gain <= 0 || gain < best.gain || gain == best.gain && slices.Compare(rank, best.rank) > 0 {
			return
		}
		if tour := p.with(gone, come); tour != nil {
			best = found{gain, rank, tour}
		}
	}
	same := func(a, b, c, d int32) bool { return a == c && b == d || a == d && b == c }
	for i := range int32(len(p.tour)) {
		for _, i2 := range p.beside(i) {
			for _, j := range p.near.Of(i) {
				if by := p.beside(i); by[0] == j || by[1] == j || p.sp.D(i, j) >= p.sp.D(i, i2) {
					continue
				}
				for _, j2 := range p.beside(j) {
					offer(edges{{i, i2}, {j, j2}}, edges{{i, j}, {i2, j2}}, i, j, -1, i2, j2, -1, 0)
					if p.op != tours.BestThree {
						continue
					}
					for _, k := range p.near.Of(j) {
						for _, k2 := range p.beside(k) {
							if same(k, k2, i, i2) || same(k, k2, j, j2) {
								continue
							}
							gone := edges{{i, i2}, {j, j2}, {k, k2}}
							offer(gone, edges{{i, j}, {j2, k}, {i2, k2}}, i, j, k, i2, j2, k2, 0)
							offer(gone, edges{{i, j}, {j2, k2}, {i2, k}}, i, j, k, i2, j2, k2, 1)
						}
					}
				}
			}
		}
	}
	if p.op == tours.BestOrdered {
		p.ordered(func(gain int64, rank, tour []int32) {
			if gain > best.gain || gain == best.gain && gain > 0 && slices.Compare(rank, best.rank) < 0 {
				best = found{gain, rank, tour}
			}
		})
	}
	return best.gain, best.tour
}

// ordered offers all moves of 3-opt ordered, by the places of the cities in the tour.
func (p *plain) ordered(offer func(gain int64, rank, tour []int32)) {
	t := p.tour
	n := len(t)
	d := func(a, b int32) int64 { return int64(p.sp.D(a, b)) }
	turned := func(path []int32) []int32 {
		path = slices.Clone(path)
		slices.Reverse(path)
		return path
	}
	for a := range n {
		for b := a + 1; b < n; b++ {
			for c := b + 1; c < n; c++ {
				i, j, k := t[a], t[b], t[c]
				i2, j2, k2 := t[a+1], t[b+1], t[(c+1)%n]
				if k2 == i || !slices.Contains(p.near.Of(i), j) || !slices.Contains(p.near.Of(j), k) ||
					d(i, j) >= d(i, i2) || d(j, k) >= d(j, j2) {
					continue
				}
				x, y := t[a+1:b+1], t[b+1:c+1]
				for way, middle := range [][]int32{
					slices.Concat(turned(x), turned(y)), slices.Concat(y, x),
					slices.Concat(y, turned(x)), slices.Concat(turned(y), x),
				} {
					tour := slices.Concat(t[:a+1], middle, t[c+1:])
					offer(p.sp.Length(t)-p.sp.Length(tour), []int32{i, j, k, i2, j2, k2, int32(way)}, tour)
				}
			}
		}
	}
}

func (p *plain) run() (gain, moves int64) {
	for {
		g, tour := p.best()
		if g == 0 {
			return gain, moves
		}
		gain += g
		moves++
		p.set(tour)
	}
}

// kick is a double bridge of the edges behind four cities.
func (p *plain) kick(draws *arith.Stream) {
	n := len(p.tour)
	if n < 8 {
		return
	}
	var at [4]int
	for {
		for i := range at {
			at[i] = p.pos[draws.IntN(n)]
		}
		slices.Sort(at[:])
		if at[0] < at[1] && at[1] < at[2] && at[2] < at[3] {
			break
		}
	}
	t := p.tour
	p.set(slices.Concat(
		t[:at[0]+1], t[at[2]+1:at[3]+1], t[at[1]+1:at[2]+1], t[at[0]+1:at[1]+1], t[at[3]+1:],
	))
}

// Best makes the walk of a search that evaluates everything before each move.
func TestBestAgainstScans(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sp, _, tour := drawSearch(t, 1, 24)
		near := sp.Quadrant(rapid.IntRange(1, 9).Draw(t, "neighbours"))
		op := tours.BestOperator(rapid.IntRange(0, 2).Draw(t, "operator"))
		want := &plain{sp: sp, near: near, op: op}
		if sp.N > 1 {
			want.set(tour)
		}
		twoLevel := sp.N >= 8 && rapid.Bool().Draw(t, "two-level list")
		got := tours.NewBestOn(sp, near, op, twoLevel, rapid.IntRange(1, 40).Draw(t, "kept"))
		got.Load(tour)
		seed := rapid.Uint64().Draw(t, "seed")
		r1, r2 := arith.NewStream(seed, 1, 0, 2), arith.NewStream(seed, 1, 0, 2)
		now := make([]int32, sp.N)
		for range 4 {
			gain, moves, err := got.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if sp.N < 5 {
				if gain != 0 {
					t.Fatalf("a gain of %d on %d cities", gain, sp.N)
				}
				return
			}
			if g, m := want.run(); g != gain || m != moves {
				t.Fatalf("%d moves gained %d, want %d and %d", moves, gain, m, g)
			}
			if got.Store(now); !slices.Equal(now, want.tour) {
				t.Fatalf("tour %v, want %v", now, want.tour)
			}
			got.Commit()
			if rapid.Bool().Draw(t, "undo") {
				first := got.Kick(&r1)
				gain, _, _ := got.Run(t.Context())
				got.Store(now)
				if l := sp.Length(now) - sp.Length(want.tour); l != first-gain {
					t.Fatalf("a kick and a search made it longer by %d, not %d", l, first-gain)
				}
				got.Undo()
				if got.Store(now); !slices.Equal(now, want.tour) {
					t.Fatalf("taken back, tour %v, want %v", now, want.tour)
				}
				r1 = r2
			}
			got.Kick(&r1)
			want.kick(&r2)
			if got.Store(now); !slices.Equal(now, want.tour) {
				t.Fatalf("after the kick tour %v, want %v", now, want.tour)
			}
		}
	})
}

// A pass finds the gain of the first move.
func TestBestPass(t *testing.T) {
	t.Parallel()
	for _, op := range []tours.BestOperator{tours.BestTwo, tours.BestThree, tours.BestOrdered} {
		sp, tour := randomTour(t, 60)
		near := sp.Quadrant(10)
		want := &plain{sp: sp, near: near, op: op}
		want.set(tour)
		b := tours.NewBest(sp, near, op)
		b.Load(tour)
		for range 2 {
			gain, err := b.Pass(t.Context())
			if g, _ := want.best(); err != nil || gain != g || g == 0 {
				t.Errorf("a pass finds a gain of %d, want %d; error %v", gain, g, err)
			}
		}
	}
}
