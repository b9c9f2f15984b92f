package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"metalab/datasets"
	"metalab/kernel/guest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
)

// Host owns runs.
type Host struct {
	o       Options
	started time.Time
	hub     *hub
	calls   *calls
	store   *store // of autosaves
	build   string // as in the hello

	ctx  context.Context // ends with the host
	stop context.CancelCauseFunc
	work sync.WaitGroup // goroutines that must end before the host

	standing
	cores     cores     // which a repeat or an experiment has
	following following // who follows the events
	seeders   atomic.Pointer[solvers.SeedWorkers]

	holdings

	guests *guest.Session
	alarms alarms
	rooms  []*furnished
	past   *Handoff // what the process before left; nil: nothing
}

// standing is the state of the host for callers that do not wait.
type standing struct {
	detached atomic.Bool
	discard  atomic.Bool             // leave no autosaves
	spare    atomic.Bool             // except of runs that were recovered
	again    atomic.Pointer[restart] // why the host restarts; nil: it does not
	growing  sync.Once               // tells that the host compiles what it grows into
	loaded   chan struct{}           // closed when the runs of the process before are open again
	conns    atomic.Int64
	busy     atomic.Int32 // replays and repeats that are being made
	seen     atomic.Int64 // when a client was last attached, ns
}

// holdings are the runs of the host, which mu guards, and the instances.
type holdings struct {
	mu     sync.Mutex
	runs   map[string]*Run
	order  []string // of the runs, as they were opened
	naming map[string]chan struct{}

	insts instances
}

// ErrEnded is the cause of an end at a client's request.
var ErrEnded = errors.New("host: ended")

// New returns a host, which answers after [Host.Begin]. Close it in the end. before is the handoff
// of the previous process of the same session; nil if there was none.
func New(ctx context.Context, o Options, before *Handoff) (*Host, error) {
	if err := o.Fill(); err != nil {
		return nil, err
	}
	st := nowhere()
	if !o.InMemory {
		var err error
		if st, err = openStore(o.StateDir, o.Session, o.Notebook); err != nil {
			return nil, err
		}
	}
	h := &Host{
		o: o, started: time.Now(), hub: newHub(), calls: newCalls(), store: st, build: wire.Build(),
		standing: standing{loaded: make(chan struct{})}, past: before,
		holdings: holdings{
			runs: map[string]*Run{}, naming: map[string]chan struct{}{},
			insts: instances{loaded: map[string]*loadedInstance{}},
		},
	}
	h.guests = h.newGuests()
	h.detached.Store(o.Detached)
	h.seen.Store(time.Now().UnixNano())
	h.ctx, h.stop = context.WithCancelCause(ctx)
	if before != nil {
		h.started, h.hub.next = before.Started, before.Event
		h.detached.Store(before.Detached)
	}
	h.furnish()
	return h, nil
}

// Begin lets the host answer requests. Those that come before the runs of the process before are
// open again wait for that.
func (h *Host) Begin() {
	h.work.Go(h.mindIdle)
	if h.past == nil {
		close(h.loaded)
		return
	}
	for _, r := range h.rooms {
		if saved := h.past.Rooms[r.name]; saved != nil && r.hooks.Reopen != nil {
			r.hooks.Reopen(saved)
		}
	}
	h.work.Go(func() { h.reload(h.past) })
}

// Close ends the host: its runs are closed and autosaved. drain, where it is not nil, ends the
// connections of clients; it is called when they have been told everything.
func (h *Host) Close(drain func()) {
	h.stop(ErrEnded)
	h.Logf("ends: %v", context.Cause(h.ctx))
	h.Publish(wire.Event{Kind: wire.EventEnds, Note: fmt.Sprintf("session %s %s", h.o.Session,
		h.whyEnds())})
	h.closeRuns()
	h.guests.Close()
	h.hub.close()
	if drain != nil {
		drain()
	}
	h.work.Wait()
	for _, r := range h.rooms {
		if r.hooks.Close == nil {
			continue
		}
		if err := r.hooks.Close(); err != nil {
			h.Logf("%s: %v", r.name, err)
		}
	}
	h.store.close(h.discard.Load(), h.spare.Load())
}

// Loaded is closed when requests are answered: the runs of the process before are open again.
func (h *Host) Loaded() <-chan struct{} { return h.loaded }

// Stop ends the host, which then must be closed; cause says why.
func (h *Host) Stop(cause error) { h.stop(cause) }

// Context ends with the host.
func (h *Host) Context() context.Context { return h.ctx }

// Options are the settings of the host.
func (h *Host) Options() Options { return h.o }

// Detached reports whether the host continues without the front end that started it.
func (h *Host) Detached() bool { return h.detached.Load() }

// Build returns the build of the host's program, as clients see it.
func (h *Host) Build() string { return h.build }

// Dir is the folder of the host's own files.
func (h *Host) Dir() string { return h.store.dir }

// Guests are the solvers and problems that were declared in the session.
func (h *Host) Guests() *guest.Session { return h.guests }

// Publish sends an event to all clients.
func (h *Host) Publish(e wire.Event) { h.hub.publish(e) }

// Go does work that must end before the host does. It returns an error, and does nothing, where the
// host is ending.
func (h *Host) Go(work func()) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ctx.Err() != nil {
		return &wire.Error{Code: wire.CodeHost, Message: "the host is ending"}
	}
	h.work.Go(work)
	return nil
}

// Busy keeps a host that nobody is attached to from ending until the function that it returns is
// called.
func (h *Host) Busy() (end func()) {
	h.replaying(1)
	return func() { h.replaying(-1) }
}

// whyEnds returns why the host ends, and what happens to its runs.
func (h *Host) whyEnds() string {
	why := strings.TrimPrefix(FirstLine(context.Cause(h.ctx).Error()), "host: ")
	if h.discard.Load() || h.o.InMemory {
		return why
	}
	return why + "; its runs are autosaved, recover lists them"
}

// Connected counts connections: n is 1 for a new one, -1 for one that has ended and 0 for one that
// is used.
func (h *Host) Connected(n int64) {
	h.conns.Add(n)
	h.seen.Store(time.Now().UnixNano())
}

// mindIdle ends a detached host that is no longer used.
func (h *Host) mindIdle() {
	tick := time.NewTicker(min(h.o.Idle/4+time.Millisecond, time.Minute))
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-h.ctx.Done():
			return
		}
		h.store.mind()
		if h.conns.Load() > 0 || h.stepping() || !h.detached.Load() {
			h.seen.Store(time.Now().UnixNano())
			continue
		}
		if time.Since(time.Unix(0, h.seen.Load())) > h.o.Idle {
			h.stop(fmt.Errorf("%w: no client was attached and no run stepped for %v", ErrEnded, h.o.Idle))
			return
		}
	}
}

// replaying counts work that belongs to no run of the host, so that an idle host does not end
// during it.
func (h *Host) replaying(n int32) { h.busy.Add(n) }

// Logf writes a line into the log.
func (h *Host) Logf(format string, args ...any) {
	fmt.Fprintf(h.o.Log, "%s %s\n", time.Now().UTC().Format(time.RFC3339),
		fmt.Sprintf(format, args...))
}

// Hello returns the host's answer to a client that connects.
func (h *Host) Hello() reply.Hello {
	name, _ := os.Hostname()
	notebook := h.o.Notebook
	if h.o.Title != nil {
		notebook = h.o.Title()
	}
	return reply.Hello{
		InMemory: h.o.InMemory,
		Protocol: Protocol(), Build: h.build, Session: h.o.Session, Notebook: notebook,
		PID: os.Getpid(), Started: h.started,
		Detached: h.detached.Load(), Socket: h.o.Socket,
		Machine: fmt.Sprintf("%s %s/%s %d cores", name, runtime.GOOS, runtime.GOARCH, runtime.NumCPU()),
		Shape:   shape(), Note: h.o.Note, Lacks: Lacks(),
	}
}

// instances are the data that are loaded, the latest few of them.
type instances struct {
	mu     sync.Mutex
	loaded map[string]*loadedInstance
	clock  int64
}

type loadedInstance struct {
	inst datasets.Instance
	mod  time.Time // of the file, when it was named by path
	used int64
}

// maxInstances is the number of instances in memory in addition to those of runs.
const maxInstances = 4
