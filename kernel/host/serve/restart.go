package serve

import (
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
	"syscall"

	"golang.org/x/sys/unix"

	"metalab/kernel/host"
)

// After some errors of a GPU, such as a kernel's illegal address, nothing works any more on it in
// this process. Then the host saves its runs, executes itself again in place and loads them. It
// keeps its process id, socket, lock and lifeline, so that clients notice only a delay: connections
// break, and clients send unanswered requests again, which wait in the socket for the next process.
// A file has what that process must know. A host that grows becomes another program in this way.

// envHandoff names the file of the handoff, in a process that continues where another stopped.
const envHandoff = "METALAB_HANDOFF"

// handoff is what a host passes to the process that it becomes.
type handoff struct {
	*host.Handoff
	Listener int `json:"listener"` // file descriptors
	Lock     int `json:"lock"`
}

// abandon ends a request without an answer, once a new one would reach the next process.
func (h *Server) abandon() {
	<-h.Context().Done()
	<-h.closed
	panic(http.ErrAbortHandler)
}

// serveAgain ends the host so that the next process goes on with everything. It returns only
// when that could not be started.
func (h *Server) serveAgain(l *listener, srv *http.Server) error {
	u := l.Listener.(peers)
	listener, err1 := keepOpen(u.UnixListener) // before the server closes its own
	held, err2 := keepOpen(l.lock)
	_ = l.Close() // requests that come now wait for the next process
	close(h.closed)
	ho := handoff{h.Park(func() { h.EndServer(srv) }), listener, held}
	err := errors.Join(err1, err2)
	if err == nil {
		err = h.reexec(ho)
	}
	return fmt.Errorf("host: go on in another process (%s): %w; the runs were autosaved: start a "+
		"session, then type recover", ho.Reason, err)
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
func (h *Server) reexec(ho handoff) error {
	path := filepath.Join(h.Dir(), "handoff")
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
	if ho.Program != "" {
		self = ho.Program
	}
	env := slices.DeleteFunc(os.Environ(), func(s string) bool {
		return strings.HasPrefix(s, envChild+"=") || strings.HasPrefix(s, envHandoff+"=")
	})
	if config := h.config; config != "" {
		env = append(env, envChild+"="+config)
	}
	env = append(env, envHandoff+"="+path)
	// Close what other parts of the program left open, above all the GPU's driver.
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
	if f, ok := h.Options().Lifeline.(*os.File); ok {
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

// Restarted reports whether this process must continue a host that went on in another one, because
// its GPU failed or it grew. It returns false once that host serves.
func Restarted() bool { return os.Getenv(envHandoff) != "" }

// inherit reads what the process before left for a session; nil if there is nothing.
func inherit(o host.Options) (*host.Handoff, *listener, error) {
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
	return ho.Handoff, &listener{
		Listener: peers{u}, lock: os.NewFile(uintptr(ho.Lock), lockPath(o.Socket)),
		path: o.Socket,
	}, nil
}
