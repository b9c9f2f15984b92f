package host

import "time"

// For the tests outside.

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

// SetMostClosedBytes changes what closed runs may take of the disk, until the function that it
// returns is called.
func SetMostClosedBytes(n int64) (back func()) {
	old := mostClosedBytes
	mostClosedBytes = n
	return func() { mostClosedBytes = old }
}

// SetLongRepeats makes d the CPU time from which on a comparison says what repeats take, until undo
// is called.
func SetLongRepeats(d time.Duration) (undo func()) {
	old := longRepeats
	longRepeats = d
	return func() { longRepeats = old }
}
