package lab

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A GPUDevice is a GPU of the session's host. The host keeps it open, so arrays and modules stay on
// it between cells.
type GPUDevice struct{ n int }

// GPU returns the GPU with a number, from 0. Its first use opens it.
func GPU(n int) *GPUDevice {
	if n < 0 {
		fail(&Error{wire.CodeRequest, fmt.Sprintf("lab: GPU: number %d, want 0 or more", n)})
	}
	return &GPUDevice{n}
}

func (d *GPUDevice) number() int { return from(d, "lab.GPU").n }

func (m *Module) module() reply.GPUModule { return from(m, "GPUDevice.Module").m }

func (k *Kernel) kernel() *Kernel { return from(k, "Module.Kernel") }

func (a *Array) array() reply.GPUArray { return from(a, "GPUDevice.Upload").on }

// from returns p, or fails where there is none; by names who returns one.
func from[T any](p *T, by string) *T {
	if p == nil {
		failWith("lab: a method of no %s: the pointer is nil; %s returns one",
			strings.TrimPrefix(reflect.TypeFor[T]().String(), "lab."), by)
	}
	return p
}

// Doctor checks everything that the session's host needs for a GPU, and reports what is missing and
// how to fix it.
func Doctor() *reply.DoctorReply {
	var r reply.DoctorReply
	ask("doctor", nil, &r)
	return &r
}

// String lists the GPU with its arrays and modules.
func (d *GPUDevice) String() string { return d.Info().String() }

// HTML lists the GPU with its arrays and modules, for a page.
func (d *GPUDevice) HTML() string { return d.Info().HTML() }

// Info returns the GPU's properties, and its arrays and modules.
func (d *GPUDevice) Info() *reply.GPUReply {
	var r reply.GPUReply
	ask("gpu", wire.GPURequest{Device: d.number()}, &r)
	return &r
}

// Upload copies a slice of numbers of a fixed size, such as []float32 or []int32, to the GPU, under
// the next free name.
func (d *GPUDevice) Upload(slice any) *Array { return d.UploadAs("", slice) }

// UploadAs is Upload under a name. It replaces an array with that name, so that a cell can run
// again without filling the memory.
func (d *GPUDevice) UploadAs(name string, slice any) *Array {
	a, err := wire.NewArray(slice)
	check(err)
	c, n := Client(), d.number()
	ctx, done := during()
	on, err := c.Upload(ctx, n, name, a)
	done(err != nil)
	check(err)
	return &Array{on}
}

// Zeros allocates an array of n zeros of a type, such as "float32", under a name; empty: the next
// free one.
func (d *GPUDevice) Zeros(name, elements string, n int) *Array {
	var r reply.ArrayReply
	ask("upload", wire.UploadRequest{As: name, Type: elements, N: n, Device: d.number()}, &r)
	return &Array{r.GPUArray}
}

// Array returns the array with a name, for example from an earlier cell.
func (d *GPUDevice) Array(name string) *Array {
	all := d.Info().Arrays
	for _, a := range all {
		if a.Array == name {
			return &Array{a}
		}
	}
	names := make([]string, len(all))
	for i, a := range all {
		names[i] = a.Array
	}
	fail(&Error{wire.CodeRequest, fmt.Sprintf("lab: there is no array %q on GPU %d; there are: %s",
		name, d.number(), strings.Join(names, ", "))})
	return nil
}

// FreeAll frees all arrays and modules of the session, on all its GPUs.
func (d *GPUDevice) FreeAll() *reply.NoteReply {
	d.number()
	return free("all")
}

// Module loads kernels: PTX text, or the bytes of a cubin or fatbin. It loads the same image only
// once.
func (d *GPUDevice) Module(image string) *Module {
	return d.module(wire.ModuleRequest{Image: []byte(image), Device: d.number()})
}

// ModuleFile loads kernels from a file of PTX, a cubin or a fatbin.
func (d *GPUDevice) ModuleFile(path string) *Module {
	return d.module(wire.ModuleRequest{Path: abs(path), Device: d.number()})
}

func (d *GPUDevice) module(q wire.ModuleRequest) *Module {
	var r reply.ModuleReply
	ask("module", q, &r)
	return &Module{r.GPUModule}
}

// A Module is a set of loaded kernels.
type Module struct{ m reply.GPUModule }

// String lists the kernels.
func (m *Module) String() string { return m.module().String() }

// Kernels returns the names of the kernels; empty with drivers before CUDA 12.4, which cannot list
// them.
func (m *Module) Kernels() []string { return slices.Clone(m.module().Kernels) }

// Kernel returns the kernel with a name. In C++ it must be extern "C".
func (m *Module) Kernel(name string) *Kernel {
	if len(m.module().Kernels) > 0 && !slices.Contains(m.module().Kernels, name) {
		fail(&Error{wire.CodeRequest, fmt.Sprintf("lab: module %s has no kernel %q; it has %s",
			m.module().Module, name, strings.Join(m.module().Kernels, ", "))})
	}
	return &Kernel{name: m.module().Module + "." + name, device: m.module().Device}
}

// Free unloads the module.
func (m *Module) Free() *reply.NoteReply { return free(m.module().Module) }

// A Kernel is a function that a GPU runs.
type Kernel struct {
	name   string
	device int
	shared int
	coop   bool
}

// String returns the name module.kernel, as in verbs.
func (k *Kernel) String() string { return k.kernel().name }

// Shared returns the kernel with this many bytes of dynamic shared memory for each block.
func (k *Kernel) Shared(bytes int) *Kernel {
	c := *k.kernel()
	c.shared = bytes
	return &c
}

// Cooperative returns the kernel with cooperative launches, whose blocks may wait for each other.
func (k *Kernel) Cooperative() *Kernel {
	c := *k.kernel()
	c.coop = true
	return &c
}

// Launch runs a kernel with grid blocks of block threads each, waits for it, and returns how long
// the device took. grid and block are an int, or 1 to 3 ints as []int{4, 2}. The arguments are
// arrays, and numbers of the sizes that the kernel declares, such as float32(2) or int32(3).
func (d *GPUDevice) Launch(k *Kernel, grid, block any, args ...any) *reply.LaunchReply {
	if k.kernel().device != d.number() {
		fail(&Error{wire.CodeRequest, fmt.Sprintf("lab: Launch: the kernel is not of GPU %d",
			d.number())})
	}
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = argument(i, a)
	}
	q := wire.LaunchRequest{
		Kernel: k.name, Args: strings.Join(words, ","), Grid: dim("grid", grid),
		Block: dim("block", block), Shared: k.shared, Coop: k.coop,
	}
	var r reply.LaunchReply
	ask("launch", q, &r)
	return &r
}

// dim writes a number of blocks or threads as verbs take it.
func dim(what string, v any) string {
	switch v := v.(type) {
	case int:
		return strconv.Itoa(v)
	case []int:
		words := make([]string, len(v))
		for i, n := range v {
			words[i] = strconv.Itoa(n)
		}
		if len(v) > 0 {
			return strings.Join(words, "x")
		}
	}
	fail(&Error{wire.CodeRequest, fmt.Sprintf("lab: Launch: %s is %v, want an int, or "+
		"[]int of 1 to 3", what, v)})
	return ""
}

// argument writes an argument of a kernel as verbs take it.
func argument(i int, a any) string {
	if a, ok := a.(*Array); ok && a != nil {
		return a.array().Array
	}
	v := reflect.ValueOf(a)
	switch {
	case !v.IsValid():
	case v.Kind() == reflect.Int: // its size is the kernel's, if the driver knows it
		return strconv.FormatInt(v.Int(), 10)
	case v.CanInt():
		return fmt.Sprintf("%s(%d)", v.Kind(), v.Int())
	case v.CanUint() && v.Kind() != reflect.Uint && v.Kind() != reflect.Uintptr:
		return fmt.Sprintf("%s(%d)", v.Kind(), v.Uint())
	case v.CanFloat():
		bits := 64
		if v.Kind() == reflect.Float32 {
			bits = 32
		}
		return fmt.Sprintf("%s(%s)", v.Kind(), strconv.FormatFloat(v.Float(), 'g', -1, bits))
	}
	fail(&Error{wire.CodeRequest, fmt.Sprintf("lab: Launch: argument %d is %T, want an array of a "+
		"GPU or a number of a fixed size", i+1, a)})
	return ""
}

// An Array is an array in a GPU's memory.
type Array struct{ on reply.GPUArray }

// String describes the array in a line.
func (a *Array) String() string { return a.array().String() }

// Name returns the array's name, by which verbs and other cells find it.
func (a *Array) Name() string { return a.array().Array }

// Len returns the number of elements.
func (a *Array) Len() int { return a.array().Len }

// Type returns the type of the elements, such as "float32".
func (a *Array) Type() string { return a.array().Type }

// Free frees the memory.
func (a *Array) Free() *reply.NoteReply { return free(a.array().Array) }

func free(name string) *reply.NoteReply {
	var r reply.NoteReply
	ask("free", wire.FreeRequest{Name: name}, &r)
	return &r
}

// Float32s returns a copy of an array of float32.
func (a *Array) Float32s() []float32 { v, _ := a.copy("float32").([]float32); return v }

// Float64s returns a copy of an array of float64.
func (a *Array) Float64s() []float64 { v, _ := a.copy("float64").([]float64); return v }

// Int32s returns a copy of an array of int32.
func (a *Array) Int32s() []int32 { v, _ := a.copy("int32").([]int32); return v }

// Int64s returns a copy of an array of int64.
func (a *Array) Int64s() []int64 { v, _ := a.copy("int64").([]int64); return v }

// Uint8s returns a copy of an array of uint8.
func (a *Array) Uint8s() []uint8 { v, _ := a.copy("uint8").([]uint8); return v }

// Uint32s returns a copy of an array of uint32.
func (a *Array) Uint32s() []uint32 { v, _ := a.copy("uint32").([]uint32); return v }

// Uint64s returns a copy of an array of uint64.
func (a *Array) Uint64s() []uint64 { v, _ := a.copy("uint64").([]uint64); return v }

// Values returns a copy of the elements as float64, whatever their type. It rounds integers beyond
// 2^53.
func (a *Array) Values() []float64 { return a.fetch().Float64s() }

// Slice returns a copy of the elements as a slice of their type, such as []float32.
func (a *Array) Slice() any { return a.fetch().Slice() }

// copy fetches an array that must be of a type.
func (a *Array) copy(want string) any {
	if a.array().Type != want {
		fail(&Error{wire.CodeRequest, fmt.Sprintf("lab: %s holds %s, not %s", a.array().Array,
			a.array().Type, want)})
	}
	return a.fetch().Slice()
}

func (a *Array) fetch() wire.Array {
	c, name := Client(), a.array().Array
	ctx, done := during()
	v, err := c.GPUArray(ctx, name)
	done(err != nil)
	check(err)
	return v
}
