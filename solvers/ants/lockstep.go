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

// layoutLock is how acs/lockstep draws.
const layoutLock = layout + " Below q0 2^32 it takes the best candidate; else the clock of a slot of the list is word 0 of the block with " +
	"purpose 1, 32 ant + slot in place of ant and p in place of p / 4."

func init() {
	solvers.Register(LockstepVariant("cpu", nil))
}

// LockstepVariant is acs/lockstep on a backend whose crews hire makes. A nil hire walks here.
func LockstepVariant(backend string, hire func(env *solvers.Env, g *Ground) (LockstepCrew, error)) solvers.Variant {
	return solvers.Variant{
		Solver: "acs", Name: "lockstep", Backend: backend, Revision: 1, Deterministic: true,
		Kinds:   []datasets.Kind{datasets.KindTSP},
		Presets: []string{"best", "paper"},
		Title:   "Ant Colony System; all ants make a step at once, which sees the trails as they were at its start",
		Source: "M. Dorigo, L. M. Gambardella, 1997, Ant colony system: a cooperative learning approach to the traveling " +
			"salesman problem, doi:10.1109/4235.585892; in place of the atomic updates of ACS-GPU, visits are counted",
		Layout: layoutLock,
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			t, err := asTSP(inst)
			if err != nil {
				return nil, err
			}
			l := &lockstep{sequence: sequence{colony: colony{inst: t, localShare: 1}}, hire: hire}
			l.Preset("best")
			return l, nil
		},
	}
}

// lockstep is acs/lockstep.
//
// Step. At position p all ants choose, each from the trails that all choices and updates
// of the positions before p made. A choice is that of acs/seq with the greatest weight (the smaller
// slot where two are equal) with probability q0; else a race of clocks as in mmas/wrs. When
// all candidates are visited the ant goes to the nearest unvisited city, the smaller number
// where two are as near, and leaves the trails as they are.
//
// Trails. A choice of a candidate at a position that is a multiple of local_period is one visit of its
// edge, and so is the way back if it is on a list. After c visits in an iteration a trail is
//
//	tau0 + (1 - rho)^c (tau - tau0)
//
// which is what c local updates of Ant Colony System make of it, in any order. Counting
// makes the steps of all ants of one position commute. The weight is that, times the second factor of
// acs/seq over tau0, kept above 2^-60.
//
// Many ants wear the trails of a good edge down within one iteration, as each that takes it sees
// what all others left: take few ants, or a small rho.
type lockstep struct {
	sequence
	hired
	warps int
	hire  func(*solvers.Env, *Ground) (LockstepCrew, error)
	gang  LockstepCrew // is crew

	scaled []float32 // by slot: the second factor over tau0
	powers []float32 // (1 - rho)^c by c
	count  []uint32  // by slot: visits in this iteration
	gone   []int32   // by ant: the slot that it visited in this step, or -1
	ring   ring
	p      int // the step under way
	greedy uint64
	step   func(block, worker int)
}

// Preset implements solvers.Presetter.
func (l *lockstep) Preset(name string) bool {
	if !l.sequence.Preset(name) {
		return false
	}
	n := l.inst.N
	if name == "best" {
		l.ants, l.rho, l.q0 = fewAnts(64, n), 0.02, 0.95
	}
	l.candidates = fewCandidates(min(Width, l.candidates), n)
	l.storage, l.localSearch = storeCandidates, localNone
	return true
}

// Declare implements solvers.Algorithm.
func (l *lockstep) Declare(t *solvers.Params) {
	l.declareLive(t)
	l.declareFew(t, l.inst.N)
	l.declareRounds(t)
	declareWarps(t, &l.warps)
	l.declareTrials(t)
}

// Init implements solvers.Algorithm.
func (l *lockstep) Init(env *solvers.Env) error {
	if l.candidates > Width {
		return errWide(l.candidates)
	}
	if l.hire != nil {
		if err := errors.Join(supported(l.inst, shortCities, "acs/spm, acs/spm-alt or acs/alt, or backend cpu"), l.stayAway()); err != nil {
			return err
		}
	}
	if err := l.sequence.Init(env); err != nil {
		return err
	}
	l.scaled = make([]float32, len(l.t.id))
	l.rule(true)
	if l.hire == nil {
		l.count = make([]uint32, len(l.t.id))
		l.step = l.move
		return nil
	}
	g, err := l.ground()
	if err != nil {
		return err
	}
	if l.gang, err = l.hire(env, g); err != nil {
		return err
	}
	l.crew = l.gang
	if err := l.sendAll(); err != nil {
		l.Close()
		return err
	}
	return nil
}

// rule makes what choices depend on.
func (l *lockstep) rule(eta bool) {
	if eta {
		for i, e := range l.t.eta {
			l.scaled[i] = float32(max(e, 0x1p-60) * l.t.inv)
		}
	}
	l.greedy = uint64(l.q0 * (1 << 32))
	// An edge has at most two visits of an ant: n may be 2.
	l.powers = l.powers[:0]
	power := 1.0
	for range 2*l.ants + 1 {
		l.powers = append(l.powers, float32(power))
		power *= 1 - l.rho
		if power < 0x1p-140 {
			power = 0
		}
	}
}

func (l *lockstep) sendAll() error {
	l.gang.Warps(l.warps)
	l.tune()
	return errors.Join(l.send(&l.hired), l.tell(true))
}

// tell brings the rules to the crew.
func (l *lockstep) tell(eta bool) error {
	var wide []float32
	if eta {
		wide = l.t.widen(l.scaled, 1)
	}
	return l.gang.Rules(wide, l.tau0, l.greedy, l.powers, l.localPeriod)
}

// Changed implements solvers.Changer.
func (l *lockstep) Changed(names []string) {
	l.sequence.Changed(names)
	eta := false
	for _, name := range names {
		switch name {
		case "beta":
			eta = true
		case "warps", "trials":
			if l.crew != nil {
				l.gang.Warps(l.warps)
				l.tune()
			}
		}
	}
	l.rule(eta)
	if l.crew != nil {
		l.lost = errors.Join(l.lost, l.tell(eta))
	}
}

// Iterate implements solvers.Algorithm.
func (l *lockstep) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if err := l.walkAll(ctx, it); err != nil {
		return err
	}
	best := l.bestLength
	at := l.finish(p) // with a crew, what it copies is not the best tour: see fetchBest
	if l.crew == nil {
		l.strengthen()
	} else {
		if l.bestLength < best {
			l.crew.Keep(KeptBest, at)
		}
		l.gang.Reward(l.global())
	}
	return l.remark(&l.hired, p)
}

// crowd is the number of ants that a worker moves at a time.
const crowd = 16

// walkAll makes all tours.
func (l *lockstep) walkAll(ctx context.Context, it int64) error {
	if l.crew != nil {
		if err := errors.Join(ctx.Err(), l.lost); err != nil {
			return err
		}
		l.it, l.traced = it, 0
		l.crew.Polish(l.improved())
		if err := l.crew.Walk(it, l.lengths, l.falls, l.hashes); err != nil {
			return err
		}
		l.wrote()
		return nil
	}
	if err := l.begin(ctx, it); err != nil {
		return err
	}
	if !l.march() {
		return ctx.Err()
	}
	return l.improveWalked()
}

// march makes all tours here, step by step; false when it was given up.
func (l *lockstep) march() bool {
	for len(l.ant) < l.ants {
		l.ant = append(l.ant, mover{seen: make([]uint8, l.n)})
	}
	if len(l.gone) < l.ants {
		l.gone = make([]int32, l.ants)
	}
	clear(l.count)
	for k := range l.ants {
		a := &l.ant[k]
		clear(a.seen)
		a.rest.done, a.length, a.falls = 0, 0, 0
		a.draws = newDraws(l.env.Seed, l.it, k)
		city := int32(arith.Below(a.word(0), l.n))
		l.tour(k)[0], a.seen[city] = city, 1
	}
	look := max(1, glance/(l.ants*Width))
	for p := 1; p < l.n; p++ {
		if p%look == 0 {
			if l.stopped() {
				return false
			}
			l.progress(int64(p), int64(l.n))
		}
		l.p = p
		l.env.Pool.Run((l.ants+crowd-1)/crowd, l.step)
		if p%l.localPeriod == 0 {
			for _, s := range l.gone[:l.ants] {
				l.visit(s)
			}
		}
	}
	for k := range l.ants {
		tour := l.tour(k)
		l.lengths[k] = l.ant[k].length + l.closing(tour)
		l.falls[k] = l.ant[k].falls
		l.hashes[k] = arith.HashPerm(tour)
		if l.n > 1 {
			first, last := tour[0], tour[l.n-1]
			s := l.t.find(last, first)
			if s < 0 {
				s = l.t.find(first, last)
			}
			l.visit(s)
		}
	}
	return true
}

// visit counts a visit of the edge of a slot, in both directions.
func (l *lockstep) visit(s int32) {
	if s < 0 {
		return
	}
	l.count[s]++
	if m := l.t.mirror[s]; m >= 0 {
		l.count[m]++
	}
}

// move lets some ants make the step under way.
func (l *lockstep) move(block, _ int) {
	for k := block * crowd; k < min(l.ants, (block+1)*crowd); k++ {
		a, tour := &l.ant[k], l.tour(k)
		city := tour[l.p-1]
		s := l.choose(city, k, a)
		l.gone[k] = s
		if s >= 0 {
			city = l.t.id[s]
			a.length += int64(l.t.dist[s])
		} else {
			var far int32
			city, far = l.far.nearest(l.t.lists, city, a.seen, &a.rest, tour[:l.p], false)
			a.length += int64(far)
			a.falls++
		}
		tour[l.p], a.seen[city] = city, 1
	}
}

// choose is the slot that ant k takes in city c, or -1 when all candidates are visited.
func (l *lockstep) choose(c int32, k int, a *mover) int32 {
	greedy := uint64(a.word(l.p)) < l.greedy
	at := int(c) * l.t.stride
	slot, most, first := int32(-1), float32(0), ^uint32(0)
	for s, id := range l.t.id[at : at+l.t.k] {
		if a.seen[id] != 0 {
			continue
		}
		w := float32(l.worn(at+s) * l.scaled[at+s])
		if greedy {
			if w > most {
				slot, most = int32(at+s), w
			}
			continue
		}
		u := arith.Philox4x32(l.env.Seed, [4]uint32{
			uint32(l.it), uint32(l.it>>32) ^ purposeExplore<<24, uint32(k*Width + s), uint32(l.p),
		})[0]
		if key := raceKey(u, 1/w, uint32(s), first); key < first {
			slot, first = int32(at+s), key
		}
	}
	return slot
}

// worn is the trail of a slot after its visits.
func (l *lockstep) worn(s int) float32 {
	return l.tau0 + float32(l.powers[l.count[s]]*(l.t.tau[s]-l.tau0))
}

// strengthen takes the visits into the trails and makes the global update.
func (l *lockstep) strengthen() {
	keep, gain := l.global()
	l.ring.follow(l.best)
	t := l.t
	for c := range int32(l.n) {
		for s := int(c) * t.stride; s < int(c)*t.stride+t.k; s++ {
			v := l.worn(s)
			for range l.ring.times(c, t.id[s]) {
				v = max(l.tau0, float32(keep*v)+gain)
			}
			t.tau[s] = v
		}
	}
}

// Solution implements solvers.Algorithm.
func (l *lockstep) Solution() record.Solution {
	l.fetchBest(&l.hired, nil)
	return l.sequence.Solution()
}

// Snapshot implements solvers.Algorithm.
func (l *lockstep) Snapshot(w *solvers.Writer) {
	l.fetchBest(&l.hired, nil)
	l.fetchTrails(&l.hired)
	if l.lost != nil {
		noState(w, l.lost)
		return
	}
	l.sequence.Snapshot(w)
}

// Restore implements solvers.Algorithm.
func (l *lockstep) Restore(r *solvers.Reader) error {
	if err := l.colony.Restore(r); err != nil {
		return err
	}
	l.t.extra.clear() // lists may have been longer
	l.t.limit(l.env.Pool, l.tau0, math.MaxFloat32)
	if l.crew == nil {
		return nil
	}
	return l.sendAll()
}

// Trace implements solvers.Tracer.
func (l *lockstep) Trace() [][]int32 {
	l.fetchTours(&l.hired)
	return l.sequence.Trace()
}

// Trails implements solvers.Trailer.
func (l *lockstep) Trails(limit int) []solvers.Trail {
	l.fetchTrails(&l.hired)
	return l.sequence.Trails(limit)
}

var (
	_ solvers.Algorithm = (*lockstep)(nil)
	_ solvers.Changer   = (*lockstep)(nil)
	_ solvers.Presetter = (*lockstep)(nil)
	_ solvers.Tracer    = (*lockstep)(nil)
	_ solvers.Trailer   = (*lockstep)(nil)
	_ solvers.Lengther  = (*lockstep)(nil)
)
