package wire

import (
	"context"
	"encoding/json"

	"metalab/kernel/reply"
)

// A Near is a host that is reached without a socket, for example from one worker of a page to
// another.
type Near interface {
	// Call executes a verb like Client.CallID; body is the request as JSON. When ctx ends, the host
	// withdraws the call.
	Call(ctx context.Context, id, verb string, body []byte) (json.RawMessage, error)

	// Array is Client.Array.
	Array(ctx context.Context, run, name string) (Array, error)
}

// Join connects to a near host. It refuses what needs a socket: events, and the arrays of a GPU.
func Join(host Near, hello reply.Hello, who string) *Client {
	return &Client{near: host, hello: hello, who: who, tag: who}
}

// connection opens a connection to the host's socket.
func (c *Client) connection() (*conn, error) {
	if c.near != nil {
		return nil, &Error{CodeVerb, "a page has neither events for Go nor the memory of a GPU"}
	}
	return dial(c.path)
}
