package eval

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"
)

// Protection against inputs that exhaust the memory, upon which Go's runtime ends the process: a
// request for one piece (make, append, arrays, strings, and the compiled functions below) is
// compared with the limit first, and the total of an input is checked while it runs, like stacks.

// ErrMemory is wrapped by the errors of inputs that want more memory than they may have.
var ErrMemory = errors.New("memory")

// memoryShare is the part of the free memory that inputs may hold: to append to the largest slice
// takes it three times for a moment.
const memoryShare = 3

// unknownMemory stands for what is free where the system does not say that.
const unknownMemory = 8 << 30

// heapSlack is what an input may allocate where the variables hold as much as inputs may already:
// so it can set them to nil.
const heapSlack = 64 << 20

// bounds are what inputs may hold, and what there was for them and is for all.
type bounds struct{ most, free int64 }

// measure looks at what is free, for the inputs from now on.
func (s *Session) measure() bounds {
	b := bounds{s.cfg.Memory, s.cfg.Memory}
	if b.most <= 0 {
		b.free = freeMemory() + heapBytes()
		b.most = b.free / memoryShare
	}
	s.bounds.Store(&b)
	return b
}

// heapBytes is what objects on the heap take, garbage among them.
func heapBytes() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(sample[0].Value.Uint64())
}

// A heapWatch sees when inputs hold too much.
type heapWatch struct{ bounds }

func (s *Session) watchHeap() heapWatch {
	b := s.measure()
	b.most = max(b.most, heapBytes()+heapSlack)
	return heapWatch{b}
}

// over returns an error when there is more on the heap than may be, less the garbage.
func (w heapWatch) over() error {
	if heapBytes() <= w.most {
		return nil
	}
	runtime.GC()
	held := heapBytes()
	if held <= w.most {
		return nil
	}
	return &heldTooMuch{fmt.Errorf("%w: Go at the prompt holds %s and may hold %s of the %s that are "+
		"free; it was stopped, and what is in no variable is freed", ErrMemory, size(held),
		size(w.most), size(w.free))}
}

// heldTooMuch is why an input was stopped that had gathered too much.
type heldTooMuch struct{ error }

// Unwrap returns the error that wraps ErrMemory.
func (e *heldTooMuch) Unwrap() error { return e.error }

// room panics when an input asks for n pieces of some bytes each and may not have that much.
func (s *Session) room(what string, n int64, each uint64) {
	if n < 1<<16 && each < 1<<8 {
		return // not worth a look
	}
	if err := s.hasRoom(what, n, each); err != nil {
		panic(err)
	}
}

// hasRoom is room as an error.
func (s *Session) hasRoom(what string, n int64, each uint64) error {
	if n <= 0 {
		return nil // Go itself says what is wrong
	}
	b := s.bounds.Load()
	if b == nil {
		now := s.measure()
		b = &now
	}
	asked := float64(n) * float64(each)
	if asked <= float64(b.most-heapBytes()) {
		return nil
	}
	runtime.GC()
	left := max(0, b.most-heapBytes())
	if asked <= float64(left) {
		return nil
	}
	return fmt.Errorf("%w: %s asks for %s; Go at the prompt may still have %s of the %s that are free",
		ErrMemory, what, sizeOf(asked), size(left), size(b.free))
}

// size writes a number of bytes.
func size(n int64) string { return sizeOf(float64(n)) }

func sizeOf(n float64) string {
	for _, unit := range []string{"bytes", "KiB", "MiB", "GiB"} {
		if n < 1024 {
			return fmt.Sprintf("%.4g %s", n, unit)
		}
		n /= 1024
	}
	return fmt.Sprintf("%.4g TiB", n)
}

// A sizeCheck is the source expression of a debug instruction at which the value of a number, or of
// a slice, is checked before an allocation of as many pieces.
type sizeCheck struct {
	ast.BadExpr
	what string
	each uint64
}

// template is a debug instruction of a variable: ixgo gives only those the value that they are
// about, and only the builder of SSA can make them.
var template = sync.OnceValue(func() *ssa.DebugRef {
	fset := token.NewFileSet()
	const text = "package p; func f() int { x := 1; return x }"
	file, err := parser.ParseFile(fset, "p.go", text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes:     map[ast.Node]*types.Scope{}, Instances: map[*ast.Ident]types.Instance{},
	}
	pkg, err := (&types.Config{}).Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		return nil
	}
	p := ssa.NewProgram(fset, ssa.GlobalDebug).CreatePackage(pkg, []*ast.File{file}, info, false)
	p.Build()
	for _, b := range p.Func("f").Blocks {
		for _, in := range b.Instrs {
			if ref, ok := in.(*ssa.DebugRef); ok {
				if _, ok := ref.Object().(*types.Var); ok {
					return ref
				}
			}
		}
	}
	return nil
})

// newSizeCheck returns a check of a value; nil if none is possible.
func newSizeCheck(x ssa.Value, pos token.Pos, what string, each int64) ssa.Instruction {
	t := template()
	if t == nil || x == nil || each <= 0 {
		return nil
	}
	ref := *t
	ref.X = x
	ref.Expr = &sizeCheck{ast.BadExpr{From: pos, To: pos}, what, uint64(each)}
	return &ref
}

// checkSize compares what an instruction asks for with what there is.
func (s *Session) checkSize(c *sizeCheck, info *ixgo.DebugInfo) {
	_, x, ok := info.AsVar()
	if !ok {
		return
	}
	var n int64
	switch v := reflect.ValueOf(x); v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n = v.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if n = int64(v.Uint()); n < 0 {
			return // Go itself refuses it
		}
	case reflect.Slice, reflect.String:
		n = int64(v.Len())
	default:
		return
	}
	s.room(fmt.Sprintf(c.what, n), n, c.each)
}

// sizes are those of the machines that the prompt runs on, which have 64 bits.
var sizes = types.SizesFor("gc", "amd64")

// bytesOf is the size of a type; 0 where it is not known.
func bytesOf(t types.Type) (n int64) {
	defer func() {
		if recover() != nil { // as of a type parameter
			n = 0
		}
	}()
	return sizes.Sizeof(t)
}

// typeText is how a type is written at the prompt.
func typeText(t types.Type) string {
	return plainNames(types.TypeString(t, (*types.Package).Name))
}

// fits returns an error when a value of a type takes more than inputs may have; what names it,
// empty as the type.
func (s *Session) fits(t types.Type, what string) error {
	if t == nil {
		return nil
	}
	switch t.Underlying().(type) {
	case *types.Array, *types.Struct:
	default:
		return nil
	}
	n := bytesOf(t)
	if n >= 0 && n < heapSlack { // below 0: it overflows
		return nil
	}
	if what == "" {
		what = typeText(t)
	}
	return s.hasRoom(what, 1, uint64(n))
}

// needs are the checks that an instruction wants before it; the error is that it can never run.
func (s *Session) needs(in ssa.Instruction) (checks []ssa.Instruction, err error) {
	add := func(x ssa.Value, what string, each int64) {
		if c := newSizeCheck(x, in.Pos(), what, each); c != nil {
			checks = append(checks, c)
		}
	}
	name := func(t types.Type) string { return strings.ReplaceAll(typeText(t), "%", "%%") }
	switch in := in.(type) {
	case *ssa.Alloc:
		t := in.Type().Underlying().(*types.Pointer).Elem()
		if a, ok := t.(*types.Array); ok && in.Comment == "makeslice" {
			what := fmt.Sprintf("make([]%s, %d)", typeText(a.Elem()), a.Len())
			return nil, s.fits(t, what)
		}
		return nil, s.fits(t, "")
	case *ssa.MakeSlice:
		if t, ok := in.Type().Underlying().(*types.Slice); ok {
			add(in.Cap, "make("+name(in.Type())+", %d)", bytesOf(t.Elem()))
		}
	case *ssa.MakeChan:
		if t, ok := in.Type().Underlying().(*types.Chan); ok {
			add(in.Size, "make("+name(in.Type())+", %d)", bytesOf(t.Elem()))
		}
	case *ssa.MakeMap:
		if t, ok := in.Type().Underlying().(*types.Map); ok && in.Reserve != nil {
			add(in.Reserve, "make("+name(in.Type())+", %d)", bytesOf(t.Key())+bytesOf(t.Elem())+1)
		}
	case *ssa.BinOp:
		if b, ok := in.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			for _, x := range []ssa.Value{in.X, in.Y} {
				if _, ok := x.(*ssa.Const); !ok {
					add(x, "a string of %d bytes and more", 1)
				}
			}
		}
	case *ssa.Call:
		b, ok := in.Call.Value.(*ssa.Builtin)
		if !ok || b.Name() != "append" || len(in.Call.Args) < 2 {
			break
		}
		if t, ok := in.Type().Underlying().(*types.Slice); ok {
			add(in.Call.Args[1], "append of %d", bytesOf(t.Elem()))
		}
	}
	return checks, nil
}

// A boundedReader panics when there is no room for as much again as it has given: who gathers that
// copies it.
type boundedReader struct {
	io.Reader
	s           *Session
	what        string
	given, next int64
}

func (s *Session) bounded(what string, r io.Reader) io.Reader {
	return &boundedReader{Reader: r, s: s, what: what}
}

// Read reads.
func (r *boundedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if r.given += int64(n); r.given > r.next {
		r.s.room(fmt.Sprintf("%s, after %s,", r.what, size(r.given)), r.given, 1)
		r.next = r.given + r.given/2
	}
	return n, err
}

// boundCompiled puts functions in the place of compiled ones that take as much memory as a number
// says.
func (s *Session) boundCompiled() {
	times := func(name string, n, each int) { s.room(name, int64(n), uint64(each)) }
	for name, f := range map[string]any{
		"strings.Repeat": func(x string, n int) string {
			times("strings.Repeat", n, len(x))
			return strings.Repeat(x, n)
		},
		"bytes.Repeat": func(x []byte, n int) []byte {
			times("bytes.Repeat", n, len(x))
			return bytes.Repeat(x, n)
		},
		"math/rand/v2.Perm": func(n int) []int {
			times("rand.Perm", n, 8)
			return rand.Perm(n)
		},
		"(*math/rand/v2.Rand).Perm": func(r *rand.Rand, n int) []int {
			times("Perm", n, 8)
			return r.Perm(n)
		},
		"bufio.NewReaderSize": func(r io.Reader, n int) *bufio.Reader {
			times("bufio.NewReaderSize", n, 1)
			return bufio.NewReaderSize(r, n)
		},
		"bufio.NewWriterSize": func(w io.Writer, n int) *bufio.Writer {
			times("bufio.NewWriterSize", n, 1)
			return bufio.NewWriterSize(w, n)
		},
		"io.ReadAll": func(r io.Reader) ([]byte, error) { return io.ReadAll(s.bounded("io.ReadAll", r)) },
		"os.ReadFile": func(path string) ([]byte, error) {
			f, err := os.Open(path)
			if err != nil {
				return nil, err
			}
			defer f.Close()
			return io.ReadAll(s.bounded("os.ReadFile", f))
		},
		"(*strings.Builder).Grow": func(b *strings.Builder, n int) {
			times("Grow", n, 1)
			b.Grow(n)
		},
		"(*bytes.Buffer).Grow": func(b *bytes.Buffer, n int) {
			times("Grow", n, 1)
			b.Grow(n)
		},
	} {
		s.ctx.RegisterExternal(name, f)
	}
}
