package ants

import (
	"context"
	"errors"
	"math"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// layoutRace is how mmas/wrs draws.
const layoutRace = "Philox4x32-10; key: seed; counter: {iteration low, iteration high, 32 ant + slot, p / 4}, word p mod 4, " +
	"for position p of the tour: p = 0, slot 0 the first city, as word * n / 2^32; later the clock of a slot of the list."

func init() {
	solvers.Register(ReservoirVariant("cpu", nil))
}

// ReservoirVariant is mmas/wrs on a backend whose crews hire makes. A nil hire walks here.
func ReservoirVariant(backend string, hire func(env *solvers.Env, g *Ground) (MaxMinCrew, error)) solvers.Variant {
	return solvers.Variant{
		Solver: "mmas", Name: "wrs", Backend: backend, Revision: 1, Deterministic: true,
		Kinds:   []datasets.Kind{datasets.KindTSP},
		Presets: []string{"best", "paper", "paper-2opt"},
		Title:   "MAX-MIN Ant System; a choice is a race of exponential clocks, one per candidate",
		Source: "T. Stuetzle, H. H. Hoos, 2000, MAX-MIN Ant System, doi:10.1016/S0167-739X(00)00043-1; choice: " +
			"P. S. Efraimidis, P. G. Spirakis, 2006, Weighted random sampling with a reservoir, doi:10.1016/j.ipl.2005.11.003",
		Layout: layoutRace,
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			t, err := asTSP(inst)
			if err != nil {
				return nil, err
			}
			r := &reservoir{maxmin: maxmin{colony: colony{inst: t, localShare: 1}}, hire: hire}
			r.Preset("best")
			return r, nil
		},
	}
}

// reservoir is mmas/wrs: MAX-MIN Ant System with weighted reservoir sampling.
//
// Choice. At position p an ant in city c gives each unvisited candidate a clock: an
// exponential variate over its weight, both in float32 (arith.Expo32, arith.RaceKey: 27 bits
// of the quotient and the slot below). The least key wins. A weight is that of mmas/scan,
// its reciprocal is rounded once more. When all candidates are visited the ant goes to the nearest
// unvisited city, the smaller number where two are as near: with trails on lists only that
// is the city of greatest weight but for edges that are on the other city's list alone.
//
// Trails, limits, deposits and resets are those of mmas with storage=candidates.
type reservoir struct {
	maxmin
	hired
	warps int
	hire  func(*solvers.Env, *Ground) (MaxMinCrew, error)
	gang  MaxMinCrew // is crew

	ring  ring
	recip []float32 // by slot: 1 / weight
	lanes []lanes   // by worker
}

// lanes are the draws of an ant, a sequence for each slot of a list.
type lanes struct {
	seed  uint64
	ctr   [4]uint32
	agent uint32
	have  [Width]uint32 // 1 + the block in buf
	buf   [Width][4]uint32
}

func (d *lanes) start(seed uint64, it int64, ant int) {
	*d = lanes{seed: seed, ctr: [4]uint32{uint32(it), uint32(it >> 32)}, agent: uint32(ant) * Width}
}

// word is the draw of a slot at position p.
func (d *lanes) word(slot, p int) uint32 {
	if b := uint32(p>>2) + 1; d.have[slot] != b {
		d.ctr[2], d.ctr[3], d.have[slot] = d.agent+uint32(slot), b-1, b
		d.buf[slot] = arith.Philox4x32(d.seed, d.ctr)
	}
	return d.buf[slot][p&3]
}

// Preset implements solvers.Presetter.
func (r *reservoir) Preset(name string) bool {
	n := r.inst.N
	switch name {
	case "best":
		r.common = common{ants: fewAnts(n, n), beta: 2, candidates: fewCandidates(Width, n)}
		r.alpha, r.rho, r.pBest = 1, 0.9, 0.01
		r.deposit, r.bestPeriod, r.reset = depositMixed, 5, 250
	case "paper", "paper-2opt":
		if !r.maxmin.Preset(name) {
			return false
		}
		r.candidates = fewCandidates(Width, n)
	default:
		return false
	}
	r.storage, r.localSearch = storeCandidates, localNone
	if name == "paper-2opt" {
		r.localSearch = localRounds
	}
	return true
}

// Declare implements solvers.Algorithm.
func (r *reservoir) Declare(t *solvers.Params) {
	r.declareLive(t)
	r.declareFew(t, r.inst.N)
	r.declareRounds(t)
	declareWarps(t, &r.warps)
	r.declareTrials(t)
}

// Init implements solvers.Algorithm.
func (r *reservoir) Init(env *solvers.Env) error {
	if r.candidates > Width {
		return errWide(r.candidates)
	}
	if r.hire != nil {
		if err := errors.Join(supported(r.inst, wideCities, "backend cpu"), r.stayAway()); err != nil {
			return err
		}
	}
	if err := r.maxmin.Init(env); err != nil {
		return err
	}
	if r.hire == nil {
		r.recip = make([]float32, len(r.t.id))
		r.walkAnt = r.race
		return nil
	}
	g, err := r.ground()
	if err != nil {
		return err
	}
	if r.gang, err = r.hire(env, g); err != nil {
		return err
	}
	r.crew = r.gang
	if err := r.sendAll(); err != nil {
		r.Close()
		return err
	}
	return nil
}

// sendAll brings everything to the crew.
func (r *reservoir) sendAll() error {
	err := errors.Join(r.send(&r.hired), r.crew.SetKept(KeptRestart, r.restart))
	r.gang.Warps(r.warps)
	r.tune()
	return errors.Join(err, r.gang.Weigh(r.alpha, r.t.inv, r.sights()))
}

// sights are the second factors of the weights as a crew wants them.
func (r *reservoir) sights() []float32 {
	if r.t.full != nil {
		return r.t.full.eta
	}
	return r.t.widen(r.t.eta, 1)
}

// Changed implements solvers.Changer.
func (r *reservoir) Changed(names []string) {
	r.maxmin.Changed(names)
	if r.crew == nil {
		return
	}
	var eta []float32
	for _, name := range names {
		switch name {
		case "beta":
			eta = r.sights()
		case "warps", "trials":
			r.gang.Warps(r.warps)
			r.tune()
		}
	}
	r.lost = errors.Join(r.lost, r.gang.Weigh(r.alpha, r.t.inv, eta))
}

// Iterate implements solvers.Algorithm. What is heavy is done here or by the crew, what is
// decided is decided here.
func (r *reservoir) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if err := r.walkAll(ctx, it); err != nil {
		return err
	}
	best := r.bestLength
	at := r.finish(p) // with a crew, what it copies is not the best tour: see fetchBest
	if r.crew != nil && r.bestLength < best {
		r.crew.Keep(KeptBest, at)
	}
	if l := r.lengths[at]; l < r.restartLength {
		r.restartLength, r.restartFound = l, it
		if r.crew != nil {
			r.crew.Keep(KeptRestart, at)
		} else {
			copy(r.restart, r.tour(at))
		}
	}
	r.limits()
	tour, length := r.teacher(at, it)
	r.t.inv = 1 / r.hi
	r.reward(at, tour, float32(r.rho), float32(1/float64(max(length, 1))))
	if r.deposit == depositMixed && r.reset > 0 && it%100 == 0 && it-r.restartFound > int64(r.reset) {
		branches, _, err := r.look()
		if err != nil {
			return err
		}
		if float64(branches)/float64(r.n) < 2*1.00001 {
			r.fill()
			r.restartLength, r.restartAt, r.restartFound = unknown, it, it
			r.resets++
		}
	}
	p.Measures[2], p.Measures[3], p.Measures[4] = float64(r.lo), float64(r.hi), float64(r.resets)
	return r.remark(&r.hired, p)
}

// walkAll makes all tours.
func (r *reservoir) walkAll(ctx context.Context, it int64) error {
	if r.crew != nil {
		if err := errors.Join(ctx.Err(), r.lost); err != nil {
			return err
		}
		r.it, r.traced = it, 0
		r.crew.Polish(r.improved())
		if err := r.crew.Walk(it, r.lengths, r.falls, r.hashes); err != nil {
			return err
		}
		r.wrote()
		return nil
	}
	if err := r.begin(ctx, it); err != nil {
		return err
	}
	for i, w := range r.t.weight {
		r.recip[i] = 1 / w
	}
	for len(r.lanes) < r.env.Pool.Size() {
		r.lanes = append(r.lanes, lanes{})
	}
	r.env.Pool.Run(r.ants, r.walkAnt)
	if r.cut.Load() {
		return ctx.Err()
	}
	return r.improveWalked()
}

// reward evaporates, deposits d on the edges of a tour and brings the trails within the
// limits, then makes the weights. at is the iteration's best ant.
func (r *reservoir) reward(at int, tour []int32, rate, d float32) {
	t := r.t
	if t.full == nil || r.crew != nil {
		t.off = min(max(float32(t.off*rate), minTrail, r.lo), r.hi)
	}
	if r.crew != nil {
		ant, kept := -1, KeptBest
		switch &tour[0] {
		case &r.tour(at)[0]:
			ant = at
		case &r.restart[0]:
			kept = KeptRestart
		}
		r.gang.Reward(ant, kept, rate, d, r.lo, r.hi)
		r.lost = errors.Join(r.lost, r.gang.Weigh(r.alpha, t.inv, nil))
		return
	}
	if t.full != nil {
		t.evaporate(r.env.Pool, rate)
		t.strengthen(tour, d)
		t.limit(r.env.Pool, r.lo, r.hi)
		return
	}
	r.ring.follow(tour)
	for c := range int32(r.n) {
		for s := int(c) * t.stride; s < int(c)*t.stride+t.k; s++ {
			v := max(float32(t.tau[s]*rate), minTrail)
			for range r.ring.times(c, t.id[s]) {
				v += d
			}
			t.tau[s] = min(max(v, r.lo), r.hi)
		}
	}
	t.limit(r.env.Pool, r.lo, r.hi)
}

// fill sets all trails to their upper limit.
func (r *reservoir) fill() {
	r.t.off = r.hi
	if r.crew != nil {
		r.gang.Fill(r.hi)
		return
	}
	r.t.fill(r.hi)
	r.t.limit(r.env.Pool, r.lo, r.hi)
}

// look is what a crew's Look is.
func (r *reservoir) look() (branches int64, hash uint64, err error) {
	if r.crew != nil {
		return r.crew.Look()
	}
	branches, hash = r.t.look()
	return branches, hash, nil
}

// race makes the tour of one ant.
func (r *reservoir) race(ant, worker int) {
	if r.stopped() {
		return
	}
	w, d, t := r.work[worker], &r.lanes[worker], r.t
	clear(w.seen)
	w.rest.done = 0
	d.start(r.env.Seed, r.it, ant)
	tour := r.tour(ant)
	city := int32(arith.Below(d.word(0, 0), r.n))
	tour[0], w.seen[city] = city, 1
	var length int64
	falls := int32(0)
	for p := 1; p < len(tour); p++ {
		if p%(glance/Width) == 0 && r.stopped() {
			return
		}
		if s := r.first(city, p, w.seen, d); s >= 0 {
			city = t.id[s]
			length += int64(t.dist[s])
		} else {
			var far int32
			city, far = r.fall(city, w, tour[:p])
			length += int64(far)
			falls++
		}
		tour[p], w.seen[city] = city, 1
	}
	r.falls[ant] = falls
	r.lengths[ant] = length + r.closing(tour)
	r.hashes[ant] = arith.HashPerm(tour)
	r.progress(r.finished.Add(1), int64(r.ants))
}

// first is the slot of c whose clock rings first at position p, or -1 when all candidates
// are visited.
func (r *reservoir) first(c int32, p int, seen []uint8, d *lanes) int32 {
	at := int(c) * r.t.stride
	best := ^uint32(0)
	for s, id := range r.t.id[at : at+r.t.k] {
		if seen[id] != 0 {
			continue
		}
		u := d.word(s, p)
		// The clock is -log2 U >= (1 - U) / ln 2, of which this is less: most have lost by that.
		if math.Float32bits(float32(^u>>8)*(1.43*0x1p-24)*r.recip[at+s])&^31 > best {
			continue
		}
		best = min(best, arith.RaceKey(arith.Expo32(u), r.recip[at+s], uint32(s)))
	}
	if best == ^uint32(0) {
		return -1
	}
	return int32(at) + int32(best%Width)
}

// Solution implements solvers.Algorithm.
func (r *reservoir) Solution() record.Solution {
	r.fetchBest(&r.hired, r.restart)
	return r.maxmin.Solution()
}

// Snapshot implements solvers.Algorithm.
func (r *reservoir) Snapshot(w *solvers.Writer) {
	r.fetchBest(&r.hired, r.restart)
	r.fetchTrails(&r.hired)
	if r.lost != nil {
		noState(w, r.lost)
		return
	}
	r.maxmin.Snapshot(w)
}

// Restore implements solvers.Algorithm.
func (r *reservoir) Restore(s *solvers.Reader) error {
	if err := r.maxmin.Restore(s); err != nil {
		return err
	}
	if r.t.extra != nil {
		r.t.extra.clear() // lists may have been longer
	}
	if r.crew == nil {
		return nil
	}
	return r.sendAll()
}

// Trace implements solvers.Tracer.
func (r *reservoir) Trace() [][]int32 {
	r.fetchTours(&r.hired)
	return r.maxmin.Trace()
}

// Trails implements solvers.Trailer.
func (r *reservoir) Trails(limit int) []solvers.Trail {
	r.fetchTrails(&r.hired)
	return r.maxmin.Trails(limit)
}

var (
	_ solvers.Algorithm = (*reservoir)(nil)
	_ solvers.Changer   = (*reservoir)(nil)
	_ solvers.Presetter = (*reservoir)(nil)
	_ solvers.Tracer    = (*reservoir)(nil)
	_ solvers.Trailer   = (*reservoir)(nil)
	_ solvers.Lengther  = (*reservoir)(nil)
)
