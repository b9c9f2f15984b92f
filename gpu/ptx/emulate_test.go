package ptx_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"testing"
	"unsafe"

	"metalab/gpu/cuda"
	"metalab/gpu/ptx"
	"metalab/gpu/ptx/internal/machine"
)

// emulate runs a kernel of m in the interpreter; slices among the arguments change.
func emulate(
	t testing.TB, m *ptx.Module, name string, s cuda.Shape, budget uint64, args ...any,
) error {
	t.Helper()
	pm, err := machine.Parse(m.PTX)
	if err != nil {
		t.Fatalf("%v\n%s", err, m.PTX)
	}
	mem := &machine.Memory{}
	var params []uint64
	var flat func(v reflect.Value)
	flat = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Slice:
			b := unsafe.Slice((*byte)(v.UnsafePointer()), v.Len()*int(v.Type().Elem().Size()))
			params = append(params, mem.Put(b), uint64(v.Len()))
		case reflect.Struct:
			for i := range v.NumField() {
				flat(v.Field(i))
			}
		case reflect.Array:
			for i := range v.Len() {
				flat(v.Index(i))
			}
		case reflect.Bool:
			w := uint64(0)
			if v.Bool() {
				w = 1
			}
			params = append(params, w)
		case reflect.Float32:
			params = append(params, uint64(math.Float32bits(float32(v.Float()))))
		case reflect.Float64:
			params = append(params, math.Float64bits(v.Float()))
		default:
			if v.CanInt() {
				params = append(params, uint64(v.Int()))
			} else {
				params = append(params, v.Uint())
			}
		}
	}
	for _, a := range args {
		flat(reflect.ValueOf(a))
	}
	if m.Bounded {
		params = append(params, budget)
	}
	word := binary.LittleEndian.AppendUint64(nil, ptx.NoError)
	params = append(params, mem.Put(word))
	ms := machine.Shape{Blocks: s.Blocks, Threads: s.Threads, Shared: s.Shared}
	if err := pm.Run(name, ms, mem, params); err != nil {
		return fmt.Errorf("the machine stops: %w", err)
	}
	return m.Explain(binary.LittleEndian.Uint64(word))
}

func TestExamples(t *testing.T) {
	t.Parallel()
	for _, c := range trials() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			want := c.twin(t)
			for _, o := range []ptx.Options{{}, {Plain: true}, {Bounded: true}, {Unchecked: true}} {
				args := clone(c.args)
				if err := emulate(t, c.compile(t, o), c.name, c.shape, 1<<40, args...); err != nil {
					t.Fatalf("%+v: %v", o, err)
				}
				if o.Unchecked && c.name == "Corners" {
					continue // numbers out of range are not defined then
				}
				same(t, fmt.Sprintf("%+v", o), args, want)
			}
		})
	}
}

// An outline has the kernels that the code has, with what they write.
func TestOutline(t *testing.T) {
	t.Parallel()
	written := 0
	for _, c := range trials() {
		got := c.compile(t, ptx.Options{Bounded: true, Outline: true})
		want := c.compile(t, ptx.Options{Bounded: true})
		if !reflect.DeepEqual(got.Kernels, want.Kernels) || got.PTX != "" {
			t.Errorf("%s: %+v and %d bytes of PTX, want %+v", c.name, got.Kernels, len(got.PTX),
				want.Kernels)
		}
		for _, k := range got.Kernels {
			for _, p := range k.Params {
				if p.Written {
					written++
				}
			}
		}
	}
	if written == 0 {
		t.Error("no kernel writes anything")
	}
}
