package ants

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

func init() {
	solvers.Register(SystemVariant("cpu", nil))
}

// A SystemCrew is a Crew for as.
type SystemCrew interface {
	Crew
	// Weigh states what makes weights of trails from now on, as that of a MaxMinCrew does.
	Weigh(alpha float64, inv float32, eta []float32) error
	// Reward evaporates and takes the deposits of all ants of the last walk, in shares of the least
	// of their lengths: see [Shares]. A share is worth unit.
	Reward(rate float32, least int64, unit float64)
	// Warps sets how many ants a block of threads has; 0 is the crew's choice.
	Warps(n int)
}

// SystemVariant is as/wrs on a backend whose crews hire makes. A nil hire walks here.
func SystemVariant(backend string, hire func(env *solvers.Env, g *Ground) (SystemCrew, error)) solvers.Variant {
	return solvers.Variant{
		Solver: "as", Name: "wrs", Backend: backend, Revision: 2, Deterministic: true,
		Kinds:   []datasets.Kind{datasets.KindTSP},
		Presets: solvers.Named("best", "paper"),
		Title:   "Ant System; a choice is a race of exponential clocks, one per candidate; all ants deposit at once",
		Source: "M. Dorigo, V. Maniezzo, A. Colorni, 1996, Ant system: optimization by a colony of cooperating agents, doi:10.1109/3477.484436; choice: " +
			"P. S. Efraimidis, P. G. Spirakis, 2006, Weighted random sampling with a reservoir, doi:10.1016/j.ipl.2005.11.003",
		Layout: layoutRace,
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			t, err := asTSP(inst)
			if err != nil {
				return nil, err
			}
			a := &systemRace{system: system{colony: colony{inst: t, localShare: 1}}, hire: hire}
			a.Preset("best")
			return a, nil
		},
	}
}

// systemRace is as/wrs: Ant System (ant-cycle of the paper) whose ants choose as [racing] says.
//
// Trails. Slots of the candidate lists have trails and nothing else has. An ant deposits 1 / L for its
// tour of length L at each slot that leads along an edge of the tour: at two where each city is on the
// other's list, which then stay equal, at one where only one is. A deposit on an edge that is on no list is lost;
// as/scan keeps it in a trail of its own. Q of the paper, the deposit's numerator, is 1: weights
// have trails in proportion only, and the initial trail is that of as/scan.
//
// Order. All deposits of an iteration on a slot are added up as whole numbers, see [Shares], so the
// sum has no order: tau <- rho tau + sum, with one rounding of the product, of the sum and of the addition each.
type systemRace struct {
	system
	hired
	warps int
	hire  func(*solvers.Env, *Ground) (SystemCrew, error)
	gang  SystemCrew // is crew

	sum []uint64 // by slot: shares deposited in this iteration
}

// shareBits makes 2^46 shares of the deposit of the iteration's shortest tour. An ant passes an edge at
// most twice (with two cities, else once), so 65536 ants bring a slot 2^63 at most.
const shareBits = 46

// Shares is how many shares a tour of that length deposits on each of its edges, least being the length of the
// iteration's shortest tour, at least 1: 2^46 least / length, rounded, at least 1. The rounding is
// less than 2^-47 length / least of it: under 2^-31 for tours up to 65536 times as long as the shortest. With
// distances that obey the triangle inequality no tour of n cities is more than n / 2 times as long as another.
//
// kernels/ants/wrs.cu computes the same.
func Shares(length, least int64) uint64 {
	part := float64(least) / float64(max(length, 1))
	return max(1, uint64(float64(part*(1<<shareBits))+0.5))
}

// shareUnit is what a share is worth: 2^-46 / least.
func shareUnit(least int64) float64 { return 1 / float64(float64(least)*(1<<shareBits)) }

// Preset implements solvers.Presetter.
func (a *systemRace) Preset(name string) bool {
	if !a.system.Preset(name) {
		return false
	}
	n := a.inst.N
	a.ants, a.candidates, a.storage, a.localSearch = fewAnts(n, n), fewCandidates(Width, n), storeCandidates, localNone
	return true
}

// Declare implements solvers.Algorithm.
func (a *systemRace) Declare(t *solvers.Params) {
	a.declareAnts(t, a.inst.N)
	declareAlpha(t, &a.alpha)
	a.declareBeta(t)
	declareRemains(t, &a.rho)
	a.declareFew(t, a.inst.N, Width)
	a.declareRounds(t)
	declareWarps(t, &a.warps)
	a.declareTrials(t)
}

// Init implements solvers.Algorithm.
func (a *systemRace) Init(env *solvers.Env) error {
	if a.candidates > Width {
		return errWide(a.candidates)
	}
	if a.hire != nil {
		if err := errors.Join(supported(a.inst, wideCities, "backend cpu"), a.stayAway()); err != nil {
			return err
		}
	}
	if err := a.system.Init(env); err != nil {
		return err
	}
	if a.hire == nil {
		a.startRace()
		a.sum = make([]uint64, len(a.t.id))
		a.walkAnt = a.race
		return nil
	}
	g, err := a.ground()
	if err != nil {
		return err
	}
	if a.gang, err = a.hire(env, g); err != nil {
		return err
	}
	a.crew = a.gang
	if err := a.sendAll(); err != nil {
		a.Close()
		return err
	}
	return nil
}

// sendAll brings everything to the crew.
func (a *systemRace) sendAll() error {
	err := a.send(&a.hired)
	a.gang.Warps(a.warps)
	a.tune()
	return errors.Join(err, a.gang.Weigh(a.alpha, a.t.inv, a.t.widen(a.t.eta, 1)))
}

// Changed implements solvers.Changer.
func (a *systemRace) Changed(names []string) {
	a.system.Changed(names)
	if a.crew == nil {
		return
	}
	var eta []float32
	if slices.Contains(names, "beta") {
		eta = a.t.widen(a.t.eta, 1)
	}
	a.gang.Warps(a.warps)
	a.tune()
	a.lost = errors.Join(a.lost, a.gang.Weigh(a.alpha, a.t.inv, eta))
}

// Iterate implements solvers.Algorithm.
func (a *systemRace) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if err := a.walkAll(ctx, it); err != nil {
		return err
	}
	best := a.bestLength
	at := a.finish(p) // with a crew, what it copies is not the best tour: see fetchBest
	if a.crew != nil && a.bestLength < best {
		a.crew.Keep(KeptBest, at)
	}
	a.reward(float32(a.rho), max(1, a.lengths[at]))
	return a.remark(&a.hired, p)
}

// walkAll makes all tours.
func (a *systemRace) walkAll(ctx context.Context, it int64) error {
	if a.crew == nil {
		if err := a.raceAll(ctx, it); err != nil {
			return err
		}
		return a.improveWalked()
	}
	if err := errors.Join(ctx.Err(), a.lost); err != nil {
		return err
	}
	a.it, a.traced = it, 0
	a.crew.Polish(a.improved())
	if err := a.crew.Walk(it, a.lengths, a.falls, a.hashes); err != nil {
		return err
	}
	a.wrote()
	return nil
}

// reward evaporates, deposits for all ants, and makes the weights.
func (a *systemRace) reward(rate float32, least int64) {
	t, unit := a.t, shareUnit(least)
	t.off = max(float32(t.off*rate), minTrail)
	if a.crew != nil {
		a.gang.Reward(rate, least, unit)
		return
	}
	a.env.Pool.Run(a.ants, func(ant, _ int) { a.deposit(a.tour(ant), Shares(a.lengths[ant], least)) })
	for c := range a.n {
		at := c * t.stride
		for s, shares := range a.sum[at : at+t.k] {
			t.tau[at+s] = max(float32(t.tau[at+s]*rate), minTrail) + float32(float64(shares)*unit)
		}
	}
	clear(a.sum)
	t.limit(a.env.Pool, minTrail, math.MaxFloat32)
}

// deposit adds shares at the slots along a tour. Others may do so at the same time.
func (a *systemRace) deposit(tour []int32, shares uint64) {
	last := tour[len(tour)-1]
	for _, c := range tour {
		s := a.t.find(last, c)
		m := int32(-1)
		if s >= 0 {
			atomic.AddUint64(&a.sum[s], shares)
			m = a.t.mirror[s]
		} else {
			m = a.t.find(c, last)
		}
		if m >= 0 {
			atomic.AddUint64(&a.sum[m], shares)
		}
		last = c
	}
}

// Solution implements solvers.Algorithm.
func (a *systemRace) Solution() record.Solution {
	a.fetchBest(&a.hired, nil)
	return a.system.Solution()
}

// Snapshot implements solvers.Algorithm.
func (a *systemRace) Snapshot(w *solvers.Writer) {
	a.fetchBest(&a.hired, nil)
	a.fetchTrails(&a.hired)
	if a.lost != nil {
		noState(w, a.lost)
		return
	}
	a.system.Snapshot(w)
}

// Restore implements solvers.Algorithm.
func (a *systemRace) Restore(s *solvers.Reader) error {
	if err := a.system.Restore(s); err != nil {
		return err
	}
	a.t.extra.clear() // lists may have been longer
	if a.crew == nil {
		return nil
	}
	return a.sendAll()
}

// Trace implements solvers.Tracer.
func (a *systemRace) Trace() [][]int32 {
	a.fetchTours(&a.hired)
	return a.system.Trace()
}

// Trails implements solvers.Trailer.
func (a *systemRace) Trails(limit int) ([]solvers.Trail, int) {
	a.fetchTrails(&a.hired)
	return a.system.Trails(limit)
}

var (
	_ solvers.Algorithm = (*systemRace)(nil)
	_ solvers.Changer   = (*systemRace)(nil)
	_ solvers.Presetter = (*systemRace)(nil)
	_ solvers.Tracer    = (*systemRace)(nil)
	_ solvers.Trailer   = (*systemRace)(nil)
	_ solvers.Lengther  = (*systemRace)(nil)
)
