package host

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"metalab/datasets"
	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// A Run is a run and what the host stores with it.
type Run struct {
	name    string
	run     *solvers.Run
	asked   *wire.OpenRequest // that opened it; nil for forks and loaded runs
	forked  *wire.ForkRequest // that made it, for forks; set while its name is reserved
	host    *Host
	active  atomic.Int32          // steps that wait
	limits  atomic.Pointer[order] // that end its standing order; an event tells of that
	unwatch context.CancelFunc    // called when the run leaves the host
	saving  context.Context       // ends the autosave
	ended   context.CancelFunc
	keep    *keeper

	mu   sync.Mutex
	decl []record.Param // the declarations, with the values at adoption
	lastSave
	recovered bool               // from an autosave
	shown     map[string][]int32 // the tour of the last picture, by the client that saw it
	printed   int                // lines of a declared solver that answers of steps have shown

	repeating *repeating // nil when no repeat is under way
	over      bool       // no other repeat may begin
	placed    Placed     // has its islands made elsewhere; nil: they are here
}

// lastSave is of a run that was saved.
type lastSave struct {
	saved   string // path
	tag     tag    // of the file as it was written
	savedAt int64  // its iteration
	savedOf int    // results of repeats that there were then
}

// reserve makes sure that only one caller at a time opens a run of this name. The caller must call
// the returned function when the run is open or has failed to open.
func (h *Host) reserve(ctx context.Context, name string) (func(), error) {
	for {
		h.mu.Lock()
		busy := h.naming[name]
		if busy == nil {
			busy = make(chan struct{})
			h.naming[name] = busy
			h.mu.Unlock()
			return func() {
				h.mu.Lock()
				delete(h.naming, name)
				h.mu.Unlock()
				close(busy)
			}, nil
		}
		h.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// checkRun returns an error unless a run may have this name.
func checkRun(name string) error {
	for _, k := range view.Kinds() {
		if k.Name == name {
			return wrong(fmt.Sprintf("name %q: it is a figure; take another", name))
		}
	}
	return wire.CheckRun(name)
}

// name checks the name of a new run, or chooses the next free letter, and reserves it.
func (h *Host) name(ctx context.Context, as string) (string, func(), error) {
	if as != "" {
		if err := checkRun(as); err != nil {
			return "", nil, err
		}
		free, err := h.reserve(ctx, as)
		return as, free, err
	}
	for i := 0; ; i++ {
		name := string(rune('a' + i%26))
		if i >= 26 {
			name += fmt.Sprint(i / 26)
		}
		h.mu.Lock()
		taken := h.runs[name] != nil || h.naming[name] != nil
		h.mu.Unlock()
		if !taken {
			free, err := h.reserve(ctx, name)
			if err != nil || h.Lookup(name) == nil {
				return name, free, err
			}
			free()
		}
	}
}

func (h *Host) Lookup(name string) *Run {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.runs[name]
}

// Find returns the run with this name; the error lists the runs that there are.
func (h *Host) Find(name string) (*Run, error) {
	if e := h.Lookup(name); e != nil {
		return e, nil
	}
	h.mu.Lock()
	names := strings.Join(h.order, ", ")
	h.mu.Unlock()
	saved := h.savedHint(name)
	switch {
	case saved != "":
		saved = "; saved: " + saved
		names = or(names, "none")
	case names == "":
		names = "none; open one: open acs pr1002 as a"
	}
	if name == "" {
		return nil, &wire.Error{Code: wire.CodeRun, Message: "no run was named; there are: " + names}
	}
	return nil, &wire.Error{
		Code:    wire.CodeRun,
		Message: fmt.Sprintf("there is no run %q; there are: %s%s", name, names, saved),
	}
}

// entries returns the runs as they were opened.
func (h *Host) entries() []*Run {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []*Run
	for _, n := range h.order {
		out = append(out, h.runs[n])
	}
	return out
}

// stepping reports whether any run iterates.
func (h *Host) stepping() bool {
	return h.busy.Load() > 0 || slices.ContainsFunc(h.entries(), func(e *Run) bool {
		s := e.run.State()
		return s == solvers.Stepping || s == solvers.Running || e.active.Load() > 0
	})
}

// adopt makes a run the host's under its name.
func (h *Host) adopt(r *solvers.Run, asked *wire.OpenRequest) (*Run, error) {
	e := &Run{
		name: r.Name(), run: r, asked: asked, host: h,
		shown: map[string][]int32{},
	}
	var err error
	if e.decl, err = r.Params(context.Background()); err != nil { // at once: it is paused
		return nil, err
	}
	e.decl = append(e.decl, devicesParam(r)...)
	_, e.printed = h.guests.Printed(r.Variant().Solver, 0)
	e.saving, e.ended = context.WithCancel(context.Background())
	e.keep = h.store.keep(e) // the record exists, if it can, before the run is listed
	h.mu.Lock()
	if h.ctx.Err() != nil {
		h.mu.Unlock()
		r.Close()
		e.ended()
		<-e.keep.done
		e.keep.discard()
		return nil, &wire.Error{Code: wire.CodeHost, Message: "the host is ending"}
	}
	h.runs[e.name] = e
	h.order = append(h.order, e.name)
	var watching context.Context
	watching, e.unwatch = context.WithCancel(context.Background())
	state, updates := r.State(), r.Watch(watching, pointEvery)
	h.work.Go(func() { e.watch(state, updates) })
	h.mu.Unlock()
	s := e.Status("")
	h.Publish(wire.Event{Kind: wire.EventOpened, Status: &s})
	return e, nil
}

// leavePatience is how long autosaves may take to be brought up to date at the end of the host.
const leavePatience = 4 * time.Second

// hostEnds is the name of the host's end in pauses of runs.
const hostEnds = "the end of the host"

// The fates of a closed run's autosave.
type ending int

const (
	dropIt  ending = iota // it is removed
	shelve                // kept separately, and recoverable for a while
	leaveIt               // it stays as it is, at the end of the host
)

// blank reports whether the run has neither iterations nor results of seeds. Closing such a run
// forgets it unless it was changed; the end of the host does not: its user did not close it.
func (e *Run) blank() bool { return e.run.Last().Iter == 0 && e.run.Seeds() == 0 }

// untouched reports whether the run has neither iterations nor changes.
func (e *Run) untouched() bool { return e.blank() && len(e.run.Journal()) == 0 }

// A closing says what became of the autosave of a run that was closed.
type closing struct {
	run     string
	kept    bool     // it can be recovered
	trouble string   // why not, or not all of it
	gone    []string // closed runs whose autosaves made room
}

// note returns the message for the user; with as, the run is recovered under another name.
func (c *closing) note(as string) string {
	var out []string
	if c.kept {
		out = append(out, fmt.Sprintf("recover %s, until %s", c.run+as,
			time.Now().Add(closedFor).Format("2 January 15:04")))
	}
	if c.trouble != "" {
		what := "it cannot be recovered: "
		if c.kept {
			what = "not all of it was autosaved: "
		}
		out = append(out, what+c.trouble)
	}
	if len(c.gone) > 0 {
		out = append(out, "to make room, what was autosaved of these closed runs was removed: "+
			strings.Join(c.gone, ", "))
	}
	return strings.Join(out, "; ")
}

// drop closes a run.
func (h *Host) drop(e *Run, then ending) (c closing) {
	c.run = e.name
	h.mu.Lock()
	mine := h.runs[e.name] == e
	if mine {
		delete(h.runs, e.name)
		h.order = slices.DeleteFunc(h.order, func(n string) bool { return n == e.name })
	}
	h.mu.Unlock()
	if !mine {
		return c
	}
	e.endRepeat(solvers.ErrClosed, true)
	// The last append needs the run, so the autosave ends first.
	switch then {
	case shelve:
		_ = e.run.Finish() // fails only on a closed run
	case leaveIt:
		_ = e.run.Pause(hostEnds)
	}
	s := e.Status("")
	if then == shelve && e.untouched() {
		then = dropIt
	}
	if then != dropIt {
		e.ended()
		<-e.keep.done
	}
	e.run.Close()
	e.unplace()
	e.ended()
	<-e.keep.done
	switch then {
	case dropIt:
		e.keep.discard()
	case shelve:
		e.mu.Lock()
		spare := e.recovered
		c.trouble = e.keep.bad
		e.mu.Unlock()
		var err error
		if c.gone, err = h.store.shelve(e.keep, spare); err != nil {
			h.Logf("what was closed of %s cannot be recovered: %v", e.name, err)
			c.trouble = cmp.Or(c.trouble, err.Error())
		}
		c.kept = err == nil
	}
	e.unwatch()
	s.State = string(solvers.Closed)
	h.Publish(wire.Event{Kind: wire.EventClosed, Status: &s})
	return c
}

// ending says what happens to the autosave at the end of the host.
func (e *Run) ending() ending {
	if e.onFile() || e.host.discard.Load() && !(e.recovered && e.host.spare.Load()) {
		return dropIt
	}
	return leaveIt
}

// onFile reports whether the run stands as it was saved to a file that is there as it was written.
func (e *Run) onFile() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.saved == "" || e.savedAt != e.run.Last().Iter || e.savedOf != e.run.Seeds() {
		return false
	}
	t, err := tagOf(e.saved)
	return err == nil && t == e.tag
}

// leaves pauses all runs and returns what will be left of them at the end of the host, each looked
// at on the disk, and which of them are lost, with the reason.
func (h *Host) leaves() (out []reply.Autosave, lost []string) {
	out = []reply.Autosave{}
	ctx, cancel := context.WithTimeout(h.ctx, leavePatience)
	defer cancel()
	var wg sync.WaitGroup
	for _, e := range h.entries() {
		wg.Go(func() { _ = e.run.Pause(hostEnds) }) // fails only on a closed run
	}
	wg.Wait()
	for _, e := range h.entries() {
		if e.ending() != leaveIt || h.store.nowhere {
			continue
		}
		err := e.keep.flush(ctx)
		if _, serr := os.Stat(e.keep.path); serr != nil {
			if !e.untouched() {
				lost = append(lost, fmt.Sprintf("%s: %v", e.name, err))
			}
			continue
		}
		s := e.Status("")
		e.mu.Lock()
		damage := e.keep.bad
		if damage != "" {
			s.Iteration = e.keep.iter
		}
		e.mu.Unlock()
		out = append(out, reply.Autosave{
			ID: filepath.Base(h.store.dir) + "/" + e.name, Session: h.o.Session, Notebook: h.o.Notebook,
			Run:    e.name,
			Solver: s.Solver, Variant: s.Variant, Instance: s.Instance, Iteration: s.Iteration, Best: s.Best,
			At: time.Now().UTC(), Path: e.keep.path, Damage: damage,
		})
	}
	return out, lost
}

// closeRuns closes all runs at the end of the host.
func (h *Host) closeRuns() {
	var wg sync.WaitGroup
	for _, e := range h.entries() {
		wg.Go(func() { h.drop(e, e.ending()) })
	}
	wg.Wait()
}

// Params are the parameters with their values, from header and journal: asking the run
// would wait for the end of an iteration, which may be long.
func (e *Run) Params() []reply.Param {
	e.mu.Lock()
	ps := slices.Clone(e.decl)
	e.mu.Unlock()
	now := present(e)
	for i := range ps {
		if v, ok := now[ps[i].Name]; ok {
			ps[i].Value = v
		}
	}
	return wireParams(ps)
}

// Status returns the run's status.
func (e *Run) Status(verb string) reply.Status {
	s := statusOf(verb, e.name, e.run, e.run.Last())
	s.Repeat = e.repeatStand()
	s.Endless = s.State == string(solvers.Running) && e.limits.Load() == nil
	return s
}

func statusOf(verb, name string, r *solvers.Run, p record.Point) reply.Status {
	v, best, sense := r.Variant(), bestKnown(r), senseOf(r)
	s := reply.Status{
		Verb: verb, Run: name, Solver: v.Solver, Variant: v.Name, Instance: r.Instance().Name(),
		Backend: v.Backend, GPUs: gpusOf(r),
		State: string(r.State()), Iteration: p.Iter, Best: value(sense, p.Best), Optimum: nan,
		Gap: reply.Num(solvers.Gap(p.Best, best)), WallS: reply.Num(p.Wall), CPUS: reply.Num(p.CPU),
	}
	if best != nil {
		s.Optimum = value(sense, *best)
	}
	s.Trouble = r.Trouble()
	s.Spins = spinsOf(r.Instance(), p.Best)
	if _, doubt := r.Doubt(); doubt != nil {
		s.Best, s.Gap, s.Spins = nan, nan, nil
	}
	return s
}

// spinsOf is a cost as cut and energy; nil for other instances, and where nothing was found.
func spinsOf(inst datasets.Instance, cost float64) *reply.Spins {
	c, ok := inst.(*datasets.Cut)
	if !ok || math.IsInf(cost, 0) || math.IsNaN(cost) {
		return nil
	}
	a := c.Answer(int64(cost))
	return &reply.Spins{
		Cut: reply.Num(a.Cut), Energy: reply.Num(a.Energy), Offset: reply.Num(a.Offset),
	}
}

// senseOf says which values of a run's objective are better.
func senseOf(r *solvers.Run) record.Sense { return solvers.SenseOf(r.Instance()) }

// value is the value of the objective that a cost stands for, as answers have it. That of a run
// that has found nothing is none.
func value(s record.Sense, cost float64) reply.Num { return reply.Num(s.Value(cost)) }

func bestKnown(r *solvers.Run) *float64 { return bestOf(r.Instance()) }

// bestOf is the best known cost of an instance; nil: none is known.
func bestOf(inst datasets.Instance) *float64 {
	if b, ok := inst.BestKnown(); ok {
		return &b.Value
	}
	return nil
}

// pointEvery is the time between two point events of a run.
const pointEvery = time.Second / 30

// watch turns the run's updates into events.
func (e *Run) watch(state solvers.State, updates iter.Seq[solvers.Update]) {
	var at int64
	for u := range updates {
		s := statusOf("", e.name, e.run, u.Point)
		s.State = string(u.State)
		for _, c := range u.Changes {
			w := wireChange(c)
			e.host.Publish(wire.Event{Kind: wire.EventChange, Status: &s, Change: &w})
		}
		if u.Point.Iter != at {
			at = u.Point.Iter
			w := wirePoint(u.Point, senseOf(e.run))
			e.host.Publish(wire.Event{Kind: wire.EventPoint, Status: &s, Point: &w})
		}
		if u.Err != nil && state != u.State {
			e.host.IfLost(u.Err)
		}
		if u.State != state && u.State != solvers.Closed { // EventClosed tells of the end
			state = u.State
			e.host.Publish(wire.Event{Kind: wire.EventState, Status: &s, Note: FirstLine(u.Why)})
		}
		e.tellLimits()
	}
}

// tellLimits sends an event, once, when a run with a standing order and limits has stopped.
func (e *Run) tellLimits() {
	limits := e.limits.Load() // before the state: they are set when the run continues
	if limits == nil || e.run.State() != solvers.Paused || !e.limits.CompareAndSwap(limits, nil) {
		return
	}
	journal := e.run.Journal()
	if n := len(journal); n > 0 && journal[n-1].Kind == record.KindStop && journal[n-1].Who == "" {
		e.host.Publish(wire.Event{
			Kind: wire.EventNotice, Note: e.Status("").Line() + "; stopped: " + journal[n-1].Name,
		})
	}
}

func FirstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}
