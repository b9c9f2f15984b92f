package eval

import (
	"context"
	"go/types"
)

// Evaluator is Go at a prompt: all that a prompt needs to know of it. An
// implementation is safe for use by several goroutines; inputs are evaluated one
// at a time.
type Evaluator interface {
	// Eval runs one input, any number of lines of declarations and statements, and returns the values
	// of its last statement if that is an expression: all results of a call, one value otherwise, none
	// for a statement, a call without results or one that prints, such as fmt.Println. Its
	// declarations stay for later inputs.
	//
	// When ctx ends, the input is interrupted: Eval then returns ErrInterrupted, or ErrLeftBehind for
	// an input that waits inside compiled code. Errors of the text, and panics, are *Error. No error
	// ends the session; an input whose text does not compile changes nothing.
	Eval(ctx context.Context, src string) (values []any, err error)

	// Bind makes *ptr a variable of the inputs. It panics when ptr is not a
	// pointer or name is not an identifier. The variable stays the host's: both
	// see each other's changes, unless an input declares the name again.
	Bind(name string, ptr any)

	// Complete lists what may stand at byte pos of text, sorted, best first when
	// it is known: packages, variables and functions in scope, fields and
	// methods after a dot.
	Complete(text string, pos int) []Suggestion

	// Vars lists the variables in scope, sorted by name.
	Vars() []Var
}

// Suggestion is one completion.
type Suggestion struct {
	Text  string // what replaces text[Start:pos]
	About string // its type or signature, and a sentence when one is known
	Start int    // byte offset of the word that it completes
}

// Var is a variable of the session.
type Var struct {
	Name  string
	Type  string // as Go writes it, with package names
	Ptr   any    // pointer to the variable: *T for a variable of type T
	Input int    // the number of the input that declared it, 0 for the host's
}

// Config says what an Evaluator offers. The zero Config is usable.
type Config struct {
	// Packages are the import paths that inputs may use without an import line,
	// beside those of Std; the last element of a path is the name. Each must be
	// registered, see package metalab/kernel/eval/bind.
	Packages []string

	// Programs lets inputs import os/exec, which their program must have registered: a notebook's
	// kernel starts programs, a prompt leaves that to its shell.
	Programs bool

	// Elsewhere is what the error of a package that is not built in says of where there are others,
	// as ", but there is …"; empty: nothing.
	Elsewhere string

	// Memory is what inputs may hold, in bytes, with what the program itself holds; 0 means a
	// third of what is free.
	Memory int64

	// Near is the name that a name which is not known is most likely a slip for, of those that may
	// stand there; empty if none is. Errors name it; nil names none.
	Near func(name string, known []string) string

	// Notice receives, in one line, side effects of an input: a variable dropped because its type was
	// declared again, a background goroutine that panicked. Any goroutine may call it; nil drops the
	// notices.
	Notice func(line string)
}

// variable is one variable of the session: its storage outlives the input that
// declared it.
type variable struct {
	name  string
	typ   types.Type
	ptr   any
	deps  []string // the types declared at the prompt that its type mentions
	input int
}
