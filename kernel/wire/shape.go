package wire

import (
	"reflect"
	"strconv"
	"sync"

	"metalab/solvers/record"
)

// Shape returns a fingerprint of the messages that this program knows: the names and types of the
// fields of all requests and replies. A client and a host from different sources may differ in it
// although they have the same protocol. They talk, and if one then does not understand the other,
// the error says why.
var Shape = sync.OnceValue(func() string {
	s := shaper{h: 14695981039346656037}
	for _, v := range Verbs {
		s.text(v.Name)
		s.walk(v.request)
		s.walk(v.reply)
	}
	s.walk(reflect.TypeFor[Event]())
	return strconv.FormatUint(s.h, 36)
})

// shaper hashes types with FNV-1a.
type shaper struct {
	h    uint64
	seen []reflect.Type
}

func (s *shaper) text(t string) {
	for i := range len(t) {
		s.h = (s.h ^ uint64(t[i])) * 1099511628211
	}
	s.h = (s.h ^ 0xff) * 1099511628211
}

func (s *shaper) walk(t reflect.Type) {
	if t == nil {
		return
	}
	s.text(t.String())
	for _, x := range s.seen {
		if x == t {
			return
		}
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		s.walk(t.Elem())
	case reflect.Map:
		s.walk(t.Key())
		s.walk(t.Elem())
	case reflect.Struct:
		s.seen = append(s.seen, t)
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() {
				s.text(f.Name)
				s.text(string(f.Tag))
				s.walk(f.Type)
			}
		}
	default:
	}
}

// drifted explains an error that may come from the host's being compiled from other sources
// than the client: one of a verb or a field that it does not know, or of a reply that the
// client cannot read.
func (c *Client) drifted(e *Error) *Error {
	if c.hello.Shape == "" || c.hello.Shape == Shape() {
		return e
	}
	return &Error{e.Code, e.Message + " (the host of session " + c.hello.Session +
		" was compiled from other sources than this program; " + together() + ")"}
}

// together says how a host and its clients come from the same sources again.
func together() string {
	if record.Released() {
		return "in a notebook restart the kernel; elsewhere end the session and start it anew"
	}
	return "in a notebook: go run ./kernel install, then restart the kernel; elsewhere end the " +
		"session and start it anew"
}
