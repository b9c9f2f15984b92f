package gpus

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"metalab/gpu"
	"metalab/gpu/ptx"
	"metalab/gpu/ptx/extract"
	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// budget is how many iterations of loops a thread of a kernel in Go may make: some ten seconds.
const budget uint64 = 1 << 32

// goModule compiles kernels in Go, and loads them where there is a GPU.
func (g *room) goModule(c *host.Call, q *wire.ModuleRequest) (*reply.ModuleReply, error) {
	text, name := q.Source, "source"
	if q.Path != "" {
		if err := host.Absolute("module", q.Path); err != nil {
			return nil, err
		}
		name = filepath.Base(q.Path)
	}
	if len(text) == 0 {
		var err error
		if text, err = os.ReadFile(q.Path); err != nil {
			return nil, err
		}
	}
	m, err := compileGo(name, text, q.Kernel)
	if err != nil {
		return nil, fmt.Errorf("module: %s", shown(err, text))
	}
	if len(m.Kernels) == 0 {
		return nil, wrong("module: " + name + " has no kernel")
	}
	if err := gpu.Available(); err != nil {
		r := &reply.ModuleReply{Verb: "module"}
		r.Device, r.Path, r.Go, r.NoGPU = -1, q.Path, goKernels(m), Why(err)
		r.GPUModule.Kernels = []string{}
		for _, k := range r.Go {
			r.GPUModule.Kernels = append(r.GPUModule.Kernels, k.Kernel)
		}
		return r, nil
	}
	return g.loadModule(c, q, []byte(m.PTX), m)
}

// compileGo compiles all kernels of a text, or one with what it uses.
func compileGo(name string, text []byte, kernel string) (*ptx.Module, error) {
	if kernel != "" {
		part, err := extract.Of(name, text, []string{kernel}, nil)
		if err != nil {
			return nil, err
		}
		var b strings.Builder
		b.WriteString("package main\n\n")
		for _, im := range part.Imports {
			b.WriteString("import " + im + "\n")
		}
		text = []byte(b.String() + part.Text)
	}
	return ptx.Compile(name, string(text), ptx.Options{Bounded: true})
}

// shown is a compiler's error with the line of which it tells.
func shown(err error, text []byte) string {
	var r *ptx.Refusal
	if !errors.As(err, &r) {
		return err.Error()
	}
	lines := strings.Split(string(text), "\n")
	if r.Pos.Line < 1 || r.Pos.Line > len(lines) {
		return err.Error()
	}
	return err.Error() + ": " + strings.Join(strings.Fields(lines[r.Pos.Line-1]), " ")
}

// goKernels are what the kernels of a module take.
func goKernels(m *ptx.Module) (all []reply.GoKernel) {
	for _, k := range m.Kernels {
		out := reply.GoKernel{Kernel: k.Name, Params: []reply.GoParam{}}
		for i, p := range k.Params {
			if p.Arg < 0 || i > 0 && k.Params[i-1].Slice { // the budget and the word; a length
				continue
			}
			q := reply.GoParam{Param: p.Name, Type: p.Type, Slice: p.Slice, Written: p.Written}
			if p.Slice {
				q.Type = p.Elem
			}
			out.Params = append(out.Params, q)
		}
		all = append(all, out)
	}
	return all
}

// launchGo runs a kernel in Go, whose arguments are words as of any launch, and explains what
// fails.
func (g *room) launchGo(
	m *gpuModule, k *gpu.Kernel, config gpu.Config, text string,
) (took time.Duration, err error) {
	c, err := m.compiled.Kernel(k.Name())
	if err != nil {
		return 0, err
	}
	if config.Shared > 0 && !c.Dynamic {
		return 0, wrong(fmt.Sprintf("launch: %d bytes of shared memory, but %s calls no "+
			"cuda.SharedAtLaunch", config.Shared, c.Name))
	}
	args, err := g.goArgs(c, text)
	if err != nil {
		return 0, wrong(fmt.Sprintf("launch %s: %v", c.Name, err))
	}
	word, err := gpu.Upload(k.Device(), []uint64{ptx.NoError})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, word.Free()) }()
	if took, err = k.LaunchTimed(config, append(args, budget, word)...); err != nil {
		return 0, err
	}
	said, err := word.Download()
	if err == nil {
		err = m.compiled.Explain(said[0])
	}
	return took, err
}

// goArgs turns words into the arguments of a kernel in Go: an array is its memory and its length.
func (g *room) goArgs(k *ptx.Kernel, text string) (args []any, err error) {
	var words []string
	if text != "" {
		words = strings.Split(text, ",")
	}
	want := goKernels(&ptx.Module{Kernels: []ptx.Kernel{*k}})[0].Params
	if len(words) != len(want) {
		return nil, fmt.Errorf("%d arguments, want %d: %s", len(words), len(want),
			reply.GoKernel{Kernel: k.Name, Params: want})
	}
	for i, p := range want {
		w := strings.TrimSpace(words[i])
		for j, o := range want {
			if i != j && p.Slice && p.Written && o.Slice && strings.TrimSpace(words[j]) == w {
				return nil, fmt.Errorf("%s is written, and %s is the same array %s: upload it twice", p.Param,
					o.Param, w)
			}
		}
		if !p.Slice {
			v, err := goNumber(p.Type, w)
			if err != nil {
				return nil, fmt.Errorf("%s is %w", p.Param, err)
			}
			args = append(args, v)
			continue
		}
		a, err := g.array(w)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Param, err)
		}
		var size int64
		if _, err := fmt.Sscanf(p.Type, "%d:", &size); err != nil || size < 1 {
			return nil, fmt.Errorf("%s has elements of no size", p.Param)
		}
		have := goType(string(a.DType()))
		if p.Type != fmt.Sprintf("%d: %s@0", a.DType().Size(), have) &&
			(have != "u8" || int64(a.Len())%size != 0) {
			return nil, fmt.Errorf("%s takes elements %q, and %s holds %s", p.Param, p.Type, w, a.DType())
		}
		args = append(args, a.Array, int64(a.Len())*int64(a.DType().Size())/size)
	}
	return args, nil
}

// goType is a type's name in PTX, as f32 of float32.
func goType(name string) string {
	for _, p := range [][2]string{{"float", "f"}, {"uint", "u"}, {"int", "s"}} {
		if rest, ok := strings.CutPrefix(name, p[0]); ok {
			return p[1] + rest
		}
	}
	return name
}

// goNumber reads a number of a type in PTX; it may say its type, as float32(2).
func goNumber(typ, w string) (any, error) {
	if typ == "bool" {
		switch w {
		case "true", "false":
			return w == "true", nil
		}
		return nil, fmt.Errorf("%q, want true or false", w)
	}
	name := map[byte]string{'f': "float", 'u': "uint", 's': "int"}[typ[0]] + typ[1:]
	if said, num, ok := strings.Cut(w, "("); ok {
		if said != name || !strings.HasSuffix(num, ")") {
			return nil, fmt.Errorf("%q, want a %s", w, name)
		}
		w = strings.TrimSuffix(num, ")")
	}
	return number(name, w)
}
