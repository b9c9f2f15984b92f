//go:build linux || darwin

package lab

import (
	"os"
	"syscall"
	"unsafe"
)

// unread returns how much of a pipe its reader has not taken.
func unread(f *os.File) (n int, ok bool) {
	c, err := f.SyscallConn()
	if err != nil {
		return 0, false
	}
	var waiting int32
	err = c.Control(func(fd uintptr) {
		_, _, e := syscall.Syscall(syscall.SYS_IOCTL, fd, fionread, uintptr(unsafe.Pointer(&waiting)))
		ok = e == 0
	})
	return int(waiting), ok && err == nil
}
