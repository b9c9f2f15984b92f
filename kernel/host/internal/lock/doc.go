// Package lock lets one process at a time have a file, as the folder of a host or its socket. The
// system frees a lock however its process ends. Where a program is alone, as in a browser's page,
// every lock is free.
package lock

import "errors"

// ErrTaken says that another process has the lock.
var ErrTaken = errors.New("another process has it")
