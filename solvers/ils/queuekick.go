package ils

import (
	"context"
	"math"

	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// Purposes of draws; see Variant.Layout.
const (
	drawStart uint8 = 1
	drawKick  uint8 = 2
)

// perturbations are the kicks by the values of the parameter kick.
var perturbations = map[string]tours.Kick{
	"segment": tours.Segment, "walk": tours.Walk, "uniform": tours.Uniform,
}

// On lattices the first cycle kicks where edges are long (hunt=0): on pla33810 ten cities drawn for
// a kick end 0.12 % lower than one after 3 s and 0.04 % after 7 (two seeds); on the other eight
// they gain 0.01 % in the mean. The table ils-fit has the other trials.

// latticeHunt is the number of cities that hunt=0 draws in the first cycle on lattices.
const latticeHunt = 10

// drawn returns the number of cities drawn for a kick.
func (s *queue) drawn() int {
	if hunt := s.param.kick.hunt; hunt > 0 {
		return hunt
	}
	if len(s.bases) == 0 && s.lattice() {
		return latticeHunt
	}
	return 1
}

// patience is the number of kicks between two checks whether the iteration is cancelled; long
// searches check by themselves.
const patience = 64

// kicks returns what makes the kicks of a chain.
func (s *queue) kicks() chainBody {
	hunt := s.drawn()
	return func(ctx context.Context, search *tours.Search, it int64, a int) result {
		return s.kick(ctx, search, it, a, hunt)
	}
}

// kick runs the kicks of chain a, each at one of several cities: perturb, search, accept.
func (s *queue) kick(
	ctx context.Context, search *tours.Search, it int64, a, hunt int,
) result {
	p := &s.param.kick
	out := result{length: s.lengths[a], effort: effort{searches: int64(p.number)}}
	if out.err = search.Set(s.afterKick()); out.err != nil {
		return out
	}
	search.Load(s.tours[a])
	op, kind := operators[s.param.search.operator], perturbations[p.kind]
	accept := s.acceptance(out.length)
	draws := arith.NewStream(s.env.Seed, uint64(it), uint32(a), drawKick)
	for i := range p.number {
		if i%patience == 0 {
			if out.err = ctx.Err(); out.err != nil {
				return out
			}
		}
		at := search.Hunt(hunt, &draws)
		limit := accept.limit(i, &draws)
		change, kept := search.Trial(op, kind, at, p.size, limit, &draws)
		out.length += change
		if kept {
			out.kept++
		}
		if change < 0 {
			out.gained++
		}
	}
	if out.err = ctx.Err(); out.err != nil {
		return out
	}
	search.Store(s.next[a])
	return out
}

// warmths holds, by the values of the parameter accept, the share of the temperature that is left
// after some kicks of an iteration.
var warmths = map[string]func(s *queue, kicks int) float64{
	"better":    func(*queue, int) float64 { return 0 },
	"threshold": func(*queue, int) float64 { return 1 },
	"annealing": (*queue).warmth,
	"always":    func(*queue, int) float64 { return math.Inf(1) },
}

// An acceptance says how much longer a repaired tour may be than the one before the kick.
type acceptance struct {
	scale  float64 // of the limit where all of the temperature is left
	warmth func(kicks int) float64
}

// acceptance returns the acceptance of a chain whose tour has the length at the iteration's
// beginning.
func (s *queue) acceptance(length int64) acceptance {
	warmth := warmths[s.param.accept.rule]
	return acceptance{
		// -ln u is -log2 u ln 2; the mean edge is that of the tour.
		scale:  float64(s.param.accept.temperature*math.Ln2) * float64(length) / float64(s.space.N),
		warmth: func(kicks int) float64 { return warmth(s, kicks) },
	}
}

// limit draws the acceptance threshold of the next kick, by how much its tour may be longer, with
// the rule of Metropolis. At temperature 0 it returns 0 and at infinite temperature MaxInt64, both
// without a draw.
func (a acceptance) limit(kicks int, draws *arith.Stream) int64 {
	switch warm := a.warmth(kicks); {
	case warm <= 0:
		return 0
	case math.IsInf(warm, 1):
		return math.MaxInt64
	default:
		return int64(-float64(a.scale*warm) * arith.Log2(draws.Float64()))
	}
}
