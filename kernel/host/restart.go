package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"metalab/gpu"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// After some errors of a GPU, such as a kernel's illegal address, nothing works any more on it in
// this process. Then the host saves its runs, executes itself again in place and loads them. It
// keeps its process id, socket, lock and lifeline, so that clients notice only a delay: connections
// break, and clients send unanswered requests again, which wait in the socket for the next process.
// A file has what that process must know.

// envHandoff names the file of the handoff, in a process that continues where another stopped.
const envHandoff = "METALAB_HANDOFF"

// handoff is what a host passes to the process that it becomes.
type handoff struct {
	Session  string              `json:"session"`
	Listener int                 `json:"listener"` // file descriptors
	Lock     int                 `json:"lock"`
	Reason   string              `json:"reason"`
	Started  time.Time           `json:"started"`
	Detached bool                `json:"detached"`
	Event    uint64              `json:"event"` // the id of the next one
	Calls    map[string]savedTry `json:"calls"`
	Order    []string            `json:"order"` // of the calls
	Runs     []savedRun          `json:"runs"`
	Arrays   string              `json:"arrays"` // names of what was on the GPUs

	Declared []wire.DeclareRequest `json:"declared,omitempty"` // solvers
	Pages    *savedPages           `json:"pages,omitempty"`
	Studies  []savedStudy          `json:"studies,omitempty"` // experiments in the background
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
	Limits  *wire.GoRequest     `json:"limits,omitempty"` // that end its going
	Repeat  *wire.RepeatRequest `json:"repeat,omitempty"` // in the background
	Asked   *wire.OpenRequest   `json:"asked,omitempty"`
	Forked  *wire.ForkRequest   `json:"forked,omitempty"`
	Saved   string              `json:"saved,omitempty"`
	SavedAt int64               `json:"saved_at,omitempty"`
}

// errAgain is why a host ends that will restart.
var errAgain = errors.New("host: the GPU failed")

// sticky reports whether err leaves the GPU unusable in this process; tests add to it.
var sticky = func(err error) bool { return gpu.IsSticky(err) || gpu.IsLost(err) }

// ifLost restarts the host if err says that a GPU can no longer be used. Answers that are being
// written are sent first.
func (h *Host) ifLost(err error) {
	if err == nil || !sticky(err) || !h.again.CompareAndSwap(nil, &err) {
		return
	}
	h.logf("the GPU failed: %v", err)
	if !h.o.Again {
		h.hub.publish(wire.Event{Kind: wire.EventNotice, Note: fmt.Sprintf(
			"the GPU failed: %s; nothing works on it any more in this process: save the runs "+
				"and start it anew", firstLine(err.Error()))})
		return
	}
	time.AfterFunc(20*time.Millisecond, func() { h.stop(fmt.Errorf("%w: %w", errAgain, err)) })
}

// restarting reports whether the host ends in order to restart.
func (h *Host) restarting() bool { return errors.Is(context.Cause(h.ctx), errAgain) }

// abandon ends a request without an answer, once a new one would reach the next process.
func (h *Host) abandon() {
	<-h.ctx.Done()
	<-h.closed
	panic(http.ErrAbortHandler)
}

// unanswered reports whether an error is due to the restart alone; the call is made again by
// the client, so it gets no answer.
func (h *Host) unanswered(err *wire.Error) bool {
	return err != nil && h.restarting() && (err.Code == wire.CodeCanceled || err.Code == wire.CodeHost)
}

// lost reports whether the run's state is on a GPU that failed.
func (e *entry) lost() bool {
	return e.host.again.Load() != nil && e.run.Variant().Backend == "cuda"
}

// stepLimit is how long the host waits for the end of current iterations before it restarts; longer
// steps are ended as by a pause.
const stepLimit = 30 * time.Second

// withdrawn waits until no call waits for steps of the run. Then their contexts have ended, and it
// is known how many iterations each has made, for when it is sent again.
func (e *entry) withdrawn() {
	for end := time.Now().Add(stepLimit); e.active.Load() > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

// park saves all runs for the next process, without closing them for the clients.
func (h *Host) park() []savedRun {
	entries := h.entries()
	out := make([]savedRun, len(entries))
	var wg sync.WaitGroup
	for i, e := range entries {
		wg.Go(func() {
			s := savedRun{
				Name: e.name, Path: e.keep.path, Going: e.run.State() == solvers.Running,
				Limits: e.limits.Load(), Asked: e.asked, Forked: e.forked, Repeat: e.background(),
			}
			e.endRepeat(errAgain, true)
			e.withdrawn()
			_ = e.run.Pause("the failure of the GPU") // fails only on a closed run
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

// serveAgain ends the host so that the next process goes on with everything. It returns only
// when that could not be started.
func (h *Host) serveAgain(l *listener, srv *http.Server) error {
	ho := handoff{
		Session: h.o.Session, Reason: firstLine((*h.again.Load()).Error()),
		Started: h.started, Detached: h.detached.Load(),
	}
	u := l.Listener.(peers)
	var err1, err2 error
	ho.Listener, err1 = keepOpen(u.UnixListener) // before the server closes its own
	ho.Lock, err2 = keepOpen(l.lock)
	_ = l.Close() // requests that come now wait for the next process
	close(h.closed)
	ho.Runs = h.park()
	ho.Declared = h.guests.Requests()
	h.gpus.mu.Lock()
	ho.Arrays = strings.Join(h.gpus.order, ", ")
	h.gpus.mu.Unlock()
	h.hub.close()
	h.endServer(srv)
	h.work.Wait()
	ho.Studies = h.studies.parked // all work has ended
	ho.Calls, ho.Order = h.calls.export()
	ho.Pages = h.pages.park()
	ho.Event = h.hub.now() + 1
	err := errors.Join(err1, err2)
	if err == nil {
		err = h.reexec(ho)
	}
	return fmt.Errorf("host: start anew after %s: %w; the runs were autosaved: start a session, "+
		"then type recover", ho.Reason, err)
}

// keepOpen duplicates a file descriptor so that it outlives the execution of a program.
func keepOpen(f interface {
	SyscallConn() (syscall.RawConn, error)
},
) (int, error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	fd := -1
	cerr := raw.Control(func(p uintptr) { fd, err = unix.FcntlInt(p, unix.F_DUPFD_CLOEXEC, 64) })
	return fd, errors.Join(cerr, err)
}

// reexec becomes the next process. It returns only when that fails. Nothing of this
// process may be used any more, for descriptors that the next one inherits take the places
// of others.
func (h *Host) reexec(ho handoff) error {
	path := filepath.Join(h.store.dir, "handoff")
	b, err := json.Marshal(ho)
	if err == nil {
		err = os.WriteFile(path, b, 0o600)
	}
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if runtime.GOOS == "linux" {
		self = "/proc/self/exe" // this program, even if its file was replaced or removed
	}
	env := slices.DeleteFunc(os.Environ(), func(s string) bool {
		return strings.HasPrefix(s, envChild+"=") || strings.HasPrefix(s, envHandoff+"=")
	})
	if config := h.o.config; config != "" {
		env = append(env, envChild+"="+config)
	}
	env = append(env, envHandoff+"="+path)
	// What other parts of the program left open, the GPU's driver above all, ends here.
	fds, err := os.ReadDir("/dev/fd")
	if err != nil {
		return err
	}
	for _, e := range fds {
		var fd int
		if _, err := fmt.Sscan(e.Name(), &fd); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
	// Descriptors 3 and 4 are where a host finds its lifeline and tells that it is ready.
	null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	life := null
	if f, ok := h.o.Lifeline.(*os.File); ok {
		if life, err = keepOpen(f); err != nil {
			return err
		}
	}
	for _, d := range [][2]int{{life, 3}, {null, 4}} {
		if d[0] == d[1] {
			continue
		}
		if err := unix.Dup2(d[0], d[1]); err != nil {
			return err
		}
	}
	for _, fd := range []int{3, 4, ho.Listener, ho.Lock} {
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFD, 0); err != nil {
			return err
		}
	}
	return syscall.Exec(self, os.Args, env)
}

// Restarted reports whether this process must continue a host that stopped because its GPU failed.
// It returns false once that host serves.
func Restarted() bool { return os.Getenv(envHandoff) != "" }

// inherit reads what the process before left for a session; nil if there is nothing.
func inherit(o Options) (*handoff, *listener, error) {
	path := os.Getenv(envHandoff)
	if path == "" {
		return nil, nil, nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, fmt.Errorf("host: start anew: %w", err)
	}
	var ho handoff
	if err := json.Unmarshal(b, &ho); err != nil {
		return nil, nil, fmt.Errorf("host: start anew: %w", err)
	}
	if ho.Session != o.Session {
		return nil, nil, nil
	}
	os.Unsetenv(envHandoff)
	os.Remove(path)
	syscall.CloseOnExec(ho.Listener)
	syscall.CloseOnExec(ho.Lock)
	f := os.NewFile(uintptr(ho.Listener), o.Socket)
	l, err := net.FileListener(f) // duplicates it
	f.Close()
	if err != nil {
		return nil, nil, fmt.Errorf("host: start anew: %w", err)
	}
	u := l.(*net.UnixListener)
	u.SetUnlinkOnClose(false)
	return &ho, &listener{
		Listener: peers{u}, lock: os.NewFile(uintptr(ho.Lock), lockPath(o.Socket)),
		path: o.Socket,
	}, nil
}

// reload opens the runs of the process before and sends all clients an event that says what
// happened.
func (h *Host) reload(ho *handoff) {
	defer close(h.loaded)
	h.calls.restore(ho.Calls, ho.Order)
	c := &call{ctx: h.ctx, host: h, who: "the host"}
	var good, bad []string
	for _, q := range ho.Declared {
		declare := func() (err error) { _, _, err = h.guests.Declare(h.ctx, q); return err }
		if q.Problem {
			declare = func() (err error) { _, _, err = h.guests.DeclareProblem(h.ctx, q); return err }
		}
		if err := declare(); err != nil {
			h.logf("%s was not declared again: %v", q.Solver, err)
		}
	}
	for _, s := range ho.Runs {
		if err := h.reopen(c, s); err != nil {
			h.logf("run %s was not reloaded: %v", s.Name, err)
			bad = append(bad, fmt.Sprintf("%s was not reloaded: %s; its autosave is kept, recover lists it",
				s.Name, firstLine(err.Error())))
			continue
		}
		good = append(good, s.Name)
	}
	on := ""
	for _, s := range ho.Studies {
		if err := h.resumeStudy(c, s); err != nil {
			h.logf("experiment %s does not go on: %v", s.Name, err)
			bad = append(bad, fmt.Sprintf("experiment %s does not go on: %s", s.Name,
				firstLine(err.Error())))
			continue
		}
		on += "; experiment " + s.Name + " goes on"
	}
	note := fmt.Sprintf("the GPU failed: %s; the host started anew", ho.Reason)
	if len(good) == 1 {
		note += "; run " + good[0] + " was reloaded"
	} else if len(good) > 1 {
		note += "; runs " + strings.Join(good, ", ") + " were reloaded"
	}
	note += on
	for _, b := range bad {
		note += "; " + b
	}
	if ho.Arrays != "" {
		note += "; arrays and modules on the GPUs are gone (" + ho.Arrays + ")"
	}
	h.logf("%s", note)
	h.hub.publish(wire.Event{Kind: wire.EventNotice, Note: note})
}

// reopen opens a run in the state that it had.
func (h *Host) reopen(c *call, s savedRun) error {
	name, free, err := h.name(c.ctx, s.Name)
	if err != nil {
		return err
	}
	defer free()
	rec, err := record.ReadFile(s.Path)
	if err != nil {
		return err
	}
	inst, err := h.instanceOf(c, rec.Header.Instance)
	if err != nil {
		return err
	}
	r, err := solvers.Load(c.ctx, s.Path, inst, name)
	if err != nil {
		return err
	}
	e, err := h.adopt(r, s.Asked)
	if err != nil {
		return err
	}
	e.forked = s.Forked
	e.mu.Lock()
	e.saved, e.savedAt, e.savedOf = s.Saved, s.SavedAt, r.Seeds()
	e.mu.Unlock()
	if err := e.keep.takeOver(s.Path); err != nil {
		h.logf("the autosave %s stays beside that of the reloaded run: %v", s.Path, err)
	}
	if s.Repeat != nil {
		if _, err := h.repeat(c, s.Repeat); err != nil {
			return err
		}
	}
	if s.Going {
		q := s.Limits
		if q == nil {
			q = &wire.GoRequest{}
		}
		q.Run = name
		_, err = h.goOn(c, q)
	}
	return err
}
