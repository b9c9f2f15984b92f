package ants

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

const layoutThin = "Philox4x32-10; key: seed; for position p of the tour and lane l: near clocks as in mmas/wrs; the lane's first arrival is word p mod 4 of the counter " +
	"{iteration low, iteration high XOR 2^29, 32 ant + l, p / 4}; proposal r of the lane (from 0) is word 2 (r mod 2), the time to the next arrival the word behind it, of " +
	"{iteration low, iteration high XOR 3 2^29 XOR p, 32 ant + l, r / 2}; in scans and the last 128 choices position i, which is city i or place i of the list, has the high half of its draw from the counter " +
	"{iteration low, iteration high XOR 2^31 XOR p, ant, 32 (i / 256) + i mod 32}, its low half from that XOR 2^30: for t = (i / 32) mod 8 the low half of word t, the high half of word t - 4."

func init() {
	solvers.Register(ThinVariant("cpu", nil))
}

// ThinVariant is mmas/thin on a backend whose crews hire makes. A nil hire walks here.
func ThinVariant(backend string, hire func(env *solvers.Env, g *Ground) (MaxMinCrew, error)) solvers.Variant {
	return solvers.Variant{
		Solver: "mmas", Name: "thin", Backend: backend, Revision: 1, Deterministic: true,
		Kinds:   []datasets.Kind{datasets.KindTSP},
		Presets: []string{"best", "paper", "paper-2opt", "best-local"},
		Title:   "MAX-MIN Ant System without lists; cities far off arrive as Poisson processes, which are thinned",
		Source: "T. Stuetzle, H. H. Hoos, 2000, MAX-MIN Ant System, doi:10.1016/S0167-739X(00)00043-1; thinning: " +
			"P. A. W. Lewis, G. S. Shedler, 1979, Simulation of nonhomogeneous Poisson processes by thinning, doi:10.1002/nav.3800260304",
		Layout: layoutThin,
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			t, err := asTSP(inst)
			if err != nil {
				return nil, err
			}
			h := &thin{reservoir: reservoir{maxmin: maxmin{colony: colony{inst: t, localShare: 1}}, hire: hire}}
			h.Preset("best")
			return h, nil
		},
	}
}

// Constants of mmas/thin, part of what it computes.
const (
	thinMost   = 16  // arrivals that a lane may expect; beyond, all unvisited cities are looked at
	thinRounds = 4   // proposals that a lane may lose where no near city is left; then likewise
	thinLast   = 128 // choices at the end that look at all unvisited cities
	thinGuide  = 4   // cities for an entry of the guide
)

const (
	purposeArrive  = 1 << 29
	purposePropose = 3 << 29
)

// thin is mmas/thin: each unvisited city is chosen with a probability in proportion to its
// weight, as in mmas/rows without lists, at a cost that hardly grows with their number.
//
// A choice is a race. Each of the candidates nearest cities that is unvisited has a clock
// of its own, an exponential variate over its weight (in float32). All other cities, the
// tail, visited ones too, have a table of running sums, made once an iteration; T is their sum.
// They arrive in 32 lanes, each a Poisson process of the rate T / 32. A lane whose next
// arrival would come before the best time so far proposes a city of the table; if it is
// unvisited, that is the best time and the lane is done; if not, nothing happened and the lane
// waits for the next arrival (thinning). The least time wins, near clocks before lanes and small
// numbers before large ones where times are equal. Lanes go round by round, so a warp
// does the same.
//
// Where the nearest clock leaves a lane more than 16 arrivals to be expected, or where all
// near cities are visited and no lane found one in 4 rounds, all unvisited cities of the
// tail get fresh clocks ([race]); both rules look at nothing that an outcome depends on later,
// so the probabilities stay. The last 128 choices are races over a list of what is
// unvisited, kept dense as by [tabu] lc, which begins in the order of the numbers.
//
// A city's share of the tail is its weight's, to within 2^-23 of the tail.
type thin struct {
	reservoir

	cum    []float32 // n x n: running sums of the tail
	guide  []uint16  // n x cells: the first city whose sum is above the cell's part of T
	cells  int
	per    []float32 // by city: 32 / T; 0 without a tail
	tail   []lanes   // by worker: first arrivals
	spare  [][]float32
	places [][]int32
}

// Preset implements solvers.Presetter.
func (h *thin) Preset(name string) bool {
	if !h.reservoir.Preset(name) {
		return false
	}
	h.storage, h.candidates = storeMatrix, fewCandidates(Width, h.inst.N)
	return true
}

// Declare implements solvers.Algorithm.
func (h *thin) Declare(t *solvers.Params) {
	h.declareLive(t)
	t.Int(&h.candidates, record.Param{
		Name: "candidates", Class: record.Structural, Min: 1, Max: float64(max(2, min(Width, h.inst.N-1))), Step: 1, Unit: "cities",
		Doc:    "How many nearest cities have clocks of their own. All unvisited cities take part in every choice; this is for speed, but draws differ.",
		Effect: "a fork keeps all trails",
	})
	h.declareRounds(t)
}

// Init implements solvers.Algorithm.
func (h *thin) Init(env *solvers.Env) error {
	n := h.inst.N
	if n > math.MaxUint16 {
		return fmt.Errorf("ants: %s has %d cities, mmas/thin takes up to %d: use mmas/wrs", h.inst.Title, n, math.MaxUint16)
	}
	if need := matrixBytes(n); need > maxMatrixBytes {
		return fmt.Errorf("ants: mmas/thin has trails of all edges: %d cities need %d bytes on the host, and the limit is %d: use mmas/wrs, or mmas/rows with storage=candidates", n, need, maxMatrixBytes)
	}
	h.choices = n
	if h.hire != nil {
		if err := errors.Join(supported(h.inst, shortCities, "mmas/wrs"), h.stayAway()); err != nil {
			return err
		}
	}
	if err := h.maxmin.Init(env); err != nil {
		return err
	}
	if h.hire != nil {
		return h.engage(env)
	}
	h.recip = make([]float32, len(h.t.id))
	h.cells = max(1, n/thinGuide)
	h.cum, h.guide, h.per = make([]float32, n*n), make([]uint16, n*h.cells), make([]float32, n)
	h.walkAnt = h.wander
	return nil
}

// engage takes a crew.
func (h *thin) engage(env *solvers.Env) error {
	g, err := h.ground()
	if err != nil {
		return err
	}
	g.Matrix = true
	if h.gang, err = h.hire(env, g); err != nil {
		return err
	}
	h.crew = h.gang
	if err := h.sendAll(); err != nil {
		h.Close()
		return err
	}
	return nil
}

// Iterate implements solvers.Algorithm.
func (h *thin) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if h.crew != nil {
		return h.reservoir.Iterate(ctx, it, p)
	}
	for len(h.tail) < h.env.Pool.Size() {
		h.tail = append(h.tail, lanes{})
		h.spare = append(h.spare, make([]float32, h.n))
		h.places = append(h.places, make([]int32, 0, thinLast))
	}
	h.env.Pool.Run(h.n, h.table)
	return h.reservoir.Iterate(ctx, it, p)
}

// Restore implements solvers.Algorithm.
func (h *thin) Restore(s *solvers.Reader) error {
	s.Params = maps.Clone(s.Params)
	s.Params["storage"] = record.Text(storeMatrix)
	return h.reservoir.Restore(s)
}

// table makes the running sums of a city's tail: tiles of 32 by [ladder], each on top of the last
// sum of the tile before, and none below the one before it; then its guide.
func (h *thin) table(c, worker int) {
	n, w := h.n, h.spare[worker]
	copy(w, h.t.full.weight[c*n:c*n+n])
	w[c] = 0
	for _, j := range h.t.id[c*h.t.stride : c*h.t.stride+h.t.k] {
		w[j] = 0
	}
	cum := h.cum[c*n : c*n+n]
	var base, last float32
	for from := 0; from < n; from += tile {
		var x [tile]float32
		copy(x[:], w[from:])
		x = ladder(x)
		for i := range cum[from:min(n, from+tile)] {
			last = max(last, base+x[i]) // rounding in a ladder may go down
			cum[from+i] = last
		}
		base = last
	}
	h.per[c] = 0
	if total := cum[n-1]; total > 0 {
		h.per[c] = tile / total
	}
	guide, at := h.guide[c*h.cells:(c+1)*h.cells], 0
	for b := range guide {
		x := float32(float32(b) / float32(h.cells) * cum[n-1])
		for at < n-1 && cum[at] <= x {
			at++
		}
		guide[b] = uint16(at)
	}
}

// propose is the city of c's tail that u, of [0, 1), falls on.
func (h *thin) propose(c int32, u float32) int32 {
	cum := h.cum[int(c)*h.n : int(c)*h.n+h.n]
	b := min(int(u*float32(h.cells)), h.cells-1)
	guide := h.guide[int(c)*h.cells : int(c)*h.cells+h.cells]
	lo, hi := int(guide[b]), h.n-1
	if b+1 < len(guide) {
		hi = int(guide[b+1])
	}
	x := float32(u * cum[h.n-1])
	for lo < hi {
		if mid := (lo + hi) / 2; cum[mid] > x {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return int32(lo)
}

// wander makes the tour of an ant.
func (h *thin) wander(ant, worker int) {
	if h.stopped() {
		return
	}
	w, tour := h.work[worker], h.tour(ant)
	clear(w.seen)
	h.lanes[worker].start(h.env.Seed, h.it, ant)
	h.tail[worker].start(h.env.Seed, h.it, ant)
	h.tail[worker].ctr[1] ^= purposeArrive
	city := int32(arith.Below(h.lanes[worker].word(0, 0), h.n))
	tour[0], w.seen[city] = city, 1
	var length int64
	list := h.places[worker][:0]
	for p := 1; p < len(tour); p++ {
		if p%(glance/Width) == 0 && h.stopped() {
			return
		}
		next, left := int32(-1), h.n-p
		if left > thinLast {
			next = h.step(city, p, ant, worker)
		} else {
			if len(list) == 0 {
				for j, seen := range w.seen {
					if seen == 0 {
						list = append(list, int32(j))
					}
				}
			}
			m, row := h.spare[worker][:left], h.t.full.weight[int(city)*h.n:]
			for i, j := range list {
				m[i] = 1 / row[j]
			}
			i, _ := race(m, h.env.Seed, h.it, ant, p)
			next = list[i]
			list[i] = list[left-1]
			list = list[:left-1]
		}
		length += int64(h.sp.D(city, next))
		city = next
		tour[p], w.seen[city] = city, 1
	}
	h.falls[ant] = 0
	h.lengths[ant] = length + h.closing(tour)
	h.hashes[ant] = arith.HashPerm(tour)
	h.progress(h.finished.Add(1), int64(h.ants))
}

// step is the city that an ant in c goes to.
func (h *thin) step(c int32, p, ant, worker int) int32 {
	seen, near, tail := h.work[worker].seen, &h.lanes[worker], &h.tail[worker]
	at := int(c) * h.t.stride
	best, city := float32(math.MaxFloat32), int32(-1)
	for s, j := range h.t.id[at : at+h.t.k] {
		if seen[j] != 0 {
			continue
		}
		u := near.word(s, p)
		if early(u>>16)*h.recip[at+s] > best {
			continue
		}
		if x := float32(arith.Expo32(u) * h.recip[at+s]); x < best || city < 0 {
			best, city = x, j
		}
	}
	per := h.per[c]
	if per == 0 {
		return city
	}
	if city >= 0 && best > float32(thinMost*per) {
		return h.scan(c, p, ant, worker, best, city)
	}
	none := city < 0
	var times [tile]float32
	var done uint32 // lanes that found a city, or come too late
	ctr := [4]uint32{uint32(h.it), uint32(h.it>>32) ^ purposePropose ^ uint32(p)}
	for round := 0; done != math.MaxUint32; round++ {
		for l := range times {
			if done>>l&1 != 0 {
				continue
			}
			if round == 0 {
				u := tail.word(l, p)
				if early(u>>16)*per > best {
					done |= 1 << l
					continue
				}
				times[l] = float32(arith.Expo32(u) * per)
			}
			if !(times[l] < best) {
				done |= 1 << l
				continue
			}
			ctr[2], ctr[3] = uint32(ant)*tile+uint32(l), uint32(round/2)
			b := arith.Philox4x32(h.env.Seed, ctr)
			if j := h.propose(c, arith.Unit32(b[round%2*2])); seen[j] == 0 {
				best, city = times[l], j
				done |= 1 << l
				continue
			}
			times[l] += float32(arith.Expo32(b[round%2*2+1]) * per)
		}
		if none && city < 0 && round == thinRounds-1 {
			return h.scan(c, p, ant, worker, best, city)
		}
	}
	return city
}

// scan gives all unvisited cities of the tail new clocks; city has the time best.
func (h *thin) scan(c int32, p, ant, worker int, best float32, city int32) int32 {
	m, seen, row := h.spare[worker], h.work[worker].seen, h.t.full.weight[int(c)*h.n:int(c)*h.n+h.n]
	for j, s := range seen {
		m[j] = 0
		if s == 0 {
			m[j] = 1 / row[j]
		}
	}
	for _, j := range h.t.id[int(c)*h.t.stride : int(c)*h.t.stride+h.t.k] {
		m[j] = 0
	}
	j, key := race(m, h.env.Seed, h.it, ant, p)
	if j >= 0 && (city < 0 || math.Float32frombits(key) < best) {
		return int32(j)
	}
	return city
}

var (
	_ solvers.Algorithm = (*thin)(nil)
	_ solvers.Changer   = (*thin)(nil)
	_ solvers.Presetter = (*thin)(nil)
	_ solvers.Tracer    = (*thin)(nil)
	_ solvers.Trailer   = (*thin)(nil)
	_ solvers.Lengther  = (*thin)(nil)
)
