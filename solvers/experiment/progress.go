package experiment

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Progress reports the progress of Make. Any goroutine may call its methods at any time. The zero
// value is that of a Make that has not begun.
type Progress struct {
	mu    sync.Mutex
	lanes []*lane
}

// lane are the units of a backend.
type lane struct {
	units   int // that were left at the begin
	workers []worker
	made    atomic.Int64
	spent   atomic.Int64 // ns, on finished units
	side    atomic.Int64 // how many others make side by side; see Elsewhere
}

// worker is the unit that a worker makes. Each fills a line of the cache, as all cores write
// theirs in every iteration.
type worker struct {
	part  atomic.Uint64 // of its budget that is used up: the bits of a float64
	begin atomic.Int64  // ns; 0: it makes none
	_     [48]byte
}

// start adds the units of a backend; the lane of no progress is nil.
func (p *Progress) start(units, workers int) *lane {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	l := &lane{units: units, workers: make([]worker, workers)}
	p.lanes = append(p.lanes, l)
	return l
}

func (l *lane) begin(i int) {
	if l != nil {
		l.workers[i].part.Store(0)
		l.workers[i].begin.Store(time.Now().UnixNano())
	}
}

// see notes that a part of the unit's budget is used up.
func (l *lane) see(i int, part float64) {
	if l != nil {
		l.workers[i].part.Store(math.Float64bits(min(part, 1)))
	}
}

func (l *lane) end(i int) {
	if l != nil {
		l.spent.Add(time.Now().UnixNano() - l.workers[i].begin.Swap(0))
		l.workers[i].part.Store(0)
		l.made.Add(1)
	}
}

// Far returns how much is done since Make began, in units and fractions of units, the number of
// units, and the estimated time left if the units take as long as those so far, 0 while that is
// unknown.
func (p *Progress) Far() (made float64, units int, left time.Duration) {
	p.mu.Lock()
	lanes := slices.Clone(p.lanes)
	p.mu.Unlock()
	now := time.Now().UnixNano()
	for _, l := range lanes {
		parts, spent := float64(l.made.Load()), float64(l.spent.Load())
		for i := range l.workers {
			w := &l.workers[i]
			begin, part := w.begin.Load(), math.Float64frombits(w.part.Load())
			if begin == 0 || part == 0 {
				continue
			}
			parts += part
			spent += float64(now - begin)
		}
		made += parts
		units += l.units
		if side := max(len(l.workers), int(l.side.Load())); parts > 0 && side > 0 {
			rest := (float64(l.units) - parts) * spent / parts / float64(side)
			left = max(left, time.Duration(max(rest, 0)))
		}
	}
	return made, units, left
}
