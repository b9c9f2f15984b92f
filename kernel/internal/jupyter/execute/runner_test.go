package execute

import (
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/internal/jupyter"
)

// The sockets of a kernel that exec starts are files in a folder of its own, or ports where the
// path of such a file would be too long.
func TestNewConnection(t *testing.T) {
	t.Parallel()
	c, err := newConnection("/tmp/metalab-exec-1")
	if err != nil || c.Transport != "ipc" || c.Address(c.IOPub) != "ipc:///tmp/metalab-exec-1/s-2" {
		t.Errorf("%+v %s, %v", c, c.Address(c.IOPub), err)
	}
	c, err = newConnection("/tmp/" + strings.Repeat("x", 100))
	if err != nil || c.Transport != "tcp" || !strings.HasPrefix(c.Address(c.IOPub),
		"tcp://127.0.0.1:") || c.IOPub == c.Shell {
		t.Errorf("%+v, %v", c, err)
	}
}

// A kernel that does not start is told of with its own last words.
func TestKernelThatDies(t *testing.T) {
	t.Parallel()
	spec := jupyter.Spec{Argv: []string{
		"sh", "-c", "echo broken by hand >&2; exit 3",
		"{connection_file}",
	}}
	_, err := Start(t.Context(), spec, filepath.Join(t.TempDir(), "n.ipynb"))
	if err == nil || !strings.Contains(err.Error(), "broken by hand") {
		t.Errorf("a kernel that dies: %v", err)
	}
	if _, err := Start(t.Context(), jupyter.Spec{Argv: []string{"/nonexistent/kernel"}},
		"n.ipynb"); err == nil || !strings.Contains(err.Error(), "kernel install") {
		t.Errorf("a kernel that is not there: %v", err)
	}
}
