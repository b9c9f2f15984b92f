package eval

import (
	"bytes"
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"runtime"
	"runtime/pprof"
	"strconv"
	"sync/atomic"
	"unsafe"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"
)

// How an input is interrupted. ixgo's own Abort ends whole interpreters, among
// them the background goroutines of the same input, and does not reach a loop
// inside of a function that has no defer. So we put a check of our own into each
// function's start and each loop: an SSA instruction for debuggers, at which ixgo
// calls us. A check costs one atomic load; when something must stop it looks at
// which goroutine it is on, by its label, and panics there.

// checkpoint is the source expression of our debug instructions; it gives them
// the position that stack traces ask for.
type checkpoint struct {
	fn *ssa.Function // the function that begins here; nil in a loop
	ast.BadExpr
}

// newCheck makes a check at a position; begins is the function that begins there.
func newCheck(pos token.Pos, begins *ssa.Function) *ssa.DebugRef {
	return &ssa.DebugRef{Expr: &checkpoint{begins, ast.BadExpr{From: pos, To: pos}}}
}

// prepare puts checks into all functions that a package's code can reach and
// that the interpreter runs, and makes their calls through interfaces safe.
// An error says that an instruction could never run, for want of memory.
func (s *Session) prepare(main *ssa.Package) error {
	seen := map[*ssa.Function]bool{}
	var todo []*ssa.Function
	add := func(f *ssa.Function) {
		if f != nil && len(f.Blocks) > 0 && !seen[f] {
			seen[f] = true
			todo = append(todo, f)
		}
	}
	for _, m := range main.Members {
		if g, ok := m.(*ssa.Global); ok {
			t := g.Type().Underlying().(*types.Pointer).Elem()
			if err := s.fits(t, ""); err != nil {
				return &tooLarge{s.ctx.FileSet.Position(g.Pos()), err}
			}
		}
		if f, ok := m.(*ssa.Function); ok {
			add(f)
		}
	}
	for _, t := range main.Prog.RuntimeTypes() {
		set := main.Prog.MethodSets.MethodSet(t)
		for i := range set.Len() {
			add(main.Prog.MethodValue(set.At(i)))
		}
	}
	var buf [16]*ssa.Value
	for len(todo) > 0 {
		f := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, a := range f.AnonFuncs {
			add(a)
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(ssa.CallInstruction); ok && call.Common().IsInvoke() {
					s.throughHelper(main.Prog, call.Common())
				}
				for _, op := range in.Operands(buf[:0]) {
					if callee, ok := (*op).(*ssa.Function); ok {
						add(callee)
						s.away(callee)
					}
					if *op == nil {
						continue
					}
					if err := s.fits((*op).Type(), ""); err != nil {
						return &tooLarge{s.ctx.FileSet.Position(in.Pos()), err}
					}
				}
			}
		}
		if err := s.insertSizes(f); err != nil {
			return err
		}
		insert(f)
	}
	return nil
}

// insertSizes puts checks before the instructions of a function that take memory by a number.
func (s *Session) insertSizes(f *ssa.Function) error {
	for _, b := range f.Blocks {
		var out []ssa.Instruction
		for i, in := range b.Instrs {
			checks, err := s.needs(in)
			if err != nil {
				return &tooLarge{s.ctx.FileSet.Position(in.Pos()), err}
			}
			if len(checks) > 0 && out == nil {
				out = append(make([]ssa.Instruction, 0, len(b.Instrs)+1), b.Instrs[:i]...)
			}
			if out != nil {
				out = append(append(out, checks...), in)
			}
		}
		if out != nil {
			b.Instrs = out
		}
	}
	return nil
}

// tooLarge is the error of an instruction that could never run, and its place.
type tooLarge struct {
	pos token.Position
	error
}

// insert puts checks into a function: wherever control may go back to a block
// that came before, which every loop does, and at its start when it may call
// interpreted functions, as every recursion does.
func insert(f *ssa.Function) {
	if calls(f) {
		first := f.Blocks[0]
		first.Instrs = append([]ssa.Instruction{newCheck(f.Pos(), f)}, first.Instrs...)
	}
	for _, b := range f.Blocks {
		for _, next := range b.Succs {
			if next.Index <= b.Index {
				n := len(b.Instrs) - 1
				end := b.Instrs[n]
				b.Instrs = append(b.Instrs[:n], newCheck(f.Pos(), nil), end)
				break
			}
		}
	}
}

// calls reports whether a function may call an interpreted one, itself or through compiled code.
func calls(f *ssa.Function) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			switch callee := c.Common().Value.(type) {
			case *ssa.Builtin:
			case *ssa.Function:
				if len(callee.Blocks) > 0 || mayCallBack(callee.Signature) {
					return true
				}
			default:
				return true
			}
		}
	}
	return false
}

// mayCallBack reports whether compiled code of a signature may call interpreted code, as fmt.Sprint
// calls String methods and sort.Slice its function: not when it takes numbers and strings alone.
func mayCallBack(sig *types.Signature) bool {
	if sig.Recv() != nil {
		return true
	}
	for p := range sig.Params().Variables() {
		if _, ok := p.Type().Underlying().(*types.Basic); !ok {
			return true
		}
	}
	return false
}

// check runs at each check.
func (s *Session) check(info *ixgo.DebugInfo) {
	if c, ok := info.Expr.(*sizeCheck); ok {
		s.checkSize(c, info)
		return
	}
	breathe()
	if c, ok := info.Expr.(*checkpoint); ok {
		s.checkDepth(c)
	}
	if !s.stop.Load() {
		return
	}
	here := label()
	s.stopMu.Lock()
	halt := s.stopped[here]
	s.stopMu.Unlock()
	if halt == nil || halt.number != goroutine() {
		return
	}
	if halt.raised.Swap(true) {
		runtime.Goexit() // something recovered from the panic, which would go on so for ever
	}
	// A PanicError passes through ixgo without a stack trace being made.
	panic(ixgo.PanicError{Value: halt.why})
}

// A mark tells a goroutine of ours from all others. One that compiled code starts inherits the
// label and has another number.
type mark struct {
	label  unsafe.Pointer
	number uint64
}

// A halt is why the goroutine of a number must stop.
type halt struct {
	number uint64
	why    error
	raised atomic.Bool // the goroutine panicked with why
}

// markGoroutine gives the running goroutine a label of its own. A goroutine that was left behind in
// compiled code stays on the list of those that must stop, perhaps for ever, so all others ask at
// each check whether they are on it: that must cost next to nothing, at any depth of calls.
func (s *Session) markGoroutine() mark {
	ctx := pprof.WithLabels(context.Background(), pprof.Labels("metalab", "input"))
	pprof.SetGoroutineLabels(ctx)
	id := mark{label(), goroutine()}
	s.stopMu.Lock()
	s.marked[id.label] = id.number
	s.stopMu.Unlock()
	return id
}

// label is the address of the running goroutine's labels.
//
//go:linkname label runtime/pprof.runtime_getProfLabel
func label() unsafe.Pointer

// stopGoroutine makes the checks on a goroutine panic with why.
func (s *Session) stopGoroutine(id mark, why error) {
	s.stopMu.Lock()
	defer s.stopMu.Unlock()
	if _, ok := s.stopped[id.label]; !ok {
		s.stopped[id.label] = &halt{number: id.number, why: why}
	}
	s.stop.Store(true)
}

// stopHere puts the running goroutine on the list if it is one of ours, which it reports: the
// caller then ends it.
func (s *Session) stopHere(why error) bool {
	id := mark{label(), 0}
	s.stopMu.Lock()
	id.number = s.marked[id.label]
	s.stopMu.Unlock()
	if id.number == 0 || id.number != goroutine() {
		return false
	}
	s.stopGoroutine(id, why)
	s.stopMu.Lock()
	s.stopped[id.label].raised.Store(true)
	s.stopMu.Unlock()
	return true
}

// ended takes a goroutine off the list. It returns why the goroutine was stopped, or nil.
func (s *Session) ended(id mark) (why error) {
	s.stopMu.Lock()
	defer s.stopMu.Unlock()
	if h := s.stopped[id.label]; h != nil && h.raised.Load() {
		why = h.why
	}
	delete(s.stopped, id.label)
	delete(s.marked, id.label)
	s.stop.Store(len(s.stopped) > 0)
	return why
}

// goroutine is the running goroutine's number, read from its stack trace, which takes time with
// each call that the goroutine is in.
func goroutine() uint64 {
	var buf [64]byte
	b := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	if i := bytes.IndexByte(b, ' '); i > 0 {
		n, _ := strconv.ParseUint(string(b[:i]), 10, 64)
		return n
	}
	return 0
}
