package moves

import (
	"time"

	"metalab/solvers"
)

// The parts of an iteration's time if the host generates or chooses, as in Section 6.6 of the
// paper: copies between host and device, work of the host, and kernels.
const (
	transfer = iota
	process
	kernels
	shareCount
)

var shareNames = [shareCount]string{"transfer", "process", "kernels"}

// shares are the times of an iteration by the clock of the host, which waits for the device after
// each part.
type shares struct {
	on   bool
	now  [shareCount]time.Duration
	last [shareCount]time.Duration // of the last whole iteration
}

// Time is a method of solvers.Timer.
func (e *Engine) Time(on bool) bool {
	e.shares.on = on
	return e.Tuner.Time(on)
}

// Spans is a method of solvers.Timer.
func (e *Engine) Spans() []solvers.Span {
	list := e.Tuner.Spans()
	for i, d := range e.shares.last {
		if d > 0 {
			list = append(list, solvers.Span{Name: shareNames[i], Time: d})
		}
	}
	return list
}

// spend does f, a part of a scan, and counts its time if it is asked for and the host takes part in
// the scan anyway.
func (e *Engine) spend(what int, f func() error) error {
	if !e.shares.on || e.asked.Generate != onCPU && e.asked.Reduce != onHost {
		return f()
	}
	start := time.Now()
	err := f()
	if err == nil && what == kernels {
		err = e.Dev.Sync()
	}
	e.shares.now[what] += time.Since(start)
	return err
}

// spent ends the account of an iteration.
func (s *shares) spent() error {
	s.last, s.now = s.now, [shareCount]time.Duration{}
	return nil
}
