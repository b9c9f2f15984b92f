package host

import (
	"metalab/kernel/wire"
)

// handlerFunc carries out a verb: req is a pointer to the request that the verb's spec
// declares.
type handlerFunc func(h *Host, c *call, req any) (any, error)

// handlers are the handlers of the host's verbs, by name. A test compares them with wire.Verbs.
var handlers = map[string]handlerFunc{}

// handle makes f the handler of a verb.
func handle[Q, R any](verb string, f func(h *Host, c *call, q *Q) (*R, error)) struct{} {
	handlers[verb] = func(h *Host, c *call, req any) (any, error) { return f(h, c, req.(*Q)) }
	return struct{}{}
}

// Handle makes f the handler of a verb. Rooms, packages below this folder, call it when they are
// linked: see package rooms.
func Handle[Q, R any](verb string, f func(c *Call, q *Q) (*R, error)) {
	handle(verb, func(_ *Host, c *call, q *Q) (*R, error) { return f(&Call{c}, q) })
}

// Wrong is an error about a request.
func Wrong(msg string) error { return &wire.Error{Code: wire.CodeRequest, Message: msg} }

// wrong is Wrong.
func wrong(msg string) error { return Wrong(msg) }
