package moves

import (
	"context"
	"fmt"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// climb is hill climbing and variable neighbourhood descent: every scan makes an improving move. If
// the neighbourhood has none, descent continues with the next larger one, and returns to the first
// after a move. A climb ends at a local optimum of all neighbourhoods; the next one begins from a
// random solution (multi-start) or from a disturbed one (iterated local search).
type climb struct {
	search
	vnd                        bool
	ils                        *iterated // not of hill and vnd
	neighbourhood, pick, begin string
	depth, restarts, kick      int
	nbs                        []Neighbourhood // names; sizes may change
}

func newHill(inst datasets.Instance) (solvers.Algorithm, error) { return newClimb(inst, false) }

func newVND(inst datasets.Instance) (solvers.Algorithm, error) { return newClimb(inst, true) }

func newClimb(inst datasets.Instance, vnd bool) (*climb, error) {
	nbs, err := neighbourhoods(inst)
	if err != nil {
		return nil, err
	}
	s := &climb{vnd: vnd, nbs: nbs, pick: "best", begin: "kick", restarts: 1e9, kick: 4, depth: 2}
	s.inst = inst
	s.neighbourhood = nbs[0].Name()
	size, at := nbs[0].Size(), 0
	if inst.Kind() == datasets.KindPPP {
		s.neighbourhood = nbs[1].Name() // one flip changes each product modulo 4, two need not
		s.kick, size = 10, nbs[1].Size()
	}
	if vnd { // if nothing is better, a scan of the smallest is followed by one of each larger
		size = 0
		for _, nb := range nbs[:s.depth] {
			size += nb.Size() / int64(s.depth)
		}
	}
	s.settle(size, at)
	return s, nil
}

func (s *climb) Declare(t *solvers.Params) {
	most := len(s.nbs)
	if s.inst.Kind() == datasets.KindTSP {
		most = published
	}
	if s.vnd {
		t.Int(&s.depth, record.Param{
			Name: "depth", Min: 1, Max: float64(most), Step: 1, Unit: "neighbourhoods",
			Doc: "How many of the problem's neighbourhoods a descent uses, from the smallest.",
		})
	}
	switch {
	case !s.vnd:
		t.Enum(&s.neighbourhood, record.Param{
			Name: "neighbourhood", Options: s.offered(s.nbs), Doc: s.movesDoc(),
		})
	case s.inst.Kind() == datasets.KindTSP && s.engine == nil:
		t.Enum(&s.neighbourhood, record.Param{
			Name: "neighbourhood", Options: []string{s.nbs[0].Name(), s.nbs[published].Name()},
			Doc: "The first that a descent uses: of swap the second is 3exchange, as Luong, Melab and " +
				"Talbi have them; ours is 2opt, which turns a part of the tour round, and whose second is " +
				"oropt, which puts up to three cities in a row elsewhere, on cpu only.",
		})
	}
	t.Enum(&s.pick, record.Param{
		Name: "select", Options: []string{"best", "first", "random"},
		Doc: "Which improving move is made: the best; the first after the move before, going round; " +
			"or the first from a random place on.",
	})
	t.Enum(&s.begin, record.Param{
		Name: "begin", Options: []string{"kick", "random"},
		Doc: "Where the next climb begins: at the better of the last two local optima after some " +
			"random moves, or at a random solution.",
	})
	t.Int(&s.kick, record.Param{
		Name: "kick", Min: 1, Max: 1e6, Step: 1, Unit: "moves",
		Doc: "Random moves, of the smallest neighbourhood, that begin=kick makes.",
	})
	t.Int(&s.restarts, record.Param{
		Name: "restarts", Min: 0, Max: 1e9, Step: 1, Unit: "climbs",
		Doc: "Climbs of a walk after its first; when all walks have made theirs, the run is over.",
	})
	s.declare(t)
}

func (s *climb) fill(*walker) {}

func (s *climb) Init(env *solvers.Env) error {
	s.far.largest = number(s.nbs, s.neighbourhood)
	if s.vnd {
		s.far.largest = s.depth - 1
	}
	return s.init(env, s.fill)
}

func (s *climb) Changed(names []string) {
	for _, name := range names {
		s.retune(name)
		switch name {
		case "workers":
			s.env.Pool.Resize(s.workers)
		case "walks":
			_ = s.resize(s.fill) // cannot fail: the instance was accepted before
		case "neighbourhood", "depth":
			s.pull()
			s.far.loaded = false
			for _, w := range s.all {
				w.level, w.from, w.done = 0, 0, false
			}
		}
	}
}

func (s *climb) Restore(r *solvers.Reader) error { return s.restore(r, s.fill) }

// Measures are the neighbours evaluated, the share of the scans that found a better solution,
// climbs that ended, and the mean number over the walks of climbs that ended so far.
func (s *climb) Measures() []string {
	return []string{"evaluations", "improving", "ended", "climbs"}
}

// Places in result.tally.
const (
	evaluations = iota
	improving
	ended
)

func (s *climb) Iterate(ctx context.Context, it int64, p *record.Point) error {
	s.shape(s.all[0])
	nbs := s.all[0].Neighbourhoods()
	size := nbs[s.number(0)].Size()
	if s.vnd {
		size = nbs[s.number(s.depth-1)].Size()
	}
	var total result
	var err error
	if s.engine != nil {
		total, err = s.iterateFar(ctx, it, p)
	} else {
		total, err = s.iterate(ctx, it, size, p, s.scan)
	}
	if err != nil {
		return err
	}
	climbs := 0.0
	for _, w := range s.all {
		climbs += float64(w.climb)
	}
	p.Evals = total.tally[evaluations]
	p.Measures[0] = float64(p.Evals)
	p.Measures[1] = float64(total.tally[improving]) / float64(total.scans)
	p.Measures[2] = float64(total.tally[ended])
	p.Measures[3] = climbs / float64(len(s.all))
	return nil
}

// number returns the number of the neighbourhood that a walk at this level scans.
func (s *climb) number(level int) int {
	if s.vnd && s.inst.Kind() != datasets.KindTSP {
		return level
	}
	return number(s.nbs, s.neighbourhood) + level
}

// scan makes one scan of walk a and the chosen move, or begins the next climb.
func (s *climb) scan(a int, w wave, r *result) error {
	t := s.all[a]
	if t.done {
		if t.climb > int64(s.restarts) {
			t.clock++
			t.take(r)
			return nil
		}
		t.done = false // restarts was increased: continue from the last optimum
		s.again(a, t, t.last)
	}
	k := s.number(t.level)
	nb := t.Neighbourhoods()[k]
	clock := t.clock + 1
	if t.renew != nil {
		t.renew(s.env.Seed, clock, a)
	}
	c, looked, err := noChoice, nb.Size(), error(nil)
	if nb.Size() > 0 {
		switch s.pick {
		case "best":
			c, err = s.look(t, k, w, nil)
			if c.delta >= 0 {
				c = noChoice
			}
		default:
			from := t.from % nb.Size()
			if s.pick == "random" {
				draws := arith.NewStream(s.env.Seed, uint64(clock), uint32(a), drawPlace)
				from = int64(float64(nb.Size()) * draws.Float64())
			}
			c, looked, err = firstFrom(k, t, w, from)
		}
	}
	if err != nil {
		return err
	}
	t.clock = clock
	r.tally[evaluations] += looked
	switch {
	case c.index >= 0:
		r.tally[improving]++
		t.Apply(nb.Move(c.index))
		t.level, t.from = 0, c.index
	case s.vnd && t.level+1 < s.depth:
		t.level++
		t.from = 0
	default:
		r.tally[ended]++
		t.climb++
		t.take(r)
		if err := Proved(t.Walk); err != nil { // before it is left
			return err
		}
		s.again(a, t, clock)
		return nil
	}
	t.take(r)
	return nil
}

// Ended returns why the run is over: all walks have made their climbs, and no walk is to continue
// from a better solution of another.
func (s *climb) Ended() string {
	var climbs int64
	for _, w := range s.all {
		if !w.done || w.climb <= int64(s.restarts) ||
			s.exchange > 0 && len(s.all) > 1 && w.low > s.bestCost {
			return ""
		}
		climbs += w.climb
	}
	if climbs == 1 {
		return "the climb is made"
	}
	return fmt.Sprintf("all %d climbs are made", climbs)
}

// again begins the next climb of walk a.
func (s *climb) again(a int, t *walker, clock int64) {
	if t.climb > int64(s.restarts) {
		t.done, t.last = true, clock
		return
	}
	t.level, t.from = 0, 0
	if s.ils != nil {
		s.ils.next(a, t, clock)
		return
	}
	if s.begin == "random" {
		draws := arith.NewStream(s.env.Seed, uint64(clock), uint32(a), drawStart)
		t.Random(&draws)
		t.keep(t.Cost())
		return
	}
	if c := t.Cost(); c <= t.homes {
		t.home, t.homes = t.Solution(), c
	} else {
		_ = t.Load(t.home) // cannot fail: it was this walk's own solution
	}
	nb := t.Neighbourhoods()[0]
	if nb.Size() == 0 {
		return
	}
	if t.renew != nil {
		t.renew(s.env.Seed, clock, a)
	}
	draws := arith.NewStream(s.env.Seed, uint64(clock), uint32(a), drawKick)
	for range s.kick {
		t.Apply(nb.Move(int64(float64(nb.Size()) * draws.Float64())))
	}
	t.keep(t.Cost())
}
