package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
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

	detached  atomic.Bool
	discard   atomic.Bool           // leave no autosaves
	spare     atomic.Bool           // except of runs that were recovered
	again     atomic.Pointer[error] // the failure of a GPU, for which the host restarts
	loaded    chan struct{}         // closed when the runs of the process before are open again
	closed    chan struct{}         // closed when the listener takes no connection any more
	conns     atomic.Int64
	busy      atomic.Int32 // replays and repeats that are being made
	cores     cores        // which a repeat or an experiment has
	following following    // who follows the events
	seen      atomic.Int64 // when a client was last attached, ns

	mu     sync.Mutex
	runs   map[string]*entry
	order  []string // of the runs, as they were opened
	naming map[string]chan struct{}

	insts  instances
	gpus   gpus
	guests *guest.Session
	pages  pages
	tables tables

	studies studies
}

// errEnded is why a host ends that a client asked to end.
var errEnded = errors.New("host: ended")

// Serve is a host: it returns when ctx ends, when a client asks for its end, when the
// lifeline breaks, or when a detached host was idle for long enough. All runs are closed
// and autosaved then, and socket and lock are gone. The error is nil after such an end, wraps
// ErrTaken when the session has a host, and is what went wrong otherwise.
func Serve(ctx context.Context, o Options) error {
	if err := o.fill(); err != nil {
		return err
	}
	before, l, err := inherit(o)
	if err == nil && l == nil {
		l, err = listen(o.Socket)
	}
	if err != nil {
		return err
	}
	defer l.release()
	h, err := newHost(ctx, o)
	if err != nil {
		return err
	}
	return h.serve(l, before)
}

func newHost(ctx context.Context, o Options) (*Host, error) {
	st, err := openStore(o.StateDir, o.Session, o.Notebook)
	if err != nil {
		return nil, err
	}
	h := &Host{
		o: o, started: time.Now(), hub: newHub(), calls: newCalls(), store: st, build: wire.Build(),
		runs: map[string]*entry{}, naming: map[string]chan struct{}{},
		loaded: make(chan struct{}), closed: make(chan struct{}),
		insts: instances{loaded: map[string]*loadedInstance{}},
	}
	h.guests = h.newGuests()
	h.detached.Store(o.Detached)
	h.seen.Store(time.Now().UnixNano())
	h.ctx, h.stop = context.WithCancelCause(ctx)
	h.pages.handler = h.pageHandler()
	return h, nil
}

// serve answers requests until the host ends. before is what the process before left; nil if there
// was none.
func (h *Host) serve(l *listener, before *handoff) error {
	if before != nil {
		h.started, h.hub.next = before.Started, before.Event
		h.detached.Store(before.Detached)
		h.resumePages(before.Pages)
	}
	srv := &http.Server{
		Handler:           h.handler(),
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          nil,
		BaseContext:       func(net.Listener) context.Context { return h.ctx },
		ConnState:         h.connState,
	}
	srv.ErrorLog = quiet(h.o.Log)
	failed := make(chan error, 1)
	h.work.Go(func() { failed <- srv.Serve(l) })
	h.work.Go(h.mindIdle)
	if before != nil {
		h.work.Go(func() { h.reload(before) })
	} else {
		close(h.loaded)
	}
	if h.o.Lifeline != nil {
		// The read ends only when the starter ends, so the host does not wait for this goroutine.
		go h.mindLifeline()
	}
	h.logf("session %s at %s, process %d, %s", h.o.Session, h.o.Socket, os.Getpid(), h.build)
	if h.o.Ready != nil {
		h.o.Ready()
	}
	var err error
	select {
	case <-h.ctx.Done():
	case err = <-failed:
		h.stop(err)
	}
	h.logf("ends: %v", context.Cause(h.ctx))
	if h.restarting() {
		return h.serveAgain(l, srv)
	}
	close(h.closed)
	h.hub.publish(wire.Event{Kind: wire.EventEnds, Note: fmt.Sprintf("session %s %s", h.o.Session,
		h.whyEnds())})
	h.closeRuns()
	h.guests.Close()
	h.gpus.close()
	h.hub.close()
	h.endServer(srv)
	h.work.Wait()
	if err := h.studies.close(); err != nil {
		h.logf("experiments: %v", err)
	}
	h.store.close(h.discard.Load(), h.spare.Load())
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}

// whyEnds returns why the host ends, and what happens to its runs.
func (h *Host) whyEnds() string {
	why := strings.TrimPrefix(firstLine(context.Cause(h.ctx).Error()), "host: ")
	if h.discard.Load() {
		return why
	}
	return why + "; its runs are autosaved, recover lists them"
}

// connState counts connections.
func (h *Host) connState(_ net.Conn, s http.ConnState) {
	switch s {
	case http.StateNew:
		h.conns.Add(1)
	case http.StateClosed, http.StateHijacked:
		h.conns.Add(-1)
	default:
	}
	h.seen.Store(time.Now().UnixNano())
}

// endServer waits a while for answers that are being written.
func (h *Host) endServer(srv *http.Server) {
	end, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if srv.Shutdown(end) != nil {
		srv.Close()
	}
}

func (h *Host) mindLifeline() {
	_, _ = io.Copy(io.Discard, h.o.Lifeline)
	if !h.detached.Load() {
		h.stop(fmt.Errorf("%w: the front end that started it has gone", errEnded))
	}
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
			h.stop(fmt.Errorf("%w: no client was attached and no run stepped for %v", errEnded, h.o.Idle))
			return
		}
	}
}

// replaying counts work that belongs to no run of the host, so that an idle host does not end
// during it.
func (h *Host) replaying(n int32) { h.busy.Add(n) }

func (h *Host) logf(format string, args ...any) {
	fmt.Fprintf(h.o.Log, "%s %s\n", time.Now().UTC().Format(time.RFC3339),
		fmt.Sprintf(format, args...))
}

// hello returns the host's answer to a client that connects.
func (h *Host) hello() reply.Hello {
	name, _ := os.Hostname()
	notebook := h.o.Notebook
	if h.o.Title != nil {
		notebook = h.o.Title()
	}
	return reply.Hello{
		Protocol: protocol, Build: h.build, Session: h.o.Session, Notebook: notebook,
		PID: os.Getpid(), Started: h.started,
		Detached: h.detached.Load(), Socket: h.o.Socket,
		Machine: fmt.Sprintf("%s %s/%s %d cores", name, runtime.GOOS, runtime.GOARCH, runtime.NumCPU()),
		Shape:   shape(), Note: h.o.Note,
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

// maxInstances is the number of instances that are kept in addition to those of runs.
const maxInstances = 4
