package trail

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
	t    *Table
	near *Nearest
	seen []uint8
	tour []int32
}

// drawWorld makes a world: kind 0 a small grid (many ties), 1 a wide plane, 2 ATT, 3 CEIL_2D, 4 a
// symmetric matrix, 5 an asymmetric one, 6 clusters.
func drawWorld(t *rapid.T, most int, storage Storage) *world {
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
	l, err := NewLists(w.sp, rapid.IntRange(1, min(n, 9)).Draw(t, "k"))
	if err != nil {
		t.Fatal(err)
	}
	alpha, beta := rapid.SampledFrom([]float64{0, 1, 2.5}).Draw(t, "alpha"),
		rapid.SampledFrom([]float64{0, 1, 2, 3.3}).Draw(t, "beta")
	sight := rapid.SampledFrom([]Sight{Tenth, Plain}).Draw(t, "sight")
	if w.t, err = NewTable(w.sp, l, storage, sight, alpha, beta); err != nil {
		t.Fatal(err)
	}
	w.t.Fill(0.25)
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
	w.near = NewNearest(w.sp, l)
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
		x := w.t.Weigh(w.t.at(c, j), w.t.Visibility(c, d))
		if x > bestWeight || x == bestWeight && d < bestD {
			best, bestWeight, bestD = j, x, d
		}
	}
	return best
}

func TestFallbackIsTheRule(t *testing.T) {
	t.Parallel()
	for _, storage := range []Storage{Candidates, Matrix} {
		t.Run(string(storage), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				w := drawWorld(t, 300, storage)
				c := w.tour[len(w.tour)-1]
				for _, j := range w.t.ID[int(c)*w.t.Stride : int(c)*w.t.Stride+w.t.K] {
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
					w.near.shorten(rapid.IntRange(0, w.near.e).Draw(t, "e"))
				}
				var r Unvisited
				got, slot := w.t.Fallback(c, w.near, w.seen, &r, w.tour)
				if want := w.naive(c); got != want {
					t.Fatalf("from %d to %d, want %d: weights %v and %v, distances %d and %d", c, got, want,
						w.t.Weigh(w.t.at(c, got), w.t.Visibility(c, w.sp.D(c, got))),
						w.t.Weigh(w.t.at(c, want), w.t.Visibility(c, w.sp.D(c, want))),
						w.sp.D(c, got), w.sp.D(c, want))
				}
				if slot != w.t.Place(c, got) && w.t.at(c, got) != w.t.Off {
					t.Fatalf("place is %d, want %d", slot, w.t.Place(c, got))
				}
			})
		})
	}
}

// shorten cuts the longer lists to e cities.
func (c *Nearest) shorten(e int) {
	if e >= c.e {
		return
	}
	var ext []int32
	for i := range int32(c.sp.N) {
		c.longer(i)
		row := c.ext[int(i)*c.e : int(i)*c.e+e]
		ext = append(ext, row...)
		c.last[i] = -1
		if e > 0 {
			c.last[i] = c.sp.D(i, row[e-1])
		}
	}
	c.ext, c.e, c.all, c.late = ext, e, false, nil
	if c.factor > 0 && c.boxes == nil {
		c.plant()
	}
}

func TestNearestIsTheNearest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, 700, Candidates)
		w.near.shorten(rapid.IntRange(0, 5).Draw(t, "e"))
		var r Unvisited
		for len(w.tour) < w.sp.N {
			c := w.tour[len(w.tour)-1]
			got, d := w.near.ofAny(c, w.seen, &r, w.tour)
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

func TestMirrors(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, 120, Candidates)
		l := w.t.Lists
		if w.sp.Asymmetric {
			if l.Mirror != nil {
				t.Fatal("an asymmetric instance has mirrors")
			}
			return
		}
		lone := 0
		for c := range int32(l.N) {
			for s := range l.K {
				at := c*int32(l.Stride) + int32(s)
				if want := l.Find(l.ID[at], c); l.Mirror[at] != want {
					t.Fatalf("mirror of %d towards %d is %d, want %d", c, l.ID[at], l.Mirror[at], want)
				}
				if l.Mirror[at] < 0 {
					lone++
				} else if w.t.Tau[at] != w.t.Tau[l.Mirror[at]] {
					t.Fatalf("edge %d %d has two trails", c, l.ID[at])
				}
			}
			for _, at := range l.reverse(c) {
				lone--
				if l.ID[at] != c || l.Find(c, l.From(at)) >= 0 {
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
		w := drawWorld(t, 60, Matrix)
		for c := range int32(w.sp.N) {
			for s := range w.t.K {
				at := int(c)*w.t.Stride + s
				m := int(c)*w.t.N + int(w.t.ID[at])
				if w.t.Tau[at] != w.t.Full.Tau[m] || w.t.Weight[at] != w.t.Full.Weight[m] ||
					w.t.Eta[at] != w.t.Full.Eta[m] {
					t.Fatalf("edge %d %d: trail %v and %v, weight %v and %v", c, w.t.ID[at], w.t.Tau[at],
						w.t.Full.Tau[m], w.t.Weight[at], w.t.Full.Weight[m])
				}
			}
		}
	})
}

// TestSight: weights are in proportion to powers of the visibility, also of edges of length 0.
func TestSight(t *testing.T) {
	t.Parallel()
	inst, err := datasets.NewTSP("p", datasets.Euc2D, []float64{0, 0, 1, 4}, make([]float64, 4))
	if err != nil {
		t.Fatal(err)
	}
	sp, err := tours.NewSpace(inst)
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLists(sp, 3)
	if err != nil {
		t.Fatal(err)
	}
	for sight, far := range map[Sight][]float64{Plain: {0.1, 1, 4}, Tenth: {0.1, 1.1, 4.1}} {
		w, err := NewTable(sp, l, Candidates, sight, 1, 3)
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range []int32{0, 1, 4} {
			for _, c := range []int32{0, 3} {
				got := float64(w.Visibility(c, d)) / float64(w.Visibility(c, 1))
				if want := math.Pow(far[1]/far[i], 3); math.Abs(got/want-1) > 1e-6 {
					t.Errorf("sight %q: an edge of length %d is %v times as visible as one of 1, want %v", sight,
						d, got, want)
				}
			}
		}
	}
}
