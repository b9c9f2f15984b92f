package wire

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// A client speaks only to a host of its own user, and a host only to clients of its own: the
// folder of the sockets is the user's and nobody else may enter it, and the system says who is
// at the other end of a connection. Without that, where the folder lies in the temporary folder
// of all, whoever makes it first could pass for a host.

// CheckDir returns an error if dir exists and is no folder of the user, or if others may enter it.
func CheckDir(dir string) error {
	st, err := os.Lstat(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &Error{CodeHost, err.Error()}
	}
	own := os.Getuid()
	sys, ok := st.Sys().(*syscall.Stat_t)
	switch {
	case !st.IsDir():
		return errorf(CodeHost, "%s, where sockets lie, is no folder", dir)
	case ok && int(sys.Uid) != own:
		return &Error{CodeHost, fmt.Sprintf("folder %s, where sockets lie, belongs to user %d, "+
			"want %d (set XDG_RUNTIME_DIR to a folder of yours)", dir, sys.Uid, own)}
	case st.Mode().Perm()&0o077 != 0:
		return &Error{CodeHost, fmt.Sprintf("folder %s, where sockets lie, has mode %04o, "+
			"want 0700 (chmod 700 it)", dir, st.Mode().Perm())}
	}
	return nil
}

// MayTalk reports whether a process of user own may talk to one of user peer: the same user, or
// root, who can do anything anyway.
func MayTalk(peer, own int) bool { return peer == own || peer == 0 }

// checkPeer returns an error unless the host at the other end of a connection is the user's.
func checkPeer(fd int, path string) error {
	uid, err := PeerUID(fd)
	if err != nil {
		return errorf(CodeHost, "who answers at %s is not known: %v", path, err)
	}
	if own := os.Getuid(); !MayTalk(uid, own) {
		return &Error{CodeHost, fmt.Sprintf("a process of user %d answers at %s, "+
			"want one of user %d", uid, path, own)}
	}
	return nil
}
