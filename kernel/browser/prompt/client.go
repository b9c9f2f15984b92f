package prompt

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"sync/atomic"

	"metalab/kernel/host"
	"metalab/kernel/know"
	"metalab/kernel/wire"
)

// who is what changes by the page are called in journals.
const who = "page"

// client asks a host as a client on a socket does.
type client struct {
	host  *host.Host
	calls atomic.Uint64

	mu    sync.Mutex
	heard map[string]func(Event) // the progress of a call, by its id
}

var _ know.Host = (*client)(nil)

// NewCall implements words.Host.
func (c *client) NewCall() string { return "own." + strconv.FormatUint(c.calls.Add(1), 10) }

// CallID implements words.Host.
func (c *client) CallID(
	ctx context.Context, id, verb string, request any,
) (json.RawMessage, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, &wire.Error{Code: wire.CodeRequest, Message: verb + ": " + err.Error()}
	}
	raw, wrong := c.host.Do(ctx, host.Request{Verb: verb, Body: body, ID: id, Who: who})
	if wrong != nil {
		return nil, wrong
	}
	return raw, nil
}

// Raw implements know.Host.
func (c *client) Raw(ctx context.Context, verb string, request any) (json.RawMessage, error) {
	return c.CallID(ctx, c.NewCall(), verb, request)
}

// Do implements know.Host.
func (c *client) Do(ctx context.Context, verb string, request, reply any) error {
	raw, err := c.Raw(ctx, verb, request)
	if err != nil {
		return err
	}
	return decoded(raw, reply)
}

// follow passes the progress of a call on, until it is called again.
func (c *client) follow(id string, say func(Event)) (end func()) {
	c.mu.Lock()
	c.heard[id] = say
	c.mu.Unlock()
	return func() {
		c.mu.Lock()
		delete(c.heard, id)
		c.mu.Unlock()
	}
}

// progress tells how far a call is.
func (c *client) progress(id string, e Event) {
	c.mu.Lock()
	say := c.heard[id]
	c.mu.Unlock()
	if say != nil {
		say(e)
	}
}
