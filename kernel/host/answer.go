package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"

	"metalab/kernel/wire"
	"metalab/kernel/words"
	"metalab/solvers"
	"metalab/solvers/record"
)

// protocol is the version of the host's protocol; tests change it.
var protocol = wire.Protocol

// Protocol is the version of the protocol that hosts of this program speak.
func Protocol() int { return protocol }

// shape returns the host's fingerprint of its messages; tests change it.
var shape = wire.Shape

// A Request is a verb that a client asks for.
type Request struct {
	Verb string
	Body []byte // the request as JSON; empty: nothing is said
	ID   string // of the call: the host executes a repeated call with it once; empty: no check
	Who  string // the client, as journals name it
}

// Do executes a verb and returns its answer as JSON.
func (h *Host) Do(ctx context.Context, q Request) ([]byte, *wire.Error) {
	v, ok := wire.Find(q.Verb)
	f := handlers[q.Verb]
	if !ok || f == nil && whole == nil {
		return nil, &wire.Error{
			Code: wire.CodeVerb, Message: fmt.Sprintf("there is no verb %q", q.Verb),
		}
	}
	req := v.NewRequest()
	if err := Decode(q.Body, req); err != nil {
		return nil, &wire.Error{Code: wire.CodeRequest, Message: q.Verb + ": " + err.Error()}
	}
	if s := v.Untaken(req); s != "" {
		return nil, &wire.Error{Code: wire.CodeRequest, Message: s}
	}
	return h.Answer(ctx, q, func(c *Call) (any, error) {
		if f == nil {
			return nil, h.Grow(c.ctx, q.Verb, c.id)
		}
		return f(h, c, req)
	})
}

// Answer executes a verb by f, and returns its answer as JSON. It waits until the runs of the
// previous process are open again.
func (h *Host) Answer(
	ctx context.Context, q Request, f func(*Call) (any, error),
) ([]byte, *wire.Error) {
	select {
	case <-h.loaded:
	case <-ctx.Done():
		return nil, WireError(q.Verb, ctx.Err())
	}
	v, _ := wire.Find(q.Verb)
	return h.calls.once(&Call{ctx: ctx, id: q.ID, who: q.Who, host: h}, v.Group,
		func(c *Call) ([]byte, *wire.Error) { return h.carryOut(c, v, f) })
}

func (h *Host) carryOut(c *Call, v wire.Verb, f func(*Call) (any, error),
) (raw []byte, werr *wire.Error) {
	defer func() {
		// Figures come from users' data and plots; the host must outlive what they do.
		if x := recover(); x != nil {
			h.Logf("panic in %s: %v\n%s", v.Name, x, debug.Stack())
			raw = nil
			werr = &wire.Error{
				Code:    wire.CodeInternal,
				Message: fmt.Sprintf("%s: a mistake of the program: %v", v.Name, x),
			}
		}
	}()
	rep, err := f(c)
	if err != nil {
		h.IfLost(err)
		werr := WireError(v.Name, err)
		if h.o.Again && Sticky(err) {
			werr = &wire.Error{Code: werr.Code, Message: werr.Message +
				"; the host starts anew and loads the runs in the state that they had"}
		}
		return nil, werr
	}
	if raw, err = json.Marshal(rep); err != nil {
		return nil, &wire.Error{
			Code:    wire.CodeInternal,
			Message: fmt.Sprintf("%s: the reply cannot be written: %v", v.Name, err),
		}
	}
	return raw, nil
}

// explained holds the rooms' translations of their own errors.
var explained []func(error) (wire.Code, string)

// Explain registers f, which translates an error of a room for clients: it returns a code, empty if
// the error is none of the room's, and a text.
func Explain(f func(error) (wire.Code, string)) { explained = append(explained, f) }

// WireError gives an error its code.
func WireError(verb string, err error) *wire.Error {
	var e *wire.Error
	if errors.As(err, &e) {
		return e
	}
	code := wire.CodeRequest
	switch {
	case errors.Is(err, errAgain): // the next process answers
		code = wire.CodeCanceled
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		code = wire.CodeCanceled
	case errors.Is(err, solvers.ErrPaused):
		code = wire.CodePaused
	case errors.Is(err, solvers.ErrClosed):
		code = wire.CodeClosed
	case errors.Is(err, solvers.ErrFailed), errors.Is(err, solvers.ErrHalted):
		code = wire.CodeFailed
	case errors.As(err, new(*solvers.Difference)):
		code = wire.CodeDiffers
	case errors.As(err, new(*record.TakenError)):
		code = wire.CodeTaken
	case isFileError(err):
		code = wire.CodeFile
	}
	msg := wire.FileText(err)
	if code == wire.CodeTaken {
		msg += "; take another name, or add the word force, which replaces it"
	}
	for _, explain := range explained {
		if c, m := explain(err); c != "" {
			code, msg = c, m
		}
	}
	if code == wire.CodeFailed { // with a stack trace, which the verb show prints
		msg, _, _ = strings.Cut(msg, "\n")
	}
	if p, ok := errors.AsType[*solvers.UnknownParamError](err); ok {
		if near := words.Near(p.Name, p.Known); near != "" {
			msg += "; did you mean " + near + "?"
		}
	}
	// The layers below name themselves and what they were asked, which the verb does too.
	msg = strings.TrimPrefix(msg, "solvers: ")
	msg = strings.TrimPrefix(strings.TrimPrefix(msg, verb+": "), verb+" ")
	msg = strings.TrimPrefix(msg, "experiments: ")
	return &wire.Error{Code: code, Message: verb + ": " + msg}
}

// Decode reads a request; fields that it does not know are errors, so that a misspelt field is
// noticed.
func Decode(body []byte, req any) error {
	if len(strings.TrimSpace(string(body))) == 0 {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(string(body)))
	d.DisallowUnknownFields()
	err := d.Decode(req)
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Errorf("%s is %s, want %s", kind.Field, strings.TrimPrefix(kind.Value, "number "),
			wanted(kind.Type))
	}
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// wanted is a type of a request's field in words.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "an integer of 0 or more"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "an integer"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	}
	return "a " + t.Kind().String()
}
