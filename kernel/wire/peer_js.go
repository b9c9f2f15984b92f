package wire

import "errors"

// PeerUID returns an error: pages have no sockets.
func PeerUID(int) (int, error) { return 0, errors.ErrUnsupported }
