package moves

import (
	"sync/atomic"
	"time"
)

// pace is the time that the neighbours of a user's problem take, measured in scans, for each
// neighbourhood, since its code may do anything. It decides how many workers share a scan, never
// the result of the scan.
type pace [8]atomic.Int64 // ns of a neighbour; 0: not measured yet

// steps is the time of a neighbour in ns, guess before it was measured.
func (p *pace) steps(k int, guess int64) int64 {
	if x := p[k].Load(); x > 0 {
		return x
	}
	return guess
}

// took notes that n neighbours took d. A worker that was interrupted counts for little.
func (p *pace) took(k int, n int64, d time.Duration) {
	x, old := max(int64(d)/max(n, 1), 1), p[k].Load()
	if old > 0 {
		x = (3*old + min(x, 2*old) + 2) / 4
	}
	p[k].Store(x)
}

// paced starts to measure the rate of evaluating a walk's neighbours. Call the returned function
// with the number of evaluated neighbours.
func paced(t Walk, k int) func(n int64) {
	var p *pace
	switch t := t.(type) {
	case *ownWalk:
		p = &t.pace
	case *ballWalk:
		if t.own {
			p = &t.pace
		}
	}
	if p == nil {
		return func(int64) {}
	}
	began := time.Now()
	return func(n int64) { p.took(k, n, time.Since(began)) }
}
