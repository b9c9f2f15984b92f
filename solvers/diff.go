package solvers

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"metalab/datasets"
	"metalab/solvers/record"
)

// A Report says how two records compare.
type Report struct {
	// Header names the settings that differ, such as "seed: 7 against 8".
	Header []string

	// First is the first place at which the two runs part; nil when they agree as far as both go.
	First *Difference

	// Shared is the number of compared iterations, which both records have: up to the last one of
	// which both hold a point, or up to the end of both.
	Shared int64

	// OnlyA and OnlyB are the seeds of repeats that only one record has under the same setting; none
	// where the two share no seed.
	OnlyA, OnlyB []uint64

	// Nothing reports that no point is in both records, so nothing was compared.
	Nothing bool
}

// Identical reports whether something was compared and nothing differs.
func (d Report) Identical() bool { return len(d.Header) == 0 && d.First == nil && !d.Nothing }

// Diff compares two records of one instance. It finds between which two points they part, runs both
// again up to there, and compares iteration by iteration. It returns the first iteration that
// differs and, where the algorithm is a Tracer, the agent and the position in its solution.
//
// Where they do not part, it compares their best solutions, if both have as many iterations, and
// the seeds that both have of repeats under one setting. It names seeds that one has and the other
// lacks, but does not count them as a difference. It compares neither what [Replay] does not
// compare, nor the journals: changes that bear on no result are no difference.
func Diff(ctx context.Context, a, b *record.Record, inst datasets.Instance) (Report, error) {
	if ctx == nil {
		return Report{}, errNoContext
	}
	if a == nil || b == nil || absent(inst) {
		return Report{}, errors.New("solvers: diff takes two records and their instance, and one is nil")
	}
	rep := Report{Header: compareHeaders(a, b, inst), Shared: min(a.End, b.End)}
	if a.Header.Instance.SHA256 != b.Header.Instance.SHA256 {
		return rep, nil // other data: nothing else can be compared
	}
	if err := sameInstance(a, inst); err != nil {
		return rep, err
	}
	if sameSearch(a, b, inst) {
		rep.OnlyA, rep.OnlyB = onlySeeds(a, b), onlySeeds(b, a)
	}
	from, d := firstDifferent(a, b)
	if d == nil && !(a.End == b.End && a.Digest != b.Digest) {
		if a.End != b.End || from == 0 {
			rep.Shared = from
		}
		rep.Nothing = from == 0 && len(rep.Header) == 0
		if rep.First = compareRest(a, b, inst); rep.First != nil {
			rep.Nothing = false
		}
		return rep, nil
	}
	rep.First = d
	exact, err := pinpoint(ctx, a, b, inst, from, rep.Shared)
	if err != nil {
		return rep, fmt.Errorf(
			"diff: the records part after iteration %d; to say where, they were made again: %w", from, err,
		)
	}
	if exact != nil {
		rep.First = exact
	}
	return rep, nil
}

// compareRest compares what two records hold beside points that are the same.
func compareRest(a, b *record.Record, inst datasets.Instance) *Difference {
	s := SenseOf(inst)
	if a.End == b.End && a.Whole && b.Whole {
		if d := compareBests(a.Best, b.Best, s); d != nil {
			return d
		}
	}
	if !sameSearch(a, b, inst) {
		return nil
	}
	for _, x := range a.Repeats {
		for _, y := range b.Repeats {
			if !x.Same(&y) {
				continue
			}
			for _, p := range x.Seeds {
				// How far one went that a clock ended is no difference.
				if q := y.Has(p.Seed); q != nil && (p.Iter == q.Iter || x.Budget.Timeless()) {
					if d := compareSeeded(p, *q, s); d != nil {
						return d
					}
				}
			}
		}
	}
	return nil
}

// sameSearch reports whether a seed of one record is a seed of the other.
func sameSearch(a, b *record.Record, inst datasets.Instance) bool {
	h, g := a.Header, b.Header
	h.Variant, _ = presentOf(h, inst)
	g.Variant, _ = presentOf(g, inst)
	return h.Solver == g.Solver && h.Variant == g.Variant && h.Revision == g.Revision &&
		startText(h.Start) == startText(g.Start)
}

// presentOf is the variant and the parameters of a header by the names that they have now. A
// parameter that the header is older than has its default, with which its record is replayed.
func presentOf(h record.Header, inst datasets.Instance) (string, record.Values) {
	v, err := Find(h.Solver, h.Variant, h.Backend)
	if err != nil {
		return h.Variant, h.Params
	}
	alg, params, err := prepare(v, inst, "default", nil, nil)
	if err != nil {
		return v.Name, h.Params
	}
	defer alg.Close()
	all := params.Values()
	maps.Copy(all, params.renamed(h.Params))
	return v.Name, all
}

// compareHeaders lists what was fixed differently.
func compareHeaders(a, b *record.Record, inst datasets.Instance) []string {
	var out []string
	add := func(what string, x, y any) {
		if x != y {
			out = append(out, fmt.Sprintf("%s: %v against %v", what, x, y))
		}
	}
	h, g := a.Header, b.Header
	add("instance", h.Instance.SHA256, g.Instance.SHA256)
	add("solver", h.Solver, g.Solver)
	h.Variant, h.Params = presentOf(h, inst)
	g.Variant, g.Params = presentOf(g, inst)
	add("variant", h.Variant, g.Variant)
	add("revision", h.Revision, g.Revision)
	add("seed", h.Seed, g.Seed)
	add("island", islandText(h.Island), islandText(g.Island))
	add("start", startText(h.Start), startText(g.Start))
	all := record.Values{}
	for n, v := range h.Params {
		all[n] = v
	}
	for n, v := range g.Params {
		all[n] = v
	}
	schedule := scheduleParams(h, inst)
	for _, n := range sortedNames(all) {
		if !schedule[n] {
			add(n, h.Params[n], g.Params[n])
		}
	}
	return out
}

// islandText says of what a record tells.
func islandText(number *int) string {
	if number == nil {
		return "the whole run"
	}
	return fmt.Sprint(*number)
}

// startText says what a run began at.
func startText(s *record.Start) string {
	if s == nil {
		return "the solver's own"
	}
	return fmt.Sprintf("%v (%.12s…)", s.Value, s.SHA256)
}

// scheduleParams names the schedule parameters, which are never compared.
func scheduleParams(h record.Header, inst datasets.Instance) map[string]bool {
	names := map[string]bool{}
	v, err := Find(h.Solver, h.Variant, h.Backend)
	if err != nil {
		return names
	}
	alg, err := v.Make(inst)
	if err != nil {
		return names
	}
	var t Params
	alg.Declare(&t)
	for _, e := range t.list {
		names[e.Name] = e.Class == record.Schedule
	}
	return names
}

// firstDifferent compares the points that both records hold; it returns the last
// iteration at which they agree.
func firstDifferent(a, b *record.Record) (from int64, d *Difference) {
	p, q := a.Points, b.Points
	both := counted(a) && counted(b)
	for len(p) > 0 && len(q) > 0 {
		switch {
		case p[0].Iter < q[0].Iter:
			p = p[1:]
		case p[0].Iter > q[0].Iter:
			q = q[1:]
		default:
			d := comparePoints(&p[0], &q[0], a.Header.Measures, a.Header.Instance.Sense(), both)
			if d != nil {
				return from, d
			}
			from = p[0].Iter
			p, q = p[1:], q[1:]
		}
	}
	return from, nil
}

// pinpoint makes both runs again and compares every iteration after from.
func pinpoint(
	ctx context.Context, a, b *record.Record, inst datasets.Instance, from, to int64,
) (*Difference, error) {
	var w [2]*walker
	for i, rec := range []*record.Record{a, b} {
		var err error
		if w[i], err = newWalker(rec, inst); err != nil {
			return nil, err
		}
		defer w[i].close()
		if err := w[i].step(ctx, from); err != nil {
			return nil, err
		}
	}
	for it := from + 1; it <= to; it++ {
		for i := range w {
			if err := w[i].step(ctx, it); err != nil {
				return nil, err
			}
		}
		p, q := w[0].run.Last(), w[1].run.Last()
		d := comparePoints(w[0].run.pointOf(a.Header.Island, &p), w[1].run.pointOf(b.Header.Island, &q),
			a.Header.Measures, a.Header.Instance.Sense(), false)
		if d == nil {
			continue
		}
		var s, t [][]int32
		for i, out := range []*[][]int32{&s, &t} {
			err := w[i].run.do(ctx, func() {
				if tr, ok := w[i].run.alg.(Tracer); ok {
					*out = tr.Trace()
				}
			})
			if err != nil {
				return nil, err
			}
		}
		return compareTraces(s, t, d), nil
	}
	return nil, nil
}

// compareTraces makes d more exact when the solutions show more.
func compareTraces(s, t [][]int32, d *Difference) *Difference {
	for i := range min(len(s), len(t)) {
		for j := range min(len(s[i]), len(t[i])) {
			if s[i][j] != t[i][j] {
				return &Difference{
					Iter: d.Iter, What: "solution", Agent: i, Position: j,
					A: fmt.Sprint(s[i][j]), B: fmt.Sprint(t[i][j]),
				}
			}
		}
	}
	return d
}

// walker makes a recorded run again, up to one iteration after another.
type walker struct {
	rec  *record.Record
	plan itinerary
	run  *Run
	done int // entries of the journal
	fork int
}

func newWalker(rec *record.Record, inst datasets.Instance) (*walker, error) {
	p, err := plan(rec, "")
	if err != nil {
		return nil, err
	}
	h := rec.Header
	r, err := Open(Config{
		Name: h.Run, Solver: h.Solver, Variant: h.Variant, Backend: p.stages[0].variant.Backend,
		Instance: inst, Seed: h.Seed, Params: h.Params, Start: h.Start,
	})
	if err != nil {
		return nil, err
	}
	r.followOrders(rec.Journal, rec.End)
	return &walker{rec: rec, plan: p, run: r}, nil
}

func (w *walker) close() { w.run.Close() }

// step goes to iteration it; the changes noted at it itself are left for the next call.
func (w *walker) step(ctx context.Context, it int64) error {
	for ; w.done < len(w.rec.Journal); w.done++ {
		c := w.rec.Journal[w.done]
		if c.Iter >= it {
			break
		}
		if err := w.run.Step(ctx, int(c.Iter-w.run.Last().Iter)); err != nil {
			return err
		}
		switch c.Kind {
		case record.KindSet:
			if err := w.run.redo(ctx, c); err != nil {
				return err
			}
		case record.KindFork:
			w.fork++
			st := w.plan.stages[w.fork]
			n, err := w.run.Fork(
				ctx, Fork{
					Name: w.run.name, With: c.With, Variant: st.variant.Name, Backend: st.variant.Backend,
					Seed: &st.seed,
				},
			)
			if err != nil {
				return err
			}
			w.run.Close()
			w.run = n
			n.followOrders(w.rec.Journal, w.rec.End)
		}
	}
	return w.run.Step(ctx, int(it-w.run.Last().Iter))
}
