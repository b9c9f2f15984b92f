package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"

	"metalab/kernel/reply"
)

// Events yields the host's events, from the one after id since (0: from now on), until ctx ends or
// the loop breaks. It resumes after a lost connection; when the host has gone, the last pair holds
// the error.
//
// The subscription starts at the call of Events, not at the first turn of the loop, so no event
// after the call is lost. If it fails, the first pair holds the error.
func (c *Client) Events(ctx context.Context, since uint64) iter.Seq2[Event, error] {
	k, rd, stop, err := c.subscribe(ctx, since, since > 0)
	return func(yield func(Event, error) bool) {
		last := since
		for {
			if err != nil {
				if ctx.Err() == nil {
					yield(Event{}, err)
				}
				return
			}
			for {
				var e Event
				if e, err = rd.next(); err != nil {
					break
				}
				if !yield(e, nil) {
					stop()
					k.close()
					return
				}
			}
			stop()
			k.close()
			last = max(last, rd.last)
			if ctx.Err() != nil {
				return
			}
			k, rd, stop, err = c.subscribe(ctx, last, true)
		}
	}
}

// subscribe opens a stream of events, and again when the connection broke before the answer.
func (c *Client) subscribe(ctx context.Context, since uint64,
	resume bool,
) (k *conn, rd *eventReader, stop func() bool, err error) {
	for i := 0; ; i++ {
		k, rd, stop, err = c.listen(ctx, since, resume)
		if i == retries || !errors.Is(err, errStale) || ctx.Err() != nil {
			break
		}
	}
	if err != nil {
		return nil, nil, nil, c.explain(err)
	}
	return k, rd, stop, nil
}

// listen opens a stream of events once. The end of ctx closes its connection, whether or not
// somebody reads; stop undoes that.
func (c *Client) listen(ctx context.Context, since uint64,
	resume bool,
) (k *conn, rd *eventReader, stop func() bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, nil, err
	}
	if k, err = c.connection(); err != nil {
		return nil, nil, nil, err
	}
	fields := c.head()
	if resume {
		fields = append(fields, "Last-Event-ID", strconv.FormatUint(since, 10))
	}
	stop = context.AfterFunc(ctx, k.close)
	err = k.send("GET", "/v1/events", fields, nil)
	var h head
	if err == nil {
		h, err = k.receive()
	}
	if err != nil {
		stop()
		k.close()
		return nil, nil, nil, err
	}
	if h.status != 200 {
		b, _ := k.readAll(h) // for the message only
		stop()
		k.close()
		return nil, nil, nil, errorf(CodeHost, "the host answered %d: %s", h.status,
			reply.Printable(clip(string(b))))
	}
	return k, &eventReader{lines: k.body(h)}, stop, nil
}

// eventReader reads server-sent events.
type eventReader struct {
	lines interface{ Read([]byte) (int, error) }
	buf   []byte
	last  uint64 // the latest id
	at    int    // how much of buf was looked at for a line's end
}

func (r *eventReader) line() ([]byte, error) {
	for {
		if i := bytes.IndexByte(r.buf[r.at:], '\n'); i >= 0 {
			l := r.buf[:r.at+i]
			r.buf, r.at = r.buf[r.at+i+1:], 0
			return l, nil
		}
		r.at = len(r.buf)
		if r.at > 1<<24 {
			return nil, fmt.Errorf("wire: an event of more than %d bytes", r.at)
		}
		chunk := make([]byte, 8<<10)
		n, err := r.lines.Read(chunk)
		r.buf = append(r.buf, chunk[:n]...)
		if err != nil && n == 0 {
			return nil, err
		}
	}
}

func (r *eventReader) next() (Event, error) {
	var e Event
	var data []byte
	for {
		l, err := r.line()
		if err != nil {
			return e, err
		}
		switch {
		case len(l) == 0 && data != nil:
			if err := json.Unmarshal(tame(data), &e); err != nil {
				return e, fmt.Errorf("wire: an event: %w", err)
			}
			return e, nil
		case bytes.HasPrefix(l, []byte("data: ")):
			data = append(data, l[6:]...)
		case bytes.HasPrefix(l, []byte("id: ")):
			if e.ID, err = strconv.ParseUint(string(l[4:]), 10, 64); err != nil {
				return e, fmt.Errorf("wire: an event's id: %w", err)
			}
			r.last = e.ID
		}
	}
}
