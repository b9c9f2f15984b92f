package session

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"metalab/kernel/internal/jupyter/process"
)

// sweep ends the programs of a session that its kernel left behind when it was killed: the
// cell that was running, and the gopls that listens in the session's folder. Programs that
// a cell started itself are the user's.
func sweep(dir string) {
	for pid, args := range process.List() {
		if pid != os.Getpid() && (leftover(dir, args) || builder(dir, pid, args)) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// leftover reports whether a command line is a cell's or a gopls of the session.
func leftover(dir string, args []string) bool {
	if len(args) == 0 || dir == "" {
		return false
	}
	inside := dir + string(filepath.Separator)
	if strings.HasPrefix(args[0], inside) {
		return true
	}
	return filepath.Base(args[0]) == "gopls" && strings.Contains(strings.Join(args[1:], " "), inside)
}

// builder reports whether a process is a Go tool of the session's gopls, GoNB or cell: its
// temporary files lie in the session's folder, which it would create again. It returns false if the
// environment of the other process cannot be read.
func builder(dir string, pid int, args []string) bool {
	if len(args) == 0 || dir == "" {
		return false
	}
	switch filepath.Base(args[0]) {
	case "go", "gopls", "goimports":
	default:
		return false
	}
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return err == nil && slices.Contains(strings.Split(string(env), "\x00"), "TMPDIR="+dir)
}
