package solvers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"metalab/datasets"
	"metalab/solvers/record"
)

// arrivals is the order in which the islands of an asynchronous run ended their epochs in one
// iteration, and how many iterations each ran. A replay follows it. The journals of the run and of
// each island hold it.
type arrivals struct {
	Epochs []int // islands, in the order in which they ended an epoch
	Made   []int // iterations of each island
}

// maxArrivals is the most epochs in an iteration: each island whose search is over ends one, and
// each iteration at most one.
func maxArrivals(islands int) int { return MaxIslands*1_000_000 + islands }

// change is the entry of the journal about iteration it.
func (o *arrivals) change(it int64) record.Change {
	return record.Change{
		Iter: it - 1, Kind: record.KindArrival, Name: strconv.FormatInt(it, 10),
		With: record.Of("epochs", words(o.Epochs), "made", words(o.Made)),
	}
}

func words(all []int) string {
	var b []byte
	for i, x := range all {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, int64(x), 10)
	}
	return string(b)
}

// readOrder reads the output of change, for a number of islands.
func readOrder(c *record.Change, islands int) (*arrivals, error) {
	read := func(what string, from, to, most int) (out []int, err error) {
		text := strings.Fields(c.With[what].String())
		if len(text) > most {
			return nil, fmt.Errorf("the order of arrival of iteration %d has %d %s, want at most %d: %w",
				c.Iter+1, len(text), what, most, record.ErrFormat)
		}
		for _, s := range text {
			x, err := strconv.Atoi(s)
			if err != nil || x < from || x > to {
				return nil, fmt.Errorf("the order of arrival of iteration %d has %.20q in %s, want a number "+
					"from %d to %d: %w", c.Iter+1, s, what, from, to, record.ErrFormat)
			}
			out = append(out, x)
		}
		return out, nil
	}
	o := &arrivals{}
	var err error
	if o.Epochs, err = read("epochs", 0, islands-1, maxArrivals(islands)); err != nil {
		return nil, err
	}
	if o.Made, err = read("made", 0, MaxIslands*1_000_000, islands); err != nil {
		return nil, err
	}
	if len(o.Made) != islands {
		return nil, fmt.Errorf("the order of arrival of iteration %d is of %d islands, and the run has "+
			"%d: %w", c.Iter+1, len(o.Made), islands, record.ErrFormat)
	}
	return o, nil
}

// orders holds the arrivals of the iterations that a replay runs again.
type orders struct {
	changes map[int64]*record.Change // by iteration
	until   int64                    // the last iteration of the record
}

// of returns the order of an iteration, nil for an iteration that the record does not have.
func (o *orders) of(it int64, islands int) (*arrivals, error) {
	if it > o.until {
		return nil, nil
	}
	c := o.changes[it]
	if c == nil {
		return nil, fmt.Errorf("the record says of iteration %d no order of arrival, without which "+
			"islands that do not wait cannot be made again: %w", it, record.ErrFormat)
	}
	return readOrder(c, islands)
}

// followOrders has iterations up to one made in the order that a journal says.
func (r *Run) followOrders(journal []record.Change, until int64) {
	a, ok := r.alg.(*archipelago)
	if !ok {
		return
	}
	a.orders = orders{changes: map[int64]*record.Change{}, until: until}
	for i := range journal {
		if c := &journal[i]; c.Kind == record.KindArrival && c.Iter < until {
			a.orders.changes[c.Iter+1] = c
		}
	}
}

// followOn has later ones made in the order in which an earlier algorithm of the run was to.
func (r *Run) followOn(old Algorithm) {
	was, ok := old.(*archipelago)
	a, is := r.alg.(*archipelago)
	if !ok || !is || was.orders.until <= a.orders.until {
		return
	}
	for it, c := range was.orders.changes {
		if it > a.orders.until {
			a.orders.changes[it] = c
		}
	}
	a.orders.until = was.orders.until
}

// noteOrder puts the order of arrival of iteration it into the journal, before its point is shown.
func (r *Run) noteOrder(it int64) {
	a, ok := r.alg.(*archipelago)
	if !ok || a.arrived == nil {
		return
	}
	o := a.arrived
	a.arrived = nil
	r.mu.Lock()
	defer r.mu.Unlock()
	r.journal = append(r.journal, o.change(it))
}

// Waits reports whether the islands of a run with these parameters wait for each other, or whether
// it has none. Otherwise its result depends on the order in which islands end their epochs.
func Waits(vs record.Values) bool {
	return !vs.Has(ParamMode) || vs[ParamMode] != record.Text(ModeAsync)
}

// errApart is the error of a result that no journal explains, so that nothing can repeat it.
var errApart = fmt.Errorf("islands with %s=%s come in any order: %w", ParamMode, ModeAsync,
	ErrNotDeterministic)

// write writes how far an island is on its own.
func (c *course) write(w *Writer, kind datasets.Kind) {
	w.Int64s("course", c.count, c.since, c.epoch, c.sent.epoch)
	if c.sent.epoch > 0 {
		w.Float64s("sent", c.sent.value)
		w.Solution("sent", kind, c.sent.solution)
	}
	w.Int64s("read", c.read...)
}

// readCourse reads the output of write, for one of a number of islands.
func readCourse(r *Reader, inst datasets.Instance, islands int) (c course, err error) {
	h := r.Int64s("course", 4)
	if err := r.Err(); err != nil {
		return c, err
	}
	if slices.Min(h) < 0 {
		return c, fmt.Errorf("state: an island of %d iterations, %d since epoch %d: %w", h[0], h[1], h[2],
			ErrState)
	}
	c.count, c.since, c.epoch, c.sent.epoch = h[0], h[1], h[2], h[3]
	if c.sent.epoch > 0 {
		if c.sent.letter, err = readLetter(r, inst); err != nil {
			return c, err
		}
	}
	if c.read = r.Int64s("read", -1); len(c.read) == 0 {
		c.read = nil
	}
	if err := r.Err(); err != nil {
		return c, err
	}
	if c.read != nil && len(c.read) != islands {
		return c, fmt.Errorf("state: an island knows of %d of %d islands: %w", len(c.read), islands,
			ErrState)
	}
	return c, nil
}
