package gpu

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"unsafe"
)

// DType is the type of an Array's elements, with Go's names: int8 to int64, uint8 to uint64,
// float32 and float64.
type DType string

// dtypes are the element types, with how to make a slice of them.
var dtypes = map[DType]reflect.Type{
	"int8": reflect.TypeFor[int8](), "int16": reflect.TypeFor[int16](),
	"int32": reflect.TypeFor[int32](), "int64": reflect.TypeFor[int64](),
	"uint8": reflect.TypeFor[uint8](), "uint16": reflect.TypeFor[uint16](),
	"uint32": reflect.TypeFor[uint32](), "uint64": reflect.TypeFor[uint64](),
	"float32": reflect.TypeFor[float32](), "float64": reflect.TypeFor[float64](),
}

// Size returns the bytes of one element, 0 for an unknown type.
func (t DType) Size() int {
	if rt, ok := dtypes[t]; ok {
		return int(rt.Size())
	}
	return 0
}

// An Array is a Buffer whose element type is known only at run time; the prompt and the protocol
// use it. As an argument of a kernel it is a plain pointer.
type Array struct {
	own   resource
	ptr   uint64
	n     int
	dtype DType
}

// NewArray allocates n elements of type t, set to 0.
func (d *Device) NewArray(t DType, n int) (*Array, error) {
	op := fmt.Sprintf("alloc %d %s", n, t)
	if t.Size() == 0 {
		return nil, refuse(op, d.info.Ordinal, "unknown element type %q", string(t))
	}
	if n < 0 || n > 1<<48 {
		return nil, refuse(op, d.info.Ordinal, "%d elements", n)
	}
	a := &Array{n: n, dtype: t}
	err := d.call(op, func() (err error) {
		if a.ptr, err = d.alloc(&a.own, a.Bytes()); err != nil || n == 0 {
			return err
		}
		if err = drv.fill(a.ptr, 0, 1, a.Bytes(), d.stream.h); err != nil {
			_ = a.own.drop()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}

// Upload allocates an Array with a copy of v, a slice of one of the element types.
func (d *Device) Upload(v any) (*Array, error) {
	const op = "upload"
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Slice {
		return nil, refuse(op, d.info.Ordinal, "%T is no slice", v)
	}
	t := DType(rv.Type().Elem().Kind().String())
	if t.Size() == 0 {
		hint := "use " + strings.Join([]string{"[]float32", "[]float64", "[]int32", "[]int64", "…"}, ", ")
		if t == "int" || t == "uint" {
			hint = "C's int is Go's int32: use []int32, or []int64"
		}
		return nil, refuse(op, d.info.Ordinal, "%T; %s", v, hint)
	}
	a := &Array{n: rv.Len(), dtype: t}
	err := d.call("upload "+Bytes(a.Bytes()).String(), func() (err error) {
		if a.ptr, err = d.alloc(&a.own, a.Bytes()); err != nil {
			return err
		}
		if err = a.own.transfer(a.ptr, rv.UnsafePointer(), a.Bytes(), true); err != nil {
			_ = a.own.drop()
		}
		return err
	})
	runtime.KeepAlive(v)
	if err != nil {
		return nil, err
	}
	return a, nil
}

// Len returns the number of elements.
func (a *Array) Len() int { return a.n }

// DType returns the type of the elements.
func (a *Array) DType() DType { return a.dtype }

// Bytes returns the size.
func (a *Array) Bytes() int64 { return int64(a.n) * int64(a.dtype.Size()) }

// Device returns the device that holds a, nil if there is none.
func (a *Array) Device() *Device { return a.own.d }

// Free frees the memory at once. Kernels that use it must have ended.
func (a *Array) Free() error { return a.own.release() }

// Download returns a copy of a as a slice of its type, such as []float32. It waits for all work in
// the device's own stream.
func (a *Array) Download() (any, error) {
	if _, err := a.own.device("download"); err != nil {
		return nil, err
	}
	dst := reflect.MakeSlice(reflect.SliceOf(dtypes[a.dtype]), a.n, a.n)
	err := a.into(dst.UnsafePointer())
	runtime.KeepAlive(dst)
	if err != nil {
		return nil, err
	}
	return dst.Interface(), nil
}

func (a *Array) into(p unsafe.Pointer) error {
	op := "download " + Bytes(a.Bytes()).String()
	d, err := a.own.device(op)
	if err != nil {
		return err
	}
	return d.call(op, func() error { return a.own.transfer(a.ptr, p, a.Bytes(), false) })
}

// download is Download with the type known.
func download[T any](a *Array) ([]T, error) {
	d, err := a.own.device("download")
	if err != nil {
		return nil, err
	}
	if want := DType(reflect.TypeFor[T]().String()); a.dtype != want {
		return nil, refuse("download", d.info.Ordinal, "the array holds %s, not %s", a.dtype, want)
	}
	dst := make([]T, a.n)
	if err := a.into(unsafe.Pointer(unsafe.SliceData(dst))); err != nil {
		return nil, err
	}
	return dst, nil
}

// Float32s returns a copy of an array of float32; an array of another type is an error.
func (a *Array) Float32s() ([]float32, error) { return download[float32](a) }

// Float64s returns a copy of an array of float64.
func (a *Array) Float64s() ([]float64, error) { return download[float64](a) }

// Int32s returns a copy of an array of int32.
func (a *Array) Int32s() ([]int32, error) { return download[int32](a) }

// Int64s returns a copy of an array of int64.
func (a *Array) Int64s() ([]int64, error) { return download[int64](a) }

// Uint32s returns a copy of an array of uint32.
func (a *Array) Uint32s() ([]uint32, error) { return download[uint32](a) }

// Uint64s returns a copy of an array of uint64.
func (a *Array) Uint64s() ([]uint64, error) { return download[uint64](a) }

// Uint8s returns a copy of an array of uint8.
func (a *Array) Uint8s() ([]uint8, error) { return download[uint8](a) }

// argument makes a a kernel's argument.
func (a *Array) argument() (uint64, *resource) { return a.ptr, &a.own }
