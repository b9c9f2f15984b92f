//go:build !linux

package eval

// freeMemory is what the process could still take, as far as that is known.
func freeMemory() int64 { return unknownMemory }
