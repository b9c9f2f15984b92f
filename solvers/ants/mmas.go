package ants

import (
	"context"
	"errors"
	"math"

	"metalab/solvers"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// Deposit rules.
const (
	depositIteration = "iteration"
	depositBest      = "best"
	depositMixed     = "mixed"
	depositDrawn     = "drawn"
)

// Values of choices: the average number of cities of a choice, for the lower trail limit.
const (
	choicesHalf = "n/2"
	choicesList = "list"
)

// maxMin is the policy of mmas: one tour is rewarded, trails stay within limits computed from the
// best tour, and are set back to the upper limit when they have converged.
type maxMin struct {
	colony
	low, high float32 // the limits
	unlisted  int     // cities among which an ant chooses, if there are no lists

	// The best tour since the trails were last set back; out of date while the crew has a newer
	// one.
	restart struct {
		tour   []int32
		behind bool
		length int64 // unknown: none yet
		found  int64 // the iteration that found it
		at     int64 // the iteration of the reset
	}
	resets int64
}

func (m *maxMin) Init(env *solvers.Env) error {
	s, err := m.prepare(env)
	if err != nil {
		return err
	}
	if s.All || m.v.all {
		m.unlisted = m.n
	}
	m.restart.tour, m.restart.length = make([]int32, m.n), unknown
	m.limits()
	m.table.Fill(m.high)
	return m.openCrew(s, m.rules())
}

func (m *maxMin) Iterate(ctx context.Context, it int64, p *record.Point) error {
	best, err := m.construct(ctx, it, p)
	if err != nil {
		return err
	}
	if l := m.out.Lengths[best]; l < m.restart.length {
		m.restart.length, m.restart.found, m.restart.behind = l, it, true
		m.err = errors.Join(m.err, m.crew.Keep(crew.Restart, best))
	}
	m.limits()
	tour, length := m.rewarded(best, it)
	m.crew.Update(crew.Update{
		Tour: tour, Add: float32(1 / float64(max(length, 1))), Evaporate: true, Rate: float32(m.rho),
		Low: m.low, High: m.high, Inv: 1 / m.high,
	})
	if m.stagnates(it) {
		converged := m.deposit == depositDrawn
		if !converged {
			if converged, err = m.converged(); err != nil {
				return err
			}
		}
		if converged {
			m.crew.Reset(m.high)
			m.restart.length, m.restart.at, m.restart.found = unknown, it, it
			m.resets++
		}
	}
	p.Measures[measureTauMin], p.Measures[measureTauMax] = float64(m.low), float64(m.high)
	p.Measures[measureResets] = float64(m.resets)
	return m.measure(p)
}

// limits computes the trail limits from the best tour: the trails of its edges converge to high = 1
// / ((1 - rho) L). With lower limit low, an ant whose trails have converged makes the best tour
// with probability p_best, if a choice has on average m.others() cities beside the right one.
func (m *maxMin) limits() {
	l := m.bestLength
	if l == unknown {
		l = m.nn
	}
	high := 1 / ((1 - m.rho) * float64(max(l, 1)))
	p := arith.Pow(m.pBest, 1/float64(m.n))
	low := high
	if others := m.others(); p > 0 && others > 0 {
		low = min(high, float64(high*(1-p))/float64(p*others))
	}
	m.high, m.low = float32(high), float32(max(low, trail.Min))
}

// others is the average number of cities of a choice without the right one, by the parameter
// choices: n / 2 - 1 after Stuetzle and Hoos, whose average is n / 2; half of the list, rounded up,
// after ACOTSP.
func (m *maxMin) others() float64 {
	if m.choices == choicesHalf {
		return float64(float64(m.n)/2) - 1
	}
	k := m.table.K
	if m.unlisted > 0 {
		k = m.unlisted
	}
	return float64((k + 1) / 2)
}

// rewarded returns the tour that is strengthened, and its length; best is the iteration's best ant.
func (m *maxMin) rewarded(best int, it int64) (crew.Tour, int64) {
	switch m.deposit {
	case depositIteration:
		return crew.Tour(best), m.out.Lengths[best]
	case depositBest:
		return crew.TheBest, m.bestLength
	case depositDrawn:
		switch s := arith.NewStream(m.env.Seed, uint64(it), math.MaxUint32, 0); {
		case s.Uint32() < drawnShare:
			return crew.Tour(best), m.out.Lengths[best]
		case s.Uint32() < drawnShare:
			return crew.TheBest, m.bestLength
		}
		return crew.TheRestart, m.restart.length
	}
	period := int64(m.bestPeriod)
	if period == 0 {
		switch age := it - 1 - m.restart.at; {
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
		return crew.Tour(best), m.out.Lengths[best]
	case period == 1 && it-m.restart.found > 50:
		return crew.TheBest, m.bestLength
	}
	return crew.TheRestart, m.restart.length
}

// drawnShare is a tenth of all words.
const drawnShare = math.MaxUint32/10 + 1

// stagnates tells whether the last better tour is so long ago that trails are set back: with
// deposit=drawn at every 10th iteration, as in the published program, with mixed at every 100th, if
// they have converged.
func (m *maxMin) stagnates(it int64) bool {
	if m.deposit == depositDrawn {
		return m.reset > 0 && it%10 == 0 && it-m.restart.found >= int64(m.reset)
	}
	return m.deposit == depositMixed && m.reset > 0 && it%100 == 0 &&
		it-m.restart.found > int64(m.reset)
}

// converged tells whether the trails lead to a single tour: their mean branching factor is that of
// one tour.
func (m *maxMin) converged() (bool, error) {
	branches, _, err := m.crew.Look()
	one := 2.0 // each city has two edges in a tour
	if m.sp.Asymmetric {
		one = 1
	}
	return float64(branches)/float64(m.n) < one*1.00001, err
}

// rules returns the parameters that constructions depend on. A change of parameters changes the
// limits and the scale of the weights only at the end of the next iteration.
func (m *maxMin) rules() crew.Rules {
	return crew.Rules{
		Ants: m.ants, Alpha: m.alpha, Beta: m.beta, Inv: 1 / m.high, Low: m.low,
		High: m.high,
	}
}

func (m *maxMin) Changed(names []string) { m.changed(names, m.rules()) }

// Snapshot implements solvers.Algorithm: after the colony's state "limits", "restart" (length, when
// it was found, when trails were set back, how often) and "restarted" (the tour).
func (m *maxMin) Snapshot(w *solvers.Writer) {
	if r := &m.restart; r.behind {
		m.err = errors.Join(m.err, m.crew.Kept(crew.Restart, r.tour))
		r.behind = false
	}
	if m.snapshot(w) {
		w.Float32s("limits", []float32{m.low, m.high})
		w.Int64s("restart", m.restart.length, m.restart.found, m.restart.at, m.resets)
		w.Int32s("restarted", m.restart.tour)
	}
}

func (m *maxMin) Restore(r *solvers.Reader) error {
	if err := m.restore(r); err != nil {
		return err
	}
	limits := r.Float32s("limits", 2)
	v := r.Int64s("restart", 4)
	tour := r.Int32s("restarted", m.n)
	if r.Err() != nil {
		return r.Err()
	}
	if v[0] != unknown {
		if err := trail.CheckTour("best tour since the reset", tour, m.n); err != nil {
			return err
		}
	}
	q := &m.restart
	q.length, q.found, q.at, m.resets, q.behind = v[0], v[1], v[2], v[3], false
	copy(q.tour, tour)
	m.low, m.high = limits[0], limits[1]
	return errors.Join(m.load(m.rules()), m.crew.SetKept(crew.Restart, q.tour))
}

func (m *maxMin) Measures() []string {
	return []string{"branching", "fallback", "tau_min", "tau_max", "resets"}
}
