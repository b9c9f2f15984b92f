package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// After some errors of a GPU, such as a kernel's illegal address, nothing works any more on it in
// this process. Then the host parks its runs, and the next process, which package serve becomes,
// loads them. A host that grows does the same: see grow.go.

// A Handoff is the data that a host passes to the process that it becomes.
type Handoff struct {
	Session  string              `json:"session"`
	Reason   string              `json:"reason"`
	Grown    bool                `json:"grown,omitempty"` // no GPU failed: another program goes on
	Program  string              `json:"-"`               // that goes on; empty: this one
	Started  time.Time           `json:"started"`
	Detached bool                `json:"detached"`
	Event    uint64              `json:"event"` // the id of the next one
	Calls    map[string]savedTry `json:"calls"`
	Order    []string            `json:"order"` // of the calls
	Runs     []savedRun          `json:"runs"`

	Alarms   []string                   `json:"alarms,omitempty"`   // that no cell has shown
	Declared []wire.DeclareRequest      `json:"declared,omitempty"` // solvers
	Rooms    map[string]json.RawMessage `json:"rooms,omitempty"`    // what rooms saved, by their names
}

// savedTry is an attempt.
type savedTry struct {
	Raw       json.RawMessage `json:"raw,omitempty"`
	Err       *wire.Error     `json:"error,omitempty"`
	Made      int64           `json:"made"`
	Withdrawn bool            `json:"withdrawn"`
}

// savedRun is an entry.
type savedRun struct {
	Name    string              `json:"name"`
	Path    string              `json:"path"` // of the record
	Going   bool                `json:"going"`
	Limits  *order              `json:"limits,omitempty"` // that end its going
	Repeat  *wire.RepeatRequest `json:"repeat,omitempty"` // in the background
	Asked   *wire.OpenRequest   `json:"asked,omitempty"`
	Forked  *wire.ForkRequest   `json:"forked,omitempty"`
	Devices []int               `json:"devices,omitempty"`
	Saved   string              `json:"saved,omitempty"`
	SavedAt int64               `json:"saved_at,omitempty"`
}

// errAgain is the cause of the end of a host that will restart.
var errAgain = errors.New("host: it goes on in another process")

// A restart is why a host restarts, and as what.
type restart struct {
	why     error
	program string // that has more rooms, where the host grows; empty: a GPU failed
}

// Sticky reports whether err leaves the GPU unusable in this process.
func Sticky(err error) bool { return gpus.Sticky(err) }

// IfLost restarts the host if err says that a GPU can no longer be used. Answers that are being
// written are sent first.
func (h *Host) IfLost(err error) {
	if err == nil || !Sticky(err) || !h.again.CompareAndSwap(nil, &restart{why: err}) {
		return
	}
	h.Logf("the GPU failed: %v", err)
	if !h.o.Again {
		h.Publish(wire.Event{Kind: wire.EventNotice, Note: fmt.Sprintf(
			"the GPU failed: %s; nothing works on it any more in this process: save the runs "+
				"and start it anew", FirstLine(err.Error()))})
		return
	}
	time.AfterFunc(20*time.Millisecond, func() {
		h.stop(fmt.Errorf("%w: the GPU failed: %w", errAgain, err))
	})
}

// Restarting reports whether the host ends in order to restart.
func (h *Host) Restarting() bool { return errors.Is(context.Cause(h.ctx), errAgain) }

// StartsAnew reports whether the host will restart, because a GPU failed or it grows.
func (h *Host) StartsAnew() bool { return h.o.Again && h.again.Load() != nil }

// Park ends the host so that the next process continues everything, and returns the data for it.
// drain ends the connections of clients.
func (h *Host) Park(drain func()) *Handoff {
	again := h.again.Load()
	ho := &Handoff{
		Session: h.o.Session, Reason: FirstLine(again.why.Error()),
		Grown: again.program != "", Program: again.program,
		Started: h.started, Detached: h.detached.Load(), Rooms: map[string]json.RawMessage{},
	}
	ho.Runs = h.parkRuns()
	ho.Alarms = h.TakeAlarms()
	ho.Declared = h.guests.Requests()
	h.hub.close()
	drain()
	h.work.Wait()
	for _, r := range h.rooms { // all work has ended
		if r.hooks.Park == nil {
			continue
		}
		if x := r.hooks.Park(); x != nil {
			b, err := json.Marshal(x)
			if err != nil {
				h.Logf("%s: %v", r.name, err)
				continue
			}
			ho.Rooms[r.name] = b
		}
	}
	ho.Calls, ho.Order = h.calls.export()
	ho.Event = h.hub.now() + 1
	return ho
}

// Unanswered reports whether an error is due to the restart alone; the client then repeats the
// call, so it gets no answer.
func (h *Host) Unanswered(err *wire.Error) bool {
	return err != nil && h.Restarting() && (err.Code == wire.CodeCanceled || err.Code == wire.CodeHost)
}

// lost reports whether the run's state is on a GPU that failed.
func (e *Run) lost() bool {
	again := e.host.again.Load()
	return again != nil && again.program == "" && e.run.Variant().Backend == "cuda"
}

// stepLimit is how long the host waits for the end of current iterations before it restarts; longer
// steps are ended as by a pause.
const stepLimit = 30 * time.Second

// withdrawn waits until no call waits for steps of the run. Then their contexts have ended, and it
// is known how many iterations each has made, for when it is sent again.
func (e *Run) withdrawn() {
	for end := time.Now().Add(stepLimit); e.active.Load() > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

// parkRuns saves all runs for the next process, without closing them for the clients.
func (h *Host) parkRuns() []savedRun {
	entries := h.entries()
	out := make([]savedRun, len(entries))
	var wg sync.WaitGroup
	for i, e := range entries {
		wg.Go(func() {
			limits := e.limits.Load() // before the state: they are set when the run goes on
			s := savedRun{
				Name: e.name, Path: e.keep.path, Going: e.run.State() == solvers.Running,
				Limits: limits, Asked: e.asked, Forked: e.forked, Repeat: e.background(),
				Devices: e.run.Devices(),
			}
			e.endRepeat(errAgain, true)
			e.withdrawn()
			if h.again.Load().program != "" { // both fail only on a closed run
				_ = e.run.Finish() // which the journal does not tell: it is no pause
			} else {
				_ = e.run.Pause("the failure of the GPU")
			}
			e.mu.Lock()
			if s.Saved, s.SavedAt = e.saved, e.savedAt; e.savedOf != e.run.Seeds() {
				s.Saved = "" // it does not have all results of repeats
			}
			e.mu.Unlock()
			e.ended() // the autosave appends what is new; the state too, unless the run failed
			<-e.keep.done
			e.unwatch()
			out[i] = s
		})
	}
	wg.Wait()
	return out
}

// export makes the attempts ready for the next process; all have ended.
func (cs *calls) export() (map[string]savedTry, []string) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	out := map[string]savedTry{}
	for id, a := range cs.byID {
		select {
		case <-a.done:
			out[id] = savedTry{a.raw, a.err, a.made, a.withdrawn}
		default: // it did not end in time: its result is unknown
		}
	}
	return out, slices.DeleteFunc(slices.Clone(cs.order), func(id string) bool {
		_, ok := out[id]
		return !ok
	})
}

// restore sets the attempts of the process before.
func (cs *calls) restore(m map[string]savedTry, order []string) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.order = order
	for id, s := range m {
		a := &attempt{
			done: make(chan struct{}), raw: s.Raw, err: s.Err, made: s.Made,
			withdrawn: s.Withdrawn,
		}
		close(a.done)
		cs.byID[id] = a
	}
}

// reload opens the runs of the process before and sends all clients an event that says what
// happened.
func (h *Host) reload(ho *Handoff) {
	defer close(h.loaded)
	h.calls.restore(ho.Calls, ho.Order)
	h.alarms.add(ho.Alarms...)
	c := &Call{ctx: h.ctx, host: h, who: "the host"}
	var good, bad []string
	for _, q := range ho.Declared {
		declare := func() (err error) { _, _, err = h.guests.Declare(h.ctx, q); return err }
		if q.Problem {
			declare = func() (err error) { _, _, err = h.guests.DeclareProblem(h.ctx, q); return err }
		}
		if err := declare(); err != nil {
			h.Logf("%s was not declared again: %v", q.Solver, err)
		}
	}
	for _, s := range ho.Runs {
		if err := h.reopen(c, s); err != nil {
			h.Logf("run %s was not reloaded: %v", s.Name, err)
			bad = append(bad, fmt.Sprintf("%s was not reloaded: %s; its autosave is kept, recover lists it",
				s.Name, FirstLine(err.Error())))
			continue
		}
		good = append(good, s.Name)
	}
	on := ""
	for _, r := range h.rooms {
		saved := ho.Rooms[r.name]
		if saved == nil || r.hooks.Resume == nil {
			continue
		}
		notes, worse := r.hooks.Resume(c, saved)
		for _, n := range notes {
			on += "; " + n
		}
		bad = append(bad, worse...)
	}
	h.tellReload(ho, good, bad, on)
}

// tellReload says what became of the process before. Growing is no news, unless something is
// missing then.
func (h *Host) tellReload(ho *Handoff, good, bad []string, on string) {
	note := fmt.Sprintf("the GPU failed: %s; the host started anew", ho.Reason)
	if ho.Grown {
		note = "the session went on in another process: " + ho.Reason
	}
	if len(good) == 1 {
		note += "; run " + good[0] + " was reloaded"
	} else if len(good) > 1 {
		note += "; runs " + strings.Join(good, ", ") + " were reloaded"
	}
	note += on
	for _, b := range bad {
		note += "; " + b
	}
	h.Logf("%s", note)
	if !ho.Grown || len(bad) > 0 || on != "" {
		h.Publish(wire.Event{Kind: wire.EventNotice, Note: note})
	}
}

// reopen opens a run in the state that it had.
func (h *Host) reopen(c *Call, s savedRun) error {
	name, free, err := h.name(c.ctx, s.Name)
	if err != nil {
		return err
	}
	defer free()
	rec, err := record.ReadFile(s.Path)
	if err != nil {
		return err
	}
	inst, err := h.InstanceOf(c, rec.Header.Instance)
	if err != nil {
		return err
	}
	r, err := solvers.Load(c.ctx, s.Path, inst, name)
	if err != nil {
		return err
	}
	if s.Devices != nil { // where they are as they were
		if _, err := r.Move(c.ctx, s.Devices, "the host"); err != nil {
			h.Logf("run %s is on other GPUs than before: %v", name, err)
		}
	}
	e, err := h.adopt(r, s.Asked)
	if err != nil {
		return err
	}
	e.forked = s.Forked
	e.mu.Lock()
	e.saved, e.savedAt, e.savedOf = s.Saved, s.SavedAt, r.Seeds()
	e.tag, _ = tagOf(s.Saved)
	e.mu.Unlock()
	if err := e.keep.takeOver(s.Path); err != nil {
		h.Logf("the autosave %s stays beside that of the reloaded run: %v", s.Path, err)
	}
	if s.Repeat != nil {
		if _, err := h.repeat(c, s.Repeat); err != nil {
			return err
		}
	}
	if s.Going {
		q := wire.GoRequest{}
		var at *start
		if s.Limits != nil {
			q, at = s.Limits.Asked, &s.Limits.At
		}
		q.Run = name
		_, err = h.goFrom(&q, at)
	}
	return err
}
