package ants

import (
	"context"
	"errors"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

func init() {
	solvers.Register(SelectiveVariant("spm", "cpu", nil))
	solvers.Register(SelectiveVariant("spm-alt", "cpu", nil))
}

// SelectiveVariant is acs/spm or acs/spm-alt, which name says, on a backend whose crews hire makes.
// A nil hire walks here. Elsewhere the ants of spm-alt race, and the variant says so.
func SelectiveVariant(name, backend string, hire func(env *solvers.Env, g *Ground, slots int) (SelectiveCrew, error)) solvers.Variant {
	v := solvers.Variant{
		Solver: "acs", Name: name, Backend: backend, Revision: 1, Deterministic: true,
		Kinds:   []datasets.Kind{datasets.KindTSP},
		Presets: solvers.Named("best", "paper"),
		Title:   "Ant Colony System with a selective pheromone memory; updates are made in ant order after each 32 steps",
		Source: "R. Skinderowicz, 2016, The GPU-based parallel Ant Colony System, doi:10.1016/j.jpdc.2016.04.014 (ACS-SPM); " +
			"updates come at stated steps",
		Layout: layoutLock,
	}
	if hire == nil {
		v.Kinds = append(v.Kinds, datasets.KindATSP)
	}
	if name == "spm-alt" {
		v.Deterministic = hire == nil
		v.Title = "Ant Colony System with a selective pheromone memory; ants make whole tours and see the updates of others late"
		v.Source = "R. Skinderowicz, 2016, The GPU-based parallel Ant Colony System, doi:10.1016/j.jpdc.2016.04.014 (ACS-GPU-SPM); " +
			"on the cpu in squads, whose order is stated"
	}
	v.New = func(inst datasets.Instance) (solvers.Algorithm, error) {
		t, err := asTSP(inst)
		if err != nil {
			return nil, err
		}
		s := &selective{sequence: sequence{colony: colony{inst: t, localShare: 1}}, hire: hire, tours: name == "spm-alt"}
		s.Preset("best")
		return s, nil
	}
	return v
}

// A SelectiveCrew is a Crew for acs/spm and acs/spm-alt. Its Trails and SetTrails are never called.
type SelectiveCrew interface {
	Crew
	// Rules states what walks depend on.
	Rules(r AltRules) error
	// Reward makes the global update of the best tour's edges: each city's edge to the city before
	// it, then to the one after it: tau <- max(tau_min, keep tau + gain).
	Reward(keep, gain float32)
	// Warps sets how many ants a block of threads has; 0 is the crew's choice.
	Warps(n int)
	// SetMemory replaces the trails.
	SetMemory(m *Memory) error
	// Memory reads them into m, after the last reward.
	Memory(m *Memory) error
	// Hits are, of the last walk, the local updates of trails that were stored, and all.
	Hits() (hits, updates int64)
}

// lap is the number of positions after which the updates of acs/spm are made.
const lap = 32

// selective is acs/spm and acs/spm-alt.
//
// Memory. A city stores the trails of spm_slots of its edges; all others are at tau_min, which is tau0 where
// the parameter is 1, as in the published code. An update of an edge is one at each of its
// cities (at the first one only where the way back is another edge). Where the trail is stored that is tau <- (1 -
// rho) tau + rho tau0; else it is stored at (1 - rho) tau_min + rho tau0 in the ring's next place,
// and what stood there is forgotten: at tau_min again. After the iteration come the edges of the best
// tour, for each city to the one before it, then to the one after it; those not stored are stored.
//
// Choice. With probability q0 the candidate of the greatest weight, else a race of clocks among candidates, as in lockstep. In
// comparing weights their low 5 bits are left out, and of equal ones the smaller slot wins: so
// only what is stored and the nearest unvisited candidate need a look. An edge that is stored and leads
// beyond the list is taken, of several the one of the greatest weight (of equal ones that in the last place of the ring), where that weight
// is above the best candidate's; or, where all candidates are visited, above that of the nearest unvisited city at
// tau_min, where the ant goes otherwise.
//
// Order. Position p of a tour is noted where p is a multiple of local_period; the way back is position n and
// is always noted.
//   - spm: all ants walk 32 positions (0 to 31, 32 to 63, ...) on the memory as the 32 before left it;
//     then what was noted is updated, ant by ant, position by position, the city that was left first.
//   - spm-alt: on the cpu squads of 16 ants make whole tours on the memory as the squad before left it; then come
//     their updates, in that order. On a GPU all ants that fit walk at once and race, as published.
type selective struct {
	sequence
	hired
	warps int
	slots int
	least float64 // tau_min over tau0
	hire  func(*solvers.Env, *Ground, int) (SelectiveCrew, error)
	gang  SelectiveCrew // is crew
	tours bool          // whole tours: spm-alt

	mem     *Memory
	saved   *Memory
	keys    []uint32  // by place of a ring: the weight's key where the edge leads to a candidate, else 0
	leads   []int32   // by place of a ring: where the edge leads, or the city itself
	beyond  []uint32  // by place of a ring: the weight's key where the edge leads beyond the list, else 0
	outward []uint32  // by city: which places of its ring have such an edge
	slot    []uint8   // by place of a ring: the candidate's, noSlot for an edge beyond the list
	factor  []float32 // by place of a ring: the weight over the trail
	scaled  []float32 // by slot: the weight over the trail
	tauMin  float32
	greedy  uint64
	notes   [][]int32 // by mover: positions to be updated
	from    int       // of the lap under way: positions from to below to
	to      int
	first   int // ant of the first mover
	hits    int64
	updates int64
	ring    ring
	step    func(i, worker int)
}

// Preset implements solvers.Presetter. The best is the paper's with fewer ants, each of whose choices counts: see the
// table in the package's documentation.
func (s *selective) Preset(name string) bool {
	if !s.latePreset(name) {
		return false
	}
	s.slots, s.least = 8, 1
	s.storage = storeSelective
	return true
}

// Declare implements solvers.Algorithm.
func (s *selective) Declare(t *solvers.Params) {
	s.declareLive(t)
	s.declareFew(t, s.inst.N, Width)
	t.Int(&s.slots, record.Param{
		Name: "spm_slots", Class: record.Structural, Min: 1, Max: MostSlots, Step: 1, Unit: "trails",
		Doc:    "Trails that a city stores; a new one replaces the one stored longest ago, and with as many as candidates nothing is forgotten.",
		Effect: "a fork keeps the trails that were stored last",
	})
	t.Float(&s.least, record.Param{
		Name: "tau_min", Class: record.Structural, Min: 1e-6, Max: 1, Step: 0.05,
		Doc:    "The trail of edges that are not stored, over tau0; 1 is the published code's.",
		Effect: "a fork keeps the trails that are stored",
	})
	s.declareSearch(t)
	s.declareLocal(t)
	declareWarps(t, &s.warps)
	s.declareTrials(t)
}

// Init implements solvers.Algorithm.
func (s *selective) Init(env *solvers.Env) error {
	if s.candidates > Width {
		return errWide(s.candidates)
	}
	if s.hire != nil {
		if err := supported(s.inst, wideCities, "backend cpu"); err != nil {
			return err
		}
	}
	if err := s.prepare(env, 1); err != nil {
		return err
	}
	s.tau0 = float32(1 / (float64(s.n) * float64(s.nn)))
	s.t.inv = 1 / s.tau0
	s.mem = NewMemory(s.n, s.slots)
	s.scaled = scaled(s.t, nil)
	s.rule()
	if s.hire == nil {
		s.step = s.advance
		places := len(s.mem.City)
		s.keys, s.leads, s.beyond, s.outward = make([]uint32, places), make([]int32, places), make([]uint32, places), make([]uint32, s.n)
		s.slot, s.factor = make([]uint8, places), make([]float32, places)
		s.index()
		return nil
	}
	g, err := s.ground()
	if err != nil {
		return err
	}
	if s.gang, err = s.hire(env, g, s.slots); err != nil {
		return err
	}
	s.crew = s.gang
	if err := s.sendAll(); err != nil {
		s.Close()
		return err
	}
	return nil
}

// rule makes what follows from parameters.
func (s *selective) rule() {
	s.tauMin = float32(s.least * float64(s.tau0))
	s.greedy = uint64(s.q0 * (1 << 32))
}

// rules are those of the local update.
func (s *selective) rules() rules {
	r := rules{tau0: s.tau0}
	r.keep, r.gain = s.local()
	r.stored = s.tau0
	if s.tauMin != s.tau0 {
		r.stored = max(s.tauMin, float32(r.keep*s.tauMin)+r.gain)
	}
	return r
}

func (s *selective) sendAll() error {
	s.gang.Warps(s.warps)
	s.tune()
	s.hired.tours, s.pull = false, false
	return errors.Join(s.tell(true), s.gang.SetMemory(s.mem), s.gang.SetKept(KeptBest, s.best))
}

// tell brings the rules to the crew.
func (s *selective) tell(eta bool) error {
	l := s.rules()
	r := AltRules{
		Greedy: s.greedy, Tau0: s.tau0, Keep: l.keep, Gain: l.gain, Period: s.localPeriod,
		Beta: s.beta, Inv: s.t.inv, TauMin: s.tauMin, Stored: l.stored,
	}
	if eta {
		r.Eta = s.t.widen(s.scaled, 1)
	}
	return s.gang.Rules(r)
}

// Changed implements solvers.Changer.
func (s *selective) Changed(names []string) {
	eta := false
	for _, name := range names {
		switch name {
		case "ants":
			s.resize()
		case "beta":
			s.t.setBeta(s.beta)
			s.scaled = scaled(s.t, s.scaled)
			s.index()
			eta = true
		case "warps", "trials":
			if s.crew != nil {
				s.gang.Warps(s.warps)
				s.tune()
			}
		}
	}
	s.rule()
	if s.crew != nil {
		s.lost = errors.Join(s.lost, s.tell(eta))
	}
}

// Iterate implements solvers.Algorithm.
func (s *selective) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if s.crew != nil {
		return s.conduct(ctx, it, p)
	}
	if err := s.begin(ctx, it); err != nil {
		return err
	}
	long := s.ants*s.n >= longIteration || s.localSearch != localNone && s.ants*s.n >= longLocal
	s.givable = long
	if long {
		s.keep()
	}
	if !s.march() {
		return s.undo(ctx)
	}
	s.improveAll()
	if s.cut.Load() {
		return s.undo(ctx)
	}
	for k := range s.hashes {
		s.hashes[k] = arith.HashPerm(s.tour(k))
	}
	s.finish(p)
	s.strengthen()
	return s.note(p)
}

// strengthen is the global update.
func (s *selective) strengthen() {
	if s.n < 2 {
		return
	}
	keep, gain := s.global()
	s.ring.follow(s.best)
	one := func(c, j int32) { s.indexed(s.mem.strengthen(c, j, keep, gain, s.tauMin)) }
	for c := range int32(s.n) {
		// The way from c to the city before it is another edge where the way matters.
		if !s.sp.Asymmetric {
			one(c, s.ring.before[c])
		}
		one(c, s.ring.after[c])
	}
}

// conduct makes an iteration with the crew.
func (s *selective) conduct(ctx context.Context, it int64, p *record.Point) error {
	if err := errors.Join(ctx.Err(), s.lost); err != nil {
		return err
	}
	s.it, s.traced = it, 0
	s.crew.Polish(s.improved())
	if err := s.crew.Walk(it, s.lengths, s.falls, s.hashes); err != nil {
		return err
	}
	s.wrote()
	s.hits, s.updates = s.gang.Hits()
	if err := s.polish(ctx, &s.hired); err != nil {
		return err
	}
	best := s.bestLength
	at := s.finish(p)
	s.adopt(&s.hired, at, s.bestLength < best)
	s.gang.Reward(s.global())
	return s.note(p)
}

// note ends an iteration.
func (s *selective) note(p *record.Point) error {
	trails, branches := s.it%trailsEvery == 0, s.it%branchEvery == 0 || s.it == 1
	if trails || branches {
		b, hash := int64(0), uint64(0)
		if s.crew == nil {
			b, hash = s.look()
		} else {
			var err error
			if b, hash, err = s.crew.Look(); err != nil {
				return err
			}
		}
		if trails {
			p.Digest = arith.Chain(p.Digest, hash)
		}
		if branches {
			s.branch = float64(b) / float64(s.n)
		}
	}
	p.Measures[0], p.Measures[2] = s.branch, 0
	if s.updates > 0 {
		p.Measures[2] = float64(s.hits) / float64(s.updates)
	}
	return nil
}

var (
	_ solvers.Algorithm = (*selective)(nil)
	_ solvers.Changer   = (*selective)(nil)
	_ solvers.Presetter = (*selective)(nil)
	_ solvers.Tracer    = (*selective)(nil)
	_ solvers.Trailer   = (*selective)(nil)
	_ solvers.Lengther  = (*selective)(nil)
)
