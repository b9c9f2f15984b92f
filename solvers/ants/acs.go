package ants

import (
	"context"
	"errors"
	"math"
	"slices"

	"metalab/solvers"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/record"
)

// colonySystem is the policy of acs. While ants construct their tours, the local update of
// [trail.Local] lowers the trails of the edges that they take towards tau0. After the iteration the
// edges of the best tour so far are strengthened.
type colonySystem struct {
	colony
	setup *crew.Setup
	tau0  float32
}

func (s *colonySystem) Init(env *solvers.Env) error {
	setup, err := s.prepare(env)
	if err != nil {
		return err
	}
	s.setup = setup
	s.tau0 = float32(1 / (float64(s.n) * float64(s.nn)))
	s.floor, s.unit = s.least(), s.tau0
	s.table.Fill(s.tau0)
	if setup.Memory != nil {
		setup.Memory.TauMin = s.least()
	}
	return s.openCrew(setup, s.rules())
}

// Iterate makes an iteration, as the paper's figure 2 has it. In construct each ant chooses its
// cities by the q0 choice, exploitation or exploration (Eqs. 1, 2; exploits in package cpu), and
// makes the local update of the edges that it takes (Eq. 3; [trail.Local.Worn]). Then comes the
// global update (Eq. 4): the trails of the edges of the best tour so far move towards 1 / L.
func (s *colonySystem) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if _, err := s.construct(ctx, it, p); err != nil {
		return err
	}
	s.crew.Update(crew.Update{
		Tour: crew.TheBest, Rate: float32(1 - s.alpha),
		Add: float32(s.alpha / float64(max(s.bestLength, 1))),
		Low: s.least(), Forget: s.tau0,
	})
	if s.v.storage == trail.Selective {
		p.Measures[measureHitRatio] = 0
		if s.out.Updates > 0 {
			p.Measures[measureHitRatio] = float64(s.out.Hits) / float64(s.out.Updates)
		}
	}
	return s.measure(p)
}

// least is the trail of the edges for which no trail is stored.
func (s *colonySystem) least() float32 { return float32(s.tauMin * float64(s.tau0)) }

// rules returns the parameters that constructions depend on.
func (s *colonySystem) rules() crew.Rules {
	return crew.Rules{
		Ants: s.ants, Alpha: 1, Beta: s.beta, Inv: 1 / s.tau0, Low: s.tau0, High: math.MaxFloat32,
		Rho: s.rho,
		Steps: crew.Steps{
			Q0: s.q0, Period: s.localPeriod, Local: trail.NewLocal(s.rho, s.tau0, s.least()),
		},
	}
}

func (s *colonySystem) Changed(names []string) {
	if slices.Contains(names, "spm_slots") {
		s.err = errors.Join(s.err, s.refit())
	}
	s.changed(names, s.rules())
}

// refit changes the number of slots of a city, and opens a new crew for it. The tours of the last
// iteration are dropped.
func (s *colonySystem) refit() error {
	s.fetchBest()
	if err := s.crew.Fetch(); err != nil {
		return err
	}
	old, oldCrew := s.setup.Memory, s.crew
	m := trail.NewMemory(s.sp, s.slots)
	m.TauMin = old.TauMin
	m.Fit(old)
	s.setup.Memory, s.store, s.setup.Ants = m, m, s.ants
	if err := s.openCrew(s.setup, s.rules()); err != nil {
		s.setup.Memory, s.store, s.crew = old, old, oldCrew
		return err
	}
	oldCrew.Close()
	s.traced = 0
	return nil
}

func (s *colonySystem) Snapshot(w *solvers.Writer) { s.snapshot(w) }

func (s *colonySystem) Restore(r *solvers.Reader) error {
	if err := s.restore(r); err != nil {
		return err
	}
	return s.load(s.rules())
}

func (s *colonySystem) Measures() []string {
	if s.v.storage == trail.Selective {
		return []string{"branching", "fallback", "hit_ratio"}
	}
	return []string{"branching", "fallback"}
}
