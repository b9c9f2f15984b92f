package own

import (
	"errors"
	"fmt"
	"math"
	"time"

	"metalab/gpu/cuda"
	"metalab/gpu/ptx"
	"metalab/gpu/ptx/emulate"
	"metalab/solvers"
)

// interpreter is a machine that interprets kernels on the CPU.
type interpreter struct {
	mem    *emulate.Memory
	budget uint64
}

// Interpreter returns what opens one, whose threads may make so many iterations of loops, which are
// fewer than a GPU's. It is slow: for checks and tests.
func Interpreter(budget uint64) Opener {
	return func(*solvers.Env) (Machine, error) {
		return &interpreter{mem: &emulate.Memory{}, budget: budget}, nil
	}
}

func (e *interpreter) Room(int64) error { return nil }
func (e *interpreter) Close()           {}

func (e *interpreter) Batch(f func() error) error { return f() }

func (e *interpreter) Array(bytes int64) (Array, error) {
	b := make([]byte, max(bytes, 1))
	return &bytesAt{b, e.mem.Put(b)}, nil
}

func (e *interpreter) Load(m *ptx.Module, kernel string) (Kernel, error) {
	p, err := emulate.Load(m)
	return &program{e, p, kernel}, err
}

// bytesAt is an array of the interpreter.
type bytesAt struct {
	b       []byte
	address uint64
}

func (a *bytesAt) Upload(at int64, b []byte) error {
	if at+int64(len(b)) > int64(len(a.b)) {
		return errors.New("beyond the array")
	}
	copy(a.b[at:], b)
	return nil
}

func (a *bytesAt) Download(at int64, b []byte) error {
	if at+int64(len(b)) > int64(len(a.b)) {
		return errors.New("beyond the array")
	}
	copy(b, a.b[at:])
	return nil
}

func (a *bytesAt) Copy(from Array) error {
	copy(a.b, from.(*bytesAt).b)
	return nil
}

func (a *bytesAt) Free() error { return nil }

// program is a kernel of the interpreter.
type program struct {
	e    *interpreter
	p    *emulate.Program
	name string
}

func (p *program) MaxBlock() int { return 64 }

func (p *program) Queue(s cuda.Shape, args ...any) error {
	_, err := p.Launch(s, args...)
	return err
}

func (p *program) Launch(s cuda.Shape, args ...any) (time.Duration, error) {
	var words []uint64
	for _, a := range args {
		switch a := a.(type) {
		case *bytesAt:
			words = append(words, a.address)
		case uint64:
			if a == Budget {
				a = p.e.budget
			}
			words = append(words, a)
		case int64:
			words = append(words, uint64(a))
		case int32:
			words = append(words, uint64(a))
		case float64:
			words = append(words, math.Float64bits(a))
		case bool:
			w := uint64(0)
			if a {
				w = 1
			}
			words = append(words, w)
		default:
			return 0, fmt.Errorf("an argument of %T", a)
		}
	}
	return time.Millisecond, p.p.Run(p.name, s, p.e.mem, words)
}

// Steps is how many instructions the kernel's threads have run.
func (p *program) Steps() int64 { return p.p.Steps() }
