package ants

import (
	"context"
	"errors"
	"fmt"

	"metalab/datasets"
	"metalab/solvers"
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
		Solver: "acs", Name: "lockstep", Backend: backend, Revision: 3, Deterministic: true,
		Kinds:   []datasets.Kind{datasets.KindTSP},
		Presets: solvers.Named("best", "paper", "best-local"),
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
// Row. What an ant may choose from city c is its row: the candidates on its list, at most 28, in slots 0 to 27, and in slots
// 28 to 31 (the places of c) up to four edges beyond the list, which a best tour had. Other edges have no trails.
//
// Step. At position p all ants choose, each from the trails that all choices and updates
// of the positions before p made. A choice is among the unvisited cities of the row: that with the greatest weight (the smaller
// slot where two are equal) with probability q0; else a race of clocks as in mmas/wrs.
//
// When all candidates are visited the ant does not choose, it falls back: it goes to the nearest unvisited city, the smaller number
// where two are as near; or along the edge to an unvisited city in its places whose weight was greatest at the
// iteration's start, if that is above the weight of the way to that city at tau0. It leaves the trails as they are, so that what it
// does depends on no other ant's steps of this iteration, and none has to wait for its search. These weights are
// compared by binary logarithms, of float32, that of the latter being beta times what that of the distance to the first
// candidate is above that of the way's, 0.1 being added to both.
//
// Trails. A choice at a position that is a multiple of local_period is one visit of its
// edge, and so is the way back if it is in the row of the last city or else in that of the first. A visit counts in the rows of both cities where both have the
// edge. After c visits in an iteration a trail is
//
//	tau0 + (1 - rho)^c (tau - tau0)
//
// which is what c local updates of Ant Colony System make of it, in any order. Counting
// makes the steps of all ants of one position commute. The weight is that, times the second factor of
// acs/seq over tau0, kept above 2^-60.
//
// The global update is that of acs/seq, in each row. Then, for each city, the edge of the best tour to the city before, then
// that to the city after, if it is not in the row, gets a place, with the trail of the global update of tau0: of the places whose edges
// are not of the best tour that with the least trail, empty ones first, the first of equal ones. So the long edges that good
// tours have are learned, and a city knows those of the tour before for as long as there is room.
//
// Many ants wear the trails of a good edge down within one iteration, as each that takes it sees
// what all others left: take few ants, or a small rho.
type lockstep struct {
	sequence
	hired
	warps int
	hire  func(*solvers.Env, *Ground) (LockstepCrew, error)
	gang  LockstepCrew // is crew

	outs   *outs
	scaled []float32 // by slot of a list: the second factor over tau0
	powers []float32 // (1 - rho)^c by c
	back   []int32   // by slot: that of the way back, or -1
	count  []uint32  // by slot: visits in this iteration
	gone   []int32   // by ant: the slot that it visited in this step, or -1
	ring   ring
	p      int // the step under way
	greedy uint64
	step   func(block, worker int)
}

// Preset implements solvers.Presetter. The best is acs/seq's with more ants, fewer of whose choices are free and whose updates
// are weaker. best-local has a local search that a GPU makes too, with more ants: see the tables in the package's documentation.
func (l *lockstep) Preset(name string) bool {
	n := l.inst.N
	switch name {
	case "best", "best-local":
		l.sequence.Preset("best")
		l.ants, l.rho, l.q0 = fewAnts(64, n), 0.02, max(0, float64(n-20)/float64(n))
		if name == "best-local" {
			l.ants, l.q0, l.localSearch = fewAnts(256, n), 0.95, localOrRounds
		}
	case "paper":
		l.sequence.Preset(name)
	default:
		return false
	}
	l.candidates, l.storage = fewCandidates(min(MostListed, l.candidates), n), storeCandidates
	return true
}

// Declare implements solvers.Algorithm.
func (l *lockstep) Declare(t *solvers.Params) {
	l.declareLive(t)
	l.declareFew(t, l.inst.N, MostListed)
	l.declareSearch(t)
	l.declareLocal(t)
	declareWarps(t, &l.warps)
	l.declareTrials(t)
}

// Init implements solvers.Algorithm.
func (l *lockstep) Init(env *solvers.Env) error {
	if l.candidates > MostListed {
		return fmt.Errorf("ants: candidates is %d, acs/lockstep takes 1 to %d", l.candidates, MostListed)
	}
	if l.hire != nil {
		if err := supported(l.inst, shortCities, "acs/spm, acs/spm-alt or acs/alt, or backend cpu"); err != nil {
			return err
		}
	}
	if err := l.sequence.Init(env); err != nil {
		return err
	}
	l.scaled, l.outs = make([]float32, len(l.t.id)), newOuts(l.n)
	l.rule(true)
	if l.hire == nil {
		l.back, l.count = make([]int32, len(l.t.id)+l.n*Outs), make([]uint32, len(l.t.id)+l.n*Outs)
		l.join()
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
		l.look()
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

// look makes what choices need of the edges beyond the lists.
func (l *lockstep) look() {
	for p, j := range l.outs.city {
		if c := int32(p / Outs); j != c {
			l.outs.dist[p] = l.sp.D(c, j)
			l.outs.eta[p] = l.visible(c, l.outs.dist[p])
		}
	}
}

func (l *lockstep) sendAll() error {
	l.gang.Warps(l.warps)
	l.tune()
	l.hired.tours, l.pull = false, false
	wide := l.t.widen(l.t.tau, 1)
	for p, v := range l.outs.tau {
		wide[p/Outs*Width+MostListed+p%Outs] = v
	}
	return errors.Join(l.gang.SetTrails(wide), l.gang.SetOuts(l.outs.city), l.gang.SetKept(KeptBest, l.best), l.tell(true))
}

// tell brings the rules to the crew.
func (l *lockstep) tell(eta bool) error {
	r := AltRules{Greedy: l.greedy, Tau0: l.tau0, Period: l.localPeriod, Beta: l.beta, Inv: l.t.inv, TauMin: l.tau0}
	if eta {
		r.Eta = l.t.widen(l.scaled, 1)
	}
	return l.gang.Rules(r, l.powers)
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
	if l.crew != nil {
		return l.conduct(ctx, it, p)
	}
	if err := l.begin(ctx, it); err != nil {
		return err
	}
	if !l.march() {
		return ctx.Err() // trails change after the walk only
	}
	if err := l.improveWalked(); err != nil {
		return err
	}
	l.finish(p)
	l.strengthen()
	return l.remark(&l.hired, p)
}

// conduct makes an iteration with the crew.
func (l *lockstep) conduct(ctx context.Context, it int64, p *record.Point) error {
	if err := errors.Join(ctx.Err(), l.lost); err != nil {
		return err
	}
	l.it, l.traced = it, 0
	l.crew.Polish(l.improved())
	if err := l.crew.Walk(it, l.lengths, l.falls, l.hashes); err != nil {
		return err
	}
	l.wrote()
	if err := l.polish(ctx, &l.hired); err != nil {
		return err
	}
	best := l.bestLength
	l.adopt(&l.hired, l.finish(p), l.bestLength < best) // what finish copies is the best tour if that was improved here: see fetchBest
	l.gang.Reward(l.global())
	return l.remark(&l.hired, p)
}

var (
	_ solvers.Algorithm = (*lockstep)(nil)
	_ solvers.Changer   = (*lockstep)(nil)
	_ solvers.Presetter = (*lockstep)(nil)
	_ solvers.Tracer    = (*lockstep)(nil)
	_ solvers.Trailer   = (*lockstep)(nil)
	_ solvers.Lengther  = (*lockstep)(nil)
)
