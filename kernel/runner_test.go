package main

import (
	"strings"
	"testing"
)

// The sockets of a kernel that exec starts are files in a folder of its own, or ports where the
// path of such a file would be too long.
func TestNewConnection(t *testing.T) {
	t.Parallel()
	c, err := newConnection("/tmp/metalab-exec-1")
	if err != nil || c.Transport != "ipc" || c.address(c.IOPub) != "ipc:///tmp/metalab-exec-1/s-2" {
		t.Errorf("%+v %s, %v", c, c.address(c.IOPub), err)
	}
	c, err = newConnection("/tmp/" + strings.Repeat("x", 100))
	if err != nil || c.Transport != "tcp" || !strings.HasPrefix(c.address(c.IOPub),
		"tcp://127.0.0.1:") || c.IOPub == c.Shell {
		t.Errorf("%+v, %v", c, err)
	}
}
