package host

import (
	"errors"
	"maps"
	"net"
	"slices"
)

// For the tests outside.

// PeerUID is peerUID.
func PeerUID(c *net.UnixConn) (int, error) { return peerUID(c) }

// Handled are the verbs that have a handler.
func Handled() []string { return slices.Sorted(maps.Keys(handlers)) }

// SetProtocol makes hosts say that they speak v, until undo is called.
func SetProtocol(v int) (undo func()) {
	old := protocol
	protocol = v
	return func() { protocol = old }
}

// SetShape makes hosts say that their messages are of another shape, until undo is called.
func SetShape(s string) (undo func()) {
	old := shape
	shape = func() string { return s }
	return func() { shape = old }
}

// Listen takes a session and returns a function that releases it.
func Listen(path string) (release func(), err error) {
	l, err := listen(path)
	if err != nil {
		return nil, err
	}
	return l.release, nil
}

// AlsoSticky makes hosts of this program take err for one of a GPU that is lost.
func AlsoSticky(err error) {
	old := sticky
	sticky = func(e error) bool { return errors.Is(e, err) || old(e) }
}
