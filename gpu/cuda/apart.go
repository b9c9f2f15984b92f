//go:build !race

package cuda

// apart gives every thread a goroutine of its own from the start, so that the race detector
// takes none of them for the continuation of another.
const apart = false
