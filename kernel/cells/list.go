package cells

import (
	"sync"
	"time"
)

// listWait is how long a completion waits for a new list if there is an older one.
const listWait = 100 * time.Millisecond

// A list caches the answer to a question whose answer takes time and seldom changes.
type list struct {
	mu    sync.Mutex
	words []string
	due   chan struct{} // of a question under way: closed when it was answered
}

// get asks again, and returns the new list, or the last one if there is one and the answer takes
// longer than wait. Concurrent callers get the same answer.
func (l *list) get(wait time.Duration, ask func() []string) []string {
	l.mu.Lock()
	due, had := l.due, len(l.words) > 0
	if due == nil {
		due = make(chan struct{})
		l.due = due
		go func() {
			words := ask()
			l.mu.Lock()
			if l.due = nil; len(words) > 0 {
				l.words = words
			}
			l.mu.Unlock()
			close(due)
		}()
	}
	l.mu.Unlock()
	if had {
		select {
		case <-due:
		case <-time.After(wait):
		}
	} else {
		<-due
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.words
}
