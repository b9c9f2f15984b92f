package eval

import (
	"fmt"
	"runtime"
	"strings"
	"unsafe"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"
)

// maxDepth is how many bytes of one goroutine's stack calls may take. A Go program ends at 1 GiB,
// and a panic that compiled code hands on from call to call takes stack too.
const maxDepth = 40 << 20

// depth is the number of bytes that the running goroutine's calls take of its stack. It sees calls
// from compiled code too, as of a String method that fmt calls, on any goroutine.
func depth() uintptr {
	var here byte
	top := stackTop()
	if top == 0 {
		return 0
	}
	return top - uintptr(unsafe.Pointer(&here))
}

// A tooDeep is ErrStack with the function that was entered last.
type tooDeep struct{ fn string }

func (e *tooDeep) Error() string {
	return strings.Replace(ErrStack.Error(), ":", " in "+e.fn+":", 1)
}

func (e *tooDeep) Unwrap() error { return ErrStack }

// checkDepth ends the running goroutine when its calls are nested too deep, and with it the input
// that it is of. On one that compiled code started, or the host's that prints a value, it panics.
func (s *Session) checkDepth(c *checkpoint) {
	if c.fn == nil || depth() < maxDepth || inputOf(s.ctx.FileSet.Position(c.Pos()).Filename) == 0 {
		return // as a generic function of a package, which does not call itself for ever
	}
	err := &tooDeep{s.nameOf(c.fn)}
	if s.stopHere(err) {
		// No panic: code in between may recover from each, as fmt does, or panic again, as
		// encoding/json does at each call on its way, which takes a time of the depth squared.
		runtime.Goexit()
	}
	panic(ixgo.PanicError{Value: err})
}

// nameOf is a function's name as its input declares it.
func (s *Session) nameOf(f *ssa.Function) string {
	if f.Parent() != nil {
		return fmt.Sprintf("the function literal of line %d", s.ctx.FileSet.Position(f.Pos()).Line)
	}
	if f.Pkg == nil { // an instance of a generic function
		return plainNames(f.Name())
	}
	name := plainNames(f.RelString(f.Pkg.Pkg))
	if typ, method, ok := strings.Cut(strings.TrimPrefix(name, "("), ")"); ok &&
		!strings.HasPrefix(typ, "*") {
		return typ + method
	}
	return name
}
