package moves

import (
	"context"
	"fmt"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/own"
	"metalab/solvers/record"
)

// tabu is tabu search: every scan applies the best move that is not forbidden, even if the cost
// grows, and then forbids undoing it for a while. A move to a new best solution is always allowed
// (aspiration).
//
// On assignments it is Taillard's robust tabu search with the tenure and the aspiration by age of
// his later program (cube of a uniform number times 8 n; 5 n^2), with two differences. It applies
// the best of the moves that aspire, where his takes the last that aspired first. And if all moves
// are tabu, it applies none.
//
// On colourings it is Tabucol (A. Hertz, D. de Werra, Using tabu search techniques for graph
// coloring, Computing 39, 1987, doi:10.1007/BF02239976) over all changes of vertices in conflict,
// where theirs draws some, with the tenure of P. Galinier and J.-K. Hao, Hybrid evolutionary
// algorithms for graph coloring, Journal of Combinatorial Optimization 3 (1999),
// doi:10.1023/A:1009823419804; among equally good moves it applies the first, where theirs draw
// one.
//
// On real vectors it may not come back to small cubes that it has left; see cells.
type tabu struct {
	search
	neighbourhood, tenures string
	tenure, aspiration     int
}

// cutTenure is the default tenure on max-cut with n vertices. Medians of three seeds after 200,000
// scans, of n/40, n/20, n/10 and n/6: gset-like-2000-1-13 13197, 13272, 13280, 13279;
// torus-40x40-15 918, 978, 1086, 1128; gset-like-800-6-16-pm, which is denser, 1992, 1997, 1985,
// 1965. At 20 they were 13022, 896 and 1992.
func cutTenure(n int) int { return max(n/10, 1) }

func newTabu(inst datasets.Instance) (solvers.Algorithm, error) { return makeTabu(inst, nil) }

// makeTabu returns a search whose scans run on an engine, or here if engine is nil.
func makeTabu(
	inst datasets.Instance, engine func(*Problem) (Engine, error),
) (*tabu, error) {
	s := &tabu{}
	s.inst, s.engine = inst, engine
	n := inst.Size()
	switch inst.Kind() {
	case datasets.KindQAP:
		s.neighbourhood, s.tenures, s.tenure, s.aspiration = "swap", "cube", 8*n, 5*n*n
		s.settle(Pairs(int64(n)), 0)
	case datasets.KindPPP:
		s.neighbourhood, s.tenures, s.tenure = "hamming2", "cube", max(n/14, 1)
		s.settle(Pairs(int64(n)), 0)
	case datasets.KindColouring:
		s.neighbourhood, s.tenures, s.tenure = "change", "conflicts", 10
		s.settle(int64(n)*4, 0) // roughly the changes of vertices in conflict
	case datasets.KindCut:
		s.neighbourhood, s.tenures, s.tenure = "hamming1", "uniform", cutTenure(n)
		s.settle(int64(n), 0)
	case datasets.KindWeierstrass:
		s.neighbourhood, s.tenures, s.tenure = "ball", "uniform", 10
		s.settle(0, 0)
	case datasets.KindOwn:
		nbs, err := neighbourhoods(inst)
		if err != nil {
			return nil, err
		}
		s.neighbourhood, s.tenures, s.tenure = nbs[0].Name(), "uniform", min(max(n/6, 1), 20)
		s.settle(nbs[0].Size(), 0)
	default:
		s.neighbourhood, s.tenures, s.tenure = "swap", "uniform", max(n/6, 1)
		s.settle(Pairs(int64(n)), 0)
	}
	return s, nil
}

func (s *tabu) Declare(t *solvers.Params) {
	nbs, err := neighbourhoods(s.inst)
	if err != nil {
		nbs = nil // New has returned an error for it
	}
	t.Enum(&s.neighbourhood, record.Param{
		Name: "neighbourhood", Options: s.offered(nbs), Doc: s.movesDoc(),
	})
	t.Int(&s.tenure, record.Param{
		Name: "tenure", Min: 0, Max: 1e9, Step: 1, Unit: "scans",
		Doc: "How long it is forbidden to undo a move: the longest time with tenures=cube, whose " +
			"mean is a quarter of it, else the mean.",
		Effect: "Moves made before keep their times.",
	})
	hows := []string{"cube", "uniform", "fixed"}
	doc := "How the time is drawn: as the cube of a uniform number, uniformly within a tenth of " +
		"the tenure, or not at all"
	if s.inst.Kind() == datasets.KindColouring {
		hows = append(hows, "conflicts")
		doc += "; or uniformly below the tenure, and 0.6 for each vertex in conflict more"
	}
	t.Enum(&s.tenures, record.Param{Name: "tenures", Options: hows, Doc: doc + "."})
	if s.inst.Kind() == datasets.KindQAP {
		t.Int(&s.aspiration, record.Param{
			Name: "aspiration", Min: 0, Max: 1e12, Step: 100, Unit: "scans",
			Doc: "A move that brings a facility to where it has not been for so long is made before " +
				"others; 0: never.",
		})
	}
	s.declare(t)
}

func (s *tabu) fill(w *walker) {
	n := s.inst.Size()
	switch t := w.Walk.(type) {
	case *qapWalk:
		w.memory = newPlacements(t.p)
	case *colourWalk:
		t.critical = true
		w.memory = newRepaints(t)
	case *ballWalk:
		w.memory = newCells(t)
	default:
		if p, ok := s.inst.(*own.Problem); ok {
			n += p.Moves()
		}
		m := &elements{until: make([]int64, n), byEntry: s.permutes(), n: s.inst.Size()}
		for i := range m.until {
			m.until[i] = -1
		}
		w.memory = m
	}
}

// permutes reports whether solutions are permutations, whose entries move.
func (s *tabu) permutes() bool {
	switch inst := s.inst.(type) {
	case *own.Problem:
		return inst.Form().Kind == record.FormPermutation
	case *datasets.PPP, *datasets.Cut:
		return false
	}
	return true
}

func (s *tabu) Init(env *solvers.Env) error {
	nbs, err := neighbourhoods(s.inst)
	if err != nil {
		return err
	}
	s.far.largest = number(nbs, s.neighbourhood)
	return s.init(env, s.fill)
}

func (s *tabu) Changed(names []string) {
	for _, name := range names {
		s.retune(name)
		switch name {
		case "workers":
			s.env.Pool.Resize(s.workers)
		case "walks":
			_ = s.resize(s.fill) // cannot fail: the instance was accepted before
		}
	}
}

func (s *tabu) Restore(r *solvers.Reader) error { return s.restore(r, s.fill) }

// Measures are the neighbours evaluated, and the shares of the scans
// that moved to a worse solution, that made a move though it was tabu, that followed a
// placement that was overdue, and in which no move was allowed.
func (s *tabu) Measures() []string {
	return []string{"evaluations", "worsening", "aspired", "overdue", "stuck"}
}

func (s *tabu) Iterate(ctx context.Context, it int64, p *record.Point) error {
	k := number(s.all[0].Neighbourhoods(), s.neighbourhood)
	s.shape(s.all[0])
	nb := s.all[0].Neighbourhoods()[k]
	var total result
	var err error
	if s.engine != nil {
		total, err = s.iterateFar(ctx, it, k, p)
	} else {
		total, err = s.iterate(ctx, it, nb.Size(), p, func(a int, w wave, r *result) error {
			return s.scan(a, k, nb, w, r)
		})
	}
	if err != nil {
		return err
	}
	p.Evals = total.tally[looked]
	p.Measures[0] = float64(p.Evals)
	for i, x := range total.tally[:looked] {
		p.Measures[1+i] = float64(x) / float64(total.scans)
	}
	return nil
}

// Places in result.tally.
const (
	worsening = iota
	aspired
	overdue
	stuck
	looked
)

// scan makes one scan of walk a and the chosen move.
func (s *tabu) scan(a, k int, nb Neighbourhood, w wave, r *result) error {
	t := s.all[a]
	clock := t.clock + 1
	if t.renew != nil {
		t.renew(s.env.Seed, clock, a)
	}
	conflicts, size := 0, nb.Size()
	if g, ok := t.Walk.(*colourWalk); ok {
		if conflicts = g.conflicted(); k == 0 {
			size = int64(conflicts) * int64(g.k-1)
		}
	}
	hope := t.low - t.Cost() // a move with a smaller delta gives a new best solution
	memory := t.memory
	var c choice
	var err error
	limit := clock - int64(s.aspiration)
	if old := s.aspiration > 0 && memory.any(t, limit); old {
		c, err = s.look(t, k, w, func(m Move, d float64) bool {
			return d < hope || memory.overdue(t, m, limit)
		})
		if err != nil {
			return err
		}
		if c.index >= 0 {
			r.tally[overdue]++
		}
	} else {
		c = noChoice
	}
	if c.index < 0 {
		switch o := t.Walk.(type) {
		case *ownWalk:
			if s.permutes() {
				o.ban = ban{until: memory.times(), clock: clock, hope: hope}
				defer func() { o.ban = ban{} }()
			}
		case *cutWalk:
			o.ban = ban{until: memory.times(), clock: clock, hope: hope}
			defer func() { o.ban = ban{} }()
		}
		c, err = s.look(t, k, w, func(m Move, d float64) bool {
			return d < hope || !memory.tabu(t, m, clock)
		})
		if err != nil {
			return err
		}
	}
	t.clock = clock
	r.tally[looked] += size
	if c.index < 0 {
		r.tally[stuck]++
		t.take(r)
		return nil
	}
	m := nb.Move(c.index)
	if c.delta > 0 {
		r.tally[worsening]++
	}
	if memory.tabu(t, m, clock) {
		r.tally[aspired]++
	}
	draws := arith.NewStream(s.env.Seed, uint64(clock), uint32(a), drawTenure)
	memory.note(t, m, clock, func() int64 { return tenure(s.tenures, s.tenure, conflicts, &draws) })
	t.Apply(m)
	t.take(r)
	return nil
}

// published is the number of neighbourhoods of tours from Luong, Melab and Talbi, which come first
// and have kernels.
const published = 2

// offered are the names of the neighbourhoods that the backend scans.
func (s *search) offered(nbs []Neighbourhood) []string {
	if s.engine != nil && s.inst.Kind() == datasets.KindTSP {
		nbs = nbs[:min(published, len(nbs))]
	}
	return names(nbs)
}

// movesDoc is the sentence of the parameter neighbourhood.
func (s *search) movesDoc() string {
	doc := "The moves that a scan looks at"
	if s.inst.Kind() == datasets.KindTSP {
		doc += ": two cities change places (swap), or three do (3exchange), as Luong, Melab and Talbi " +
			"have it; ours are 2opt, which turns a part of the tour round, and oropt, which puts up to " +
			"three cities in a row elsewhere, on cpu only"
	}
	return doc + "."
}

// neighbourhoods returns those of the instance's kind.
func neighbourhoods(inst datasets.Instance) ([]Neighbourhood, error) {
	n := inst.Size()
	var makers []func() (Neighbourhood, error)
	switch inst.Kind() {
	case datasets.KindQAP, datasets.KindTSP, datasets.KindATSP:
		makers = append(
			makers, func() (Neighbourhood, error) { return Swaps(n) },
			func() (Neighbourhood, error) { return Cycles(n) },
		)
		if inst.Kind() == datasets.KindTSP {
			makers = append(makers, func() (Neighbourhood, error) { return twoOpts{int64(n)}, nil },
				func() (Neighbourhood, error) { return orOpts{int64(n)}, nil })
		}
	case datasets.KindPPP, datasets.KindCut:
		for k := 1; k <= 3; k++ {
			makers = append(makers, func() (Neighbourhood, error) { return Flips(n, k) })
		}
	case datasets.KindColouring:
		g, ok := inst.(*datasets.Colouring)
		if !ok {
			return nil, fmt.Errorf("moves: %s is a %T, want a colouring", inst.Name(), inst)
		}
		makers = append(
			makers, func() (Neighbourhood, error) { return Changes(n, g.K) },
			func() (Neighbourhood, error) { return Swaps(n) },
		)
	case datasets.KindWeierstrass:
		makers = append(
			makers, func() (Neighbourhood, error) { return Balls(10000, false) },
			func() (Neighbourhood, error) { return Balls(10000, true) },
		)
	case datasets.KindOwn:
		p, ok := inst.(*own.Problem)
		if !ok {
			return nil, fmt.Errorf("moves: %s is a %T, want a problem whose code is in this process",
				inst.Name(), inst)
		}
		makers = ownMakers(p.Form())
		if k := p.Moves(); k > 0 {
			makers = append(makers, func() (Neighbourhood, error) { return numbered{int64(k)}, nil })
		}
	default:
		return nil, fmt.Errorf("moves: an instance of kind %s has no neighbourhoods here", inst.Kind())
	}
	var out []Neighbourhood
	for _, f := range makers {
		nb, err := f()
		if err != nil {
			return nil, err
		}
		out = append(out, nb)
	}
	return out, nil
}

// ownMakers make the neighbourhoods of the solutions of a form.
func ownMakers(form record.Form) []func() (Neighbourhood, error) {
	n := form.N
	switch form.Kind {
	case record.FormBits:
		return []func() (Neighbourhood, error){
			func() (Neighbourhood, error) { return Flips(n, 1) },
			func() (Neighbourhood, error) { return Flips(n, 2) },
			func() (Neighbourhood, error) { return Flips(n, 3) },
		}
	case record.FormValues:
		return []func() (Neighbourhood, error){
			func() (Neighbourhood, error) { return Changes(n, form.K) },
			func() (Neighbourhood, error) { return Swaps(n) },
		}
	case record.FormReals:
		return []func() (Neighbourhood, error){
			func() (Neighbourhood, error) { return Balls(realNeighbours, false) },
			func() (Neighbourhood, error) { return Balls(realNeighbours, true) },
			func() (Neighbourhood, error) { return Gaussians(realNeighbours) },
		}
	}
	return []func() (Neighbourhood, error){
		func() (Neighbourhood, error) { return Swaps(n) },
		func() (Neighbourhood, error) { return Insertions(n) },
		func() (Neighbourhood, error) { return Reversals(n) },
		func() (Neighbourhood, error) { return Cycles(n) },
	}
}

// realNeighbours is the default number of neighbours of a solution of a user's problem on real
// numbers; the parameter neighbours overrides it.
const realNeighbours = 1000
