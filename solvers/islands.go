package solvers

import (
	"context"
	"fmt"
	"math"
	"slices"

	"metalab/solvers/internal/topology"
	"metalab/solvers/record"
)

// An Island is the state of one island of a run.
type Island struct {
	Number   int // the first is 0
	Seed     uint64
	Best     float64
	BestIter int64 // the iteration that found or accepted it
	Evals    int64
	Ended    string         // why its search is over; empty: it is not
	Points   []record.Point // the kept points; Digest is chained over the island alone
	Migrants []Migrant      // accepted solutions, in the order of the iterations
}

// Islands returns the run's islands at the next boundary between iterations; nil where it has none.
func (r *Run) Islands(ctx context.Context) ([]Island, error) {
	var out []Island
	err := r.do(ctx, func() {
		a, ok := r.alg.(*archipelago)
		if !ok {
			return
		}
		for i, x := range a.islands {
			out = append(out, Island{
				Number: i, Seed: topology.Seed(r.env.Seed, i), Best: x.Best(), BestIter: x.bestIter,
				Evals: x.evals, Ended: x.Ended(), Points: slices.Clone(x.hist.points),
				Migrants: slices.Clone(x.migrants),
			})
		}
	})
	return out, err
}

// IslandRecord returns the record of one of the run's islands at the next boundary between
// iterations: its points, its best solution, and a journal of the run's changes and of the island's
// migrants. A replay runs all islands again and compares that one. After a fork with fewer islands,
// which numbers the remaining ones anew, the points begin at the fork.
func (r *Run) IslandRecord(ctx context.Context, number int) (*record.Record, error) {
	var rec *record.Record
	var err error
	derr := r.do(ctx, func() { rec, err = r.islandOnPaper(number) })
	if derr != nil {
		return nil, derr
	}
	return rec, err
}

func (r *Run) islandOnPaper(number int) (*record.Record, error) {
	a, ok := r.alg.(*archipelago)
	if !ok {
		return nil, fmt.Errorf("%s has no islands", r.name)
	}
	if number < 0 || number >= len(a.islands) {
		return nil, fmt.Errorf("%s has no island %d: want 0 to %d", r.name, number, len(a.islands)-1)
	}
	x := a.islands[number]
	rec := &record.Record{
		Header: r.header, Points: slices.Clone(x.hist.points), End: r.last.Iter, Digest: x.digest,
		Best: record.Best{Iter: x.bestIter, Value: x.Best()}, Whole: true,
	}
	since := renumbered(r.header.Params, r.journal)
	rec.Points = slices.DeleteFunc(rec.Points, func(p record.Point) bool { return p.Iter <= since })
	rec.Header.Run = fmt.Sprintf("%s/%d", r.name, number)
	rec.Header.Island = &number
	if r.last.Iter == 0 {
		return rec, nil
	}
	if x.count > 0 && !math.IsInf(x.Best(), 1) { // one that does not wait may have made nothing
		rec.Best.Solution = x.Solution()
		got, err := r.cost(rec.Best.Solution)
		if err := Claimed(SenseOf(r.inst), rec.Best.Value, got, err); err != nil {
			return nil, fmt.Errorf("%s: island %d: %w", r.name, number, err)
		}
	}
	for i := range rec.Points { // variants of a family may measure more
		p := &rec.Points[i]
		p.Measures = slices.Clone(p.Measures[:min(len(p.Measures), len(rec.Header.Measures))])
	}
	rec.Header.Measures = a.Measures()
	came := x.arrived()
	for _, c := range append(slices.Clone(r.journal), record.Change{Iter: r.last.Iter, Kind: "end"}) {
		for len(came) > 0 && (came[0].Iter < c.Iter || c.Kind == "end") {
			rec.Journal = append(rec.Journal, came[0])
			came = came[1:]
		}
		if c.Kind != "end" {
			rec.Journal = append(rec.Journal, c)
		}
	}
	return rec, nil
}

// arrived are the entries of a journal about what the island took in.
func (x *island) arrived() []record.Change {
	out := make([]record.Change, len(x.migrants))
	for i, m := range x.migrants {
		out[i] = record.Change{
			Iter: m.Iter, Kind: record.KindMigrant, Name: fmt.Sprintf("island %d", m.From),
			With: record.Of("epoch", int(m.Epoch), "from", m.From, "to", m.To, "value", m.Value),
		}
	}
	return out
}

// renumbered is the iteration after which the islands of a run have the numbers that they have now;
// 0: from the beginning.
func renumbered(params record.Values, journal []record.Change) (after int64) {
	count := func(vs record.Values) int {
		n, _ := vs[ParamIslands].Float()
		return int(n)
	}
	n := count(params)
	for i := range journal {
		c := &journal[i]
		if c.Kind != record.KindFork || !c.With.Has(ParamIslands) {
			continue
		}
		if m := count(c.With); m < n {
			after, n = c.Iter, m
		} else {
			n = m
		}
	}
	return after
}

// ofIsland is the island of a number, if the run has it; nil stands for the whole run.
func (r *Run) ofIsland(number *int) (*island, bool) {
	a, ok := r.alg.(*archipelago)
	if number == nil || !ok || *number < 0 || *number >= len(a.islands) {
		return nil, false
	}
	return a.islands[*number], true
}

// hasIsland is the error of a record of an island that the record's run does not have.
func (r *Run) hasIsland(number *int) error {
	if _, ok := r.ofIsland(number); number != nil && !ok {
		return fmt.Errorf("the record is that of island %d of a run that has not so many: %w", *number,
			record.ErrFormat)
	}
	return nil
}

// pointOf is the point of an island in the iteration of the run's point p.
func (r *Run) pointOf(number *int, p *record.Point) *record.Point {
	x, ok := r.ofIsland(number)
	if !ok {
		return p
	}
	q := x.made
	q.Iter, q.Best, q.Digest, q.Improved = p.Iter, x.Best(), x.digest, x.bestIter == p.Iter
	return &q
}

// digestOf is the chained digest of an island.
func (r *Run) digestOf(number *int) uint64 {
	if x, ok := r.ofIsland(number); ok {
		return x.digest
	}
	return r.digest
}

// bestOf is the best solution of an island.
func (r *Run) bestOf(ctx context.Context, number *int) (b record.Best, err error) {
	x, ok := r.ofIsland(number)
	if !ok {
		return r.Best(ctx)
	}
	err = r.do(ctx, func() {
		b = record.Best{Iter: x.bestIter, Value: x.Best(), Solution: x.Solution()}
	})
	return b, err
}
