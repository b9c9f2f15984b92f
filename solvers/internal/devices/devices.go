// Package devices distributes the parts of a search, such as walks, groups or chains, over the
// devices of its run.
//
//	for k, device := range env.Devices {
//		parts[k], err = open(devices.On(env, device))
//	}
//	errs := devices.Each(len(parts), func(k int) error { return parts[k].iterate(…) })
//	err := devices.Joined(errs)
//
// The parameters of the search fix the number of parts, and their draws, but not their devices,
// which change no result. Exchanges between parts happen between iterations, in the order of the
// parts.
//
// All devices run an iteration or none: after an error of one, the results of others are useless,
// and the run continues from an older state (solvers.DeviceError).
package devices

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"metalab/solvers"
)

// On is the environment of what works on one device of a run.
func On(env *solvers.Env, device int) *solvers.Env {
	e := *env
	e.Devices = []int{device}
	return &e
}

// Share is that of the k-th of so many devices, of n things those from lo to hi - 1. None has two
// more than another.
func Share(n, k, devices int) (lo, hi int) { return k * n / devices, (k + 1) * n / devices }

// Each calls f(k) for k < n, all beside each other, and returns their errors. A panic is one.
func Each(n int, f func(k int) error) []error {
	errs := make([]error, n)
	call := func(k int) {
		defer func() {
			if x := recover(); x != nil {
				errs[k] = fmt.Errorf("panic: %v\n%s", x, debug.Stack())
			}
		}()
		errs[k] = f(k)
	}
	if n == 1 { // on the caller's thread, which may be a device's guest
		call(0)
		return errs
	}
	var all sync.WaitGroup
	for k := range n {
		all.Go(func() { call(k) })
	}
	all.Wait()
	return errs
}

// Joined returns the error of an iteration on devices with these errors; nil if there are none. If
// only some failed, it is no solvers.ErrHalted: the state has changed.
func Joined(errs []error) error {
	err := errors.Join(errs...)
	if err != nil && slices.Contains(errs, nil) && errors.Is(err, solvers.ErrHalted) {
		return fmt.Errorf("of %d devices some made the iteration: %v", len(errs), err)
	}
	return err
}

// Turn takes the turns of devices, which are in ascending order, so that two runs which share
// several cannot wait for each other. give gives all back.
func Turn(
	ctx context.Context, devices []solvers.Sharer,
) (give func(), waited bool, err error) {
	var taken []func()
	give = func() {
		for _, g := range slices.Backward(taken) {
			g()
		}
	}
	for _, d := range devices {
		g, w, err := d.Turn(ctx)
		if err != nil {
			give()
			return nil, waited, err
		}
		taken, waited = append(taken, g), waited || w
	}
	return give, waited, nil
}
