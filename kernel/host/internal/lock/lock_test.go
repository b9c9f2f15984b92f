package lock

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A lock is free as soon as it is freed, whoever has a copy of its file: each process that is being
// started has one for a moment. Who asks does not disturb others that ask.
func TestFreeLock(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	if Taken(path) {
		t.Error("a lock without a file is taken")
	}
	f, err := Take(path)
	if err != nil {
		t.Fatal(err)
	}
	if !Taken(path) {
		t.Error("a lock is free while it is held")
	}
	held, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(held)
	Free(f)
	asks, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer asks.Close()
	if err := syscall.Flock(int(asks.Fd()), syscall.LOCK_SH|syscall.LOCK_NB); err != nil {
		t.Fatalf("a lock that was freed: %v", err)
	}
	if Taken(path) {
		t.Error("a lock is taken because another process asks for it")
	}
}
