package session

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// sessionFile, in a session's folder, says whose it is.
const sessionFile = "session.json"

// dirPattern is the pattern of the names of sessions' folders.
const dirPattern = "metalab-nb-"

// mark writes into a session's folder whose it is.
func mark(c hostConfig) error {
	b, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(c.Dir, sessionFile), b, 0o600)
}

// removeStale removes what is left of sessions whose host was killed, so that it could not
// clean up itself: the folder, the socket, and programs that still run in them.
func removeStale() {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), dirPattern+"*"))
	for _, dir := range dirs {
		var c hostConfig
		b, err := os.ReadFile(filepath.Join(dir, sessionFile))
		if err != nil || json.Unmarshal(b, &c) != nil || c.Dir != dir || !mine(dir) {
			continue // another user's, or one that is just beginning
		}
		lock := strings.TrimSuffix(c.Socket, ".sock") + ".lock"
		if !ended(c.Kernel) || held(lock) {
			continue
		}
		sweep(dir)
		os.Remove(c.Socket)
		os.Remove(lock)
		os.RemoveAll(dir)
	}
}

func mine(dir string) bool {
	st, err := os.Lstat(dir)
	if err != nil || !st.IsDir() {
		return false
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Getuid()
}

// ended reports whether a process has ended. One that has got its number since counts as
// the same; then what is stale is removed another time.
func ended(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

// held reports whether a living host has the lock of a session.
func held(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close() // lets go of the lock, if we have it
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil
}
