package eval

import (
	"fmt"
	"go/types"
	"reflect"
	"sync"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"
)

// program is a cell ready to run.
type program struct {
	s      *Session
	cell   *cell
	interp *ixgo.Interp
	state  *state
}

// slots guards the interpreter's table of methods, which all sessions of a process
// share: build counts its free places and fills them.
var slots sync.Mutex

// build compiles the rewritten cell and puts the earlier variables in.
func (c *cell) build() (*program, error) {
	s := c.s
	p := &program{s: s, cell: c, state: &state{}}
	slots.Lock()
	defer slots.Unlock()
	if err := c.room(); err != nil {
		return nil, err
	}
	main, err := s.ctx.LoadAstFile("main", c.file)
	if err != nil {
		if e, ok := err.(types.Error); ok {
			return nil, typeError(e, c.input)
		}
		return nil, fmt.Errorf("eval: %w", err)
	}
	if err := s.prepare(main); err != nil {
		if e, ok := err.(*tooLarge); ok {
			p := place(Panic, e.pos, c.input, e.Error())
			p.Value = e.error
			return nil, p
		}
		return nil, err
	}
	if len(c.changed) > 0 {
		s.loader.forget(c.changed)
	}
	defer c.external(p)()
	for range 2 {
		if p.interp, err = s.ctx.NewInterp(main); err != nil {
			return nil, fmt.Errorf("eval: %w", err)
		}
		p.learnTypes(main)
		if p.adopt() {
			return p, nil
		}
		c.external(p) // the variables have their new types now: once more
	}
	p.copyIn()
	return p, nil
}

// room refuses a declaration when the interpreter has no place for its methods
// left: it would end the process otherwise.
func (c *cell) room() error {
	if !c.topTypes {
		return nil
	}
	need := 0
	scope := c.pkg.Scope()
	for _, name := range scope.Names() {
		if t, ok := scope.Lookup(name).(*types.TypeName); ok {
			need += 2 * types.NewMethodSet(types.NewPointer(t.Type())).Len()
		}
	}
	if _, _, free := ixgo.IcallStat(); free < need+32 {
		return fmt.Errorf("eval: no room for the methods of this type: %d places are left for methods "+
			"of types declared at the prompt; start a new session", free)
	}
	return nil
}

// external registers the addresses that the next interpreter will use for the
// cell's variables. The function it returns takes them back.
func (c *cell) external(p *program) func() {
	keys := []string{}
	set := func(name string, ptr any) {
		key := "main." + name
		c.s.ctx.RegisterExternal(key, ptr)
		keys = append(keys, key)
	}
	for name, v := range c.vars {
		if c.s.writer.renamed[name] {
			name += oldSuffix
		}
		set(name, v.ptr)
	}
	set(showName, &p.state.show)
	set(doneName, &p.state.done)
	set(goName, &p.state.goFunc)
	set(spreadName, &p.state.spread)
	p.state.show = func(v ...any) { p.state.values = v }
	p.state.done = func(i int) { p.state.reached.Store(int64(i)) }
	p.state.goFunc = func(f any, args ...any) { p.s.start(c.input, f, args, false) }
	p.state.spread = func(f any, args ...any) { p.s.start(c.input, f, args, true) }
	return func() {
		for _, k := range keys {
			c.s.ctx.RegisterExternal(k, nil)
		}
	}
}

// learnTypes keeps the reflect types that the interpreter has made.
func (p *program) learnTypes(main *ssa.Package) {
	for name, m := range main.Members {
		t, ok := m.(*ssa.Type)
		if !ok || p.s.loader.known(t.Type()) {
			continue
		}
		if n, ok := t.Type().(*types.Named); !ok || n.TypeParams().Len() > 0 {
			continue
		}
		if rt, ok := p.interp.GetType(name); ok {
			p.s.loader.remember(t.Type(), rt)
		}
	}
	for i := range p.cell.instances {
		name := fmt.Sprintf("instance%d__", i)
		g, ok := main.Members[name].(*ssa.Global)
		if !ok {
			continue
		}
		if ptr, ok := p.interp.GetVarAddr(name); ok {
			t := g.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Pointer).Elem()
			p.s.loader.remember(types.Unalias(t), reflect.TypeOf(ptr).Elem().Elem())
		}
	}
}

// adopt checks that the interpreter uses our addresses. If a type has got new methods, its reflect
// type is a new one of the same layout; the variable is then the same memory seen as the new type,
// and adopt reports false.
func (p *program) adopt() bool {
	all := true
	p.each(func(v *variable, ptr any) {
		all = false
		conv := reflect.NewAt(reflect.TypeOf(ptr).Elem(),
			reflect.ValueOf(v.ptr).UnsafePointer()).Interface()
		nv := *v
		nv.ptr = conv
		p.replace(v, &nv)
	})
	return all
}

// copyIn moves the values of the variables whose types the interpreter makes
// anew each time (unnamed structs with embedded fields, unnamed interfaces).
func (p *program) copyIn() {
	p.each(func(v *variable, ptr any) {
		old := reflect.ValueOf(v.ptr)
		reflect.NewAt(old.Type().Elem(), reflect.ValueOf(ptr).UnsafePointer()).Elem().Set(old.Elem())
		nv := *v
		nv.ptr = ptr
		p.replace(v, &nv)
	})
}

// each visits the variables whose address the interpreter did not take.
func (p *program) each(f func(v *variable, ptr any)) {
	for _, v := range p.cell.vars {
		name := v.name
		if p.s.writer.renamed[name] {
			name += oldSuffix
		}
		ptr, ok := p.interp.GetVarAddr(name)
		if ok && reflect.ValueOf(ptr).UnsafePointer() != reflect.ValueOf(v.ptr).UnsafePointer() {
			f(v, ptr)
		}
	}
}

// replace puts a variable in another's place.
func (p *program) replace(old, v *variable) {
	p.cell.vars[v.name] = v
	if p.cell.env.vars[v.name] == old {
		p.cell.env.vars[v.name] = v
	}
}
