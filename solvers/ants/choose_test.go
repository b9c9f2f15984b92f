package ants

import (
	"math"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/tours"

	"pgregory.net/rapid"
)

// world is a random instance with random trails and a random part of it visited.
type world struct {
	sp   *tours.Space
	t    *trails
	far  *compass
	seen []uint8
	tour []int32
}

// drawWorld makes a world: kind 0 a small grid (many ties), 1 a wide plane, 2 ATT, 3 CEIL_2D, 4 a
// symmetric matrix, 5 an asymmetric one, 6 clusters.
func drawWorld(t *rapid.T, most int, storage string) *world {
	n := rapid.IntRange(2, most).Draw(t, "n")
	kind := rapid.IntRange(0, 8).Draw(t, "kind")
	s := arith.NewStream(rapid.Uint64().Draw(t, "seed"), 1, 0, 0)
	var inst *datasets.TSP
	var err error
	if matrix, oneWay := kind == 4 || kind == 5 || kind >= 7, kind == 5 || kind == 8; matrix {
		d := make([]int32, n*n)
		for i := range n {
			for j := range n {
				d[i*n+j] = int32(s.IntN(30))
				if kind >= 7 && s.IntN(3) > 0 {
					d[i*n+j] = math.MaxInt32 // as for edges that there are not
				}
				if !oneWay && j < i {
					d[i*n+j] = d[j*n+i]
				}
			}
		}
		inst, err = datasets.NewMatrixTSP("m", n, d, oneWay)
	} else {
		x, y := make([]float64, n), make([]float64, n)
		for i := range n {
			x[i], y[i] = float64(s.IntN(12)), float64(s.IntN(12))
			switch kind {
			case 1, 2, 3:
				x[i], y[i] = float64(s.IntN(100000)), float64(s.IntN(100000))
			case 6:
				x[i], y[i] = x[i]+float64(i%4)*5000, y[i]+float64(i%3)*7000
			}
		}
		metric := datasets.Euc2D
		switch kind {
		case 2:
			metric = datasets.Att
		case 3:
			metric = datasets.Ceil2D
		}
		inst, err = datasets.NewTSP("p", metric, x, y)
	}
	if err != nil {
		t.Fatal(err)
	}
	w := &world{}
	if w.sp, err = tours.NewSpace(inst); err != nil {
		t.Fatal(err)
	}
	l, err := newLists(w.sp, rapid.IntRange(1, min(n, 9)).Draw(t, "k"))
	if err != nil {
		t.Fatal(err)
	}
	alpha, beta := rapid.SampledFrom([]float64{0, 1, 2.5}).Draw(t, "alpha"), rapid.SampledFrom([]float64{0, 1, 2, 3.3}).Draw(t, "beta")
	if w.t, err = newTrails(w.sp, l, storage, alpha, beta); err != nil {
		t.Fatal(err)
	}
	w.t.fill(0.25)
	for i := range int32(n) {
		for j := range int32(n) {
			if i != j && s.IntN(3) == 0 {
				w.t.add(i, j, float32(s.IntN(8))/4)
			}
		}
	}
	w.t.lo, w.t.hi = 0, 100
	for b := range (n + block - 1) / block {
		w.t.weighBlock(b, 0)
	}
	w.far = newCompass(w.sp, l)
	w.seen = make([]uint8, n)
	w.tour = make([]int32, n)
	for i := range w.tour {
		w.tour[i] = int32(i)
	}
	s.Shuffle(w.tour)
	w.tour = w.tour[:rapid.IntRange(1, n-1).Draw(t, "visited")]
	for _, c := range w.tour {
		w.seen[c] = 1
	}
	return w
}

// naive is the rule of fallback, by looking at every city.
func (w *world) naive(c int32) int32 {
	best, bestWeight, bestD := int32(-1), float32(-1), int32(0)
	for j := range int32(w.sp.N) {
		if w.seen[j] != 0 {
			continue
		}
		d := w.sp.D(c, j)
		x := w.t.weigh(w.t.at(c, j), w.t.visibility(c, d))
		if x > bestWeight || x == bestWeight && d < bestD {
			best, bestWeight, bestD = j, x, d
		}
	}
	return best
}

func TestFallbackIsTheRule(t *testing.T) {
	t.Parallel()
	for _, storage := range []string{storeCandidates, storeMatrix} {
		t.Run(storage, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				w := drawWorld(t, 300, storage)
				c := w.tour[len(w.tour)-1]
				for _, j := range w.t.id[int(c)*w.t.stride : int(c)*w.t.stride+w.t.k] {
					if w.seen[j] == 0 {
						w.seen[j] = 1
						w.tour = append(w.tour, j)
					}
				}
				if len(w.tour) >= w.sp.N {
					t.Skip("all visited")
				}
				// The longer lists are there for speed: without them the answer is the same.
				if rapid.Bool().Draw(t, "short lists") {
					w.far.shorten(rapid.IntRange(0, w.far.e).Draw(t, "e"))
				}
				var r rest
				got, slot := w.t.fallback(c, w.far, w.seen, &r, w.tour)
				if want := w.naive(c); got != want {
					t.Fatalf("from %d to %d, want %d: weights %v and %v, distances %d and %d", c, got, want,
						w.t.weigh(w.t.at(c, got), w.t.visibility(c, w.sp.D(c, got))), w.t.weigh(w.t.at(c, want), w.t.visibility(c, w.sp.D(c, want))),
						w.sp.D(c, got), w.sp.D(c, want))
				}
				if slot != w.t.place(c, got) && w.t.at(c, got) != w.t.off {
					t.Fatalf("place is %d, want %d", slot, w.t.place(c, got))
				}
			})
		})
	}
}

// shorten cuts the longer lists to e cities.
func (c *compass) shorten(e int) {
	if e >= c.e {
		return
	}
	var ext []int32
	for i := range int32(c.sp.N) {
		row := c.ext[int(i)*c.e : int(i)*c.e+e]
		ext = append(ext, row...)
		c.last[i] = -1
		if e > 0 {
			c.last[i] = c.sp.D(i, row[e-1])
		}
	}
	c.ext, c.e, c.all = ext, e, false
	if c.factor > 0 && c.boxes == nil {
		c.plant()
	}
}

func TestNearestIsTheNearest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, 700, storeCandidates)
		w.far.shorten(rapid.IntRange(0, 5).Draw(t, "e"))
		var r rest
		for len(w.tour) < w.sp.N {
			c := w.tour[len(w.tour)-1]
			got, d := w.far.nearest(w.t.lists, c, w.seen, &r, w.tour, true)
			want := int32(-1)
			for j := range int32(w.sp.N) {
				if w.seen[j] == 0 && (want < 0 || w.sp.D(c, j) < w.sp.D(c, want)) {
					want = j
				}
			}
			if got != want || d != w.sp.D(c, want) {
				t.Fatalf("from %d: %d at %d, want %d at %d", c, got, d, want, w.sp.D(c, want))
			}
			w.seen[got] = 1
			w.tour = append(w.tour, got)
		}
	})
}

func TestGreatest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, 60, storeCandidates)
		for c := range int32(w.sp.N) {
			want := int32(-1)
			if w.seen[c] == 0 {
				continue // an ant stands on a visited city
			}
			for s := range w.t.k {
				at := c*int32(w.t.stride) + int32(s)
				if w.seen[w.t.id[at]] == 0 && (want < 0 || w.t.weight[at] > w.t.weight[want]) {
					want = at
				}
			}
			if got := w.t.greatest(c, w.seen); got != want {
				t.Fatalf("city %d: slot %d, want %d", c, got, want)
			}
		}
	})
}

// exact are the probabilities of the slots of c, in double precision.
func (w *world) exact(c int32) []float64 {
	p := make([]float64, w.t.k)
	var sum float64
	for s := range p {
		at := int(c)*w.t.stride + s
		if w.seen[w.t.id[at]] == 0 {
			tau := float64(w.t.tau[at])
			p[s] = math.Pow(tau, w.t.alpha) * math.Pow(1/(float64(w.t.dist[at])+0.1), w.t.beta)
			sum += p[s]
		}
	}
	for s := range p {
		p[s] /= sum
	}
	return p
}

// TestRouletteMeasure compares the share of [0, 1) that leads to each slot with its
// probability: a grid of draws is as good as a great many of them.
func TestRouletteMeasure(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, 40, storeCandidates)
		c := w.tour[0]
		want := w.exact(c)
		const grid = 1 << 12
		count := make([]int, len(want))
		cum := make([]float32, w.t.stride/4)
		for i := range grid {
			s := w.t.roulette(c, w.seen, cum, (float32(i)+0.5)/grid)
			if s < 0 {
				for _, p := range want {
					if p > 0 {
						t.Fatal("no slot, though one is unvisited")
					}
				}
				return
			}
			at := int(s) - int(c)*w.t.stride
			if at >= len(want) || w.seen[w.t.id[s]] != 0 {
				t.Fatalf("slot %d of %d, visited %d", at, len(want), w.seen[w.t.id[s]])
			}
			count[at]++
		}
		for s, p := range want {
			if got := float64(count[s]) / grid; math.Abs(got-p) > 2.0/grid {
				t.Fatalf("slot %d: share %v, want %v", s, got, p)
			}
		}
	})
}

// TestChoicesChiSquare draws as the ants do and compares counts with the exact
// probabilities.
func TestChoicesChiSquare(t *testing.T) {
	t.Parallel()
	const draws = 40000
	for seed := range uint64(5) {
		inst, err := datasets.DIMACS(false, 60, int(seed)+1)
		if err != nil {
			t.Fatal(err)
		}
		sp, err := tours.NewSpace(inst)
		if err != nil {
			t.Fatal(err)
		}
		l, err := newLists(sp, 11)
		if err != nil {
			t.Fatal(err)
		}
		w := &world{sp: sp, seen: make([]uint8, sp.N)}
		if w.t, err = newTrails(sp, l, storeCandidates, 1, 2); err != nil {
			t.Fatal(err)
		}
		s := arith.NewStream(seed, 0, 0, 9)
		w.t.fill(0.5)
		for at := range w.t.tau {
			w.t.tau[at] += float32(s.Float64())
		}
		w.t.lo, w.t.hi = 0, 10
		w.t.weighBlock(0, 0)
		c := int32(s.IntN(sp.N))
		w.seen[c] = 1
		w.seen[w.t.id[int(c)*w.t.stride+2]] = 1
		want := w.exact(c)
		count := make([]float64, len(want))
		cum := make([]float32, w.t.stride/4)
		for it := range int64(draws) {
			d := newDraws(seed, it, 3)
			_ = d.word(4)
			slot := w.t.roulette(c, w.seen, cum, arith.Unit32(d.word(5)))
			count[slot-c*int32(w.t.stride)]++
		}
		var chi float64
		free := -1
		for i, p := range want {
			if p > 0 {
				e := p * draws
				chi += (count[i] - e) * (count[i] - e) / e
				free++
			} else if count[i] > 0 {
				t.Errorf("seed %d: slot %d is visited and was drawn", seed, i)
			}
		}
		// 0.9999 quantile of chi-square with 9 degrees of freedom is 33.7.
		if free != 9 || chi > 33.7 {
			t.Errorf("seed %d: chi-square is %v with %d degrees of freedom", seed, chi, free)
		}
	}
}

func TestMirrors(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, 120, storeCandidates)
		l := w.t.lists
		if w.sp.Asymmetric {
			if l.mirror != nil {
				t.Fatal("an asymmetric instance has mirrors")
			}
			return
		}
		lone := 0
		for c := range int32(l.n) {
			for s := range l.k {
				at := c*int32(l.stride) + int32(s)
				if want := l.find(l.id[at], c); l.mirror[at] != want {
					t.Fatalf("mirror of %d towards %d is %d, want %d", c, l.id[at], l.mirror[at], want)
				}
				if l.mirror[at] < 0 {
					lone++
				} else if w.t.tau[at] != w.t.tau[l.mirror[at]] {
					t.Fatalf("edge %d %d has two trails", c, l.id[at])
				}
			}
			for _, at := range l.reverse(c) {
				lone--
				if l.id[at] != c || l.find(c, l.from(at)) >= 0 {
					t.Fatalf("slot %d does not belong to the reverse list of %d", at, c)
				}
			}
		}
		if lone != 0 {
			t.Fatalf("%d slots without a mirror are on no reverse list", lone)
		}
	})
}

func TestMatrixAndListsAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, 60, storeMatrix)
		for c := range int32(w.sp.N) {
			for s := range w.t.k {
				at := int(c)*w.t.stride + s
				m := int(c)*w.t.n + int(w.t.id[at])
				if w.t.tau[at] != w.t.full.tau[m] || w.t.weight[at] != w.t.full.weight[m] || w.t.eta[at] != w.t.full.eta[m] {
					t.Fatalf("edge %d %d: trail %v and %v, weight %v and %v", c, w.t.id[at], w.t.tau[at], w.t.full.tau[m], w.t.weight[at], w.t.full.weight[m])
				}
			}
		}
	})
}
