package eval

import (
	"runtime"
	"time"
)

// In a page Go has one thread, and nothing takes it away from a goroutine: what watches an input,
// and the page's wish to stop it, come in when the input gives way, now and then, at its checks.

const (
	breathEvery = 500                   // checks
	breathAway  = 40 * time.Millisecond // until all of Go waits, so that the page is heard
)

var (
	breathChecks int // one thread
	breathLast   time.Time
)

func breathe() {
	if breathChecks++; breathChecks < breathEvery {
		return
	}
	breathChecks = 0
	if time.Since(breathLast) < breathAway {
		runtime.Gosched()
		return
	}
	time.Sleep(time.Millisecond)
	breathLast = time.Now()
}
