package ils

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"metalab/solvers/arith"
	"metalab/solvers/tiles"
	"metalab/solvers/tours"
)

// On lattices and in clusters the long edges decide, such as those from one row or cluster to
// another. How many there are is settled by the start: of pla33810 the shortest tour has 22 edges
// of 12,000 to 13,000, and 60 kicks a city in tiles left 63 of 67, which is 0.6 of the 0.78 % above
// the optimum at the end. A pair of them goes only together with a change far away, or in chains of
// many exchanges. So there start=fit is whole: four starts are searched in the whole plane, each on
// a core of its own, and the shortest stays; then kicks at long edges are repaired in tiles by
// chains of exchanges on all cores (polish, see tiles.Polish), half a kick a city. After 10 s of an
// H200 (seed 1, 16 cores of its host) pla33810 ends 0.748 % above the optimum from parts, 0.310
// from whole without polish and 0.285 with it; with polish=2 temperature=0.1 it ends at 0.279, with
// temperature=1 at 0.281. C100k.1 ends at 106,961,624 from parts and 106,416,503 from whole,
// V100k.0 at 235,562 and 235,492. On E100k.1, where the start is forgotten as the temperature is
// high, parts end at 226,076,480 and whole at 226,147,857, as it begins 3.5 s later. Twenty kicks a
// city (one chain, cooling=20) end on C3k.1 at 19,317,984 from parts and 19,028,882 from whole, on
// C10k.1 at 33,758,664 and 33,558,309, on C10k.3 at 34,397,337 and 34,215,188, on rl11849 at
// 929,187 and 926,122, on usa13509 at 20,024,007 and, without mend, 20,021,667. A quarter as many
// kicks more after 0.8 and 0.95 of the cooling ended pla33810 0.341 % above the optimum in place of
// 0.359 (60 kicks a city on the CPU); they were left out, as a GPU waits for them, and how they
// fare there was not measured. Other settings are in the table ils-tiles-start.

// descendAll is the first iteration.
func (s *Tiles) descendAll(ctx context.Context) error {
	chains, err := s.tours()
	if err != nil {
		return err
	}
	if op, search := operators[s.param.descent]; search {
		if err := s.optimize(ctx, chains, op); err != nil {
			return err
		}
	}
	if err := s.engine.Load(chains); err != nil {
		return err
	}
	for a, t := range chains {
		s.out[a] = tiles.Outcome{Length: s.p.Space.Length(t), Hash: arith.HashPerm(t)}
	}
	return nil
}

// optimize makes the tours local optima, mends them and makes the kicks of polish.
func (s *Tiles) optimize(ctx context.Context, chains [][]int32, op tours.Operator) error {
	sp, run := s.p.Space, s.p.Env.Pool.Run
	set := s.deep()
	same := s.given != nil || s.param.start != "nn" && s.param.start != "random"
	var err error
	switch {
	case s.given == nil && s.begin() == "whole":
		err = s.whole(ctx, chains[0], op, set)
	case sp.Parts() > 1 && same && s.given == nil:
		if err = s.each(ctx, op, set, func(body partBody) {
			sp.EachPart(s.first, chains[0], run, body)
		}); err == nil {
			err = sp.Descend(ctx, s.first, chains[0], op, set, run)
		}
	default:
		count := len(chains)
		if same {
			count = 1
		}
		err = s.each(ctx, op, set, func(body partBody) {
			run(count, func(a, _ int) { body(sp, s.first, chains[a], 0) })
		})
	}
	if err != nil || !same {
		return err
	}
	if s.param.descent == "oropt" && s.begin() == "whole" {
		if err := s.polishAll(ctx, chains[0]); err != nil {
			return err
		}
	}
	for a := 1; a < len(chains); a++ {
		copy(chains[a], chains[0])
	}
	return nil
}

// begin is the start, after fit is resolved.
func (s *Tiles) begin() string {
	if s.param.start != "fit" {
		return s.param.start
	}
	if s.fits == "" {
		if s.fits = "parts"; s.p.Space.Even() > 0.5 || s.p.Space.Spread() > 5 {
			s.fits = "whole"
		}
	}
	return s.fits
}

// deep are the settings of a search from all cities. An edge that is longer than a tile would stay
// for ever: see Ends.
func (s *Tiles) deep() tours.Settings {
	set := tours.DefaultSettings()
	if set.Ends = true; s.p.Space.N <= alphaUpTo {
		set.Depth = 25
	}
	return set
}

// partBody is the function that EachPart calls.
type partBody = func(sub *tours.Space, near tours.Neighbours, tour []int32, lo int)

// each gives calls what improves and mends a tour of a part.
func (s *Tiles) each(
	ctx context.Context, op tours.Operator, set tours.Settings, calls func(partBody),
) error {
	m := s.mender()
	var failed atomic.Pointer[error]
	calls(func(sub *tours.Space, near tours.Neighbours, tour []int32, lo int) {
		w, err := tours.NewSearch(sub, near, set)
		if err == nil {
			w.Watch(ctx)
			optimum(w, op, tour)
			err = cmp.Or(ctx.Err(), m.mend(ctx, sub, near, tour, lo))
		}
		if err != nil {
			failed.Store(&err)
		}
	})
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

// mender makes the mender of the whole plane.
func (s *Tiles) mender() *mender {
	m := &mender{kicks: s.param.mend, seed: s.p.Seed}
	if m.kicks > 0 {
		m.width = s.cutOf(2).Widths(s.p.Space)
	}
	return m
}

// optimum improves a tour by a search from all cities.
func optimum(w *tours.Search, op tours.Operator, tour []int32) {
	w.Load(tour)
	w.PushAll()
	w.Run(op)
	w.Store(tour)
}

// wholeAlong are the directions in which start=whole makes Quick-Boruvka.
var wholeAlong = [][2]float64{{1, 0}, {0, 1}, {1, 1}}

// whole makes start=whole, each improved by a search from all cities in the whole plane, side
// by side, and leaves the shortest, of equal ones the first, in tour.
func (s *Tiles) whole(
	ctx context.Context, tour []int32, op tours.Operator, set tours.Settings,
) error {
	sp, count := s.p.Space, 1+len(wholeAlong)
	set.Strict, set.Once, set.Wide = true, true, true
	var m *mender
	if sp.Parts() == 1 { // of more cities it would take one core too long
		m = s.mender()
	}
	made, errs := make([][]int32, count), make([]error, count)
	s.p.Env.Pool.Run(count, func(i, _ int) {
		if i == 0 {
			made[i] = sp.Greedy(s.first)
		} else {
			made[i] = sp.QuickBoruvkaAlong(wholeAlong[i-1][0], wholeAlong[i-1][1])
		}
		w, err := tours.NewSearch(sp, s.first, set)
		if err != nil {
			errs[i] = err
			return
		}
		w.Watch(ctx)
		optimum(w, op, made[i])
		if errs[i] = ctx.Err(); m != nil && errs[i] == nil {
			errs[i] = m.mend(ctx, sp, s.first, made[i], 0)
		}
	})
	if err := cmp.Or(errs...); err != nil {
		return err
	}
	copy(tour, slices.MinFunc(made, func(a, b []int32) int {
		return cmp.Compare(sp.Length(a), sp.Length(b))
	}))
	return nil
}

// The kicks of polish: the number of cuts of the plane, whose numbers no other cut has; each kick
// is at the city with the longest edge among several drawn, and its walks have a number of steps.
const (
	polishRounds = 4
	polishCuts   = 1 << 20
	polishHunt   = 10
	polishSteps  = 50
)

// polishAll makes the kicks of polish.
func (s *Tiles) polishAll(ctx context.Context, tour []int32) error {
	if s.param.polish == 0 {
		return nil
	}
	set := s.deep()
	set.Depth, set.Around, set.OneWay = 12, 10, true
	set.Strict, set.Once, set.Wide = true, true, true
	p := tiles.Polish{
		Space: s.p.Space, Near: s.first, Seed: s.p.Seed, Settings: set,
		Hunt: polishHunt, Steps: polishSteps, Kicks: s.param.polish / polishRounds,
	}
	for round := range polishRounds {
		p.Round = round
		cut := tiles.NewCut(s.p.Space, s.p.Seed, polishCuts+round, tiles.MaxPiece, s.p.Env.Pool)
		if err := p.Make(ctx, cut, tour, s.p.Env.Pool.Run); err != nil {
			return err
		}
	}
	return nil
}
