package solvers

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Gauge reports the progress of a Repeat. Any goroutine may call its methods at any time. The
// zero value is that of a Repeat that has not begun.
type Gauge struct {
	mu      sync.Mutex
	workers int
	seeds   []gauged
}

// gauged is the progress of a seed. Each fills a line of the cache, as all cores write theirs in
// every iteration.
type gauged struct {
	part       atomic.Uint64 // the bits of a float64; 1 when it is done
	begin, end atomic.Int64  // ns; 0 when that has not come yet
	_          [40]byte
}

func (g *Gauge) start(seeds, workers int) {
	if g == nil {
		return
	}
	g.mu.Lock()
	g.seeds, g.workers = make([]gauged, seeds), workers
	g.mu.Unlock()
}

func (g *Gauge) begin(i int) {
	if g != nil {
		g.seeds[i].begin.Store(time.Now().UnixNano())
	}
}

// see notes that a part of seed i's budget is used up.
func (g *Gauge) see(i int, part float64) { g.seeds[i].part.Store(math.Float64bits(min(part, 1))) }

func (g *Gauge) end(i int) {
	if g != nil {
		g.see(i, 1)
		g.seeds[i].end.Store(time.Now().UnixNano())
	}
}

// Far returns how much is done, in seeds and fractions of seeds, the number of seeds, and the
// estimated time left if all seeds take as long as those so far, 0 while that is unknown. Runs of a
// Repeat that stops by a condition report no fractions; the estimate then begins when the first run
// ends.
func (g *Gauge) Far() (parts float64, seeds int, left time.Duration) {
	g.mu.Lock()
	all, workers := g.seeds, g.workers
	g.mu.Unlock()
	now := time.Now().UnixNano()
	var busy int64     // ns, of all workers, on what counts in parts
	var load []float64 // in seeds: what is left to each worker
	waiting := 0
	for i := range all {
		s := &all[i]
		part, begin, end := math.Float64frombits(s.part.Load()), s.begin.Load(), s.end.Load()
		switch {
		case begin == 0:
			waiting++
			continue
		case end == 0:
			load = append(load, 1-part)
			end = now
		}
		if parts += part; part > 0 {
			busy += end - begin
		}
	}
	if parts == 0 {
		return 0, len(all), 0
	}
	for len(load) < workers {
		load = append(load, 0)
	}
	for range waiting { // each goes to the worker that is free first
		i := slices.Index(load, slices.Min(load))
		load[i]++
	}
	return parts, len(all), time.Duration(slices.Max(load) * float64(busy) / parts)
}
