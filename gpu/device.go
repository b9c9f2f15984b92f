package gpu

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
)

// A Device is an open GPU. Any goroutine may call its methods.
type Device struct {
	info   Info
	thread *thread
	ctx    handle
	stream *Stream
	broken atomic.Pointer[Error] // the first sticky error

	// On the thread only.
	live     map[*resource]struct{}
	serial   uint64
	peers    map[int]bool // ordinals whose memory kernels here may use
	capture  *Stream      // the stream that is being captured
	launches uint64       // since the last wait, for the words of an error
	last     string       // the kernel launched last
}

// Open opens the device with an ordinal, from 0. If ctx ends, Open stops waiting (the first start
// of a device takes a good part of a second). Two Devices of one ordinal share the memory, but have
// two threads.
func Open(ctx context.Context, ordinal int) (*Device, error) {
	const op = "open"
	if drv == nil {
		return nil, noCUDA(op, ordinal)
	}
	if err := usable(op); err != nil {
		return nil, err
	}
	n, err := drv.count()
	if err != nil {
		return nil, wrap(op, ordinal, err)
	}
	if n == 0 {
		return nil, noDevice(op, ordinal)
	}
	if ordinal < 0 || ordinal >= n {
		return nil, &Error{
			Op: op, Device: ordinal, Err: ErrNoDevice,
			Hint: plural(n, "there is 1 device, number 0", "the numbers go from 0 to %d", n-1),
		}
	}
	type opened struct {
		d   *Device
		err error
	}
	c := make(chan opened, 1)
	go func() {
		d, err := open(ordinal)
		c <- opened{d, err}
	}()
	select {
	case o := <-c:
		return o.d, o.err
	case <-ctx.Done():
		go func() {
			if o := <-c; o.d != nil {
				o.d.Close()
			}
		}()
		return nil, &Error{Op: op, Device: ordinal, Err: ctx.Err()}
	}
}

func open(ordinal int) (*Device, error) {
	d := &Device{
		thread: newThread(), live: map[*resource]struct{}{}, peers: map[int]bool{ordinal: true},
	}
	begin := func() (err error) {
		if d.info, err = drv.info(ordinal); err != nil {
			return err
		}
		if d.ctx, err = drv.retain(ordinal); err != nil {
			return err
		}
		joinShared(ordinal)
		if err = drv.setCurrent(d.ctx); err == nil {
			d.stream = &Stream{}
			err = d.stream.create(d)
		}
		if err != nil {
			d.finish()
		}
		return err
	}
	again := func() error { return drv.setCurrent(d.ctx) }
	d.thread.enter = again
	if err := d.thread.start(begin, again, d.finish); err != nil {
		return nil, wrap("open", ordinal, err)
	}
	return d, nil
}

// finish frees all that is left and lets go of the context: the thread's last act. Errors
// are of no use to anyone here: after a sticky one, every free fails.
func (d *Device) finish() {
	left := make([]*resource, 0, len(d.live))
	for r := range d.live {
		left = append(left, r)
	}
	slices.SortFunc(left, func(a, b *resource) int { return int(int64(b.serial) - int64(a.serial)) })
	for _, r := range left {
		_ = r.drop()
	}
	d.leave()
	leaveShared(d.info.Ordinal)
	_ = drv.setCurrent(0)
	_ = drv.release(d.info.Ordinal)
}

// Close frees everything on the device and closes it. A second Close does nothing.
func (d *Device) Close() { d.thread.stop() }

// Info returns the device's description.
func (d *Device) Info() Info { return d.info }

// Err returns the sticky error that made the device unusable, nil while it works.
func (d *Device) Err() error {
	if e := d.broken.Load(); e != nil {
		return e
	}
	return nil
}

// Host makes calls on the device direct in the calling goroutine's thread, without a change of
// threads, which takes some 50 us there and back. The goroutine should be locked to its thread
// (runtime.LockOSThread). The last caller has this privilege. Calls still run one after the other,
// from any goroutine.
func (d *Device) Host() {
	if id := drv.threadID(); d.thread.guest.Load() != id {
		d.thread.guest.Store(id)
	}
}

// Do runs f on the device's thread, or on the thread that called Host, where each call of the
// package is direct, and returns f's error. A panic in f becomes one in the caller. If ctx ends
// before f begins, Do withdraws f. Calls of Do nest. While f runs, no other call on the device
// does.
func (d *Device) Do(ctx context.Context, f func() error) error {
	err := d.thread.do(ctx, f)
	if errors.Is(err, ErrClosed) {
		return d.closed("do")
	}
	return err
}

func (d *Device) closed(op string) error {
	return &Error{Op: op, Device: d.info.Ordinal, Err: ErrClosed}
}

// call makes one call on the device: f on the thread, unless an earlier error makes that
// useless; its error with op and what is known about it.
func (d *Device) call(op string, f func() error) error {
	err := d.thread.do(context.Background(), func() error {
		if e := d.broken.Load(); e != nil {
			return e
		}
		return d.fail(op, f())
	})
	if err == ErrClosed {
		return d.closed(op)
	}
	return err
}

// launcher is what fast calls, on the thread.
type launcher interface{ launch() error }

// fast is call for what is done often: on the thread it makes no closure.
func (d *Device) fast(op string, l launcher) error {
	if !d.thread.here() {
		return d.call(op, l.launch)
	}
	if e := d.broken.Load(); e != nil {
		return e
	}
	return d.fail(op, l.launch())
}

// fail wraps the error of a call, and remembers it if it is sticky.
func (d *Device) fail(op string, err error) error {
	if err == nil {
		return nil
	}
	err = wrap(op, d.info.Ordinal, err)
	var e *Error
	if !errors.As(err, &e) || !IsSticky(err) {
		return err
	}
	if d.launches > 0 {
		e.Op += plural(
			int(d.launches), " after launching "+d.last, " after %d launches, the last of "+d.last,
			d.launches,
		)
	}
	if d.broken.CompareAndSwap(nil, e) {
		noteFailed(d.info.Ordinal, e)
	}
	return err
}

// waited notes that all launches so far are known to have ended well.
func (d *Device) waited() { d.launches = 0 }

// MemInfo returns the free and the total memory of the device, in bytes. Memory of other processes
// counts as used.
func (d *Device) MemInfo() (free, total int64, err error) {
	err = d.call("ask for free memory", func() (err error) {
		free, total, err = drv.memInfo()
		return err
	})
	return free, total, err
}

// Sync waits for all work in the device's own stream.
func (d *Device) Sync() error { return d.stream.Sync() }

// Stream returns the device's own stream, for which nil stands.
func (d *Device) Stream() *Stream { return d.stream }

// Live counts the allocated objects by kind: buffer, pinned, stream, event, module, graph. It does
// not count the device's own stream.
func (d *Device) Live() map[string]int {
	n := map[string]int{}
	_ = d.thread.do(context.Background(), func() error {
		for r := range d.live {
			if r != &d.stream.resource {
				n[r.kind]++
			}
		}
		return nil
	})
	return n
}
