package ants

import (
	"context"
	"math"

	"metalab/solvers"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/record"
)

// antSystem is the policy of as, the ant-cycle of the paper: all trails evaporate, and each ant
// adds 1 / L to those of its tour of length L.
type antSystem struct{ colony }

// Init implements solvers.Algorithm. The initial trail is the limit that the trail of an edge tends
// to if in each iteration one ant's tour has the edge and is as long as the nearest-neighbour tour.
func (a *antSystem) Init(env *solvers.Env) error {
	s, err := a.prepare(env)
	if err != nil {
		return err
	}
	a.table.Fill(float32(1 / ((1 - a.rho) * float64(a.nn))))
	return a.openCrew(s, a.rules())
}

func (a *antSystem) Iterate(ctx context.Context, it int64, p *record.Point) error {
	best, err := a.construct(ctx, it, p)
	if err != nil {
		return err
	}
	a.crew.Update(crew.Update{
		Tour: crew.All, Least: max(1, a.out.Lengths[best]), Evaporate: true, Rate: float32(a.rho),
		Low: trail.Min, High: math.MaxFloat32, Inv: a.scale(),
		// All ants are rewarded, which gives trails to very many edges that are on no candidate
		// list. The weak ones of these are forgotten.
		Forget: float32(0x1p-10 / ((1 - a.rho) * float64(a.nn))),
	})
	return a.measure(p)
}

// rules returns the parameters that constructions depend on.
func (a *antSystem) rules() crew.Rules {
	return crew.Rules{
		Ants: a.ants, Alpha: a.alpha, Beta: a.beta, Inv: a.scale(), Low: trail.Min, High: math.MaxFloat32,
	}
}

// scale is the factor by which the initial trails count as 1 in weights. Only trails above 2^100
// times the initial one are cut off.
func (a *antSystem) scale() float32 { return float32(float64(a.nn) * (1 - a.rho)) }

func (a *antSystem) Changed(names []string) { a.changed(names, a.rules()) }

func (a *antSystem) Snapshot(w *solvers.Writer) { a.snapshot(w) }

func (a *antSystem) Restore(r *solvers.Reader) error {
	if err := a.restore(r); err != nil {
		return err
	}
	return a.load(a.rules())
}

func (a *antSystem) Measures() []string { return []string{"branching", "fallback"} }
