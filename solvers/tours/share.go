package tours

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// shareCities is how many cities a core takes at a time; a loop over fewer is not shared out.
const shareCities = 4096

// share calls body for ranges that make up [0, n), on all cores. A range is worked on by one
// goroutine, and the body may write only what belongs to it; then the number of cores changes no
// result.
func share(n int, body func(from, to int)) {
	cores := min(runtime.GOMAXPROCS(0), (n+shareCities-1)/shareCities)
	if cores < 2 {
		body(0, n)
		return
	}
	var next atomic.Int64
	var all sync.WaitGroup
	for range cores {
		all.Go(func() {
			for {
				to := int(next.Add(shareCities))
				if to-shareCities >= n {
					return
				}
				body(to-shareCities, min(to, n))
			}
		})
	}
	all.Wait()
}
