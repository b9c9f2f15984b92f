package cells

import (
	"sync"
	"time"
)

// grace is how long after its start a cell that fails at once waits with its answer, for cells that
// were sent with it and are still on their way.
const grace = 100 * time.Millisecond

// A Queue knows the cells that a front end has sent and that wait for the one that runs. When that
// fails or is stopped, those that came before its answer, or were on their way then, are answered
// "aborted" and not executed, as in every kernel of Jupyter; cells that are sent afterwards run.
type Queue struct {
	mu          sync.Mutex
	came, begun int       // requests so far
	dropped     int       // up to which they are dropped
	at          time.Time // when the present one began

	late func(time.Duration) // waits for requests that are on their way; nil: time.Sleep
}

// Cells is the queue of this kernel.
var Cells Queue

// Came notes that a request to execute a cell has come.
func (q *Queue) Came() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.came++
}

// Next takes the first request that waits, and reports whether it is to be executed.
func (q *Queue) Next() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.begun++
	q.at = time.Now()
	return q.begun > q.dropped
}

// Ended records how a cell ended. If it failed or was stopped, waiting cells are dropped, unless
// its request, whose content is request, says stop_on_error: false.
func (q *Queue) Ended(request map[string]any, failed, stopped bool) {
	if stop, is := request["stop_on_error"].(bool); is && !stop || !failed && !stopped {
		return
	}
	q.mu.Lock()
	at, wait := q.at, q.late
	q.mu.Unlock()
	if wait == nil {
		wait = time.Sleep
	}
	wait(grace - time.Since(at)) // not at all where it is long ago
	q.mu.Lock()
	defer q.mu.Unlock()
	q.dropped = q.came
}
