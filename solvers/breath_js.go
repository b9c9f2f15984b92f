package solvers

import "time"

// A breath pauses a run now and then, for a page has one thread: what is asked of the program
// arrives while all of Go waits, and other goroutines go on only then.
type breath struct{ last time.Time }

const (
	breathEvery = 40 * time.Millisecond
	breathFor   = time.Millisecond
)

// take pauses when it is time.
func (b *breath) take() {
	if time.Since(b.last) < breathEvery {
		return
	}
	time.Sleep(breathFor)
	b.last = time.Now()
}
