package wire

import (
	"fmt"
	"syscall"
)

// The values of SOL_LOCAL, LOCAL_PEERCRED and XUCRED_VERSION in sys/un.h.
const (
	solLocal      = 0
	localPeerCred = 1
	xucredVersion = 0
)

// PeerUID returns the user of the process at the other end of a connection over a unix socket.
//
// The option's value, a struct xucred, begins with a version and the user, in 32 bits each. The
// standard library has no name for it, but reads options of eight such words.
func PeerUID(fd int) (int, error) {
	cred, err := syscall.GetsockoptICMPv6Filter(fd, solLocal, localPeerCred)
	if err != nil {
		return 0, err
	}
	if cred.Filt[0] != xucredVersion {
		return 0, fmt.Errorf("the system tells it in version %d, want %d", cred.Filt[0], xucredVersion)
	}
	return int(cred.Filt[1]), nil
}
