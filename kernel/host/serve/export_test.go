package serve

import "net"

// For the tests outside.

// PeerUID is peerUID.
func PeerUID(c *net.UnixConn) (int, error) { return peerUID(c) }

// Listen takes a session and returns a function that releases it.
func Listen(path string) (release func(), err error) {
	l, err := listen(path)
	if err != nil {
		return nil, err
	}
	return l.release, nil
}
