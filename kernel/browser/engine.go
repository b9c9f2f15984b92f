package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// A Request is something that a page asks for.
type Request struct {
	Do       string            `json:"do"`                    // open, replay, fork or repeat
	Record   string            `json:"record,omitempty"`      // open: the text of the record
	Instance Instance          `json:"instance,omitzero"`     // open: its data
	At       int64             `json:"at,omitempty"`          // fork: after this iteration
	Set      map[string]string `json:"set,omitempty"`         // fork: parameters by name
	To       int64             `json:"to,omitempty"`          // fork, repeat: the last iteration
	Alone    bool              `json:"alone,omitempty"`       // fork: without later changes
	Seed     uint64            `json:"seed,string,omitempty"` // repeat: the seed
}

// An Event is what the engine says: how far it is, and at the end of a request what came of it.
type Event struct {
	Kind string `json:"kind"` // "progress", "done" or "error"

	// Of progress: iterations made of how many; the points since the last event as iteration,
	// best, and best and mean of the iteration, where a number that is none is null; and new best
	// solutions.
	Done   int64       `json:"done"`
	Total  int64       `json:"total,omitempty"`
	Points [][4]number `json:"points,omitempty"`
	Tours  []Tour      `json:"tours,omitempty"`

	Opened  *Opened  `json:"opened,omitempty"`
	Verdict *Verdict `json:"verdict,omitempty"`
	Forked  *Forked  `json:"forked,omitempty"`
	Seeded  *Seeded  `json:"seeded,omitempty"`

	Error string `json:"error,omitempty"`
	// of an error: this engine has another revision of the variant than the one that is wanted
	Wanted string `json:"wanted,omitempty"`
	// of an error: it was stopped by the page
	Stopped bool `json:"stopped,omitempty"`
}

// A Tour is the best solution that an iteration found, where it is a permutation.
type Tour struct {
	Iter int64   `json:"i"`
	Perm []int32 `json:"perm"`
}

// number is a float64 that JSON may hold.
type number float64

// MarshalJSON writes null for what JSON has no number for.
func (n number) MarshalJSON() ([]byte, error) {
	if v := float64(n); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return fmt.Appendf(nil, "%v", v), nil
	}
	return []byte("null"), nil
}

// Opened says what a record is, and what may be set in it.
type Opened struct {
	Engine string         `json:"engine"` // the version of Go and the machine that it is compiled for
	End    int64          `json:"end"`
	Params []record.Param `json:"params"` // with the values of iteration 0
	Ranges []string       `json:"ranges"` // of params, in words
	X      []float64      `json:"x,omitempty"`
	Y      []float64      `json:"y,omitempty"`
}

// A Verdict is what a replay found.
type Verdict struct {
	Identical bool    `json:"identical"`
	Words     string  `json:"words"` // as the prompt's replay says it
	Iter      int64   `json:"iteration"`
	Seconds   float64 `json:"seconds"`
	On        string  `json:"on,omitempty"` // the backend of the record, where it is another
}

// Forked is what came of a fork.
type Forked struct {
	At     int64  `json:"at"`
	End    int64  `json:"end"`
	Best   number `json:"best"`
	Record string `json:"record"` // its text
	// the changes of the record after At: those that the fork made again, and those that it did not
	Made []string `json:"made,omitempty"`
	Left []string `json:"left,omitempty"`
	// the first iterations at which the walk, and the best value, are other than the record's; 0:
	// none of those that were compared
	Parts     int64 `json:"parts,omitempty"`
	BestParts int64 `json:"best_parts,omitempty"`
	// the last iteration that was compared: the replay came so far; 0: it did not come to the fork
	Compared int64 `json:"compared,omitempty"`
}

// backend is the only one that there is in a browser.
const backend = "cpu"

// Engine carries out the requests of a page, one at a time.
type Engine struct {
	// Pause is called now and then while a request is carried out, so that the page can say that
	// it is not wanted any more. It may be nil.
	Pause func()

	// MostEntries is the largest total number of cities in all tours of a request for which the page
	// receives each tour; beyond, it receives the last one in each tenth of a second. 0: 4 million.
	MostEntries int

	rec   *record.Record
	inst  datasets.Instance
	trace []mark // of the record's iterations, by iteration from 1; as far as it was replayed
}

// mark is what a fork is compared with.
type mark struct {
	best   float64
	digest uint64
}

// Do carries out a request; say gets its events, the last of which is done or an error.
func (e *Engine) Do(ctx context.Context, q Request, say func(Event)) {
	var last Event
	var err error
	switch {
	case q.Do == "open":
		last.Opened, err = e.open(ctx, q)
	case e.rec == nil:
		err = errors.New("no record is open")
	case q.Do == "replay":
		last.Verdict, err = e.replay(ctx, q, say)
	case q.Do == "fork":
		last.Forked, err = e.fork(ctx, q, say)
	case q.Do == "repeat":
		last.Seeded, err = e.repeat(ctx, q, say)
	default:
		err = fmt.Errorf("there is no request %q, want open, replay, fork or repeat", q.Do)
	}
	if last.Kind = "done"; err != nil {
		last = Event{Kind: "error", Error: err.Error(), Stopped: ctx.Err() != nil}
		var other *solvers.RevisionError
		if errors.As(err, &other) {
			last.Wanted = fmt.Sprintf("revision %d of %s/%s", other.Record, other.Solver, other.Variant)
		}
	}
	say(last)
}

// open takes in a record with its instance.
func (e *Engine) open(ctx context.Context, q Request) (*Opened, error) {
	rec, err := record.Decode(strings.NewReader(q.Record))
	if err != nil {
		return nil, err
	}
	inst, err := instanceOf(q.Instance, rec.Header.Instance)
	if err != nil {
		return nil, err
	}
	if err := Replayable(rec); err != nil {
		return nil, err
	}
	r, err := solvers.Back(ctx, rec, nil, inst, rec.Header.Run, solvers.Boundary{}, nil,
		solvers.ReplayOptions{Backend: backend})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	o := &Opened{Engine: runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH, End: rec.End}
	if o.Params, err = r.Params(ctx); err != nil {
		return nil, err
	}
	for _, p := range o.Params {
		o.Ranges = append(o.Ranges, solvers.RangeOf(p))
	}
	if t, ok := inst.(*datasets.TSP); ok {
		o.X, o.Y = t.ShowX, t.ShowY
	}
	e.rec, e.inst, e.trace = rec, inst, nil
	return o, nil
}

// Replayable says why a page cannot make a record again; nil where it can.
func Replayable(rec *record.Record) error { return solvers.Replayable(rec, backend) }

// A teller gathers what a run makes, and says it ten times a second.
type teller struct {
	e     *Engine
	say   func(Event)
	total int64
	room  int // entries of solutions that are said one by one
	ev    Event
	late  *Tour // the last new best that there was no room for
	at    time.Time
}

const (
	tellEvery   = 100 * time.Millisecond
	mostEntries = 4 << 20
)

func (e *Engine) teller(total int64, say func(Event)) *teller {
	return &teller{
		e: e, say: say, total: total, room: cmp.Or(e.MostEntries, mostEntries), at: time.Now(),
	}
}

// better takes in a new best solution.
func (t *teller) better(b record.Best) {
	perm := b.Solution.Perm
	if perm == nil {
		return
	}
	tour := Tour{b.Iter, append([]int32(nil), perm...)}
	if t.room -= len(perm); t.room >= 0 {
		t.ev.Tours = append(t.ev.Tours, tour)
	} else {
		t.late = &tour
	}
}

// each takes in a point.
func (t *teller) each(p *record.Point) {
	t.ev.Points = append(t.ev.Points, [4]number{
		number(p.Iter), number(p.Best), number(p.IterBest), number(p.Mean),
	})
	t.ev.Done = p.Iter
	t.pace()
}

// pace says what there is when it is time.
func (t *teller) pace() {
	if time.Since(t.at) < tellEvery {
		return
	}
	t.flush()
	if t.e.Pause != nil {
		t.e.Pause()
	}
}

// flush says what was not yet said.
func (t *teller) flush() {
	if t.late != nil {
		t.ev.Tours = append(t.ev.Tours, *t.late)
		t.late = nil
	}
	t.ev.Kind, t.ev.Total = "progress", t.total
	t.say(t.ev)
	t.ev, t.at = Event{Done: t.ev.Done}, time.Now()
}

// replay makes the record again, and compares.
func (e *Engine) replay(ctx context.Context, q Request, say func(Event)) (*Verdict, error) {
	began := time.Now()
	t := e.teller(e.rec.End, say)
	e.trace = e.trace[:0]
	var lacks []string
	d, err := solvers.Replay(ctx, e.rec, e.inst, solvers.ReplayOptions{
		Backend: backend, Better: t.better, Lacks: func(what []string) { lacks = what },
		Each: func(p *record.Point) {
			e.trace = append(e.trace, mark{p.Best, p.Digest})
			t.each(p)
		},
	})
	nothing := errors.Is(err, solvers.ErrNothing)
	if err != nil && !nothing {
		return nil, err
	}
	t.flush()
	v := &Verdict{
		Identical: d == nil && !nothing, Iter: e.rec.End, Seconds: time.Since(began).Seconds(),
	}
	if h := e.rec.Header; h.Backend != backend {
		v.On = h.Backend
	}
	if d != nil {
		v.Iter = d.Iter
		v.Words = "differs from the record, first at " + d.String()
		return v, nil
	}
	v.Words = fmt.Sprintf("identical over %d iterations", e.rec.End)
	if len(lacks) > 0 {
		v.Words += " in what the record has; it lacks " + strings.Join(lacks, ", and ")
	}
	if nothing {
		v.Words = "nothing to compare: the record has no points"
	}
	if !e.rec.Whole {
		v.Words += "; the record was cut short there"
	}
	if n := e.rec.Seeds(); n > 0 {
		v.Words += fmt.Sprintf("; of its repeats, with %d seeds, nothing was made again", n)
	}
	return v, nil
}
