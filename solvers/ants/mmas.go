package ants

import (
	"context"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// Deposit rules.
const (
	depositIteration = "iteration"
	depositBest      = "best"
	depositMixed     = "mixed"
)

// maxmin is the MAX-MIN Ant System.
type maxmin struct {
	colony
	alpha, rho, pBest float64
	deposit           string
	bestPeriod, reset int

	lo, hi  float32
	choices int // cities among which an ant chooses; 0: those on a list

	// Since the trails were last set to their upper limit.
	restart       []int32
	restartLength int64
	restartFound  int64 // when the restart's best tour was found
	restartAt     int64
	resets        int64
}

func newMaxMin(inst datasets.Instance) (solvers.Algorithm, error) {
	t, err := asTSP(inst)
	if err != nil {
		return nil, err
	}
	m := &maxmin{colony: colony{inst: t, scan: true, localShare: 1}}
	m.Preset("best")
	return m, nil
}

// Preset implements solvers.Presetter.
func (m *maxmin) Preset(name string) bool {
	n := m.inst.N
	switch name {
	case "best":
		m.common = common{ants: fewAnts(25, n), beta: 2, candidates: fewCandidates(20, n), storage: storeCandidates, localSearch: localOr}
		m.alpha, m.rho, m.pBest = 1, 0.8, 0.01
		m.deposit, m.bestPeriod, m.reset = depositMixed, 0, 250
		if m.inst.Asymmetric {
			m.localSearch = localFull
		}
	case "paper":
		m.common = common{ants: fewAnts(n, n), beta: 2, candidates: fewCandidates(32, n), storage: storeCandidates, localSearch: localNone}
		m.alpha, m.rho, m.pBest = 1, 0.5, 0.01
		m.deposit, m.bestPeriod, m.reset = depositMixed, 25, 250
	case "paper-2opt":
		m.common = common{ants: fewAnts(800, n), beta: 2, candidates: fewCandidates(32, n), storage: storeCandidates, localSearch: localTwo}
		if m.inst.Asymmetric {
			m.localSearch = localNone
		}
		m.alpha, m.rho, m.pBest = 1, 0.9, 0.01
		if n > 10000 {
			m.rho = 0.7
		}
		m.deposit, m.bestPeriod, m.reset = depositMixed, 0, 250
	default:
		return false
	}
	return true
}

// Declare implements solvers.Algorithm.
func (m *maxmin) Declare(t *solvers.Params) {
	m.declareLive(t)
	m.declareStructure(t, m.inst.N)
	m.declareLocal(t)
}

// declareLive declares the live parameters.
func (m *maxmin) declareLive(t *solvers.Params) {
	m.declareAnts(t, m.inst.N)
	declareAlpha(t, &m.alpha)
	m.declareBeta(t)
	declareRemains(t, &m.rho)
	t.Float(&m.pBest, record.Param{
		Name: "p_best", Class: record.Live, Min: 1e-9, Max: 1, Step: 0.01,
		Doc:    "Probability with which an ant makes the best tour again once the trails have converged; it sets the lower trail limit (1: none).",
		Effect: "the limits are those of the new value from the next iteration on",
	})
	t.Enum(&m.deposit, record.Param{
		Name: "deposit", Class: record.Live, Options: []string{depositIteration, depositBest, depositMixed},
		Doc:    "Whose tour is strengthened: the iteration's best, the best so far, or the iteration's best with the best since the last reset at every best_period-th iteration.",
		Effect: "the trails stay",
	})
	t.Int(&m.bestPeriod, record.Param{
		Name: "best_period", Class: record.Live, Min: 0, Max: 1000, Step: 1, Unit: "iterations",
		Doc:    "With deposit=mixed, how often the best tour replaces the iteration's best; 0: every 25th iteration at first, then every 5th, 3rd, 2nd and each one, 25, 75, 125 and 250 iterations after a reset.",
		Effect: "the trails stay",
	})
	t.Int(&m.reset, record.Param{
		Name: "reset", Class: record.Live, Min: 0, Max: 1e6, Step: 50, Unit: "iterations",
		Doc:    "With deposit=mixed, trails go back to their upper limit when they have converged (looked at every 100th iteration) and for this many iterations no better tour since the last reset was found; 0: never.",
		Effect: "the trails stay",
	})
}

func declareAlpha(t *solvers.Params, p *float64) {
	t.Float(p, record.Param{
		Name: "alpha", Class: record.Live, Min: 0, Max: 10, Step: 0.5,
		Doc:    "Exponent of the trail in the weight of a choice (in acs alpha is the global evaporation).",
		Effect: "the trails stay; all weights are computed again",
	})
}

func declareRemains(t *solvers.Params, p *float64) {
	t.Float(p, record.Param{
		Name: "rho", Class: record.Live, Min: 0, Max: 0.9999, Step: 0.01,
		Doc:    "What remains of a trail after an iteration: tau <- rho tau, so 0.98 forgets slowly (ACOTSP's rho is 1 minus this one; in acs rho is the local evaporation).",
		Effect: "the trails stay; limits are those of the new value from the next iteration on",
	})
}

// Init implements solvers.Algorithm.
func (m *maxmin) Init(env *solvers.Env) error {
	if err := m.prepare(env, m.alpha); err != nil {
		return err
	}
	m.restart, m.restartLength = make([]int32, m.n), unknown
	m.limits()
	m.t.fill(m.hi)
	m.refresh()
	m.branch = m.t.branching(0.05)
	return nil
}

// limits computes the trail limits from the best tour: the trails of its edges
// converge to hi = 1 / ((1 - rho) L). At lo an ant that has converged makes the best tour
// with probability p_best, where a choice has (k + 1) / 2 cities on average, k the length
// of the lists.
func (m *maxmin) limits() {
	l := m.bestLength
	if l == unknown {
		l = m.nn
	}
	hi := 1 / ((1 - m.rho) * float64(max(l, 1)))
	p := arith.Pow(m.pBest, 1/float64(m.n))
	lo := hi
	k := m.t.k
	if m.choices > 0 {
		k = m.choices
	}
	if avg := float64((k + 1) / 2); p > 0 && avg > 0 {
		lo = min(hi, float64(hi*(1-p))/float64(p*avg))
	}
	m.hi, m.lo = float32(hi), float32(max(lo, minTrail))
}

// refresh brings trails into their limits and makes the weights.
func (m *maxmin) refresh() {
	m.t.inv = 1 / m.hi
	m.t.limit(m.env.Pool, m.lo, m.hi)
}

// Changed implements solvers.Changer.
func (m *maxmin) Changed(names []string) {
	for _, name := range names {
		switch name {
		case "ants":
			m.resize()
		case "alpha":
			m.t.alpha = m.alpha
		case "beta":
			m.t.setBeta(m.beta)
		}
	}
	// Limits follow at the end of the next iteration, as always; the scale of the
	// weights is that of the old ones.
	m.t.limit(m.env.Pool, m.lo, m.hi)
}

// Iterate implements solvers.Algorithm.
func (m *maxmin) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if err := m.begin(ctx, it); err != nil {
		return err
	}
	m.walkAll()
	if m.cut.Load() {
		return ctx.Err()
	}
	at := m.finish(p)
	if l := m.lengths[at]; l < m.restartLength {
		m.restartLength, m.restartFound = l, it
		copy(m.restart, m.tour(at))
	}
	m.limits()
	m.t.evaporate(m.env.Pool, float32(m.rho))
	tour, length := m.teacher(at, it)
	m.t.deposit(tour, length)
	m.refresh()
	m.forget(m.t.off)
	if m.deposit == depositMixed && m.reset > 0 && it%100 == 0 && it-m.restartFound > int64(m.reset) && m.converged() {
		m.t.fill(m.hi)
		m.refresh()
		m.restartLength, m.restartAt = unknown, it
		m.restartFound = it
		m.resets++
	}
	m.measure(p)
	p.Measures[2], p.Measures[3], p.Measures[4] = float64(m.lo), float64(m.hi), float64(m.resets)
	return nil
}

// converged tells whether the trails lead to one tour.
func (m *maxmin) converged() bool {
	one := 2.0
	if m.t.mirror == nil {
		one = 1
	}
	return m.t.branching(0.05) < one*1.00001
}

// teacher is the tour that is strengthened.
func (m *maxmin) teacher(at int, it int64) ([]int32, int64) {
	switch m.deposit {
	case depositIteration:
		return m.tour(at), m.lengths[at]
	case depositBest:
		return m.best, m.bestLength
	}
	period := int64(m.bestPeriod)
	if period == 0 {
		switch age := it - 1 - m.restartAt; {
		case age < 25:
			period = 25
		case age < 75:
			period = 5
		case age < 125:
			period = 3
		case age < 250:
			period = 2
		default:
			period = 1
		}
	}
	switch {
	case it%period != 0:
		return m.tour(at), m.lengths[at]
	case period == 1 && it-m.restartFound > 50:
		return m.best, m.bestLength
	}
	return m.restart, m.restartLength
}

// deposit adds 1 / length to the trails of a tour's edges.
func (t *trails) deposit(tour []int32, length int64) {
	t.strengthen(tour, float32(1/float64(max(length, 1))))
}

// strengthen adds d to them.
func (t *trails) strengthen(tour []int32, d float32) {
	last := tour[len(tour)-1]
	for _, c := range tour {
		if c != last {
			t.add(last, c, d)
		}
		last = c
	}
}

// Measures implements solvers.Algorithm.
func (m *maxmin) Measures() []string {
	return []string{"branching", "fallback", "tau_min", "tau_max", "resets"}
}
