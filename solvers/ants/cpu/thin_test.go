package cpu

import (
	"math"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers/ants/trail"
	"metalab/solvers/arith"
)

// TestThinChiSquare compares the choices of mmas/thin with the exact probabilities: with
// near cities and without, from uniform and from converged trails, and where an edge to a visited
// city has most of the weight, so that nearly all arrivals are in vain. Seeds are fixed; cities
// that are expected less than 10 times are one cell.
func TestThinChiSquare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		near      int     // unvisited cities of those with clocks
		converged float32 // what the edge to one unvisited city has more, a near one if there is one
		trap      float32 // what an edge to a visited far city has more
	}{
		{"uniform", 9, 0, 0},
		{"one near", 1, 0, 0},
		{"none near", 0, 0, 0},
		{"converged", 9, 0.02, 0},
		{"converged, none near", 0, 1, 0},
		{"trap", 2, 0, 1},
		{"trap, none near", 0, 0, 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			const n, draws, ant, city = 400, 25_000, 3, 200
			inst, err := datasets.DIMACS(true, n, 3)
			if err != nil {
				t.Fatal(err)
			}
			k := opened(t, inst, Thin, trail.Matrix, trail.Width, 1, nil)
			construct(t, k, 1)
			h := k.form.(*thin)
			h.c.t.Fill(1e-3)
			seen := h.c.work[0].seen
			clear(seen)
			seen[city] = 1
			s := arith.NewStream(9, 0, 0, 0)
			for range n / 3 {
				seen[s.IntN(n)] = 1
			}
			for i, j := range h.c.t.ID[city*h.c.t.Stride : city*h.c.t.Stride+h.c.t.K] {
				seen[j] = 1
				if i%3 == 2 && i/3 < c.near {
					seen[j] = 0
				}
			}
			if c.converged > 0 {
				to := int32(-1)
				for j := range int32(n) {
					if seen[j] == 0 && (h.c.t.Find(city, j) >= 0 || to < 0 && c.near == 0) {
						to = j
					}
				}
				strengthen(h, city, to, c.converged)
			}
			if c.trap > 0 {
				for j := range int32(n) {
					if seen[j] != 0 && j != city && h.c.t.Find(city, j) < 0 {
						strengthen(h, city, j, c.trap)
						break
					}
				}
			}
			h.c.t.Limit(h.c.pool, 0, 1000)
			h.table(city, 0)
			want, sum := make([]float64, n), 0.0
			for j := range int32(n) {
				if seen[j] == 0 {
					want[j] = float64(h.c.t.Read(city, j, h.c.t.Place(city, j))) * math.Pow(
						1/(float64(h.c.sp.D(city, j))+0.1), 2)
					sum += want[j]
				}
			}
			count := make([]float64, n)
			for it := range int64(draws) {
				p := 1 + int(it%40) // arrivals serve one choice after the other
				if h.c.it = it / 40; p == 1 {
					h.start(ant, 0)
				}
				j := h.step(city, p, ant, 0)
				if seen[j] != 0 {
					t.Fatalf("draw %d gives city %d, which is visited", it, j)
				}
				count[j]++
			}
			checkCounts(t, count, want, sum)
		})
	}
}

// checkCounts holds counts to probabilities want / sum by chi-square, at 1 in 10000.
func checkCounts(t *testing.T, count, want []float64, sum float64) {
	t.Helper()
	var chi, rest, counted, draws float64
	for _, k := range count {
		draws += k
	}
	free := -1
	cell := func(got, expected float64) {
		chi += (got - expected) * (got - expected) / expected
		free++
	}
	for j, p := range want {
		if e := p / sum * draws; e >= 10 {
			cell(count[j], e)
		} else {
			rest += e
			counted += count[j]
		}
	}
	if rest >= 10 {
		cell(counted, rest)
	}
	// The 0.9999 quantile, by Wilson and Hilferty's cube.
	f := float64(free)
	limit := f * math.Pow(1-2/(9*f)+3.719*math.Sqrt(2/(9*f)), 3)
	t.Logf("chi-square %.1f with %d degrees of freedom, limit %.1f", chi, free, limit)
	if free < 2 || chi > limit {
		t.Errorf("chi-square %.1f with %d degrees of freedom, want at least 2 and at most %.1f", chi,
			free, limit)
	}
}

// TestThinProposes counts the units of an alias table: cities have their shares of the tail, the
// city itself has what is over, and those with clocks have none.
func TestThinProposes(t *testing.T) {
	t.Parallel()
	for _, n := range []int{34, 35, 150, 333} {
		inst, err := datasets.DIMACS(false, n, 3)
		if err != nil {
			t.Fatal(err)
		}
		k := opened(t, inst, Thin, trail.Matrix, trail.Width, 1, nil)
		construct(t, k, 1)
		h := k.form.(*thin)
		for _, c := range []int{0, 7, n - 1} {
			h.table(c, 0)
			want, sum, count := make([]float64, n), 0.0, make([]int, n)
			for j := range int32(n) {
				if int(j) != c && h.c.t.Find(int32(c), j) < 0 {
					want[j] = float64(h.c.t.Full.Weight[c*n+int(j)])
					sum += want[j]
				}
			}
			for i, cell := range h.alias[c*n : c*n+n] {
				count[i] += int(cell >> 16)
				count[cell&0xffff] += thinCell - int(cell>>16)
			}
			rate := 1 / (float64(h.gap[c]) * float64(n) * thinCell) // of a unit
			for j, w := range want {
				switch {
				case j == c:
					if over := n * (thinCell - thinFill); count[j] < over/2 || count[j] > 2*over {
						t.Errorf("%d cities: %d units of city %d are over, want about %d", n, count[j], c, over)
					}
				case w == 0 && count[j] != 0:
					t.Errorf("%d cities: city %d has %d units of the table of %d, want none", n, j, count[j], c)
				case math.Abs(float64(count[j])*rate-w) > 0.51*rate+1e-6*w:
					t.Errorf("%d cities: city %d comes at the rate %v from %d, want %v", n, j,
						float64(count[j])*rate, c, w)
				}
			}
		}
	}
}

// TestThinCells: a draw's upper part is the cell, what is behind it tells on which side of the
// cell's border it is.
func TestThinCells(t *testing.T) {
	t.Parallel()
	h := &thin{c: &Crew{n: 4}}
	h.alias = make([]uint32, 16)
	copy(h.alias[8:], []uint32{0x8000<<16 | 3, 1, 1 << 16, 0xffff<<16 | 2})
	for _, c := range []struct {
		u    uint32
		want int32
	}{
		{0, 0},
		{0x1fffffff, 0},
		{0x20000000, 3},
		{0x3fffffff, 3},
		{0x40000000, 1},
		{0x7fffffff, 1},
		{0x80000000, 2},
		{0x80003fff, 2},
		{0x80004000, 0},
		{0xbfffffff, 0},
		{0xc0000000, 3},
		{0xffffbfff, 3},
		{0xffffc000, 2},
	} {
		if got := h.propose(2, c.u); got != c.want {
			t.Errorf("%#x proposes %d, want %d", c.u, got, c.want)
		}
	}
}

// TestThinHeavy: the near cities are the nearest and the heaviest others.
func TestThinHeavy(t *testing.T) {
	t.Parallel()
	const n, c = 150, 40
	for _, candidates := range []int{1, 12, 28, 32} {
		inst, err := datasets.DIMACS(false, n, 3)
		if err != nil {
			t.Fatal(err)
		}
		k := opened(t, inst, Thin, trail.Matrix, candidates, 1, nil)
		construct(t, k, 1)
		h := k.form.(*thin)
		h.c.t.Fill(1)
		var far []int32
		for j := range int32(n) {
			if j != c && h.c.t.Find(c, j) < 0 {
				far = append(far, j)
			}
		}
		want := []int32{far[70], far[3], far[111], far[60]}
		for i, j := range want {
			strengthen(h, c, j, float32(math.Pow(1000, float64(4-i))))
		}
		h.c.t.Limit(h.c.pool, 0, 1e13)
		h.table(c, 0)
		got := h.clocks(c)
		own := min(candidates, trail.Width-thinHeavy)
		if !slices.Equal(got[:own], h.c.t.ID[c*h.c.t.Stride:c*h.c.t.Stride+own]) ||
			!slices.Equal(got[own:], want) {
			t.Errorf("%d candidates: near are %v, want the first %d of the list and %v", candidates, got,
				own, want)
		}
	}
}

// strengthen adds to the trail of an edge.
func strengthen(h *thin, i, j int32, d float32) {
	t := h.c.t
	at := t.Place(i, j)
	t.Set(i, j, at, t.Read(i, j, at)+d)
}
