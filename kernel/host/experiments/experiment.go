package experiments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/experiment"
	"metalab/solvers/experiment/sqlite"
)

// room is the experiments of the user, and those that a host makes.
type room struct {
	*host.Host
	mu     sync.Mutex
	file   *sqlite.Store // opened at the first need
	making map[string]*making
	parked []savedStudy     // that the next process goes on with
	within map[string][]int // the GPUs that make the units of an experiment; none: all
}

// making is an experiment that this host makes.
type making struct {
	busy     func() // ends it for the host
	call     string // that waits for it; empty in the background
	progress experiment.Progress
	before   int // units that were done or failed before
	units    int
	over     string // where it runs; see overOf
	steps    bool   // it runs step by step: the time left is unknown
	end      context.CancelCauseFunc
	done     chan struct{} // closed when it has ended

	mu   sync.Mutex
	last string // what the latest unit gave, in words
}

func (m *making) say(s string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = s
}

var experimentName = regexp.MustCompile(`^[\pL\pN._-]{1,100}$`)

var _ = host.HandleIn(here, "experiment", (*room).experiment)

func (h *room) experiment(c *host.Call, q *wire.ExperimentRequest) (*reply.ExperimentReply, error) {
	if q.Name == "" && !h.hasExperiments() {
		return &reply.ExperimentReply{Verb: "experiment"}, nil
	}
	if q.Name == recoverWord && (planned(q) || q.Do == "import") {
		return nil, wrong("experiment: recover saves what a damaged file has: take another name")
	}
	if q.Name == recoverWord && (q.Do == "" || q.Do == "table") {
		return h.recoverStore(c, q.Empty)
	}
	s, err := h.experiments()
	if err != nil {
		return nil, err
	}
	if q.Name == "" {
		return h.listExperiments(c.Context(), s)
	}
	if !experimentName.MatchString(q.Name) {
		return nil, wrong(fmt.Sprintf("experiment: name is %q, want 1 to 100 letters, digits, points, "+
			"dashes and underscores", q.Name))
	}
	_, err = h.overOf(q.Over) // before anything is planned
	if err = cmp.Or(err, h.readOn(q)); err != nil {
		return nil, err
	}
	rep := &reply.ExperimentReply{Verb: "experiment", Path: s.Path()}
	if q.Do == "drop" {
		return h.dropUnits(c, s, rep, q)
	}
	if planned(q) {
		p, err := h.planOf(c.Context(), s, q)
		if err != nil {
			return nil, err
		}
		if err := h.reach(c, q.Over); err != nil {
			return nil, err
		}
		if rep.Added, err = h.plan(c, s, "experiment", q.Name, p); err != nil {
			return nil, err
		}
		return h.makeUnits(c, s, q.Name, q.Again, q.Background, q.Over, rep)
	}
	info, err := s.Info(c.Context(), q.Name)
	if q.Do == "import" && (err == nil || errors.Is(err, experiment.ErrUnknown)) {
		return h.importUnits(c, s, rep, q)
	}
	if errors.Is(err, experiment.ErrUnknown) {
		return nil, wrong(fmt.Sprintf("experiment: there is no experiment %s yet%s; to plan it: "+
			"experiment %s solvers=acs,mmas instances=d198 seeds=10 n=100", q.Name,
			nearExperiment(c.Context(), s, q.Name), q.Name))
	}
	if err != nil {
		return nil, err
	}
	if q.Do == "" && (q.Again || q.Background || q.Over != "") {
		q.Do = "go"
	}
	switch q.Do {
	case "", "table":
		return h.tableOf(c.Context(), s, rep, q.Name)
	case "go":
		return h.makeUnits(c, s, q.Name, q.Again, q.Background, q.Over, rep)
	case "pause":
		return h.pauseUnits(c, s, q.Name, rep)
	case "units", "failures":
		return h.unitsOf(c.Context(), s, rep, q)
	case "slowest":
		return h.slowestOf(c.Context(), s, rep, q)
	case "best":
		return h.bestOf(c.Context(), s, rep, q.Name)
	case "targets", "budgets":
		return h.viewOf(c.Context(), s, rep, q)
	case "report":
		return h.reportOf(c.Context(), s, rep, q.Name)
	case "open":
		return h.openUnit(c, s, rep, q)
	case "export":
		return h.exportUnits(c, s, rep, q)
	case "remove":
		if err := s.Remove(c.Context(), q.Name); err != nil {
			return nil, wrong("experiment: " + err.Error())
		}
		h.Publish(wire.Event{Kind: wire.EventProgress, Experiment: q.Name})
		rep.Note = fmt.Sprintf("experiment %s is removed, with %d results", q.Name, info.Done)
		return rep, nil
	}
	return nil, unknownChoice("experiment: do", q.Do, wire.ExperimentDoings)
}

// plan adds the units of a plan to an experiment, and returns how many are new.
func (h *room) plan(
	c *host.Call, s experiment.Store, verb, name string, p experiment.Plan,
) (added int, err error) {
	units, err := p.Units(c.Context(), h.loader(c.ID()))
	if err != nil {
		text := strings.TrimPrefix(err.Error(), "experiment: ")
		return 0, wrong(verb + ": " + strings.TrimPrefix(text, "solvers: resolve "))
	}
	info, err := s.Info(c.Context(), name)
	old := err == nil
	if err != nil { // units that an experiment has may wait for a machine with a GPU
		for _, u := range units {
			if err := host.NoDevice(verb, u.Backend, u.Device); err != nil {
				return 0, err
			}
		}
	}
	results := info.Done + info.Failed
	switch {
	case old && results > 0 && info.Plan.Budget != p.Budget:
		return 0, wrong(fmt.Sprintf("%s: the units of experiment %s have %v each, not %v: take another "+
			"name", verb, name, info.Plan.Budget, p.Budget))
	case err != nil && !errors.Is(err, experiment.ErrUnknown):
		return 0, err
	}
	dropped := 0
	if old {
		if dropped, err = h.replace(c, s, verb, name, units); err != nil {
			return 0, err
		}
	}
	if added, err = s.Add(c.Context(), name, p, units); err != nil {
		return 0, err
	}
	if added == 0 && dropped == 0 && old {
		return 0, nil // the same line again
	}
	text := fmt.Sprintf("%s: %s", planText(&p), counted(added, "unit"))
	if dropped > 0 {
		text += fmt.Sprintf("; %s of earlier lines dropped that had no result", counted(dropped, "unit"))
	}
	return added, s.Note(c.Context(), name, text)
}

// replace takes out of an experiment the units without results that a new plan does not have: what
// an earlier line planned and this one does not is not made. It returns how many.
func (h *room) replace(
	c *host.Call, s experiment.Store, verb, name string, units []experiment.Unit,
) (int, error) {
	wanted := make(map[experiment.Key]bool, len(units))
	for i := range units {
		wanted[units[i].Key] = true
	}
	var gone []int
	for r, err := range s.Rows(c.Context(), name) {
		if err != nil {
			return 0, err
		}
		if (r.State == experiment.Waiting || r.State == experiment.Making) && !wanted[r.Unit.Key] {
			gone = append(gone, r.Unit.Number)
		}
	}
	if len(gone) == 0 {
		return 0, nil
	}
	var n int
	err := patient(c.Context(), func() (err error) {
		n, err = h.takeOut(c, s, name, gone)
		return err
	})
	if errors.Is(err, experiment.ErrTaken) {
		return 0, wrong(fmt.Sprintf("%s: units of %s are being made that this line does not plan: "+
			"experiment %s pause ends that, and another name leaves it", verb, name, name))
	}
	return n, err
}

// counted is a number of things in words.
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// loader loads instances for a call.
func (h *room) loader(id string) experiment.Loader { return h.Loader(id) }

// beginMaking makes this host the one that makes an experiment. It waits a moment for one that is
// being given up.
func (h *room) beginMaking(
	c *host.Call, name string, background bool,
) (*making, context.Context, error) {
	m := &making{call: c.ID(), done: make(chan struct{})}
	ctx := c.Context()
	if background {
		ctx, m.call = h.Context(), ""
	}
	patience := time.After(host.Withdrawal)
	for {
		h.mu.Lock()
		other := h.making[name]
		if other == nil {
			if h.making == nil {
				h.making = map[string]*making{}
			}
			h.making[name] = m
			ctx, m.end = context.WithCancelCause(ctx)
			h.mu.Unlock()
			m.busy = h.Busy()
			return m, ctx, nil
		}
		h.mu.Unlock()
		select {
		case <-other.done:
		case <-patience:
			return nil, nil, wrong(fmt.Sprintf("experiment %s is being made; experiment %s pause ends that",
				name, name))
		case <-c.Context().Done():
			return nil, nil, c.Context().Err()
		}
	}
}

// endMaking is the end of what beginMaking began.
func (h *room) endMaking(name string, m *making) {
	h.mu.Lock()
	delete(h.making, name)
	h.mu.Unlock()
	m.end(nil)
	close(m.done)
	m.busy()
	h.Publish(wire.Event{Kind: wire.EventProgress, Experiment: name}) // pages ask how it stands
}

// makeUnits makes the units of an experiment that are left, and returns its table.
func (h *room) makeUnits(
	c *host.Call, s experiment.Store, name string, again, background bool, over string,
	rep *reply.ExperimentReply,
) (*reply.ExperimentReply, error) {
	info, err := s.Info(c.Context(), name)
	if err != nil {
		return nil, err
	}
	if info.Left() == 0 && (!again || info.Failed == 0) {
		if again {
			rep.Note = "no unit has failed"
		}
		return h.tableOf(c.Context(), s, rep, name)
	}
	m, ctx, err := h.beginMaking(c, name, background)
	if err != nil {
		return nil, err
	}
	m.before, m.units, m.over = info.Done+info.Failed, info.Units, over
	if rep.Added > 0 && rep.Added < info.Units {
		m.say(fmt.Sprintf("adds %s (%d in all)", counted(rep.Added, "unit"), info.Units))
	}
	if again {
		m.before = info.Done
	}
	if !background {
		err := h.carry(ctx, s, name, again, m)
		h.endMaking(name, m)
		if err != nil {
			return nil, err
		}
		rep.Made = info.Units - m.before
		return h.tableOf(c.Context(), s, rep, name)
	}
	err = h.behindStudy(name, m, savedStudy{Name: name, Over: over}, func() (string, error) {
		if err := h.carry(ctx, s, name, again, m); err != nil {
			return "", err
		}
		note := fmt.Sprintf("experiment %s is made (experiment %s shows its table)", name, name)
		if now, err := s.Info(h.Context(), name); err == nil && now.Left() > 0 {
			note = fmt.Sprintf("experiment %s: %d of %d units are left (experiment %s shows why)", name,
				now.Left(), now.Units, name)
		}
		return note, nil
	})
	if err != nil {
		return nil, err
	}
	rep.ExperimentInfo = h.infoOf(info)
	rep.Note = goesOn(name)
	return rep, nil
}

// goesOn says how to follow work in the background.
func goesOn(name string) string {
	return fmt.Sprintf("it goes on in the background: experiment %s shows how far it is, "+
		"experiment %s pause ends it", name, name)
}

// behindStudy runs work on an experiment in the background. The work returns the message for
// everybody at its end. A host that restarts resumes from saved.
func (h *room) behindStudy(
	name string, m *making, saved savedStudy, work func() (note string, err error),
) error {
	err := h.Go(func() {
		note, err := work()
		h.endMaking(name, m)
		if err != nil {
			note = host.FirstLine(err.Error())
		}
		switch {
		case h.Context().Err() == nil:
			h.Publish(wire.Event{Kind: wire.EventNotice, Note: note, Experiment: name})
		case err != nil && h.Restarting():
			h.park(saved)
		}
	})
	if err != nil {
		h.endMaking(name, m)
	}
	return err
}

// carry makes units on all cores.
func (h *room) carry(
	ctx context.Context, s experiment.Store, name string, again bool, m *making,
) error {
	return h.withCores(ctx, name, m, func(o experiment.Options) error {
		o.Again = again
		_, err := experiment.Make(ctx, s, name, o)
		return err
	})
}

// withCores lets work make units on all cores, and tells how far it is.
func (h *room) withCores(
	ctx context.Context, name string, m *making, work func(experiment.Options) error,
) error {
	x := &host.Holder{
		What: "experiment " + name, End: "experiment " + name + " pause", Background: m.call == "",
		Say: m.say,
	}
	over, err := h.overOf(m.over)
	if err != nil {
		return err
	}
	hold := x.Hold
	if over != nil {
		x, hold = nil, nil
	}
	err = h.OnAllCores(ctx, x, func() wire.Event { return m.event(name) }, func() error {
		return patient(ctx, func() error {
			return work(experiment.Options{
				Load: h.loader(m.call), Machine: host.Machine(), Device: device,
				GPUs: func() ([]int, error) { return h.gpusWithin(name) },
				Lost: h.lostGPU, Progress: &m.progress, Each: m.each, Hold: hold,
				Over: over, Source: sourceOf(h.Host), Note: m.say,
			})
		})
	})
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil && errors.Is(cause, errPausedUnits) {
		on := "experiment " + name + " go"
		if m.steps {
			on = "the line that began it"
		}
		return &wire.Error{Code: wire.CodeCanceled, Message: fmt.Sprintf(
			"experiment %s was paused; what was made is kept: %s goes on", name, on)}
	}
	if errors.Is(err, experiment.ErrTaken) {
		return wrong(err.Error())
	}
	return err
}

// patient does again for a moment what fails because another process makes the experiment: the
// host of a front end that has gone, and which therefore ends.
func patient(ctx context.Context, work func() error) error {
	patience := time.After(host.Withdrawal)
	tick := time.NewTicker(host.Withdrawal / 50)
	defer tick.Stop()
	for {
		err := work()
		if !errors.Is(err, experiment.ErrTaken) {
			return err
		}
		select {
		case <-tick.C:
		case <-patience:
			return err
		case <-ctx.Done():
			return err
		}
	}
}

// each notes what the latest unit gave.
func (m *making) each(r experiment.Row) {
	if r.State == experiment.Failed {
		m.say(fmt.Sprintf("unit %d failed: %s", r.Unit.Number, r.Result.FirstLine()))
		return
	}
	m.say(fmt.Sprintf("%s on %s, seed %d: %v", r.Unit.Label, r.Unit.Instance.Name, r.Unit.Seed,
		reply.Num(r.Unit.Instance.Sense().Value(r.Result.Best))))
}

// errPausedUnits is why an experiment ends that somebody paused.
var errPausedUnits = errors.New("paused")

// far returns how much is done, in units and fractions of units, and the time left; 0: unknown.
func (m *making) far() (made float64, left time.Duration) {
	made, _, left = m.progress.Far()
	if m.steps {
		left = 0
	}
	return made, left
}

// event says how far an experiment is.
func (m *making) event(name string) wire.Event {
	made, left := m.far()
	m.mu.Lock()
	note := "experiment " + name
	if m.last != "" {
		note += "; " + m.last
	}
	m.mu.Unlock()
	e := host.ProgressOf(m.call, note, float64(m.before)+made, m.units, left)
	e.Experiment = name
	return e
}

// pauseUnits ends the making of an experiment.
func (h *room) pauseUnits(
	c *host.Call, s experiment.Store, name string, rep *reply.ExperimentReply,
) (*reply.ExperimentReply, error) {
	h.mu.Lock()
	m := h.making[name]
	h.mu.Unlock()
	if m == nil {
		return nil, wrong(fmt.Sprintf("experiment %s is not being made by this session", name))
	}
	m.end(errPausedUnits)
	select {
	case <-m.done:
	case <-c.Context().Done():
		return nil, c.Context().Err()
	}
	return h.tableOf(c.Context(), s, rep, name)
}
