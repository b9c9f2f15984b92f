package lab

import (
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"metalab/gpu/cuda"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A GPUKernel is a function of yours that runs on a GPU, or, if there is none, on the CPU.
type GPUKernel struct {
	f      reflect.Value
	name   string
	module string // empty: there is no GPU
	params []reply.GoParam
	device int
	shared int
	why    string // why there is no GPU
}

// GPUFunc compiles a function for the first GPU, without nvcc. The function must have a name and no
// results, and its first parameter must be a cuda.T of metalab/gpu/cuda, which identifies the
// thread:
//
//	func Saxpy(t cuda.T, a float32, x, y []float32) {
//		for i := t.Thread(); i < len(y); i += t.Threads() {
//			y[i] += float32(a * x[i])
//		}
//	}
//
//	k := lab.GPUFunc(Saxpy)
//	k.Launch(4, 256, 2, x, y) // 4 blocks of 256 threads; y has the result
//
// go doc metalab/gpu/ptx lists the subset of Go that it may use; the error names line and column of
// other code, and what to write instead. Without a GPU the function itself runs, with the same
// bits.
func GPUFunc(kernel any) *GPUKernel { return GPUFuncOn(0, kernel) }

// GPUFuncOn is GPUFunc for the GPU with a number, from 0.
func GPUFuncOn(device int, kernel any) *GPUKernel {
	k := &GPUKernel{f: reflect.ValueOf(kernel), device: device}
	t := reflect.TypeOf(kernel)
	if t == nil || t.Kind() != reflect.Func || t.NumIn() < 1 || t.In(0) != reflect.TypeFor[cuda.T]() ||
		t.NumOut() > 0 || t.IsVariadic() {
		failWith("lab: GPUFunc: %T, want a function whose first parameter is a cuda.T, and that returns "+
			"nothing", kernel)
	}
	if k.f.IsNil() {
		failWith("lab: GPUFunc: the function is nil")
	}
	full := runtime.FuncForPC(k.f.Pointer()).Name()
	k.name = full[strings.LastIndexByte(full, '.')+1:]
	text, _ := sourceOf(kernel)
	if len(text) == 0 || !strings.Contains(string(text), "func "+k.name+"(") {
		failWith("lab: GPUFunc: the source of %s cannot be read: take a function that a cell, or a "+
			"program whose files are here, declares by its name", full)
	}
	var r reply.ModuleReply
	ask("module", wire.ModuleRequest{Source: text, Kernel: k.name, Device: device}, &r)
	k.module, k.why = r.Module, r.NoGPU
	for _, g := range r.Go {
		if g.Kernel == k.name {
			k.params = g.Params
		}
	}
	return k
}

func failWith(format string, a ...any) {
	fail(&Error{wire.CodeRequest, fmt.Sprintf(format, a...)})
}

// String describes the kernel's parameters, and where it runs.
func (k *GPUKernel) String() string {
	from(k, "lab.GPUFunc")
	s := reply.GoKernel{Kernel: k.name, Params: k.params}.String()
	if k.module == "" {
		return s + "; on the CPU: " + k.why
	}
	return fmt.Sprintf("%s; on gpu %d", s, k.device)
}

// Shared returns the kernel with so many bytes for the array of cuda.SharedAtLaunch.
func (k *GPUKernel) Shared(bytes int) *GPUKernel {
	from(k, "lab.GPUFunc")
	c := *k
	c.shared = bytes
	return &c
}

// Launch runs the kernel with so many blocks of so many threads, waits, and returns the time that
// it took, on a GPU without the copies. The arguments are those of the function without its cuda.T.
// Launch converts numbers to the function's types, copies slices to the GPU, and back if the kernel
// writes them; an [Array] in place of a slice stays on the GPU. A failed thread is an error with
// its line, and slices are then unchanged (on the CPU they may be partly changed).
func (k *GPUKernel) Launch(blocks, threads int, args ...any) *reply.LaunchReply {
	from(k, "lab.GPUFunc")
	shape := cuda.Shape{Blocks: blocks, Threads: threads, Shared: k.shared}
	if err := shape.Check(); err != nil {
		failWith("lab: Launch: %s: %v", k.name, err)
	}
	t := k.f.Type()
	if len(args) != t.NumIn()-1 {
		failWith("lab: Launch: %d arguments, %s takes %d without its cuda.T", len(args), k.name,
			t.NumIn()-1)
	}
	values := make([]reflect.Value, len(args))
	for i, a := range args {
		if _, ok := a.(*Array); ok && k.module != "" {
			values[i] = reflect.ValueOf(a)
			continue
		}
		values[i] = k.argument(i, a, t.In(i+1))
	}
	if k.module == "" {
		return k.here(shape, values)
	}
	return k.there(shape, values)
}

// argument is an argument in the type that the function has.
func (k *GPUKernel) argument(i int, a any, want reflect.Type) reflect.Value {
	v := reflect.ValueOf(a)
	bad := func() {
		failWith("lab: Launch: argument %d of %s is a %T, want a %s", i+1, k.name, a, want)
	}
	switch {
	case !v.IsValid():
		bad()
	case v.Type() == want:
		return v
	case v.Type().ConvertibleTo(want) && (v.CanInt() || v.CanUint() || v.CanFloat()):
		c := v.Convert(want)
		if (c.CanInt() || c.CanUint() || c.CanFloat()) && c.Convert(v.Type()).Equal(v) {
			return c
		}
		failWith("lab: Launch: argument %d of %s is %v, which a %s does not hold", i+1, k.name, a, want)
	}
	bad()
	return v
}

// here runs the kernel on the CPU.
func (k *GPUKernel) here(shape cuda.Shape, args []reflect.Value) *reply.LaunchReply {
	start := time.Now()
	err := cuda.Run(shape, func(t cuda.T) {
		k.f.Call(append([]reflect.Value{reflect.ValueOf(t)}, args...))
	})
	if err != nil {
		failWith("lab: Launch: %s: %v", k.name, err)
	}
	return &reply.LaunchReply{
		Verb: "launch", Kernel: k.name, Device: -1, Grid: [3]int{shape.Blocks, 1, 1},
		Block: [3]int{shape.Threads, 1, 1}, Shared: shape.Shared,
		TimeS: reply.Num(time.Since(start).Seconds()),
	}
}

// there runs the kernel on the GPU.
func (k *GPUKernel) there(shape cuda.Shape, args []reflect.Value) *reply.LaunchReply {
	l := &launching{k: k}
	defer l.free()
	for _, v := range args {
		l.add(v)
	}
	var r reply.LaunchReply
	ask("launch", wire.LaunchRequest{
		Kernel: k.module + "." + k.name, Args: strings.Join(l.words, ","),
		Grid: strconv.Itoa(shape.Blocks), Block: strconv.Itoa(shape.Threads), Shared: shape.Shared,
	}, &r)
	for _, b := range l.back {
		copy(b.to, b.from.fetch().Data)
	}
	return &r
}

// launching are the arguments of a launch, as verbs take them.
type launching struct {
	k     *GPUKernel
	words []string
	own   []*Array
	back  []fetched
}

// fetched is a slice that is copied back.
type fetched struct {
	from *Array
	to   []byte
}

func (l *launching) free() {
	for _, a := range l.own {
		a.Free()
	}
}

// add flattens an argument.
func (l *launching) add(v reflect.Value) {
	if a, ok := arrayOf(v); ok {
		l.words = append(l.words, a.Name())
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			l.add(v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			l.add(v.Index(i))
		}
	case reflect.Slice:
		b := unsafe.Slice((*byte)(v.UnsafePointer()), v.Len()*int(v.Type().Elem().Size()))
		a := l.k.upload(v, b)
		l.own = append(l.own, a)
		if n := len(l.words); n < len(l.k.params) && l.k.params[n].Written {
			l.back = append(l.back, fetched{a, b})
		}
		l.words = append(l.words, a.Name())
	case reflect.Bool:
		l.words = append(l.words, strconv.FormatBool(v.Bool()))
	default:
		switch {
		case v.CanInt():
			l.words = append(l.words, strconv.FormatInt(v.Int(), 10))
		case v.CanUint():
			l.words = append(l.words, strconv.FormatUint(v.Uint(), 10))
		default:
			l.words = append(l.words, strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits()))
		}
	}
}

// arrayOf is an array on the GPU among the arguments.
func arrayOf(v reflect.Value) (*Array, bool) {
	if v.Kind() != reflect.Pointer || !v.CanInterface() {
		return nil, false
	}
	a, ok := v.Interface().(*Array)
	return a, ok
}

// upload copies a slice to the GPU: as numbers, or, where its elements are structures, as bytes.
func (k *GPUKernel) upload(v reflect.Value, b []byte) *Array {
	if v.Len() == 0 { // the verbs have no empty arrays
		failWith("lab: Launch: %s: an empty slice: give it one element", k.name)
	}
	elem := v.Type().Elem()
	on := GPU(k.device)
	switch elem.Kind() {
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16,
		reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		if elem.PkgPath() == "" && v.CanInterface() {
			return on.Upload(v.Interface())
		}
	}
	return on.Upload(b)
}

// Free unloads the kernel from the GPU.
func (k *GPUKernel) Free() {
	from(k, "lab.GPUFunc")
	if k.module != "" {
		free(k.module)
		k.module, k.why = "", "it was freed"
	}
}
