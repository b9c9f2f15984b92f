package gpus

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"metalab/gpu"
	"metalab/gpu/ptx"
	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// maxUpload bounds an array that is sent in one piece, in bytes.
const maxUpload = 1 << 30

// put uploads an array and gives it a name.
func (g *room) put(c *host.Call, device int, as string, a wire.Array) (*reply.ArrayReply, error) {
	d, err := g.device(c.Context(), device)
	if err != nil {
		return nil, err
	}
	on, err := d.Upload(a.Slice())
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	name, err := g.name(as, "x")
	if err == nil && g.modules[name] != nil {
		err = wrong(fmt.Sprintf("upload: %s is a module; take another name", name))
	}
	if err != nil {
		return nil, errors.Join(err, on.Free())
	}
	if _, err := g.drop(name); err != nil {
		return nil, errors.Join(err, on.Free())
	}
	array := &gpuArray{on, name, device}
	g.arrays[name] = array
	g.order = append(g.order, name)
	return &reply.ArrayReply{Verb: "upload", GPUArray: array.wire()}, nil
}

var _ = host.HandleIn(here, "upload", (*room).upload)

func (g *room) upload(c *host.Call, q *wire.UploadRequest) (*reply.ArrayReply, error) {
	a := wire.Array{Type: cmp.Or(q.Type, "float32")}
	size := gpu.DType(a.Type).Size()
	switch {
	case size == 0:
		return nil, wrong(fmt.Sprintf("upload: type %q, want int8 to int64, uint8 to uint64, "+
			"float32 or float64", q.Type))
	case q.Values != "" && q.N != 0:
		return nil, wrong("upload: values or n, not both")
	case q.Values == "" && (q.N <= 0 || q.N > maxUpload/size):
		return nil, wrong(fmt.Sprintf("upload: values, as 1,2,3, or n of 1 to %d are needed",
			maxUpload/size))
	case q.Values == "":
		a.Shape, a.Data = []int{q.N}, make([]byte, q.N*size)
	default:
		words := strings.Split(q.Values, ",")
		a.Shape = []int{len(words)}
		for i, w := range words {
			v, err := number(a.Type, w)
			if err == nil {
				a.Data, err = binary.Append(a.Data, binary.LittleEndian, v)
			}
			if err != nil {
				return nil, wrong(fmt.Sprintf("upload: value %d: %v", i+1, err))
			}
		}
	}
	return g.put(c, q.Device, q.As, a)
}

var _ = host.HandleIn(here, "values", (*room).values)

func (g *room) values(_ *host.Call, q *wire.ValuesRequest) (*reply.ArrayReply, error) {
	a, err := g.array(q.Array)
	if err != nil {
		return nil, err
	}
	v, err := a.Download()
	if err != nil {
		return nil, err
	}
	all, err := wire.NewArray(v)
	if err != nil {
		return nil, err
	}
	n := q.N
	if n <= 0 {
		n = 20
	}
	rep := &reply.ArrayReply{Verb: "values", GPUArray: a.wire()}
	n = min(n, a.Len())
	all.Data = all.Data[:n*a.DType().Size()]
	for _, x := range all.Float64s() {
		rep.Values = append(rep.Values, reply.Num(x))
	}
	return rep, nil
}

var _ = host.HandleIn(here, "module", (*room).module)

func (g *room) module(c *host.Call, q *wire.ModuleRequest) (*reply.ModuleReply, error) {
	image := q.Image
	if len(q.Source) > 0 || strings.HasSuffix(q.Path, ".go") {
		return g.goModule(c, q)
	}
	if (q.Path == "") == (len(image) == 0) {
		return nil, wrong("module: a file or an image is needed, as in: module saxpy.ptx as m")
	}
	if q.Kernel != "" {
		return nil, wrong("module: kernel is for a file of Go; launch names those of others")
	}
	if q.Path != "" {
		if err := host.Absolute("module", q.Path); err != nil {
			return nil, err
		}
		var err error
		if image, err = os.ReadFile(q.Path); err != nil {
			return nil, err
		}
	}
	return g.loadModule(c, q, image, nil)
}

// loadModule loads an image; compiled is what it was compiled of, where that is Go.
func (g *room) loadModule(
	c *host.Call, q *wire.ModuleRequest, image []byte, compiled *ptx.Module,
) (*reply.ModuleReply, error) {
	d, err := g.device(c.Context(), q.Device)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(image)
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, n := range g.order { // a cell that is run again loads nothing new
		if m := g.modules[n]; m != nil && m.sum == sum && m.Device == q.Device &&
			(q.As == "" || q.As == n) {
			return &reply.ModuleReply{Verb: "module", GPUModule: m.GPUModule}, nil
		}
	}
	name, err := g.name(q.As, "m")
	if err != nil {
		return nil, err
	}
	switch {
	case strings.Contains(name, "."):
		return nil, wrong(fmt.Sprintf("module: name %q has a dot, which parts module and "+
			"kernel; take another", name))
	case g.arrays[name] != nil:
		return nil, wrong(fmt.Sprintf("module: %s is an array; take another name", name))
	}
	on, err := d.Module(image)
	if err != nil {
		return nil, err
	}
	m := &gpuModule{Module: on, sum: sum, known: map[string]*gpu.Kernel{}, compiled: compiled}
	m.GPUModule = reply.GPUModule{Module: name, Device: q.Device, Path: q.Path}
	if m.GPUModule.Kernels, err = on.Kernels(); err != nil {
		return nil, errors.Join(err, on.Free())
	}
	if m.GPUModule.Kernels == nil {
		m.GPUModule.Kernels = []string{}
	}
	if compiled != nil {
		m.GPUModule.Kernels, m.Go = nil, goKernels(compiled)
		for _, k := range m.Go {
			m.GPUModule.Kernels = append(m.GPUModule.Kernels, k.Kernel)
		}
	}
	if _, err := g.drop(name); err != nil {
		return nil, errors.Join(err, on.Free())
	}
	g.modules[name] = m
	g.order = append(g.order, name)
	return &reply.ModuleReply{Verb: "module", GPUModule: m.GPUModule}, nil
}

var _ = host.HandleIn(here, "launch", (*room).launch)

func (g *room) launch(_ *host.Call, q *wire.LaunchRequest) (*reply.LaunchReply, error) {
	m, k, err := g.kernel(q.Kernel)
	if err != nil {
		return nil, err
	}
	grid, err := dim("grid", q.Grid)
	if err != nil {
		return nil, err
	}
	block, err := dim("block", q.Block)
	if err != nil {
		return nil, err
	}
	config := gpu.Config{Grid: grid, Block: block, Shared: q.Shared, Cooperative: q.Coop}
	var took time.Duration
	if m.compiled != nil {
		took, err = g.launchGo(m, k, config, q.Args)
	} else {
		var args []any
		if args, err = g.args(k, q.Args); err == nil {
			took, err = k.LaunchTimed(config, args...)
		}
	}
	if err != nil {
		return nil, err
	}
	return &reply.LaunchReply{
		Verb: "launch", Kernel: m.GPUModule.Module + "." + k.Name(), Device: m.Device,
		Grid:  [3]int{grid.X, grid.Y, grid.Z},
		Block: [3]int{block.X, block.Y, block.Z}, Shared: q.Shared, Registers: k.Info().Registers,
		TimeS: reply.Num(took.Seconds()),
	}, nil
}

// dim reads 4, 4x2 or 4x2x1.
func dim(what, text string) (gpu.Dim, error) {
	d := [3]int{1, 1, 1}
	words := strings.Split(cmp.Or(text, "1"), "x")
	for i, w := range words {
		n, err := strconv.ParseInt(w, 10, 32)
		if err != nil || n < 1 || i > 2 {
			return gpu.Dim{}, wrong(fmt.Sprintf("launch: %s is %q, want 1 to 3 numbers of 1 or "+
				"more, as 4 or 4x2x1", what, text))
		}
		d[i] = int(n)
	}
	return gpu.Dim{X: d[0], Y: d[1], Z: d[2]}, nil
}

// args turns the words of a launch into arguments of a kernel.
func (g *room) args(k *gpu.Kernel, text string) ([]any, error) {
	if text == "" {
		return nil, nil
	}
	sizes := k.Info().Params
	var out []any
	for i, w := range strings.Split(text, ",") {
		w = strings.TrimSpace(w)
		v, err := g.arg(w, slices.Concat(sizes, make([]int, i+1))[i])
		if err != nil {
			return nil, wrong(fmt.Sprintf("launch %s: argument %d: %v", k.Name(), i+1, err))
		}
		out = append(out, v)
	}
	return out, nil
}

// arg reads an argument of a known size; 0: the driver does not know it.
func (g *room) arg(w string, size int) (any, error) {
	if typ, num, ok := strings.Cut(w, "("); ok {
		num, ok = strings.CutSuffix(num, ")")
		if !ok {
			return nil, fmt.Errorf("%q, want a number of a type as float32(2)", w)
		}
		return number(typ, num)
	}
	if isNumber(w) {
		if n, err := strconv.ParseInt(w, 10, 64); err == nil {
			return int(n), nil
		}
		switch size {
		case 4:
			return number("float32", w)
		case 8:
			return number("float64", w)
		}
		return nil, fmt.Errorf("%s has no type, write float32(%s) or float64(%s)", w, w, w)
	}
	a, err := g.array(w)
	if err != nil {
		return nil, err
	}
	return a.Array, nil
}

func isNumber(w string) bool { _, err := strconv.ParseFloat(w, 64); return err == nil }

// number reads a number of a type.
func number(typ, text string) (any, error) {
	text = strings.TrimSpace(text)
	bad := func(err error) error {
		if errors.Is(err, strconv.ErrRange) {
			return fmt.Errorf("%q is out of the range of %s", text, typ)
		}
		return fmt.Errorf("%q is no %s", text, typ)
	}
	size := gpu.DType(typ).Size()
	bits := strings.TrimLeft(typ, "abcdefghijklmnopqrstuvwxyz")
	switch {
	case size == 0:
		return nil, fmt.Errorf("type %q, want int8 to int64, uint8 to uint64, float32 or float64", typ)
	case strings.HasPrefix(typ, "float"):
		v, err := strconv.ParseFloat(text, 8*size)
		if err != nil {
			return nil, bad(err)
		}
		if bits == "32" {
			return float32(v), nil
		}
		return v, nil
	case strings.HasPrefix(typ, "int"):
		v, err := strconv.ParseInt(text, 10, 8*size)
		if err != nil {
			return nil, bad(err)
		}
		return map[string]any{"8": int8(v), "16": int16(v), "32": int32(v), "64": v}[bits], nil
	}
	v, err := strconv.ParseUint(text, 10, 8*size)
	if err != nil {
		return nil, bad(err)
	}
	return map[string]any{"8": uint8(v), "16": uint16(v), "32": uint32(v), "64": v}[bits], nil
}
