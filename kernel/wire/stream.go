package wire

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"
)

// Events yields what happens on the host, from after the event with id since (0: from now
// on), until ctx ends or the loop is left. A lost connection is taken up again where it
// broke; when the host has gone the last pair holds the error.
//
// The subscription starts at the call of Events, not at the first turn of the loop, so
// what is done after the call is seen. An error of that is yielded first.
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

// subscribe opens a stream of events. The end of ctx closes its connection, whether or not
// somebody reads; stop undoes that.
func (c *Client) subscribe(ctx context.Context, since uint64, resume bool) (k *conn, rd *eventReader, stop func() bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, nil, err
	}
	if k, err = dial(c.path); err != nil {
		return nil, nil, nil, c.explain(err)
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
		return nil, nil, nil, c.explain(err)
	}
	if h.status != 200 {
		b, _ := k.readAll(h) // for the message only
		stop()
		k.close()
		return nil, nil, nil, &Error{CodeHost, fmt.Sprintf("the host answered %d: %s", h.status, clip(string(b)))}
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
			if err := json.Unmarshal(data, &e); err != nil {
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

// An Array is a large array: of int32, float32 or float64, rows first.
type Array struct {
	Type  string // int32, float32 or float64
	Shape []int
	Data  []byte // little-endian
}

// Len is the number of items that the shape has.
func (a Array) Len() int {
	n := 1
	for _, d := range a.Shape {
		n *= d
	}
	return n
}

// Int32s returns the items of an array of int32, else nil.
func (a Array) Int32s() []int32 {
	if a.Type != "int32" {
		return nil
	}
	out := make([]int32, len(a.Data)/4)
	for i := range out {
		out[i] = int32(binary.LittleEndian.Uint32(a.Data[4*i:]))
	}
	return out
}

// Float64s returns the items of any array as float64.
func (a Array) Float64s() []float64 {
	switch a.Type {
	case "float64":
		out := make([]float64, len(a.Data)/8)
		for i := range out {
			out[i] = math.Float64frombits(binary.LittleEndian.Uint64(a.Data[8*i:]))
		}
		return out
	case "float32":
		out := make([]float64, len(a.Data)/4)
		for i := range out {
			out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(a.Data[4*i:])))
		}
		return out
	}
	out := make([]float64, 0, len(a.Data)/4)
	for _, v := range a.Int32s() {
		out = append(out, float64(v))
	}
	return out
}

// Arrays are the names of the arrays of a run: the best tour (int32, n), the values of the
// last iteration's solutions (float64, m), the coordinates to draw at (float64, n x 2),
// and the strongest pheromone trails (float64, k x 3: from, to, strength).
var Arrays = []string{"tour", "lengths", "coordinates", "trails"}

// Array fetches an array of a run; see Arrays.
func (c *Client) Array(ctx context.Context, run, name string) (Array, error) {
	h, b, err := c.get(ctx, "/v1/array/"+run+"/"+name, nil)
	if err != nil {
		return Array{}, err
	}
	a := Array{Type: h.fields[strings.ToLower(HeaderType)], Data: b}
	for s := range strings.SplitSeq(h.fields[strings.ToLower(HeaderShape)], ",") {
		d, err := strconv.Atoi(s)
		if err != nil || d < 0 {
			return Array{}, fmt.Errorf("wire: array %s of run %s has shape %q", name, run, clip(s))
		}
		a.Shape = append(a.Shape, d)
	}
	size := map[string]int{"int32": 4, "float32": 4, "float64": 8}[a.Type]
	if size == 0 || a.Len()*size != len(b) {
		return Array{}, fmt.Errorf("wire: array %s of run %s has type %q, shape %v and %d bytes, which do not fit", name, run, a.Type, a.Shape, len(b))
	}
	return a, nil
}
