// Package worth holds how much work a worker must find in a loop for it to pay to wake it.
package worth

import "sync/atomic"

// Default is that work in steps of about a nanosecond. Waking a sleeping thread and waiting for it
// costs 5 to 50 us, and a worker that got less would make the loop slower.
const Default = 1 << 16

var steps atomic.Int64

// Steps is the work for which it pays in this process.
func Steps() int64 {
	if n := steps.Load(); n > 0 {
		return n
	}
	return Default
}

// Set changes it, for tests that deal out loops that would not pay.
func Set(n int64) { steps.Store(n) }
