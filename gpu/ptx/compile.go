package ptx

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"math"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Options change what Compile does. The zero value suits a kernel.
type Options struct {
	Unchecked bool // omit checks of indices, divisors, shift counts and conversions
	Bounded   bool // the launch sets a budget of loop iterations
	Plain     bool // no optimisation, for tests
	// Outline omits the code: Module.PTX is empty, and Kernels have their parameters, with those that
	// they write. That takes less time.
	Outline bool
	// Source returns the Go files of an imported package, by name; nil if there is none.
	Source func(path string) map[string]string
}

// A Site is a place that can fail.
type Site struct {
	Pos  token.Position
	What string
}

// A Param is a parameter of a kernel in PTX.
type Param struct {
	Name string // in Go: c.X for a field of c; empty for the budget and the error word's address
	Arg  int    // index of the function's argument to which it belongs, without the cuda.T; -1: none
	Type string // in PTX: u8, s32, f64 and such
	// Slice says that it is the address of a slice's elements, which Elem describes ([Layout]). The
	// next parameter is the length.
	Slice   bool
	Elem    string
	Written bool // the kernel may write these elements
}

// A Kernel is an entry point of the module.
type Kernel struct {
	Name    string
	Params  []Param // flattened; the budget, if there is one, and the error word's address are last
	Dynamic bool    // it has an array whose size the launch sets
}

// A Module is the result of Compile.
type Module struct {
	PTX     string
	Sites   []Site
	Kernels []Kernel
	Bounded bool
}

// NoError is the value of the error word before a launch, and after one without failed threads.
const NoError uint64 = math.MaxUint64

// A Failure is the error of the failed thread with the lowest number.
type Failure struct {
	Site
	Thread int
}

func (f *Failure) Error() string {
	return fmt.Sprintf("%s: %s (thread %d)", f.Pos, f.What, f.Thread)
}

// Explain decodes an error word: it returns nil for [NoError], else a *[Failure].
func (m *Module) Explain(word uint64) error {
	if word == NoError {
		return nil
	}
	k := int(uint32(word)) - 1
	if k < 0 || k >= len(m.Sites) {
		return fmt.Errorf("the error word %#x is of another module: its place is %d of %d", word, k+1,
			len(m.Sites))
	}
	return &Failure{m.Sites[k], int(word >> 32)}
}

// Kernel returns the kernel with a name.
func (m *Module) Kernel(name string) (*Kernel, error) {
	var names []string
	for i := range m.Kernels {
		if m.Kernels[i].Name == name {
			return &m.Kernels[i], nil
		}
		names = append(names, m.Kernels[i].Name)
	}
	return nil, fmt.Errorf("no kernel %q; there are %s", name, strings.Join(names, ", "))
}

// A Refusal names code outside the subset, and what to write instead.
type Refusal struct {
	Pos token.Position
	Why string
}

func (r *Refusal) Error() string { return fmt.Sprintf("%s: %s", r.Pos, r.Why) }

// Compile compiles every kernel of src: the exported functions whose first parameter is a cuda.T.
// name is the file name in errors. The error joins all errors found.
func Compile(name, src string, o Options) (*Module, error) {
	u, err := read(name, src, o)
	if err != nil {
		return nil, err
	}
	all := u.fused()
	c := &compiler{unit: u, opt: o, m: &Module{Bounded: o.Bounded}}
	for _, fn := range u.kernels() {
		if err := c.kernel(fn); err != nil {
			all = append(all, err)
		}
	}
	if len(all) > 0 {
		return nil, errors.Join(all...)
	}
	if len(c.m.Kernels) == 0 {
		return nil, fmt.Errorf(
			"%s: no kernel: an exported function whose first parameter is a cuda.T", name,
		)
	}
	if o.Outline {
		return c.m, nil
	}
	head := ".version 7.0\n.target sm_75\n.address_size 64\n"
	c.m.PTX = "// " + strings.ReplaceAll(name, "\n", " ") + "\n" + head + c.tables.text() +
		c.out.String()
	return c.m, nil
}

// kernels lists the kernels in the order of the text.
func (u *unit) kernels() (fns []*ssa.Function) {
	for _, d := range u.file.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Recv != nil || !fd.Name.IsExported() || fd.Type.TypeParams != nil {
			continue
		}
		fn := u.pkg.Func(fd.Name.Name)
		ps := fn.Signature.Params()
		if ps.Len() > 0 && isThread(ps.At(0).Type()) {
			fns = append(fns, fn)
		}
	}
	return fns
}
