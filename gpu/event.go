package gpu

import "time"

// An Event is a mark in a stream, reached after all work before it. The device itself measures the
// time between two marks.
type Event struct {
	resource
	h handle
}

// NewEvent returns an event without a mark.
func (d *Device) NewEvent() (*Event, error) {
	e := &Event{}
	if err := d.call("make an event", func() error { return e.create(d) }); err != nil {
		return nil, err
	}
	return e, nil
}

func (e *Event) create(d *Device) (err error) {
	if e.h, err = drv.eventNew(true); err == nil {
		e.own(d, "event", func() error { return drv.eventFree(e.h) })
	}
	return err
}

// Free frees the event.
func (e *Event) Free() error { return e.release() }

// Record appends the mark to s. A later Record moves it.
func (e *Event) Record(s *Stream) error {
	return e.d.call("record an event", func() error { return e.record(s) })
}

func (e *Event) record(s *Stream) error {
	if err := e.ok(); err != nil {
		return err
	}
	s, err := e.d.on(s)
	if err != nil {
		return err
	}
	return drv.eventRecord(e.h, s.h)
}

// Sync waits until the stream reaches the mark.
func (e *Event) Sync() error {
	return e.d.call("wait for an event", func() error {
		if err := e.ok(); err != nil {
			return err
		}
		return drv.eventWait(e.h)
	})
}

// Done reports whether the stream has reached the mark.
func (e *Event) Done() (done bool, err error) {
	err = e.d.call("look at an event", func() (err error) {
		if err = e.ok(); err == nil {
			done, err = drv.eventDone(e.h)
		}
		return err
	})
	return done, err
}

// Since returns the device's time between the marks from and e, both reached, with a resolution of
// about half a microsecond.
func (e *Event) Since(from *Event) (span time.Duration, err error) {
	err = e.d.call("measure between events", func() error {
		if err := e.ok(); err != nil {
			return err
		}
		if err := from.ok(); err != nil {
			return err
		}
		ms, err := drv.eventMs(from.h, e.h)
		span = time.Duration(float64(ms) * float64(time.Millisecond))
		return err
	})
	return span, err
}

// Time runs f on the device's thread and returns how long the work that f added to s took on the
// device, from its start to its end. It waits for that end.
func (d *Device) Time(s *Stream, f func() error) (span time.Duration, err error) {
	err = d.call("time", func() error {
		s, err := d.on(s)
		if err != nil {
			return err
		}
		var from, to Event
		if err := from.create(d); err != nil {
			return err
		}
		defer from.drop()
		if err := to.create(d); err != nil {
			return err
		}
		defer to.drop()
		if err := from.record(s); err != nil {
			return err
		}
		if err := f(); err != nil {
			return err
		}
		if err := to.record(s); err != nil {
			return err
		}
		if err := s.wait(); err != nil {
			return err
		}
		span, err = to.Since(&from)
		return err
	})
	return span, err
}
