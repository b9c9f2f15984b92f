package host

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"

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

// listen takes the session's lock, removes a stale socket and listens. The folder is made
// with mode 0700, or must have that mode and be the user's.
func listen(path string) (*listener, error) {
	if err := privateDir(filepath.Dir(path)); err != nil {
		return nil, err
	}
	lock, err := takeLock(lockPath(path))
	if err != nil {
		if errors.Is(err, ErrTaken) {
			err = fmt.Errorf("session %s: %w; attach to it", sessionOf(path), ErrTaken)
		}
		return nil, err
	}
	// This process has the lock, so a file at path is stale.
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		freeLock(lock)
		return nil, err
	}
	// Listening under a temporary name and moving the socket into place gives it its mode
	// before anybody can find it, without the process's umask, which all goroutines share.
	tmp := path + "~"
	_ = os.Remove(tmp)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: tmp, Net: "unix"})
	if err != nil {
		freeLock(lock)
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	if err = os.Chmod(tmp, 0o600); err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		l.Close()
		os.Remove(tmp)
		freeLock(lock)
		return nil, err
	}
	return &listener{Listener: peers{l}, lock: lock, path: path}, nil
}

func sessionOf(path string) string { return strings.TrimSuffix(filepath.Base(path), ".sock") }

func lockPath(path string) string { return strings.TrimSuffix(path, ".sock") + ".lock" }

// release removes the socket and frees the lock of the session.
func (l *listener) release() {
	l.Close()
	os.Remove(l.path)
	os.Remove(lockPath(l.path))
	freeLock(l.lock)
}

// privateDir makes a folder that only the user may enter, or checks that it is one.
func privateDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("%w (set XDG_RUNTIME_DIR to a folder that you may write to)", err)
	}
	return wire.CheckDir(dir)
}

// takeLock locks the file at path for this process; ErrTaken when another has it. The system frees
// the lock however the process ends. The process that frees a lock may remove its file, so the
// locked file must still be the one at path.
func takeLock(path string) (*os.File, error) {
	for range 100 {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return nil, err
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			f.Close()
			if errors.Is(err, syscall.EWOULDBLOCK) {
				return nil, ErrTaken
			}
			return nil, fmt.Errorf("host: lock %s: %w", path, err)
		}
		mine, err1 := f.Stat()
		there, err2 := os.Stat(path)
		if err1 == nil && err2 == nil && os.SameFile(mine, there) {
			return f, nil
		}
		f.Close()
	}
	return nil, fmt.Errorf("host: lock %s: it is taken and freed all the time", path)
}

// freeLock frees a lock. Closing the file is not enough: a process that another goroutine starts at
// this moment has a copy of it until it executes its program.
func freeLock(f *os.File) {
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
	f.Close()
}

// isTaken reports whether a process has the lock at path. Hosts may ask at the same moment: the
// lock that this takes to find out is shared.
func isTaken(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return !errors.Is(err, os.ErrNotExist)
	}
	defer freeLock(f)
	return syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) != nil
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
