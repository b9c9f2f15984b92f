package solvers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// A DeviceError is an error that can say that this process has lost a device.
type DeviceError interface {
	error
	// LostDevice returns the ordinal of the device; lost is false if the device still works.
	LostDevice() (ordinal int, lost bool)
}

// How often a run on devices saves its state in memory, from which others repeat its iterations
// when a device fails: checkEvery at most, with at most checkShare of the time, and never a state
// above mostChecked bytes.
const (
	checkEvery  = 5 * time.Second
	checkShare  = 0.01
	mostChecked = 256 << 20
)

// A checkpoint is a state from which a run continues when a device fails.
type checkpoint struct {
	state  []byte        // nil: the first state
	values record.Values // the parameters of the run that continues from it
	// a newer state, untrusted until another iteration has run after it: the device may have failed
	// during the read
	fresh []byte
	next  time.Time // when to take another
}

// keepCheck keeps the state now and then, at a boundary that everybody has seen.
func (r *Run) keepCheck() {
	c := &r.checked
	if c.fresh != nil {
		c.state, c.values, c.fresh = c.fresh, nil, nil
	}
	now := time.Now()
	switch {
	case r.variant.Backend == hostBackend || !r.variant.Deterministic || len(r.proof.points) > 0:
		return
	case c.next.IsZero():
		c.next = now.Add(checkEvery)
		return
	case now.Before(c.next):
		return
	}
	if sized, ok := r.alg.(Sized); ok && sized.StateBytes() > mostChecked {
		return
	}
	if state, err := r.snapshot(); err == nil && len(state) <= mostChecked {
		c.fresh = state
	}
	took := time.Since(now)
	c.next = now.Add(max(checkEvery, time.Duration(float64(took)/checkShare)))
}

// elsewhere continues without a device that failed in an iteration, on the run's other devices, or
// if it has none, on another one of the machine. It repeats all iterations since the last
// checkpoint, which lead to the same digest. It reports whether that was possible. The run then
// stands at the last boundary, and only the journal shows the failure.
func (r *Run) elsewhere(err error) bool {
	var lost DeviceError
	if r.variant.Backend == hostBackend || !r.variant.Deterministic || !errors.As(err, &lost) {
		return false
	}
	device, is := lost.LostDevice()
	if !is {
		return false
	}
	who := fmt.Sprintf("GPU %d, which failed", device)
	old := r.env.Devices
	values := r.header.Params
	r.checked.fresh = nil
	from := StateHead{}
	if state := r.checked.state; state != nil {
		rd, rerr := NewReader(state)
		if rerr != nil {
			return false
		}
		from, values = rd.Head, rd.Params
		if r.checked.values != nil {
			values = r.checked.values
		}
	}
	for left := slices.Clone(old); ; {
		left = slices.DeleteFunc(left, func(d int) bool { return d == device })
		if len(left) == 0 {
			left = nil // whichever has room
		}
		err := r.rebuild(left, r.checked.state, values)
		if err == nil {
			left = slices.Clone(r.env.Devices)
			err = r.redone(from)
		}
		if err == nil {
			break
		}
		// Another one may fail meanwhile.
		lost = nil
		if is = errors.As(err, &lost); is {
			device, is = lost.LostDevice()
		}
		if !is || !slices.Contains(left, device) {
			return false
		}
	}
	r.moved(old, who)
	r.clock = time.Now()
	return true
}

// redone repeats the iterations after a checkpoint up to the latest, with the changes in between.
func (r *Run) redone(from StateHead) error {
	latest := r.latest()
	end, want := latest.Iter, latest.Digest
	if end == from.Iter {
		return nil
	}
	p := record.Point{Measures: make([]float64, len(r.names))}
	digest := from.Digest
	journal := r.Journal()
	changes := later(journal, from)
	for it := from.Iter + 1; it <= end; it++ {
		for len(changes) > 0 && changes[0].Iter < it {
			r.change(changes[0])
			changes = changes[1:]
		}
		p.IterBest, p.Mean, p.Digest, p.Evals = 0, 0, 0, 0
		if err := r.guarded(it, &p); err != nil {
			if r.ctx.Err() == nil || !errors.Is(err, context.Canceled) {
				return fmt.Errorf("iteration %d, made again: %w", it, err)
			}
			r.renewContext()
			select {
			case <-r.quit:
				return ErrClosed
			default:
				it-- // it was abandoned
			}
			continue
		}
		digest = arith.Chain(digest, p.Digest)
	}
	for _, c := range changes {
		r.change(c)
	}
	if digest != want {
		return fmt.Errorf("made again, the iterations %d to %d differ from what they were",
			from.Iter+1, end)
	}
	return nil
}

// later returns the changes of a journal that a state lacks. A state holds all changes before a
// fork.
func later(journal []record.Change, from StateHead) (out []record.Change) {
	for i, c := range slices.Backward(journal) {
		if c.Kind == record.KindFork {
			journal = journal[i+1:]
			break
		}
	}
	has := true // the changes at its own iteration
	outcome := record.Values{}
	for _, c := range journal {
		if c.Iter == from.Iter && c.Kind == record.KindSet && c.Name != DevicesName {
			outcome[c.Name] = c.New
		}
	}
	for name, v := range outcome {
		has = has && from.Params[name] == v
	}
	for _, c := range journal {
		if c.Kind == record.KindSet && c.Name != DevicesName &&
			(c.Iter > from.Iter || c.Iter == from.Iter && !has) {
			out = append(out, c)
		}
	}
	return out
}

// change makes a recorded change of a parameter again, with no entry in the journal.
func (r *Run) change(c record.Change) {
	e := r.params.find(c.Name)
	if e == nil || e.value() == c.New {
		return
	}
	e.store(c.New)
	if a, ok := r.alg.(Changer); ok {
		a.Changed([]string{c.Name})
	}
}
