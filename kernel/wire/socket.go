package wire

import (
	"os"
	"path/filepath"
	"syscall"
)

// connect opens a connection to a unix socket of the user's own, without package net: that would
// make cells link a resolver, and cgo with it.
//
// The connection is an *os.File in non-blocking mode, so deadlines work on it and Close
// wakes a reader.
func connect(path string) (*os.File, error) {
	if err := CheckDir(filepath.Dir(path)); err != nil {
		return nil, err
	}
	syscall.ForkLock.RLock()
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	// A blocking connect to a unix socket waits only where the host is so busy that
	// its backlog is full.
	for {
		err = syscall.Connect(fd, &syscall.SockaddrUnix{Name: path})
		if err != syscall.EINTR {
			break
		}
	}
	if err == nil {
		if err := checkPeer(fd, path); err != nil {
			syscall.Close(fd)
			return nil, err
		}
		err = syscall.SetNonblock(fd, true)
	}
	if err != nil {
		syscall.Close(fd)
		return nil, &os.PathError{Op: "connect", Path: path, Err: err}
	}
	return os.NewFile(uintptr(fd), path), nil
}
