package gpu

import (
	"context"
	"fmt"
)

// resource is something on a device that has to be freed. Its fields are used on the
// device's thread only.
type resource struct {
	d      *Device
	kind   string
	serial uint64
	free   func() error // nil once freed
}

// own makes r live; on the thread.
func (r *resource) own(d *Device, kind string, free func() error) {
	d.serial++
	r.d, r.kind, r.serial, r.free = d, kind, d.serial, free
	d.live[r] = struct{}{}
}

// drop frees r; on the thread.
func (r *resource) drop() error {
	if r.free == nil {
		return nil
	}
	free := r.free
	r.free = nil
	delete(r.d.live, r)
	return free()
}

// ok returns an error once r was freed; on the thread.
func (r *resource) ok() error {
	if r.free == nil {
		return fmt.Errorf("%s: %w", r.kind, ErrFreed)
	}
	return nil
}

// device is where r lives; an error where it was never allocated, as in a zero Buffer.
func (r *resource) device(op string) (*Device, error) {
	if r == nil || r.d == nil {
		return nil, refuse(op, -1, "%s", neverAllocated)
	}
	return r.d, nil
}

const neverAllocated = "it was never allocated: Alloc, Upload and NewArray make one"

// release frees r from any goroutine. Freeing again, or after Close, does nothing.
func (r *resource) release() error {
	if r == nil || r.d == nil {
		return nil
	}
	d := r.d
	err := d.thread.do(context.Background(), func() error { return d.fail("free "+r.kind, r.drop()) })
	if err == ErrClosed {
		return nil // the device's close freed it
	}
	return err
}

// plural returns one for n = 1 and otherwise many, formatted with args.
func plural(n int, one, many string, args ...any) string {
	if n == 1 {
		return one
	}
	return fmt.Sprintf(many, args...)
}
