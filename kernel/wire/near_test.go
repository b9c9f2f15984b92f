package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// near answers as it is told.
type near struct {
	asked string
	raw   string
	err   error
}

func (n *near) Call(_ context.Context, id, verb string, body []byte) (json.RawMessage, error) {
	n.asked = id + " " + verb + " " + string(body)
	return json.RawMessage(n.raw), n.err
}

func (n *near) Array(_ context.Context, run, name string) (wire.Array, error) {
	n.asked = run + " " + name
	return wire.Array{Type: "int32", Shape: []int{0}}, n.err
}

// A host that is near is asked without a socket, and what needs one says so.
func TestJoin(t *testing.T) {
	n := &near{raw: `{"verb":"note","note":"hello\u001b[31m"}`}
	c := wire.Join(n, reply.Hello{Session: "page"}, "page")
	defer c.Close()
	var r reply.NoteReply
	if err := c.DoID(t.Context(), "7", "show", wire.RunRequest{Run: "a"}, &r); err != nil ||
		n.asked != `7 show {"run":"a"}` || !strings.HasPrefix(r.Note, "hello") ||
		strings.Contains(r.Note, "\x1b") {
		t.Errorf("%q: %q, %v", n.asked, r.Note, err)
	}
	n.err = &wire.Error{Code: wire.CodeRun, Message: "there is no run"}
	if err := c.Do(t.Context(), "show", nil, nil); wire.CodeOf(err) != wire.CodeRun ||
		!strings.HasSuffix(n.asked, "show {}") {
		t.Errorf("%q: %v", n.asked, err)
	}
	if _, err := c.Array(t.Context(), "a", "tour"); !errors.Is(err, n.err) || n.asked != "a tour" {
		t.Errorf("%q: %v", n.asked, err)
	}
	for what, err := range map[string]error{
		"ping": func() error { _, err := c.Ping(t.Context()); return err }(),
		"array of a GPU": func() error {
			_, err := c.GPUArray(t.Context(), "x")
			return err
		}(),
		"events": func() error {
			for _, err := range c.Events(t.Context(), 0) {
				return err
			}
			return nil
		}(),
	} {
		if wire.CodeOf(err) != wire.CodeVerb {
			t.Errorf("%s: %v, want that a page has it not", what, err)
		}
	}
}
