package ants

import (
	"context"
	"errors"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

func init() {
	solvers.Register(ReservoirVariant("cpu", nil))
}

// ReservoirVariant is mmas/wrs on a backend whose crews hire makes. A nil hire walks here.
func ReservoirVariant(backend string, hire func(env *solvers.Env, g *Ground) (MaxMinCrew, error)) solvers.Variant {
	return solvers.Variant{
		Solver: "mmas", Name: "wrs", Backend: backend, Revision: 2, Deterministic: true,
		Kinds:   []datasets.Kind{datasets.KindTSP},
		Presets: solvers.Named("best", "paper", "paper-2opt", "best-local"),
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

// reservoir is mmas/wrs: MAX-MIN Ant System with weighted reservoir sampling. Its ants choose as [racing]
// says; trails, limits, deposits and resets are those of mmas with storage=candidates.
type reservoir struct {
	maxmin
	hired
	warps int
	hire  func(*solvers.Env, *Ground) (MaxMinCrew, error)
	gang  MaxMinCrew // is crew

	ring ring
}

// Preset implements solvers.Presetter. paper-2opt is the published setting; best-local, ours, forgets faster, inserts
// segments too and sets the trails back sooner: see the table in the package's documentation.
func (r *reservoir) Preset(name string) bool {
	n := r.inst.N
	switch name {
	case "best":
		r.common = common{ants: fewAnts(n, n), beta: 2, candidates: fewCandidates(Width, n)}
		r.alpha, r.rho, r.pBest = 1, 0.9, 0.01
		r.deposit, r.bestPeriod, r.reset = depositMixed, 5, 250
	case "best-local":
		r.common = common{ants: fewAnts(800, n), beta: 2, candidates: fewCandidates(Width, n)}
		r.alpha, r.rho, r.pBest = 1, 0.8, 0.01
		r.deposit, r.bestPeriod, r.reset = depositMixed, 0, 100
	case "paper", "paper-2opt":
		if !r.maxmin.Preset(name) {
			return false
		}
		r.candidates = fewCandidates(Width, n)
	default:
		return false
	}
	r.storage, r.localSearch = storeCandidates, localNone
	switch name {
	case "paper-2opt":
		r.localSearch = localRounds
	case "best-local":
		r.localSearch = localOrRounds
	}
	return true
}

// Declare implements solvers.Algorithm.
func (r *reservoir) Declare(t *solvers.Params) {
	r.declareLive(t)
	r.declareFew(t, r.inst.N, Width)
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
		r.startRace()
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
	if err := r.raceAll(ctx, it); err != nil {
		return err
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
func (r *reservoir) Trails(limit int) ([]solvers.Trail, int) {
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
