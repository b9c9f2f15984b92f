package machines

import "testing"

// Forget ends the broker of this process, as its end does, now and when the test ends.
func Forget(t *testing.T) {
	forget := func() {
		own.mu.Lock()
		defer own.mu.Unlock()
		if own.b != nil {
			own.b.Close()
		}
		own.b, own.elsewhere = nil, false
	}
	forget()
	t.Cleanup(forget)
}
