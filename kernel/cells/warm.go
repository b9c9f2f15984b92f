package cells

import (
	"os"
	"strings"
	"sync"
	"time"
)

// gopls, the server of the Go language that completes names, loads all packages before it answers
// for the first time. That takes seconds, so it is asked at the start of a notebook, once there
// is a program to ask about; who asks meanwhile waits for it.

// A warming is gopls getting ready.
type warming struct {
	sync.Once
	done chan struct{} // closed when it has answered, or was abandoned; nil before the request
	mu   sync.Mutex
}

// gopls is this kernel's gopls.
var gopls warming

const (
	warmLimit = 3 * time.Minute // how long gopls is asked
	warmWait  = 8 * time.Second // how long who asks meanwhile waits
	warmPause = 200 * time.Millisecond
)

// Warm has gopls load what completions need, in the background and the first time only. The
// program is at a path; ask asks for what may follow a place in it, by line and column from 0
// on, and reports whether there was something.
func Warm(path string, ask func(line, column int) bool) { gopls.warm(path, ask) }

func (w *warming) warm(path string, ask func(line, column int) bool) {
	w.Do(func() {
		done := make(chan struct{})
		w.mu.Lock()
		w.done = done
		w.mu.Unlock()
		go func() {
			defer close(done)
			for end := time.Now().Add(warmLimit); time.Now().Before(end); time.Sleep(warmPause) {
				b, err := os.ReadFile(path)
				if err != nil {
					continue
				}
				if line, column, ok := afterLab(string(b)); ok && ask(line, column) {
					return
				}
			}
		}()
	})
}

// afterLab is a place behind "lab." in a program, where a name is to follow.
func afterLab(program string) (line, column int, ok bool) {
	for i, l := range strings.Split(program, "\n") {
		if at := strings.Index(l, "lab."); at >= 0 {
			return i, at + len("lab."), true
		}
	}
	return 0, 0, false
}

// Warmed waits until gopls can answer, for a while.
func Warmed() { gopls.wait() }

func (w *warming) wait() {
	w.mu.Lock()
	done := w.done
	w.mu.Unlock()
	if done == nil {
		return
	}
	select {
	case <-done:
	case <-time.After(warmWait):
	}
}
