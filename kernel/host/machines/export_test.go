package machines

import (
	"testing"

	"metalab/solvers/experiment/stream"
)

// Forget ends the broker of this process, as its end does, now and when the test ends.
func Forget(t *testing.T) {
	forget := func() {
		own.mu.Lock()
		defer own.mu.Unlock()
		if own.b != nil {
			own.b.Close()
		}
		own.b, own.elsewhere = nil, false
		lately.set(embed)
	}
	forget()
	t.Cleanup(forget)
}

// NewCoder has a worker compile the code of others until the test ends.
func NewCoder(t *testing.T) stream.Coder {
	t.Helper()
	c, end, err := newCoder(func(s string) { t.Log(s) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	return c
}

// Embedded is the address of this machine's broker.
func Embedded(t *testing.T, stateDir string) stream.Address {
	t.Helper()
	s := recall(stateDir)
	if s.URL == "" {
		t.Fatal("there is no broker")
	}
	return stream.Address{URL: s.URL, Token: s.Token}
}
