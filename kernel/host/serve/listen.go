package serve

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"metalab/kernel/host/internal/lock"
	"metalab/kernel/wire"
)

// ErrTaken is wrapped by the error of a second host of a session.
var ErrTaken = errors.New("the session has a host already")

// listener is the socket of a session, and the lock that this process holds for it.
type listener struct {
	net.Listener
	lock *os.File
	path string
}

// listen acquires the session's lock, removes a stale socket and listens. It creates the folder
// with mode 0700; an existing one must have that mode and belong to the user.
func listen(path string) (*listener, error) {
	if err := privateDir(filepath.Dir(path)); err != nil {
		return nil, err
	}
	held, err := lock.Take(lockPath(path))
	if err != nil {
		if errors.Is(err, lock.ErrTaken) {
			err = fmt.Errorf("session %s: %w; attach to it", sessionOf(path), ErrTaken)
		}
		return nil, err
	}
	// This process has the lock, so a file at path is stale.
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		lock.Free(held)
		return nil, err
	}
	// Listening under a temporary name and moving the socket into place gives it its mode
	// before anybody can find it, without the process's umask, which all goroutines share.
	tmp := path + "~"
	_ = os.Remove(tmp)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: tmp, Net: "unix"})
	if err != nil {
		lock.Free(held)
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	if err = os.Chmod(tmp, 0o600); err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		l.Close()
		os.Remove(tmp)
		lock.Free(held)
		return nil, err
	}
	return &listener{Listener: peers{l}, lock: held, path: path}, nil
}

func sessionOf(path string) string { return strings.TrimSuffix(filepath.Base(path), ".sock") }

func lockPath(path string) string { return strings.TrimSuffix(path, ".sock") + ".lock" }

// release removes the socket and frees the lock of the session.
func (l *listener) release() {
	l.Close()
	os.Remove(l.path)
	os.Remove(lockPath(l.path))
	lock.Free(l.lock)
}

// privateDir makes a folder that only the user may enter, or checks that it is one.
func privateDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("%w (set XDG_RUNTIME_DIR to a folder that you may write to)", err)
	}
	return wire.CheckDir(dir)
}

// peers lets in only processes of the user.
type peers struct{ *net.UnixListener }

// Accept returns the next connection of a process of the user, and closes others.
func (l peers) Accept() (net.Conn, error) {
	for {
		c, err := l.UnixListener.AcceptUnix()
		if err != nil {
			return nil, err
		}
		if uid, err := peerUID(c); err == nil && wire.MayTalk(uid, os.Getuid()) {
			return c, nil
		}
		c.Close()
	}
}

// peerUID is the user of the process at the other end.
func peerUID(c *net.UnixConn) (uid int, err error) {
	rc, err := c.SyscallConn()
	if err != nil {
		return 0, err
	}
	if cerr := rc.Control(func(fd uintptr) { uid, err = wire.PeerUID(int(fd)) }); cerr != nil {
		return 0, cerr
	}
	return uid, err
}
