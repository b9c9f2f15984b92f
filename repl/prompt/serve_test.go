package prompt

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A session that is served is there for others until it is asked to end.
func TestServeSession(t *testing.T) {
	dir, err := os.MkdirTemp("", "mls") // a short path: it is a socket's
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Setenv("XDG_RUNTIME_DIR", dir)
	t.Setenv("METALAB_STATE", filepath.Join(dir, "state"))
	for _, args := range [][]string{{}, {"-session", "a", "b"}, {"-nosuch"}} {
		if status := serveSession(args, io.Discard); status != 2 {
			t.Errorf("%q ends with %d, want 2", args, status)
		}
	}
	r, w := io.Pipe()
	done := make(chan int, 1)
	go func() { done <- serveSession([]string{"-session", "mine"}, w) }()
	line := make([]byte, 400)
	n, err := r.Read(line)
	if err != nil || !strings.HasPrefix(string(line[:n]), "session mine is there until ^C; "+
		"METALAB_SESSION=mine leads programs and notebooks to it, and repl -attach mine a prompt\n") {
		t.Errorf("it says %q, %v", line[:n], err)
	}
	if status := serveSession([]string{"-session", "mine"}, io.Discard); status != 1 {
		t.Errorf("the same once more ends with %d, want 1", status)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if status := <-done; status != 0 {
		t.Errorf("it ends with %d", status)
	}
}
