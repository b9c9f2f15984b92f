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

func init() {
	solvers.Register(AltVariant("cpu", nil))
}

// AltVariant is acs/alt on a backend whose crews hire makes. A nil hire walks here, where the
// order of all updates is stated; elsewhere ants race, and the variant says so.
func AltVariant(backend string, hire func(env *solvers.Env, g *Ground) (AltCrew, error)) solvers.Variant {
	kinds := []datasets.Kind{datasets.KindTSP}
	if hire == nil {
		kinds = append(kinds, datasets.KindATSP)
	}
	return solvers.Variant{
		Solver: "acs", Name: "alt", Backend: backend, Revision: 1, Deterministic: hire == nil,
		Kinds:   kinds,
		Presets: solvers.Named("best", "paper"),
		Title:   "Ant Colony System; ants make whole tours and see the updates of others late",
		Source: "R. Skinderowicz, 2016, The GPU-based parallel Ant Colony System, doi:10.1016/j.jpdc.2016.04.014 (ACS-GPU-Alt); " +
			"on the cpu in squads, whose order is stated",
		Layout: sequenceLayout,
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			t, err := asTSP(inst)
			if err != nil {
				return nil, err
			}
			a := &alt{sequence: sequence{colony: colony{inst: t, localShare: 1}}, hire: hire}
			a.Preset("best")
			return a, nil
		},
	}
}

// An AltCrew is a Crew for acs/alt.
type AltCrew interface {
	Crew
	// Rules states what walks depend on.
	Rules(r AltRules) error
	// Reward strengthens the edges of the best tour that are on lists: tau <- max(tau0, keep tau + gain).
	Reward(keep, gain float32)
	// Warps sets how many ants a block of threads has; 0 is the crew's choice.
	Warps(n int)
}

// AltRules are what the walks of a crew of alt, spm or spm-alt depend on besides the trails.
type AltRules struct {
	Eta        []float32 // by slot of Ground: the weight of a slot over its trail; nil: as before
	Greedy     uint64    // below this a word of 32 bits means the greatest weight
	Tau0       float32
	Keep, Gain float32 // the local update: tau <- keep tau + gain
	Period     int     // local_period

	// The weight of an edge of length d that is on no list, over its trail: that of ((d0 + 0.1) / (d + 0.1))^Beta,
	// d0 the distance of the first candidate, but at least 2^-60, times Inv.
	Beta float64
	Inv  float32

	// Of spm and spm-alt.
	TauMin float32 // the trail of edges that are not stored
	Stored float32 // the trail of an edge that a local update stores
}

// squad is the number of ants that walk on the same trails on the cpu.
const squad = 16

// alt is acs/alt.
//
// Walk. Ants make whole tours; none waits for another after each step. On the cpu they go in squads
// of 16, the ants 16 q to 16 q + 15 being squad q: all of a squad choose as in acs/seq, from the trails as
// the squad before left them, and spread over the cores; then their local updates are made, ant by ant,
// position by position, the way back last. So an ant sees what the squads before it did and
// nothing of its own squad. On a GPU all ants that fit walk at once, read and write trails as they
// go, and an update that another overwrites is lost, as published.
//
// An update with many ants has the effect that lockstep's doc states; see the package's table.
type alt struct {
	sequence
	hired
	warps int
	hire  func(*solvers.Env, *Ground) (AltCrew, error)
	gang  AltCrew // is crew

	scaled []float32 // for a crew: by slot, the weight over the trail
	greedy uint64
	first  int // the squad's first ant
	step   func(i, worker int)
}

// Preset implements solvers.Presetter. The best is the paper's with fewer ants, each of whose choices counts: see the
// table in the package's documentation.
func (a *alt) Preset(name string) bool { return a.latePreset(name) }

// latePreset is Preset of the variants whose ants see updates late.
func (s *sequence) latePreset(name string) bool {
	ants, period := 256, 4
	if name == "best" {
		name, ants, period = "paper", 64, 1
	}
	if !s.Preset(name) {
		return false
	}
	s.ants, s.localPeriod = fewAnts(ants, s.inst.N), period
	return true
}

// Declare implements solvers.Algorithm.
func (a *alt) Declare(t *solvers.Params) {
	a.declareLive(t)
	a.declareFew(t, a.inst.N, Width)
	a.declareSearch(t)
	a.declareLocal(t)
	declareWarps(t, &a.warps)
	a.declareTrials(t)
}

// declareSearch declares the local search.
func (c *common) declareSearch(t *solvers.Params) {
	t.Enum(&c.localSearch, record.Param{
		Name: "local_search", Class: record.Structural, Options: localWords,
		Doc:    localDoc + " None for asymmetric instances.",
		Effect: "a fork keeps the trails",
	})
}

// Init implements solvers.Algorithm.
func (a *alt) Init(env *solvers.Env) error {
	if a.candidates > Width {
		return errWide(a.candidates)
	}
	if a.hire != nil {
		if err := supported(a.inst, wideCities, "backend cpu"); err != nil {
			return err
		}
	}
	if err := a.sequence.Init(env); err != nil {
		return err
	}
	a.greedy = uint64(a.q0 * (1 << 32))
	if a.hire == nil {
		a.step = func(i, worker int) { a.stroll(a.first+i, worker) }
		return nil
	}
	a.scaled = scaled(a.t, nil)
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

// scaled is, by slot, the factor that makes a weight of a trail; at least 2^-60 over tau0.
func scaled(t *trails, out []float32) []float32 {
	out = append(out[:0], t.eta...)
	for i, e := range out {
		out[i] = float32(max(e, 0x1p-60) * t.inv)
	}
	return out
}

func (a *alt) sendAll() error {
	a.gang.Warps(a.warps)
	a.tune()
	return errors.Join(a.send(&a.hired), a.tell(true))
}

// local are the numbers of the local update.
func (s *sequence) local() (keep, gain float32) {
	return float32(1 - s.rho), float32(float32(s.rho) * s.tau0)
}

// global are the numbers of the global update.
func (s *sequence) global() (keep, gain float32) {
	return float32(1 - s.alpha), float32(s.alpha / float64(max(s.bestLength, 1)))
}

// tell brings the rules to the crew.
func (a *alt) tell(eta bool) error {
	r := AltRules{Greedy: a.greedy, Tau0: a.tau0, Period: a.localPeriod, Beta: a.beta, Inv: a.t.inv, TauMin: a.tau0}
	r.Keep, r.Gain = a.local()
	if eta {
		r.Eta = a.t.widen(a.scaled, 1)
	}
	return a.gang.Rules(r)
}

// Changed implements solvers.Changer.
func (a *alt) Changed(names []string) {
	a.sequence.Changed(names)
	a.greedy = uint64(a.q0 * (1 << 32))
	if a.crew == nil {
		return
	}
	eta := false
	for _, name := range names {
		switch name {
		case "beta":
			eta = true
			a.scaled = scaled(a.t, a.scaled)
		case "warps", "trials":
			a.gang.Warps(a.warps)
			a.tune()
		}
	}
	a.lost = errors.Join(a.lost, a.tell(eta))
}

// Iterate implements solvers.Algorithm.
func (a *alt) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if a.crew != nil {
		return a.conduct(ctx, it, p)
	}
	if err := a.begin(ctx, it); err != nil {
		return err
	}
	long := a.ants*a.n >= longIteration || a.localSearch != localNone && a.ants*a.n >= longLocal
	a.givable = long
	if long {
		a.save()
	}
	if !a.march() {
		a.undo()
		return ctx.Err()
	}
	a.improveAll()
	if a.cut.Load() {
		a.undo()
		return ctx.Err()
	}
	for k := range a.hashes {
		a.hashes[k] = arith.HashPerm(a.tour(k))
	}
	a.finish(p)
	a.sequence.reward()
	a.forget(a.tau0)
	a.measure(p)
	return nil
}

// march lets the squads walk; false when it was given up.
func (a *alt) march() bool {
	keep, gain := a.local()
	for a.first = 0; a.first < a.ants; a.first += squad {
		end := min(a.ants, a.first+squad)
		if a.givable && a.stopped() {
			return false
		}
		a.env.Pool.Run(end-a.first, a.step)
		if a.cut.Load() {
			return false
		}
		for k := a.first; k < end; k++ {
			a.wear(a.tour(k), keep, gain)
		}
		a.progress(int64(end), int64(a.ants))
	}
	return true
}

// stroll makes the tour of an ant from trails that no one changes meanwhile.
func (a *alt) stroll(k, worker int) {
	w, t := a.work[worker], a.t
	clear(w.seen)
	w.rest.done = 0
	tour, seen := a.tour(k), w.seen
	d := newDraws(a.env.Seed, a.it, k)
	city := int32(arith.Below(d.word(0), a.n))
	tour[0], seen[city] = city, 1
	var length int64
	falls := int32(0)
	for p := 1; p < len(tour); p++ {
		if p%glance == 0 && a.givable && a.stopped() {
			return
		}
		var slot int32
		if uint64(d.word(p)) < a.greedy {
			slot = t.greatest(city, seen)
		} else {
			slot = t.roulette(city, seen, w.cum, arith.Unit32(explore(a.env.Seed, a.it, k, p)))
		}
		if slot >= 0 {
			city = t.id[slot]
			length += int64(t.dist[slot])
		} else {
			to, _ := t.fallback(city, a.far, seen, &w.rest, tour[:p])
			length += int64(a.sp.D(city, to))
			city = to
			falls++
		}
		tour[p], seen[city] = city, 1
	}
	a.falls[k] = falls
	a.lengths[k] = length + a.closing(tour)
}

// wear makes the local updates of a tour.
func (a *alt) wear(tour []int32, keep, gain float32) {
	update := func(i, j int32) {
		at := a.t.place(i, j)
		// At tau0 a trail stays as it is, which rounding would not grant.
		if v := a.t.read(i, j, at); v != a.tau0 {
			a.t.set(i, j, at, max(a.tau0, float32(keep*v)+gain))
		}
	}
	for p := a.localPeriod; p < len(tour); p += a.localPeriod {
		update(tour[p-1], tour[p])
	}
	if a.n > 1 {
		update(tour[a.n-1], tour[0])
	}
}

// conduct makes an iteration with the crew.
func (a *alt) conduct(ctx context.Context, it int64, p *record.Point) error {
	if err := errors.Join(ctx.Err(), a.lost); err != nil {
		return err
	}
	a.it, a.traced = it, 0
	a.crew.Polish(a.improved())
	if err := a.crew.Walk(it, a.lengths, a.falls, a.hashes); err != nil {
		return err
	}
	a.wrote()
	if err := a.polish(ctx, &a.hired); err != nil {
		return err
	}
	best := a.bestLength
	a.adopt(&a.hired, a.finish(p), a.bestLength < best)
	a.gang.Reward(a.global())
	return a.remark(&a.hired, p)
}

// polish makes the local search on the tours of a crew, here. What the crew did cannot be taken
// back, so it does not look at ctx.
func (c *colony) polish(ctx context.Context, h *hired) error {
	if !c.atHome() {
		return nil
	}
	if err := errors.Join(c.begin(ctx, c.it), h.crew.Tours(c.tours)); err != nil {
		return err
	}
	c.givable = false
	c.improveAll()
	for k := range c.hashes {
		c.hashes[k] = arith.HashPerm(c.tour(k))
	}
	return nil
}

// adopt tells a crew of the best tour when that is new: the tour of an ant.
func (c *colony) adopt(h *hired, ant int, better bool) {
	switch {
	case !better:
	case !c.atHome():
		h.crew.Keep(KeptBest, ant)
	default:
		h.lost = errors.Join(h.lost, h.crew.SetKept(KeptBest, c.best))
	}
	if c.atHome() {
		h.tours = false // finish copied the tour that it is
	}
}

// Solution implements solvers.Algorithm.
func (a *alt) Solution() record.Solution {
	a.fetchBest(&a.hired, nil)
	return a.sequence.Solution()
}

// Snapshot implements solvers.Algorithm.
func (a *alt) Snapshot(w *solvers.Writer) {
	a.fetchBest(&a.hired, nil)
	a.fetchTrails(&a.hired)
	if a.lost != nil {
		noState(w, a.lost)
		return
	}
	a.sequence.Snapshot(w)
}

// Restore implements solvers.Algorithm.
func (a *alt) Restore(r *solvers.Reader) error {
	if err := a.sequence.Restore(r); err != nil || a.crew == nil {
		return err
	}
	a.t.extra.clear() // a crew has none
	a.t.limit(a.env.Pool, a.tau0, math.MaxFloat32)
	return a.sendAll()
}

// Trace implements solvers.Tracer.
func (a *alt) Trace() [][]int32 {
	if !a.atHome() {
		a.fetchTours(&a.hired)
	}
	return a.sequence.Trace()
}

// Trails implements solvers.Trailer.
func (a *alt) Trails(limit int) ([]solvers.Trail, int) {
	a.fetchTrails(&a.hired)
	return a.sequence.Trails(limit)
}

var (
	_ solvers.Algorithm = (*alt)(nil)
	_ solvers.Changer   = (*alt)(nil)
	_ solvers.Presetter = (*alt)(nil)
	_ solvers.Tracer    = (*alt)(nil)
	_ solvers.Trailer   = (*alt)(nil)
	_ solvers.Lengther  = (*alt)(nil)
)
