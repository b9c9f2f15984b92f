package launch

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"metalab/gpu/ptx"
)

// A piece is one leaf of the arguments: a number, a slice, or a buffer.
type piece struct {
	param   ptx.Param
	number  any           // of a fixed size
	host    []byte        // the bytes of a slice
	len     int           // of a slice or buffer
	buffer  reflect.Value // a *gpu.Buffer; invalid for others
	address uint64        // of the buffer
	bytes   int64
}

func (p *piece) slice() bool { return p.param.Slice }

// flatten makes pieces of the arguments, checked against the kernel's parameters.
func flatten(k *ptx.Kernel, args []any) (ps []piece, err error) {
	params := k.Params
	for len(params) > 0 && params[len(params)-1].Arg < 0 {
		params = params[:len(params)-1]
	}
	count := 0
	for _, q := range params {
		count = max(count, q.Arg+1)
	}
	if len(args) != count {
		return nil, fmt.Errorf("%d arguments, %s takes %d (without the cuda.T): %s", len(args), k.Name,
			count, listed(params))
	}
	f := &flattener{kernel: k.Name, params: params}
	for i, a := range args {
		f.arg = i
		if a == nil {
			return nil, fmt.Errorf("argument %d of %s is nil", i+1, k.Name)
		}
		if err := f.add(reflect.ValueOf(a)); err != nil {
			return nil, err
		}
		if len(f.params) > 0 && f.params[0].Arg == i {
			return nil, fmt.Errorf("argument %d of %s, a %T, lacks %s", i+1, k.Name, a, f.params[0].Name)
		}
	}
	return f.pieces, f.overlaps()
}

func listed(params []ptx.Param) (s string) {
	for i, q := range params {
		if q.Arg >= 0 && (i == 0 || !params[i-1].Slice) {
			if s != "" {
				s += ", "
			}
			s += q.Name
		}
	}
	return s
}

type flattener struct {
	kernel string
	params []ptx.Param // still to come
	arg    int
	pieces []piece
}

// next is the next parameter, which must belong to the argument at hand.
func (f *flattener) next(t reflect.Type) (ptx.Param, error) {
	if len(f.params) == 0 || f.params[0].Arg != f.arg {
		return ptx.Param{}, fmt.Errorf("argument %d of %s has more than the kernel takes: a %s", f.arg+1,
			f.kernel, t)
	}
	q := f.params[0]
	f.params = f.params[1:]
	return q, nil
}

func (f *flattener) add(v reflect.Value) error {
	t := v.Type()
	elem, buffer := buffered(t)
	switch {
	case buffer || t.Kind() == reflect.Slice:
		q, err := f.next(t)
		if err != nil {
			return err
		}
		if !buffer {
			elem = t.Elem()
		}
		layout, err := ptx.Layout(elem)
		if err != nil || !q.Slice || layout != q.Elem {
			return fmt.Errorf("%s of %s (argument %d) is a %s, the kernel takes %s", q.Name, f.kernel,
				f.arg+1, t, wanted(q))
		}
		if _, err := f.next(t); err != nil { // the length
			return err
		}
		p := piece{param: q}
		if buffer {
			return f.device(p, v)
		}
		p.len, p.bytes = v.Len(), int64(v.Len())*int64(elem.Size())
		p.host = unsafe.Slice((*byte)(v.UnsafePointer()), p.bytes)
		f.pieces = append(f.pieces, p)
		return nil
	case t.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if err := f.add(v.Field(i)); err != nil {
				return err
			}
		}
		return nil
	case t.Kind() == reflect.Array:
		for i := range v.Len() {
			if err := f.add(v.Index(i)); err != nil {
				return err
			}
		}
		return nil
	}
	q, err := f.next(t)
	if err != nil {
		return err
	}
	if name := ptx.Number(t.Kind()); name == "" || q.Slice || name != q.Type {
		return fmt.Errorf("%s of %s (argument %d) is a %s, the kernel takes %s", q.Name, f.kernel,
			f.arg+1, t, wanted(q))
	}
	f.pieces = append(f.pieces, piece{param: q, number: number(v)})
	return nil
}

// wanted says in words what a parameter takes.
func wanted(q ptx.Param) string {
	if q.Slice {
		return "a slice whose elements have the layout " + q.Elem
	}
	return map[string]string{
		"bool": "a bool", "s8": "an int8", "s16": "an int16", "s32": "an int32", "s64": "an int or int64",
		"u8": "a uint8", "u16": "a uint16", "u32": "a uint32", "u64": "a uint64", "f32": "a float32",
		"f64": "a float64",
	}[q.Type]
}

// number is a value whose size C knows too; fields that are not exported are read as well.
func number(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Bool:
		return v.Bool()
	case reflect.Int8:
		return int8(v.Int())
	case reflect.Int16:
		return int16(v.Int())
	case reflect.Int32:
		return int32(v.Int())
	case reflect.Int, reflect.Int64:
		return v.Int()
	case reflect.Uint8:
		return uint8(v.Uint())
	case reflect.Uint16:
		return uint16(v.Uint())
	case reflect.Uint32:
		return uint32(v.Uint())
	case reflect.Float32:
		return float32(v.Float())
	case reflect.Float64:
		return v.Float()
	}
	return v.Uint()
}

// buffered tells whether t is a *gpu.Buffer, and of what.
func buffered(t reflect.Type) (elem reflect.Type, ok bool) {
	if t.Kind() != reflect.Pointer || t.Elem().PkgPath() != "metalab/gpu" {
		return nil, false
	}
	if m, ok := t.MethodByName("Download"); ok && m.Type.NumOut() == 2 &&
		m.Type.Out(0).Kind() == reflect.Slice {
		return m.Type.Out(0).Elem(), true
	}
	return nil, false
}

func (f *flattener) device(p piece, v reflect.Value) error {
	if v.IsNil() {
		return fmt.Errorf("%s of %s (argument %d) is a nil %s", p.param.Name, f.kernel, f.arg+1, v.Type())
	}
	if !v.CanInterface() {
		return fmt.Errorf("%s of %s (argument %d) is a buffer in a field that is not exported",
			p.param.Name, f.kernel, f.arg+1)
	}
	b, ok := v.Interface().(interface {
		Len() int
		Bytes() int64
	})
	if !ok {
		return errors.New("a buffer without a length")
	}
	p.buffer, p.len, p.bytes = v, b.Len(), b.Bytes()
	view := v.MethodByName("View").Call(nil)[0]
	p.address = view.FieldByName("Ptr").Uint()
	f.pieces = append(f.pieces, p)
	return nil
}

// overlaps refuses an argument that is written and overlaps another one.
func (f *flattener) overlaps() error {
	for i, p := range f.pieces {
		if !p.slice() || !p.param.Written || p.bytes == 0 {
			continue
		}
		for j, q := range f.pieces {
			if i == j || !q.slice() || q.bytes == 0 || p.buffer.IsValid() != q.buffer.IsValid() {
				continue
			}
			a, b := p.address, q.address
			if !p.buffer.IsValid() {
				a, b = uint64(uintptr(unsafe.Pointer(&p.host[0]))), uint64(uintptr(unsafe.Pointer(&q.host[0])))
			}
			if a < b+uint64(q.bytes) && b < a+uint64(p.bytes) {
				names := []string{p.param.Name, q.param.Name}
				if q.param.Written {
					slices.Sort(names)
				}
				return fmt.Errorf("%s writes %s, which overlaps %s: give it a copy", f.kernel, names[0],
					names[1])
			}
		}
	}
	return nil
}
