package host

import (
	"net"

	"golang.org/x/sys/unix"
)

// peerUID is the user of the process at the other end.
func peerUID(c *net.UnixConn) (uid int, err error) {
	rc, err := c.SyscallConn()
	if err != nil {
		return 0, err
	}
	cerr := rc.Control(func(fd uintptr) {
		var cred *unix.Xucred
		if cred, err = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED); err == nil {
			uid = int(cred.Uid)
		}
	})
	if cerr != nil {
		return 0, cerr
	}
	return uid, err
}
