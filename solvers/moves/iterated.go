package moves

import (
	"math"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// Words of the parameters perturbation and accept.
const (
	perturbMoves   = "moves"
	perturbSegment = "segment"
	perturbBridge  = "double-bridge"

	acceptBetter     = "better"
	acceptAlways     = "always"
	acceptMetropolis = "metropolis"
)

// iterated is iterated local search: a climb, a kick, a climb, and the choice of the optimum from
// which the next kick goes out.
type iterated struct {
	climb
	form         record.Form
	perturbation string
	with         string // the neighbourhood whose moves a kick makes
	accept       string
	temperature  float64
}

// iteratedVariant is ils on what has neighbourhoods, tours aside.
var iteratedVariant = solvers.Variant{
	Solver: "ils", Name: "moves", Backend: "cpu", Revision: 1, Deterministic: true,
	Kinds: []datasets.Kind{
		datasets.KindQAP, datasets.KindPPP, datasets.KindColouring, datasets.KindWeierstrass,
		datasets.KindCut, datasets.KindOwn,
	},
	Title: "Iterated local search by the moves of any problem: climbs, kicks, and the choice of " +
		"the optimum to go on from; of several walks each has a core, so walks=8 uses eight",
	Source: "H. R. Lourenco, O. C. Martin, T. Stuetzle, 2003, Iterated local search, " +
		"doi:10.1007/0-306-48056-5_11; O. Martin, S. W. Otto, E. W. Felten, 1991, Large-step Markov " +
		"chains for the traveling salesman problem (double-bridge)",
	Layout: layout + ", purpose 3 the place where select=random begins, purpose 4 the kicks, " +
		"purpose 6 whether a worse optimum is gone on from.",
	Apart: "its walks keep other solutions than those on tours",
	New:   checked(newIterated),
}

func init() { solvers.Register(iteratedVariant) }

func newIterated(inst datasets.Instance) (solvers.Algorithm, error) {
	c, err := newClimb(inst, false)
	if err != nil {
		return nil, err
	}
	form, err := FormOf(inst)
	if err != nil {
		return nil, err
	}
	s := &iterated{
		climb: *c, form: form, perturbation: perturbMoves, with: c.neighbourhood,
		accept: acceptBetter, temperature: 1,
	}
	s.climb.ils, s.pick = s, "first"
	return s, nil
}

// Declare says what can be turned.
func (s *iterated) Declare(t *solvers.Params) {
	t.Enum(&s.neighbourhood, record.Param{
		Name: "neighbourhood", Options: names(s.nbs),
		Doc: "The moves of the local search, which ends where none of them is better.",
	})
	t.Enum(&s.pick, record.Param{
		Name: "select", Options: []string{"best", "first", "random"},
		Doc: "Which improving move is made: the best; the first after the move before, going round; " +
			"or the first from a random place on.",
	})
	kicks := []string{perturbMoves, perturbSegment}
	if s.form.Kind == record.FormPermutation {
		kicks = append(kicks, perturbBridge)
	}
	t.Enum(&s.perturbation, record.Param{
		Name: "perturbation", Options: kicks,
		Doc: "What a kick does to a local optimum: random moves; or entries side by side are drawn " +
			"anew, of a permutation shuffled; or, on permutations, two parts that lie side by side " +
			"change places (double-bridge).",
	})
	t.Enum(&s.with, record.Param{
		Name: "kick_moves", Options: names(s.nbs), Doc: "The moves of perturbation=moves.",
	})
	t.Int(&s.kick, record.Param{
		Name: "kick", Min: 1, Max: 1e6, Step: 1,
		Doc: "How large a kick is: random moves, entries drawn anew, or double-bridges.",
	})
	t.Enum(&s.accept, record.Param{
		Name: "accept", Options: []string{acceptBetter, acceptMetropolis, acceptAlways},
		Doc: "From which of the last two local optima the next kick goes out: the better one, the " +
			"later one if both are alike; always the later one; or the later one by chance where it is " +
			"worse (metropolis).",
	})
	t.Float(&s.temperature, record.Param{
		Name: "temperature", Min: 0, Max: 1e12, Step: 1, Unit: "of the cost",
		Doc: "With accept=metropolis: a local optimum that is worse by as much is gone on from with " +
			"a probability of 37 %, by d with exp(-d/temperature).",
	})
	s.declare(t)
}

// accepts reports whether walk a continues from an optimum that is worse by d.
func (s *iterated) accepts(d float64, a int, clock int64) bool {
	switch {
	case d <= 0 || s.accept == acceptAlways:
		return true
	case s.accept == acceptBetter:
		return false
	}
	draws := arith.NewStream(s.env.Seed, uint64(clock), uint32(a), drawAccept)
	return d < -s.temperature*math.Ln2*arith.Log2(draws.Float64())
}

// next chooses between the optimum that walk a has reached and the one before, and kicks it.
func (s *iterated) next(a int, t *walker, clock int64) {
	if c := t.Cost(); math.IsInf(t.homes, 1) || s.accepts(c-t.homes, a, clock) {
		t.home, t.homes = t.Solution(), c
	} else {
		_ = t.Load(t.home) // cannot fail: it was this walk's own solution
	}
	draws := arith.NewStream(s.env.Seed, uint64(clock), uint32(a), drawKick)
	n := s.form.N
	switch {
	case s.perturbation == perturbSegment:
		x := t.Solution()
		s.redraw(&x, &draws, n)
		_ = t.Load(x) // cannot fail: every entry is one of the form
	case s.perturbation == perturbBridge && n > 3:
		x := t.Solution()
		for range s.kick {
			bridge(x.Perm, &draws)
		}
		_ = t.Load(x) // cannot fail: a permutation
	default:
		s.moves(a, t, clock, &draws)
	}
	t.keep(t.Cost())
}

// moves makes random moves. On real vectors the neighbours are drawn anew before each, by a key
// that is the seed and a hash of the move's number.
func (s *iterated) moves(a int, t *walker, clock int64, draws *arith.Stream) {
	nb := t.Neighbourhoods()[number(s.nbs, s.with)]
	if nb.Size() == 0 {
		return
	}
	for k := range s.kick {
		if t.renew != nil {
			t.renew(s.env.Seed+arith.Mix64(uint64(k+1)), clock, a)
		}
		t.Apply(nb.Move(int64(float64(nb.Size()) * draws.Float64())))
	}
}

// redraw draws entries of x side by side anew, round the end of n entries.
func (s *iterated) redraw(x *record.Solution, draws *arith.Stream, n int) {
	from, size := draws.IntN(n), min(s.kick, n)
	if s.form.Kind == record.FormPermutation {
		size = min(max(s.kick, 2), n) // one entry has no other order
		part := make([]int32, size)
		for i := range part {
			part[i] = x.Perm[(from+i)%n]
		}
		draws.Shuffle(part)
		for i := range part {
			x.Perm[(from+i)%n] = part[i]
		}
		return
	}
	low, high := s.form.Low, s.form.High
	for i := range size {
		at := (from + i) % n
		switch s.form.Kind {
		case record.FormBits:
			if draws.Uint32()>>31 == 0 {
				continue
			}
			if s.inst.Kind() == datasets.KindPPP {
				x.Bits[at] = -x.Bits[at]
			} else {
				x.Bits[at] ^= 1
			}
		case record.FormReals:
			v := low + float64((high-low)*draws.Float64())
			x.Real[at] = max(low, min(v, high))
		default:
			x.Perm[at] = int32(draws.IntN(s.form.K))
		}
	}
}

// bridge lets two parts of p that lie side by side change places; p has at least three entries.
func bridge(p []int32, draws *arith.Stream) {
	n := len(p)
	a, b := draws.IntN(n-1), draws.IntN(n-1)
	i, j := min(a, b), max(a, b)+1
	k := j + 1 + draws.IntN(n-j)
	part := append([]int32(nil), p[i:j]...)
	copy(p[i:], p[j:k])
	copy(p[i+k-j:], part)
}
