package prompt

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"sync/atomic"

	"metalab/kernel/know"
	"metalab/kernel/wire"
)

// A Host carries out verbs in this program.
type Host interface {
	// Call carries out a verb, of a request in JSON, and returns its answer in JSON.
	Call(ctx context.Context, verb, id, who string, body []byte) ([]byte, error)

	// Since returns the events after last, of which lost were dropped, a channel that is closed when
	// there are others, and whether there will be any.
	Since(last uint64) (evs []wire.Event, lost uint64, wake <-chan struct{}, more bool)
}

// who is what changes by the page are called in journals.
const who = "page"

// client asks a host as a client on a socket does.
type client struct {
	host  Host
	calls atomic.Uint64

	mu    sync.Mutex
	heard map[string]func(Event) // the progress of a call, by its id
}

var _ know.Host = (*client)(nil)

func newClient(h Host) *client { return &client{host: h, heard: map[string]func(Event){}} }

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
	return c.host.Call(ctx, verb, id, who, body)
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
