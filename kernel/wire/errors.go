package wire

import (
	"errors"
	"fmt"
)

// Code says of which kind an error is; programs decide by it, people read the message.
type Code string

// The codes.
const (
	CodeRequest  Code = "request"  // the arguments are wrong
	CodeVerb     Code = "verb"     // no such verb
	CodeRun      Code = "run"      // no such run
	CodeDiffers  Code = "differs"  // a run of that name is open with others, or a record is another
	CodePaused   Code = "paused"   // somebody paused the run before the step was done
	CodeClosed   Code = "closed"   // the run was closed
	CodeFailed   Code = "failed"   // the algorithm failed
	CodeCanceled Code = "canceled" // the client withdrew
	CodeVersion  Code = "version"  // client and host speak different protocols
	CodeHost     Code = "host"     // there is no host, or it has gone
	CodeFile     Code = "file"     // a file could not be read or written
	CodeTaken    Code = "taken"    // a file is there that is not replaced unless the request says so
	CodeDenied   Code = "denied"   // the client may not ask that
	CodeSource   Code = "source"   // a record's own source must be run, and the user has not said so
	CodeInternal Code = "internal" // a mistake of the program
)

// An Error is what went wrong, in one line.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// CodeOf returns the code of err, or "" when it is none of ours.
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
