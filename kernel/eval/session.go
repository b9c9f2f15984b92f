package eval

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"
)

// Session is the Evaluator over the ixgo interpreter. Each input becomes a
// small program of its own; what lives on between inputs are the addresses of
// variables, the text of declarations and the reflect types made for them.
type Session struct {
	cfg    Config
	auto   map[string]string // packages in scope without an import line
	ctx    *ixgo.Context
	loader *loader
	writer *writer

	turn   sync.Mutex // held while an input is evaluated
	mu     sync.Mutex // guards env, kept, n
	env    *env
	kept   *env                      // declarations of inputs that were compiled instead, see Keep
	n      int                       // inputs so far
	loaded map[string]*types.Package // for completion
	latest *cell                     // the input that runs, or ran last

	running *program // of latest

	bounds     atomic.Pointer[bounds]
	stop       atomic.Bool // checks look at the stopped set
	stopMu     sync.Mutex
	stopped    map[unsafe.Pointer]*halt  // by the label of the goroutine
	marked     map[unsafe.Pointer]uint64 // the numbers of our goroutines, by label
	background map[mark]bool             // goroutines that inputs started
}

var _ Evaluator = (*Session)(nil)

// New makes a session. It returns an error when a package of cfg is not
// registered or two have one name.
func New(cfg Config) (*Session, error) {
	hookAll()
	s := &Session{
		cfg: cfg, auto: map[string]string{}, env: newEnv(), kept: newEnv(),
		writer:  newWriter(),
		stopped: map[unsafe.Pointer]*halt{}, marked: map[unsafe.Pointer]uint64{},
		background: map[mark]bool{},
		loaded:     map[string]*types.Package{},
	}
	for i, p := range slices.Concat(Std, cfg.Packages) {
		pkg, ok := ixgo.LookupPackage(p)
		if !ok {
			return nil, fmt.Errorf("eval: package %q is not registered: import its binding, see "+
				"metalab/kernel/eval/bind", p)
		}
		if old, dup := s.auto[pkg.Name]; dup && old != p {
			if i < len(Std) {
				return nil, fmt.Errorf("eval: packages %q and %q have one name", old, p)
			}
		}
		s.auto[pkg.Name] = p // a package of the caller's goes before one of Std
	}
	// SupportMultipleInterp: otherwise each cell's interpreter takes the methods
	// of earlier cells' types away.
	c := ixgo.NewContext(ixgo.SupportMultipleInterp | ixgo.DisableCustomBuiltin)
	c.SetEvalMode(true) // unused imports are no errors
	c.Lookup = func(string, string) (string, bool) { return "", false }
	s.loader = &loader{Loader: c.Loader, types: map[string]reflect.Type{}}
	c.Loader = s.loader
	c.Importer = importer{c.Importer, s}
	c.SetDebug(s.check)
	c.BuilderMode &^= ssa.GlobalDebug // only our own checks, see checks.go
	c.Builder.Reset()
	if err := c.Loader.SetImport(typesPath, s.writer.aliases, nil); err != nil {
		return nil, fmt.Errorf("eval: %w", err)
	}
	c.RegisterExternal("os.Exit", func(code int) {
		panic(ixgo.PanicError{Value: exit(code)})
	})
	s.ctx = c
	s.boundCompiled()
	return s, nil
}

// exit is what os.Exit panics with in an input.
type exit int

// Error says that the session goes on.
func (e exit) Error() string {
	return fmt.Sprintf("os.Exit(%d) ends this input only, not the session", int(e))
}

// Warm does the work that the first input would otherwise wait for: it loads
// the packages in scope. A prompt calls it in a goroutine at its start.
func (s *Session) Warm() {
	s.turn.Lock()
	defer s.turn.Unlock()
	for _, p := range s.auto {
		s.load(p)
	}
	_, _ = s.eval(context.Background(), "fmt.Sprint(slices.Max([]int{1}))", 0)
}

// Eval evaluates one input; see Evaluator.
func (s *Session) Eval(ctx context.Context, src string) ([]any, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, ErrInterrupted
	}
	s.mu.Lock()
	s.n++
	n := s.n
	s.mu.Unlock()
	return s.eval(ctx, src, n)
}

// Inputs is the number of inputs evaluated so far: the number by which errors
// and Vars name the last one.
func (s *Session) Inputs() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n
}

// eval compiles and runs an input. A fault of the interpreter itself becomes an
// error too.
func (s *Session) eval(ctx context.Context, src string, n int) (values []any, err error) {
	var c *cell
	var p *program
	func() {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("eval: the interpreter cannot do this: %v", r)
			}
		}()
		c, p, err = s.compile(src, n)
	}()
	if err != nil {
		return nil, err
	}
	if p == nil { // nothing to run
		s.commit(c, nil, len(c.fresh))
		return nil, nil
	}
	s.mu.Lock()
	s.latest, s.running = c, p
	s.mu.Unlock()
	values, upTo, err := p.run(ctx)
	s.commit(c, p, upTo)
	return values, err
}

// compile takes an input to a program, or to none when there is nothing to run.
func (s *Session) compile(src string, n int) (*cell, *program, error) {
	c, err := s.newCell(src, n)
	if err != nil {
		return nil, nil, err
	}
	if len(c.chunks) == 0 && len(c.decls) == 0 {
		return c, nil, nil
	}
	c.compose()
	if err := c.check(); err != nil {
		return nil, nil, err
	}
	if len(c.chunks) == 0 && !c.topTypes {
		return c, nil, nil
	}
	if err := c.rewrite(); err != nil {
		return nil, nil, err
	}
	p, err := c.build()
	if err != nil {
		return nil, nil, err
	}
	return c, p, nil
}

// commit moves the declarations of a cell into the session. It includes only variables whose
// declaring statements have run: when an input fails, the others keep the value they had.
func (s *Session) commit(c *cell, p *program, upTo int) {
	defer func() {
		for _, n := range c.notes {
			s.notice("%s", n)
		}
	}()
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, v := range c.vars {
		// The same type as this cell sees it, with methods declared since.
		if obj, ok := c.pkg.Scope().Lookup(name).(*types.Var); ok && len(v.deps) > 0 &&
			c.env.vars[name] == v {
			nv := *v
			nv.typ = obj.Type()
			c.env.vars[name] = &nv
		}
	}
	for _, v := range c.fresh {
		if p == nil || v.stmt > upTo {
			continue
		}
		ptr, ok := p.interp.GetVarAddr(v.name)
		if !ok {
			continue
		}
		delete(c.env.decls, v.name)
		delete(c.env.imports, v.name)
		delete(c.env.gone, v.name)
		c.env.vars[v.name] = &variable{v.name, v.typ, ptr, depsOf(v.typ), c.input}
	}
	// Bind may have been called meanwhile.
	for name, v := range s.env.vars {
		if c.prev.vars[name] != v && v.input == 0 {
			c.env.vars[name] = v
		}
	}
	s.kept.forget(c)
	s.env = c.env
}

// Bind makes *ptr a variable; see Evaluator.
func (s *Session) Bind(name string, ptr any) {
	v := reflect.ValueOf(ptr)
	if !token.IsIdentifier(name) || v.Kind() != reflect.Pointer || v.IsNil() {
		panic(fmt.Sprintf("eval: Bind(%q, %T): want an identifier and a pointer to a variable",
			name, ptr))
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	typ := s.typeOf(v.Type().Elem())
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.env.clone()
	delete(e.decls, name)
	delete(e.imports, name)
	e.vars[name] = &variable{name: name, typ: typ, ptr: ptr}
	s.env = e
}

// typeOf is the checker's type of a compiled type. Its packages are imported
// first, for the loader takes a type of an unknown package apart by reflection.
func (s *Session) typeOf(rt reflect.Type) types.Type {
	for t := rt; ; t = t.Elem() {
		if t.PkgPath() != "" {
			if _, ok := ixgo.LookupPackage(t.PkgPath()); ok {
				_, _ = s.ctx.Importer.Import(t.PkgPath())
			}
		}
		if k := t.Kind(); t.Name() != "" ||
			(k != reflect.Pointer && k != reflect.Slice && k != reflect.Array && k != reflect.Map &&
				k != reflect.Chan) {
			break
		}
	}
	s.loader.mu.Lock()
	defer s.loader.mu.Unlock()
	return s.toType(rt)
}

// toType is the loader's own; the caller holds its lock.
func (s *Session) toType(rt reflect.Type) types.Type {
	return s.loader.Loader.(interface {
		ToType(reflect.Type) types.Type
	}).ToType(rt)
}

// Vars lists the variables; see Evaluator.
func (s *Session) Vars() []Var {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Var
	for _, v := range s.env.vars {
		out = append(out, Var{v.name, shortString(v.typ), v.ptr, v.input})
	}
	slices.SortFunc(out, func(a, b Var) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Packages lists the packages in scope without an import line, by name.
func (s *Session) Packages() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, p := range s.auto {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b string) int { return strings.Compare(path.Base(a), path.Base(b)) })
	return out
}

// notice tells the host something.
func (s *Session) notice(format string, args ...any) {
	if s.cfg.Notice != nil {
		s.cfg.Notice(oneLine(fmt.Sprintf(format, args...)))
	}
}

// isInterrupt reports whether err is a reason of ours to stop a goroutine.
func isInterrupt(err error) bool {
	var held *heldTooMuch
	return errors.Is(err, ErrInterrupted) || errors.Is(err, ErrStack) || errors.As(err, &held)
}
