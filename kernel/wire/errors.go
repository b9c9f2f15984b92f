package wire

import (
	"errors"
	"fmt"
)

// A Code is the kind of an error. Programs decide by it; people read the message.
type Code string

// The codes.
const (
	CodeRequest  Code = "request"  // the arguments are wrong
	CodeVerb     Code = "verb"     // no such verb
	CodeRun      Code = "run"      // no such run
	CodeDiffers  Code = "differs"  // a run with that name has other arguments, or a record differs
	CodePaused   Code = "paused"   // a pause came before the end of the step
	CodeClosed   Code = "closed"   // the run was closed
	CodeFailed   Code = "failed"   // the algorithm failed
	CodeCanceled Code = "canceled" // the client withdrew
	CodeVersion  Code = "version"  // client and host speak different protocols
	CodeHost     Code = "host"     // there is no host, or it has gone
	CodeFile     Code = "file"     // a file could not be read or written
	CodeTaken    Code = "taken"    // a file is there that is not replaced unless the request says so
	CodeDenied   Code = "denied"   // the client is not allowed to
	CodeSource   Code = "source"   // a record's own source must run, and the user has not agreed
	CodeInternal Code = "internal" // a mistake of the program
)

// An Error is the failure of a request, in one line.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// CodeOf returns the code of err, or "" if it has none.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// errorf is an Error with a message of a form.
func errorf(code Code, form string, args ...any) *Error {
	return &Error{code, fmt.Sprintf(form, args...)}
}
