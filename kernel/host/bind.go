package host

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"metalab/kernel/wire"
)

// handlerFunc executes a verb: req is a pointer to the request that the verb's spec declares.
type handlerFunc func(h *Host, c *Call, req any) (any, error)

// handlers are the handlers of the host's verbs, by name. A test compares them with wire.Verbs.
var handlers = map[string]handlerFunc{}

// handle makes f the handler of a verb.
func handle[Q, R any](verb string, f func(h *Host, c *Call, q *Q) (*R, error)) struct{} {
	handlers[verb] = func(h *Host, c *Call, req any) (any, error) { return f(h, c, req.(*Q)) }
	return struct{}{}
}

// Handle makes f the handler of a verb. Rooms, packages below this folder, call it when they are
// linked: see package rooms.
func Handle[Q, R any](verb string, f func(c *Call, q *Q) (*R, error)) {
	handle(verb, func(_ *Host, c *Call, q *Q) (*R, error) { return f(c, q) })
}

// A Room is the data of a package of verbs in each host of the program.
type Room[T any] struct{ of *room }

// room says how a room is furnished.
type room struct {
	name string
	open func(*Host) (any, Hooks)
}

// rooms are all of this program, by name.
var rooms []*room

// furnished is a room in a host.
type furnished struct {
	*room
	has   any
	hooks Hooks
}

// Hooks are the host's calls to a room; each may be nil.
type Hooks struct {
	// Close ends what the room has, at the end of the host, when all work has ended.
	Close func() error

	// Holds says what would be lost if the host went on in another process; empty: nothing.
	Holds func() string

	// Park returns what the next process must know when the host goes on in another one; nil:
	// nothing. It becomes JSON. All work has ended.
	Park func() any

	// Reopen gets what Park returned in the process before, before clients come.
	Reopen func(saved json.RawMessage)

	// Resume receives saved when the runs are open again. It returns what continues and what does not,
	// in words for all clients.
	Resume func(c *Call, saved json.RawMessage) (notes, bad []string)
}

// Furnish registers a room; every new host calls its open. The package of the room calls Furnish
// when it is initialized.
func Furnish[T any](name string, open func(*Host) (T, Hooks)) Room[T] {
	r := &room{name, func(h *Host) (any, Hooks) { return open(h) }}
	rooms = append(rooms, r)
	slices.SortFunc(rooms, func(a, b *room) int { return cmp.Compare(a.name, b.name) })
	return Room[T]{r}
}

// In returns the room's data in a host.
func (r Room[T]) In(h *Host) T {
	i := slices.IndexFunc(h.rooms, func(f *furnished) bool { return f.room == r.of })
	return h.rooms[i].has.(T)
}

// HandleIn makes f the handler of a verb, with what the room has in the host that is asked.
func HandleIn[T, Q, R any](r Room[T], verb string, f func(T, *Call, *Q) (*R, error)) struct{} {
	return handle(verb, func(h *Host, c *Call, q *Q) (*R, error) { return f(r.In(h), c, q) })
}

// furnish opens all rooms of the program in the host.
func (h *Host) furnish() {
	for _, r := range rooms {
		f := &furnished{room: r}
		f.has, f.hooks = r.open(h)
		h.rooms = append(h.rooms, f)
	}
}

// Handled are the verbs that have a handler in this program.
func Handled() []string { return slices.Sorted(maps.Keys(handlers)) }

// Wrong is an error about a request.
func Wrong(msg string) error { return &wire.Error{Code: wire.CodeRequest, Message: msg} }

// wrong is Wrong.
func wrong(msg string) error { return Wrong(msg) }
