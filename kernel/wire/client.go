package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2" // ids need to be different, not secret; crypto/rand is five times the code
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"metalab/kernel/reply"
)

// The header fields of requests.
const (
	HeaderProtocol = "X-Metalab-Protocol" // the client's Protocol
	HeaderBuild    = "X-Metalab-Build"    // the client's build
	HeaderWho      = "X-Metalab-Who"      // who sends the request, for the journal
	// the call's id: the host does not execute a repeated call twice
	HeaderCall   = "X-Metalab-Call"
	HeaderType   = "X-Metalab-Type"   // of an array: int32, float32 or float64
	HeaderShape  = "X-Metalab-Shape"  // of an array: its lengths with commas, rows first
	HeaderAlarms = "X-Metalab-Alarms" // of an answer to a cell: warnings to show, as JSON
)

// A Client is a connection to a host. Any goroutine may call its methods.
type Client struct {
	path  string
	near  Near // in place of path
	who   string
	tag   string // of the ids of its calls
	hello reply.Hello
	calls atomic.Uint64

	mu     sync.Mutex
	idle   []*conn
	closed bool
	alarm  func(string)
}

// OnAlarm sets the function that receives warnings for everybody, which come with the answers to a
// cell.
func (c *Client) OnAlarm(f func(warning string)) {
	c.mu.Lock()
	c.alarm = f
	c.mu.Unlock()
}

// tellAlarms tells of the warnings that came with an answer.
func (c *Client) tellAlarms(h head) {
	text := h.fields[strings.ToLower(HeaderAlarms)]
	c.mu.Lock()
	f := c.alarm
	c.mu.Unlock()
	var all []string
	if text == "" || f == nil || json.Unmarshal(tame([]byte(text)), &all) != nil {
		return
	}
	for _, a := range all {
		f(a)
	}
}

// A VersionError is the error for a client and a host with different protocols.
type VersionError struct {
	Protocol int    // the client's
	Build    string // the client's
	Host     reply.Hello
}

// Error names both versions and gives advice.
func (e *VersionError) Error() string {
	return fmt.Sprintf("this program speaks protocol %d (%s) and the host of session %s "+
		"speaks %d (%s); %s",
		e.Protocol, e.Build, e.Host.Session, e.Host.Protocol, e.Host.Build, together())
}

// As also converts it to an *Error with CodeVersion.
func (e *VersionError) As(target any) bool {
	if t, ok := target.(**Error); ok {
		*t = &Error{CodeVersion, e.Error()}
		return true
	}
	return false
}

// Dial connects to a session by its name or the path of its socket. who is the client's name in
// journals, such as "prompt"; empty means the program's name.
//
// The error is a *VersionError if the host has another protocol, and an *Error with CodeHost if
// there is no host.
func Dial(ctx context.Context, session, who string) (*Client, error) {
	path, err := SocketPath(session)
	if err != nil {
		return nil, err
	}
	if who == "" {
		who = "client"
	}
	c := &Client{path: path, who: who, tag: strconv.FormatUint(rand.Uint64(), 36)}
	if _, _, err := c.get(ctx, "/v1/hello", &c.hello); err != nil {
		c.Close()
		return nil, err
	}
	if c.hello.Protocol != Protocol {
		c.Close()
		return nil, &VersionError{Protocol, Build(), c.hello}
	}
	return c, nil
}

// Hello describes the host.
func (c *Client) Hello() reply.Hello { return c.hello }

// Who returns the client's name in journals.
func (c *Client) Who() string { return c.who }

// Close closes the connections, but not those of calls in progress.
func (c *Client) Close() {
	c.mu.Lock()
	idle := c.idle
	c.idle, c.closed = nil, true
	c.mu.Unlock()
	for _, k := range idle {
		k.close()
	}
}

// NewCall returns a new id for CallID.
func (c *Client) NewCall() string { return c.tag + "." + strconv.FormatUint(c.calls.Add(1), 10) }

// Do executes a verb on the host and stores its reply in reply, a pointer, unless that is nil. When
// ctx ends, the host withdraws the call: for a step, the remaining iterations.
func (c *Client) Do(ctx context.Context, verb string, request, reply any) error {
	return c.DoID(ctx, c.NewCall(), verb, request, reply)
}

// DoID is Do with a given id; see CallID.
func (c *Client) DoID(ctx context.Context, id, verb string, request, reply any) error {
	raw, err := c.CallID(ctx, id, verb, request)
	if err != nil || reply == nil {
		return err
	}
	if err := json.Unmarshal(raw, reply); err != nil {
		return c.drifted(errorf(CodeInternal, "the reply to %s: %v", verb, err))
	}
	return nil
}

// Raw is Do with the reply as the host sent it: one line of JSON.
func (c *Client) Raw(ctx context.Context, verb string, request any) (json.RawMessage, error) {
	return c.CallID(ctx, c.NewCall(), verb, request)
}

// CallID is Raw with a given id, which identifies the call's progress events. If an earlier call
// had the same id, the host executes only the rest of that call.
func (c *Client) CallID(ctx context.Context, id, verb string,
	request any,
) (json.RawMessage, error) {
	if request == nil {
		request = Empty{}
	}
	body, err := json.Marshal(request)
	if err != nil {
		return nil, &Error{CodeRequest, verb + ": " + err.Error()}
	}
	if c.near != nil {
		raw, err := c.near.Call(ctx, id, verb, body)
		return tame(raw), err
	}
	_, raw, err := c.roundTrip(ctx, "POST", "/v1/do/"+verb, append(c.head(), HeaderCall, id), body)
	return tame(raw), err
}

// Record returns the record of an open run in the form of a file.
func (c *Client) Record(ctx context.Context, run string) ([]byte, error) {
	if c.near != nil {
		return nil, errorf(CodeRequest, "record: the host of a page sends none")
	}
	_, raw, err := c.get(ctx, "/v1/record/"+run, nil)
	return raw, err
}

func (c *Client) head() []string {
	return []string{HeaderProtocol, strconv.Itoa(Protocol), HeaderBuild, Build(), HeaderWho, c.who}
}

func (c *Client) get(ctx context.Context, target string, reply any) (head, []byte, error) {
	h, raw, err := c.roundTrip(ctx, "GET", target, c.head(), nil)
	if err == nil && reply != nil {
		err = json.Unmarshal(tame(raw), reply)
	}
	return h, raw, err
}

// retries is how often a request is repeated whose connection broke before the answer. A host that
// restarts because a GPU failed breaks all connections: the requests wait in its socket, and the
// next process executes them, without repeating those that were done.
const retries = 4

// roundTrip makes a request, and again when its connection broke before the answer.
func (c *Client) roundTrip(ctx context.Context, method, target string, fields []string,
	body []byte,
) (head, []byte, error) {
	h, b, err := c.try(ctx, true, method, target, fields, body)
	for i := 0; i < retries && errors.Is(err, errStale) && ctx.Err() == nil; i++ {
		h, b, err = c.try(ctx, false, method, target, fields, body)
	}
	if err == nil {
		c.tellAlarms(h)
	}
	if ctx.Err() != nil {
		return h, nil, ctx.Err()
	}
	if err != nil {
		return h, nil, c.explain(err)
	}
	if h.status != 200 {
		b = tame(b)
		e := &struct{ Error *Error }{}
		if json.Unmarshal(b, e) != nil || e.Error == nil {
			return h, nil, errorf(CodeInternal, "the host answered %d: %s", h.status,
				reply.Printable(clip(string(b))))
		}
		if e.Error.Code == CodeVerb || e.Error.Code == CodeRequest && strings.Contains(e.Error.Message,
			"unknown field") {
			return h, nil, c.drifted(e.Error)
		}
		return h, nil, e.Error
	}
	return h, b, nil
}

func (c *Client) try(ctx context.Context, reuse bool, method, target string, fields []string,
	body []byte,
) (head, []byte, error) {
	if err := ctx.Err(); err != nil {
		return head{}, nil, err
	}
	k, err := c.take(reuse)
	if err != nil {
		return head{}, nil, err
	}
	stop := k.guard(ctx)
	h, b, err := func() (head, []byte, error) {
		if err := k.send(method, target, fields, body); err != nil {
			return head{}, nil, err
		}
		h, err := k.receive()
		if err != nil {
			return h, nil, err
		}
		b, err := k.readAll(h)
		return h, b, err
	}()
	if !stop() || err != nil || h.last || (h.length < 0 && !h.chunked) {
		k.close()
	} else {
		c.put(k)
	}
	return h, b, err
}

// take returns an idle connection, or a new one.
func (c *Client) take(reuse bool) (*conn, error) {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil, &Error{CodeHost, "the client is closed"}
	}
	if n := len(c.idle); reuse && n > 0 {
		k := c.idle[n-1]
		c.idle = c.idle[:n-1]
		c.mu.Unlock()
		return k, nil
	}
	c.mu.Unlock()
	return c.connection()
}

func (c *Client) put(k *conn) {
	c.mu.Lock()
	keep := !c.closed && len(c.idle) < 4
	if keep {
		c.idle = append(c.idle, k)
	}
	c.mu.Unlock()
	if !keep {
		k.close()
	}
}

// RecordHint ends the error for a record in the place of an instance.
const RecordHint = "; the record of a run is opened by: load"

// RecoverHint is the advice of errors when a host has gone.
const RecoverHint = "start a session, then type recover"

// NothingKept is the note of errors about a host that has gone and had nothing on disk.
const NothingKept = "it kept nothing on a disk, so its runs are gone with it"

// explain turns an error of the connection into one for people.
func (c *Client) explain(err error) error {
	var e *Error
	var v *VersionError
	if errors.As(err, &v) || errors.As(err, &e) {
		return err
	}
	name := c.hello.Session
	if name == "" {
		name = strings.TrimSuffix(c.path[strings.LastIndexByte(c.path, '/')+1:], ".sock")
	}
	nobody := errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED)
	lost := errors.Is(err, errStale) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
	why := "the connection was lost"
	if nobody {
		why = "nobody answers"
	}
	switch {
	case c.hello.InMemory && (nobody || lost):
		return errorf(CodeHost, "the host of session %s has gone (%s); %s", name, why, NothingKept)
	case c.hello.PID != 0 && (nobody || lost):
		return errorf(CodeHost, "the host of session %s has gone (%s); its runs were autosaved: %s", name,
			why, RecoverHint)
	case nobody:
		return errorf(CodeHost, "there is no session %s (nobody answers at %s); if its host has ended, "+
			"its runs were autosaved: %s", name, c.path, RecoverHint)
	}
	return errorf(CodeHost, "session %s: %v", name, err)
}

// Ping asks the host for its present description.
func (c *Client) Ping(ctx context.Context) (reply.Hello, error) {
	var h reply.Hello
	_, _, err := c.get(ctx, "/v1/hello", &h)
	return h, err
}

// Wire returns the error in the form in which the host sends it.
func (e *VersionError) Wire() *Error { return &Error{CodeVersion, e.Error()} }
