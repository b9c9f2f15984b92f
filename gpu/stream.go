package gpu

import (
	"context"
	"time"
)

// A Stream is a queue of work: it executes copies, kernels and graphs in order. A nil *Stream
// stands for the device's own.
type Stream struct {
	resource
	h handle
}

// NewStream returns a new stream, which waits for no other.
func (d *Device) NewStream() (*Stream, error) {
	s := &Stream{}
	if err := d.call("make a stream", func() error { return s.create(d) }); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Stream) create(d *Device) (err error) {
	if s.h, err = drv.streamNew(); err == nil {
		s.own(d, "stream", func() error { return drv.streamFree(s.h) })
	}
	return err
}

// Free frees the stream after its work. Close frees the device's own stream.
func (s *Stream) Free() error {
	if s == nil || s.d != nil && s == s.d.stream {
		return nil
	}
	return s.release()
}

// Sync waits for all work in s, and returns its error.
func (s *Stream) Sync() error {
	return s.d.call("wait for a stream", func() error { return s.wait() })
}

// wait is Sync on the thread.
func (s *Stream) wait() error {
	if err := s.ok(); err != nil {
		return err
	}
	err := drv.streamWait(s.h)
	if err == nil {
		s.d.waited()
	}
	return err
}

// Done reports whether all work in s is done.
func (s *Stream) Done() (done bool, err error) {
	err = s.d.call("look at a stream", func() (err error) {
		if err = s.ok(); err == nil {
			done, err = drv.streamDone(s.h)
		}
		return err
	})
	return done, err
}

// Wait waits like Sync, but leaves the device's thread free for other calls meanwhile, and returns
// when ctx ends (the work continues). It polls every 20 us to 1 ms.
func (s *Stream) Wait(ctx context.Context) error {
	for pause := 20 * time.Microsecond; ; pause = min(2*pause, time.Millisecond) {
		if done, err := s.Done(); done || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return &Error{Op: "wait for a stream", Device: s.d.info.Ordinal, Err: ctx.Err()}
		case <-time.After(pause):
		}
	}
}

// After makes later work in s wait until another stream reaches e.
func (s *Stream) After(e *Event) error {
	return s.d.call("wait for an event", func() error {
		if err := s.ok(); err != nil {
			return err
		}
		if err := e.ok(); err != nil {
			return err
		}
		return drv.streamAfter(s.h, e.h)
	})
}

// on resolves nil to the device's own stream, and checks the rest; on the thread.
func (d *Device) on(s *Stream) (*Stream, error) {
	if s == nil {
		return d.stream, nil
	}
	if err := s.ok(); err != nil {
		return nil, err
	}
	if s.d != d {
		return nil, refuse(
			"use a stream", d.info.Ordinal,
			"the stream belongs to another device or another Open of this one",
		)
	}
	return s, nil
}
