package solvers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"metalab/datasets"
	"metalab/solvers/record"
)

// The state of a run of islands is, in order: "islands" (their number, epochs that have ended,
// iterations since then, epochs of which there is mail, and only where islands have not waited for
// each other: how they did last), for each island what write writes, the mail, and for each island
// what its search writes.

func (a *archipelago) Snapshot(w *Writer) {
	head := []int64{int64(len(a.islands)), a.epoch, a.since, int64(len(a.mail))}
	if a.apart != never {
		head = append(head, int64(a.apart))
	}
	w.Int64s("islands", head...)
	for _, x := range a.islands {
		x.write(w)
		if a.apart != never {
			x.course.write(w, a.inst.Kind())
		}
	}
	for _, sent := range a.mail {
		for i := range sent {
			w.Float64s("sent", sent[i].value)
			w.Solution("sent", a.inst.Kind(), sent[i].solution)
		}
	}
	for _, x := range a.islands {
		x.alg.Snapshot(w)
	}
}

// pointWords are the numbers of a point beside its measures.
const pointWords = 7

// write writes what is known of an island.
func (x *island) write(w *Writer) {
	measures := len(x.made.Measures)
	w.Int64s("island", int64(x.digest), x.evals, x.bestIter, int64(len(x.hist.points)),
		int64(len(x.migrants)), int64(measures))
	w.Float64s("value", x.Best())
	points := make([]int64, 0, (pointWords+measures)*len(x.hist.points))
	for i := range x.hist.points {
		p := &x.hist.points[i]
		improved := int64(0)
		if p.Improved {
			improved = 1
		}
		points = append(points, p.Iter, bitsOf(p.Best), bitsOf(p.IterBest), bitsOf(p.Mean),
			int64(p.Digest), p.Evals, improved)
		for _, m := range p.Measures {
			points = append(points, bitsOf(m))
		}
	}
	w.Int64s("points", points...)
	migrants := make([]int64, 0, migrantWords*len(x.migrants))
	for _, m := range x.migrants {
		migrants = append(migrants, m.Iter, m.Epoch, int64(m.From), int64(m.To), bitsOf(m.Value))
	}
	w.Int64s("migrants", migrants...)
}

const migrantWords = 5

func bitsOf(x float64) int64 { return int64(math.Float64bits(x)) }

func floatOf(x int64) float64 { return math.Float64frombits(uint64(x)) }

// known holds the part of a state about an island beside its search.
type known struct {
	island
	value float64 // of its best solution
}

// readIsland reads what write wrote.
func readIsland(r *Reader) (x known, err error) {
	h := r.Int64s("island", 6)
	x.value = r.Float64s("value", 1)[0]
	if err := r.Err(); err != nil {
		return x, err
	}
	x.digest, x.evals, x.bestIter = uint64(h[0]), h[1], h[2]
	const most = 1 << 32 // of each: what there is no room for is found by its section
	points, migrants, measures := h[3], h[4], h[5]
	if min(points, migrants, measures) < 0 || max(points, migrants, measures) > most {
		return x, fmt.Errorf("state: an island with %d points of %d measures and %d migrants: %w",
			points, measures, migrants, ErrState)
	}
	words := pointWords + int(measures)
	ps := r.Int64s("points", -1)
	ms := r.Int64s("migrants", -1)
	if err := r.Err(); err != nil {
		return x, err
	}
	if len(ps) != int(points)*words || len(ms) != int(migrants)*migrantWords {
		return x, fmt.Errorf("state: an island's points and migrants are cut short: %w", ErrState)
	}
	for q := range slices.Chunk(ps, words) {
		p := record.Point{
			Iter: q[0], Best: floatOf(q[1]), IterBest: floatOf(q[2]), Mean: floatOf(q[3]),
			Digest: uint64(q[4]), Evals: q[5], Improved: q[6] != 0,
		}
		for _, m := range q[pointWords:] {
			p.Measures = append(p.Measures, floatOf(m))
		}
		x.hist.keep(p)
	}
	for q := range slices.Chunk(ms, migrantWords) {
		x.migrants = append(x.migrants, Migrant{q[0], q[1], int(q[2]), int(q[3]), floatOf(q[4])})
	}
	return x, nil
}

// Restore reads a state of islands, or of one search, from which every island then starts. If the
// state has more islands than the run, those with the best solutions continue, and the mail is
// lost.
func (a *archipelago) Restore(r *Reader) error {
	a.began = false
	if !r.Params.Has(ParamIslands) {
		var after Reader
		for _, x := range a.islands {
			x.count = r.Head.Iter
			after = *r
			if err := cmp.Or(x.alg.Restore(&after), after.err); err != nil {
				return err
			}
		}
		*r = after
		return nil
	}
	h := r.Int64s("islands", -1)
	if err := r.Err(); err != nil {
		return err
	}
	if len(h) < 4 || len(h) > 5 {
		return fmt.Errorf("state: %d numbers of islands: %w", len(h), ErrState)
	}
	if a.apart = never; len(h) == 5 {
		if a.apart = apartness(h[4]); a.apart != before && a.apart != now {
			return fmt.Errorf("state: islands that do not wait are in %d: %w", h[4], ErrState)
		}
	}
	count, epochs := int(h[0]), int(h[3])
	if h[0] < 1 || h[0] > MaxIslands || h[1] < 0 || h[2] < 0 || h[3] < 0 || h[3] > h[1] {
		return fmt.Errorf("state: %d islands at epoch %d, %d iterations after it, with mail of %d: %w",
			h[0], h[1], h[2], h[3], ErrState)
	}
	a.epoch, a.since = h[1], h[2]
	all := make([]known, count)
	for i := range all {
		var err error
		if all[i], err = readIsland(r); err != nil {
			return err
		}
		all[i].count = r.Head.Iter
		if a.apart == never {
			continue
		}
		if all[i].course, err = readCourse(r, a.inst, count); err != nil {
			return err
		}
	}
	for _, x := range a.islands { // those that begin anew
		x.course = course{count: r.Head.Iter}
	}
	if err := a.readMail(r, count, epochs); err != nil {
		return err
	}
	goOn := ranked(all)[:min(count, len(a.islands))]
	slices.Sort(goOn)
	to := 0
	for i := range count {
		if to == len(goOn) {
			break // those behind are not wanted
		}
		x := a.islands[to] // one that is not wanted is written over by the next
		if err := cmp.Or(x.alg.Restore(r), r.err); err != nil {
			return fmt.Errorf("island %d: %w", i, err)
		}
		if goOn[to] == i {
			x.adopt(&all[i], to, count == len(a.islands))
			to++
		}
	}
	return nil
}

// ranked are the numbers of the islands by their best solutions, of equal ones the first first.
func ranked(all []known) []int {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(all[i].value, all[j].value) })
	return order
}

// adopt copies what is known of an island into x, which becomes island number. If the number of
// islands has changed, the mail is lost.
func (x *island) adopt(from *known, number int, same bool) {
	if x.course = from.course; !same {
		x.sent, x.read = posted{}, nil
	}
	x.digest, x.evals, x.bestIter = from.digest, from.evals, from.bestIter
	x.hist, x.migrants = from.hist, from.migrants
	for i := range x.migrants {
		x.migrants[i].To = number
	}
}

// readMail reads what was sent, which is dropped where the number of islands has changed.
func (a *archipelago) readMail(r *Reader, count, epochs int) error {
	a.mail = nil
	for range epochs {
		sent := make([]letter, count)
		for i := range sent {
			var err error
			if sent[i], err = readLetter(r, a.inst); err != nil {
				return err
			}
		}
		a.mail = append(a.mail, sent)
	}
	if count != len(a.islands) {
		a.mail = nil
	}
	return nil
}

// readLetter reads a solution that was sent, which must cost what it says.
func readLetter(r *Reader, inst datasets.Instance) (l letter, err error) {
	l.value = r.Float64s("sent", 1)[0]
	s, cost, err := r.Solution("sent", inst)
	if err != nil {
		return l, err
	}
	if cost != l.value {
		return l, fmt.Errorf("state: a solution that was sent costs %v, and it says %v: %w", cost,
			l.value, ErrState)
	}
	l.solution = s
	return l, nil
}

// StateBytes is the sum of what the islands say.
func (a *archipelago) StateBytes() (sum int64) {
	for _, x := range a.islands {
		if s, ok := x.alg.(Sized); ok {
			sum += s.StateBytes()
		}
		sum += 8 * int64(len(x.hist.points)*(pointWords+len(x.made.Measures)))
	}
	return sum + int64(len(a.mail)*len(a.islands)*a.inst.Size()*4)
}

// Trace is the solutions of all islands, one island after the other.
func (a *archipelago) Trace() (all [][]int32) {
	for _, x := range a.islands {
		if t, ok := x.alg.(Tracer); ok {
			all = append(all, t.Trace()...)
		}
	}
	return all
}

// Ended says why the search is over on all islands.
func (a *archipelago) Ended() string {
	for _, x := range a.islands {
		if x.Ended() == "" {
			return ""
		}
	}
	return a.leader().Ended()
}

func (a *archipelago) Counts() string {
	if c, ok := a.lead.(Counter); ok {
		return c.Counts()
	}
	return ""
}

func (a *archipelago) Source(name string, v record.Value) string {
	if s, ok := a.lead.(Sourcer); ok {
		return s.Source(name, v)
	}
	return ""
}

// Control asks the first island.
func (a *archipelago) Control(spent float64) record.Values {
	if p, ok := a.islands[0].alg.(Controller); ok {
		return p.Control(spent)
	}
	return nil
}

// Turn acquires the turn of the first island, whose device all islands share.
func (a *archipelago) Turn(ctx context.Context) (give func(), waited bool, err error) {
	if s, ok := a.islands[0].alg.(Sharer); ok {
		return s.Turn(ctx)
	}
	return func() {}, false, nil
}

var (
	_ Algorithm  = (*archipelago)(nil)
	_ Starter    = (*archipelago)(nil)
	_ Changer    = (*archipelago)(nil)
	_ Counter    = (*archipelago)(nil)
	_ Finisher   = (*archipelago)(nil)
	_ Controller = (*archipelago)(nil)
	_ Sharer     = (*archipelago)(nil)
	_ Sized      = (*archipelago)(nil)
	_ Sourcer    = (*archipelago)(nil)
	_ Tracer     = (*archipelago)(nil)
)
