package eval

import (
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// ErrInterrupted is what Eval returns, wrapped or not, when its context ended
// before the input did. Test for it with errors.Is.
var ErrInterrupted = errors.New("interrupted")

// ErrLeftBehind says that an interrupted input was waiting inside compiled code
// (a call, a channel, a lock), did not come back within a second, and was left to
// itself: the session goes on without it. It wraps ErrInterrupted.
var ErrLeftBehind = fmt.Errorf(
	"%w; a call inside compiled code has not come back, so it was left behind", ErrInterrupted)

// ErrStack says that the input's calls were nested so deep that Go's stack would
// have run out, which no program survives; the input was stopped before.
var ErrStack = errors.New("stack overflow: the calls are nested too deep (endless recursion?)")

// Kind says at what stage an input failed.
type Kind int

// The kinds of Error.
const (
	Syntax  Kind = iota // the text is not Go
	Compile             // Go's type checker refuses it, in its words
	Panic               // it ran and panicked
)

// Error is an input's failure, placed in the text that the user typed.
type Error struct {
	Kind  Kind
	Input int    // number of the input that the place is in, from 1
	Line  int    // line in that input, from 1; 0 when unknown
	Col   int    // column in bytes, from 1; 0 when unknown
	Msg   string // one line
	Value any    // what was panicked with, for Panic
	here  bool   // the place is in the input that failed, not in an earlier one
}

// Error gives one line: the place, and what is wrong. A place in an earlier
// input, for instance in a function declared there, names that input.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Line > 0 {
		if !e.here {
			fmt.Fprintf(&b, "input %d, ", e.Input)
		}
		if e.Col > 0 {
			fmt.Fprintf(&b, "%d:%d: ", e.Line, e.Col)
		} else {
			fmt.Fprintf(&b, "line %d: ", e.Line)
		}
	}
	b.WriteString(e.Text())
	return b.String()
}

// In gives the place in a file in which the input began at line first, as "12:3". It is
// false when the place is unknown, or in an earlier input.
func (e *Error) In(first int) (place string, ok bool) {
	if e.Line == 0 || !e.here {
		return "", false
	}
	place = strconv.Itoa(e.Line + first - 1)
	if e.Col > 0 {
		place += ":" + strconv.Itoa(e.Col)
	}
	return place, true
}

// Text is what is wrong, without the place.
func (e *Error) Text() string {
	if e.Kind == Panic {
		return "panic: " + e.Msg
	}
	return e.Msg
}

// Unwrap gives the error that was panicked with, if it was one.
func (e *Error) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// fileName is the name under which an input's text stands in the file set; the
// generated text around it has another name.
func fileName(input int) string { return "in" + strconv.Itoa(input) }

// inputOf is the inverse of fileName; 0 when the name is not an input's.
func inputOf(name string) int {
	n, ok := strings.CutPrefix(name, "in")
	if !ok {
		return 0
	}
	i, err := strconv.Atoi(n)
	if err != nil {
		return 0
	}
	return i
}

// place makes an Error of a position.
func place(kind Kind, pos token.Position, current int, msg string) *Error {
	e := &Error{Kind: kind, Msg: oneLine(msg), Input: inputOf(pos.Filename)}
	if e.Input > 0 {
		e.Line, e.Col, e.here = pos.Line, pos.Column, e.Input == current
	}
	return e
}

// syntaxError turns the parser's or scanner's error into ours.
func syntaxError(err error, current int) error {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return place(Syntax, list[0].Pos, current, list[0].Msg)
	}
	return &Error{Kind: Syntax, Msg: oneLine(err.Error())}
}

// typeError turns the type checker's error into ours.
func typeError(err types.Error, current int) *Error {
	return place(Compile, err.Fset.Position(err.Pos), current, plainNames(err.Msg))
}

// plainNames takes the names that only generated text has out of a message.
func plainNames(msg string) string {
	return strings.NewReplacer(oldSuffix, "", pkgSuffix, "", typesName+".", "").Replace(msg)
}

// oneLine joins the lines of a message.
func oneLine(s string) string {
	lines := strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' })
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return strings.Join(lines, " ")
}
