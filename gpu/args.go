package gpu

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"unsafe"
)

// block is the arguments of a launch, as their bytes: argument i at offsets[i], each in
// 8-byte slots of its own.
type block struct {
	data    []byte
	offsets []uint32
	sizes   []int
	wide    bool // some argument has more than 8 bytes, or the block persists: not for cu
}

// argument is what is passed as the address of device memory.
type argument interface{ argument() (uint64, *resource) }

// maxParams is more parameters than anyone writes, and what the launch has room for.
const maxParams = 256

// pack appends args to b, checked against what the kernel declares; on the thread.
func (k *Kernel) pack(b *block, args []any) error {
	if k.known && len(args) != len(k.params) {
		return refuse(
			k.op, k.module.d.info.Ordinal, "%d arguments, the kernel takes %d", len(args), len(k.params),
		)
	}
	if len(args) > maxParams {
		return refuse(
			k.op, k.module.d.info.Ordinal, "%d arguments, want at most %d", len(args), maxParams,
		)
	}
	b.data = make([]byte, 0, 8*len(args)+64)
	b.offsets, b.sizes = make([]uint32, 0, len(args)), make([]int, 0, len(args))
	for i, a := range args {
		want := 0
		if k.known {
			want = k.params[i]
		}
		if err := b.add(k, i, a, want); err != nil {
			return err
		}
	}
	return nil
}

// slot appends size bytes and returns them.
func (b *block) slot(size int) []byte {
	at := len(b.data)
	b.data = append(b.data, make([]byte, max(8, (size+7)&^7))...)
	b.offsets = append(b.offsets, uint32(at))
	b.sizes = append(b.sizes, size)
	b.wide = b.wide || size > 8
	return b.data[at : at+size]
}

func (b *block) add(k *Kernel, i int, a any, want int) error {
	d := k.module.d
	bad := func(format string, args ...any) error {
		return refuse(k.op, d.info.Ordinal, "argument %d: %s", i+1, fmt.Sprintf(format, args...))
	}
	le := binary.LittleEndian
	switch v := a.(type) {
	case nil:
		return bad("is nil; pass uint64(0) for a null pointer")
	case argument:
		if rv := reflect.ValueOf(v); rv.Kind() == reflect.Pointer && rv.IsNil() {
			return bad("is a nil %T; pass uint64(0) for a null pointer", v)
		}
		ptr, own := v.argument()
		switch {
		case own == nil || own.d == nil:
			return bad("is an empty %T; %s", v, neverAllocated)
		case own.d == d:
			if err := own.ok(); err != nil {
				return bad("%v", err)
			}
		case own.d.ctx != d.ctx && !d.peers[own.d.info.Ordinal]:
			return bad(
				"its memory is on device %d; enable peer access first (Device.EnablePeer)", own.d.info.Ordinal,
			)
		}
		le.PutUint64(b.slot(8), ptr)
	case int32:
		le.PutUint32(b.slot(4), uint32(v))
	case uint32:
		le.PutUint32(b.slot(4), v)
	case float32:
		le.PutUint32(b.slot(4), math.Float32bits(v))
	case int64:
		le.PutUint64(b.slot(8), uint64(v))
	case uint64:
		le.PutUint64(b.slot(8), v)
	case float64:
		le.PutUint64(b.slot(8), math.Float64bits(v))
	case int:
		switch {
		case want == 4 && v == int(int32(v)):
			le.PutUint32(b.slot(4), uint32(v))
		case want == 8:
			le.PutUint64(b.slot(8), uint64(v))
		case want == 4:
			return bad("%d does not fit into the 4 bytes the kernel takes", v)
		default:
			return bad("is an int, whose size C does not know: write int32(%d) or int64(%d)", v, v)
		}
	default:
		if err := b.reflected(a); err != nil {
			return bad("%v", err)
		}
	}
	if got := b.sizes[i]; want != 0 && got != want {
		return bad("%T has %d bytes, the kernel takes %d", a, got, want)
	}
	return nil
}

// reflected appends a value of a named, small or composed type: its bytes as they are.
func (b *block) reflected(a any) error {
	rv := reflect.ValueOf(a)
	t := rv.Type()
	if t.Kind() == reflect.Array {
		return fmt.Errorf("%s: C passes arrays as pointers; put it into a struct", t)
	}
	if err := checkLayout(t); err != nil {
		return err
	}
	at := reflect.New(t)
	at.Elem().Set(rv)
	copy(b.slot(int(t.Size())), unsafe.Slice((*byte)(at.UnsafePointer()), t.Size()))
	return nil
}
