package cpu

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants/trail"
	"metalab/solvers/arith"
	"metalab/solvers/tours"

	"pgregory.net/rapid"
)

// TestTabu compares the three structures with a plain set, through whole tours.
func TestTabu(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 100).Draw(t, "n")
		s := arith.NewStream(rapid.Uint64().Draw(t, "seed"), 0, 0, 0)
		all := []*tabu{newTabu(tabuList, n), newTabu(TabuCompact, n), newTabu(TabuBits, n)}
		row, m := make([]float32, n), make([]float32, n)
		for i := range row {
			row[i] = float32(i + 1)
		}
		for range 2 { // a structure is used again
			seen := make([]bool, n)
			for _, u := range all {
				u.reset()
			}
			order := make([]int32, n)
			for i := range order {
				order[i] = int32(i)
			}
			s.Shuffle(order)
			for step := range n + 1 {
				for _, u := range all {
					var open []int32
					for i, x := range u.gather(m, row) {
						if x == 0 {
							continue
						}
						if x != row[u.city(i)] {
							t.Fatalf("%s: position %d has %v", u.kind, i, x)
						}
						open = append(open, u.city(i))
					}
					if len(open) != n-step || u.left != n-step {
						t.Fatalf("%s: %d are open and %d left, want %d", u.kind, len(open), u.left, n-step)
					}
					slices.Sort(open)
					if len(slices.Compact(open)) != n-step {
						t.Fatalf("%s: %v has a city twice", u.kind, open)
					}
					for c := range int32(n) {
						if u.visited(c) != seen[c] {
							t.Fatalf("%s: visited(%d) is %v", u.kind, c, !seen[c])
						}
					}
					if u.kind == TabuCompact && !slices.Equal(u.list[:u.left], all[0].list[:u.left]) {
						t.Fatalf("ct has %v, lc %v", u.list[:u.left], all[0].list[:u.left])
					}
				}
				if step == n {
					break
				}
				seen[order[step]] = true
				for _, u := range all {
					u.visit(order[step])
				}
			}
		}
	})
}

// TestSpinLandsInside: whatever the weights, a wheel stops at one that is not 0, and at
// none only where all are 0; so does a sample.
func TestSpinLandsInside(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SliceOfN(rapid.SampledFrom([]float32{0, 0, 0, 1, 3, 1e-20, 1e20, 0x1p-100, 0x1p100}),
			0, 700).Draw(t, "w")
		u := rapid.SampledFrom([]float32{0, 0x1p-24, 0.5, 1 - 0x1p-24}).Draw(t, "u")
		var sum float32
		for _, x := range w {
			sum += x
		}
		at := spin(w, u)
		if (at < 0) != (sum == 0) || at >= 0 && w[at] == 0 {
			t.Fatalf("spin gives %d", at)
		}
		at = sample(w, u, rapid.Uint64().Draw(t, "seed"), rapid.Int64Range(0, 1<<40).Draw(t, "it"), 7,
			len(w)+1)
		if (at < 0) != (sum == 0) || at >= 0 && w[at] == 0 {
			t.Fatalf("sample gives %d", at)
		}
	})
}

// TestSpinFallsThere compares a wheel over several stretches with a look at all weights, in the
// order of the lattice, of numbers whose sums are exact.
func TestSpinFallsThere(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 40, 257, 2000, stretch, stretch + 1, stretch + 300, 3*stretch - 5} {
		w, order := make([]float32, n), make([]int, 0, n)
		var total float32
		for i := range w {
			w[i] = float32(i * 7 % 5)
			total += w[i]
		}
		for from := 0; from < n; from += segment {
			for lane := range tile {
				for i := from + lane; i < min(n, from+segment); i += tile {
					order = append(order, i)
				}
			}
		}
		for k := range 200 {
			u := float32(k) / 200
			r, want := float32(u*total), -1
			for _, i := range order {
				if w[i] == 0 {
					continue
				}
				want = i
				if r -= w[i]; r < 0 {
					break
				}
			}
			if got := spin(w, u); got != want {
				t.Fatalf("%d weights, %v: spin gives %d, want %d", n, u, got, want)
			}
		}
	}
}

// TestRaceIsTheLeast compares race with all clocks at full length.
func TestRaceIsTheLeast(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SliceOfN(rapid.SampledFrom([]float32{0, 1, 1, 5, 1e-20, 1e10}), 0, 600).Draw(t, "w")
		it, p := rapid.Int64Range(1, 1<<40).Draw(t, "it"), rapid.IntRange(1, 70000).Draw(t, "p")
		want, least := -1, float32(math.MaxFloat32)
		for i, x := range w {
			var u uint32
			for _, purpose := range []uint32{1 << 31, 3 << 30} {
				b := arith.Philox4x32(3, [4]uint32{
					uint32(it), uint32(it>>32) ^ purpose ^ uint32(p), 7,
					uint32(i/256*32 + i%32),
				})
				word := b[i/32%4]
				if i/32%8 >= 4 {
					word >>= 16
				}
				u = u<<16 | word&0xFFFF
			}
			if key := arith.Expo32(u) * x; x > 0 && (want < 0 || key < least) {
				want, least = i, key
			}
		}
		if got, _ := race(w, 3, it, 7, p); got != want {
			t.Fatalf("race gives %d, want %d", got, want)
		}
	})
}

// TestEarly: the bound of a clock is one.
func TestEarly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		u := rapid.Uint32().Draw(t, "u") | rapid.SampledFrom([]uint32{0, 0xFFFFFF00, 0xFFFF0000}).Draw(t,
			"high")
		if early(u>>16) > arith.Expo32(u) {
			t.Fatalf("early(%#x) is %v, the clock %v", u>>16, early(u>>16), arith.Expo32(u))
		}
	})
}

// TestSampleSegments draws from weights of six segments, where each third position is empty and one
// in each segment is a hundred times heavier, and compares the counts with the exact probabilities.
func TestSampleSegments(t *testing.T) {
	t.Parallel()
	const n, draws = 6*segment - 50, 60_000
	w, want, sum := make([]float32, n), make([]float64, n), 0.0
	for i := range w {
		switch {
		case i%segment == 3+i/segment:
			w[i] = 100
		case i%3 != 0:
			w[i] = 1 + float32(i%7)
		}
		want[i] = float64(w[i])
		sum += want[i]
	}
	count := make([]float64, n)
	s := arith.NewStream(5, 0, 0, 0)
	for it := range int64(draws) {
		at := sample(w, arith.Unit32(s.Uint32()), 23, it, 2, 9)
		if w[at] == 0 {
			t.Fatalf("draw %d gives position %d, which is empty", it, at)
		}
		count[at]++
	}
	checkCounts(t, count, want, sum)
}

// choose is an ant's choice in a made-up situation, with lists or without.
type choose struct {
	selection, kind string
	candidates      int
	converged       bool
}

// TestRowsChiSquare draws as the six algorithms do, with and without lists, from uniform and
// from converged trails, and compares the counts with the exact probabilities in float64.
// Seeds are fixed. Cities that are expected less than 10 times are one cell.
func TestRowsChiSquare(t *testing.T) {
	t.Parallel()
	for _, converged := range []bool{false, true} {
		for _, selection := range []string{Wheel, Reservoir} {
			for _, kind := range TabuWords {
				for _, k := range []int{0, 20, 90} {
					if k > 0 && kind != tabuList {
						continue // the slots of a list do not depend on it
					}
					c := choose{selection: selection, kind: kind, candidates: k, converged: converged}
					t.Run(fmt.Sprintf("%s %s candidates %d converged %v", selection, kind, k, converged),
						func(t *testing.T) {
							t.Parallel()
							c.check(t)
						})
				}
			}
		}
	}
}

func (c choose) check(t *testing.T) {
	const n, draws, ant = 400, 30_000, 5
	inst, err := datasets.DIMACS(true, n, 3)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := tours.NewSpace(inst)
	if err != nil {
		t.Fatal(err)
	}
	l, err := trail.NewLists(sp, max(c.candidates, 20))
	if err != nil {
		t.Fatal(err)
	}
	tr, err := trail.NewTable(sp, l, trail.Matrix, trail.Tenth, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	tr.Fill(1e-3)
	if c.converged {
		ring := make([]int32, n)
		for i := range ring {
			ring[i] = int32(i)
		}
		tr.Deposit(ring, 1)
	}
	tr.Inv = 1
	tr.Limit(solvers.NewPool(1), 0, 10)
	// A third is visited, all but two of the nearest to the ant's city too.
	s := arith.NewStream(9, 0, 0, 0)
	const city = 200
	left := newTabu(c.kind, n)
	left.reset()
	visit := func(j int32) {
		if !left.visited(j) {
			left.visit(j)
		}
	}
	visit(city)
	for range n / 3 {
		visit(int32(s.IntN(n)))
	}
	for i, j := range l.ID[city*l.Stride : city*l.Stride+8] {
		if i != 2 && i != 5 && (!c.converged || j != city+1) {
			visit(j)
		}
	}
	want, sum := make([]float64, n), 0.0
	in := func(j int32) bool { return c.candidates == 0 || l.Find(city, j) >= 0 }
	for j := range int32(n) {
		if !left.visited(j) && in(j) {
			want[j] = float64(tr.Read(city, j, tr.Place(city, j))) * math.Pow(
				1/(float64(sp.D(city, j))+0.1), 2)
			sum += want[j]
		}
	}
	r := &rows{c: &Crew{t: tr, sp: sp, n: n, seed: 17}, reservoir: c.selection == Reservoir}
	m := make([]float32, n)
	at := city * l.Stride
	if c.candidates == 0 {
		m = left.gather(m, tr.Full.Weight[city*n:city*n+n])
	} else {
		m = m[:c.candidates]
		for i, j := range l.ID[at : at+c.candidates] {
			if m[i] = tr.Weight[at+i]; left.visited(j) {
				m[i] = 0
			}
		}
	}
	count := make([]float64, n)
	for it := range int64(draws) {
		r.c.it = it
		d := newDraws(17, it, ant)
		_ = d.word(4)
		i := r.draw(m, &d, ant, 6)
		j := int32(0)
		if c.candidates == 0 {
			j = left.city(i)
		} else {
			j = l.ID[at+i]
		}
		if left.visited(j) {
			t.Fatalf("draw %d gives city %d, which is visited", it, j)
		}
		count[j]++
	}
	checkCounts(t, count, want, sum)
}
