package wire

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"metalab/kernel/reply"
)

// An Array is a large array, rows first. Its type is int8 to int64, uint8 to uint64, float32
// or float64.
type Array struct {
	Type  string
	Shape []int
	Data  []byte // little-endian
}

// arrayTypes are the types of arrays.
var arrayTypes = map[string]reflect.Type{
	"int8": reflect.TypeFor[int8](), "int16": reflect.TypeFor[int16](),
	"int32": reflect.TypeFor[int32](), "int64": reflect.TypeFor[int64](),
	"uint8": reflect.TypeFor[uint8](), "uint16": reflect.TypeFor[uint16](),
	"uint32": reflect.TypeFor[uint32](), "uint64": reflect.TypeFor[uint64](),
	"float32": reflect.TypeFor[float32](), "float64": reflect.TypeFor[float64](),
}

// NewArray returns an array with the items of a slice, such as []float32.
func NewArray(slice any) (Array, error) {
	v := reflect.ValueOf(slice)
	if v.Kind() == reflect.Slice {
		t := v.Type().Elem().Kind().String()
		if arrayTypes[t] == v.Type().Elem() {
			data, err := binary.Append(nil, binary.LittleEndian, slice)
			return Array{t, []int{v.Len()}, data}, err
		}
		if t == "int" || t == "uint" {
			return Array{}, errorf(CodeRequest, "%T: C's int is Go's int32: use []%s32, or []%s64",
				slice, t, t)
		}
	}
	return Array{}, errorf(CodeRequest, "%T is no array, want []float32, []float64, []int32 or "+
		"another slice of numbers of a fixed size", slice)
}

// Slice returns the items as a slice of the array's type, such as []float32; nil for an unknown
// type.
func (a Array) Slice() any {
	t := arrayTypes[a.Type]
	if t == nil {
		return nil
	}
	n := len(a.Data) / int(t.Size())
	s := reflect.MakeSlice(reflect.SliceOf(t), n, n).Interface()
	if _, err := binary.Decode(a.Data, binary.LittleEndian, s); err != nil {
		return nil // the slice is as long as the data
	}
	return s
}

// Len returns the number of items in the shape.
func (a Array) Len() int {
	n := 1
	for _, d := range a.Shape {
		n *= d
	}
	return n
}

// Check returns an error unless type, shape and number of bytes agree.
func (a Array) Check() error {
	t := arrayTypes[a.Type]
	if t == nil || a.Len()*int(t.Size()) != len(a.Data) {
		shape := make([]string, len(a.Shape))
		for i, n := range a.Shape {
			shape[i] = strconv.Itoa(n)
		}
		return errorf(CodeRequest, "an array of type %q, shape %s and %d bytes, which do not fit",
			clip(a.Type), strings.Join(shape, ", "), len(a.Data))
	}
	return nil
}

// Int32s returns the items of an array of int32, else nil.
func (a Array) Int32s() []int32 {
	if a.Type != "int32" {
		return nil
	}
	out := make([]int32, len(a.Data)/4)
	for i := range out {
		out[i] = int32(binary.LittleEndian.Uint32(a.Data[4*i:]))
	}
	return out
}

// Float64s returns the items of any array as float64.
func (a Array) Float64s() []float64 {
	switch a.Type {
	case "float64":
		out := make([]float64, len(a.Data)/8)
		for i := range out {
			out[i] = math.Float64frombits(binary.LittleEndian.Uint64(a.Data[8*i:]))
		}
		return out
	case "float32":
		out := make([]float64, len(a.Data)/4)
		for i := range out {
			out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(a.Data[4*i:])))
		}
		return out
	}
	v := reflect.ValueOf(a.Slice())
	if !v.IsValid() {
		return nil
	}
	out := make([]float64, v.Len())
	for i := range out {
		if e := v.Index(i); e.CanInt() {
			out[i] = float64(e.Int())
		} else {
			out[i] = float64(e.Uint())
		}
	}
	return out
}

// Arrays are the names of the arrays of a run: the best tour (int32, n), the values of the
// last iteration's solutions (float64, m), the coordinates to draw at (float64, n x 2),
// and the strongest pheromone trails, at most 131,072 (float64, k x 3: from, to, strength).
var Arrays = []string{"tour", "lengths", "coordinates", "trails"}

// Array fetches an array of a run; see Arrays.
func (c *Client) Array(ctx context.Context, run, name string) (Array, error) {
	if c.near != nil {
		return c.near.Array(ctx, run, name)
	}
	return c.fetch(ctx, "/v1/array/"+run+"/"+name, "array "+name+" of run "+run)
}

// GPUArray fetches an array from a GPU's memory, by its name.
func (c *Client) GPUArray(ctx context.Context, name string) (Array, error) {
	if err := CheckSession(name); err != nil {
		return Array{}, err
	}
	return c.fetch(ctx, "/v1/gpu/"+name, "array "+name)
}

func (c *Client) fetch(ctx context.Context, target, what string) (Array, error) {
	h, b, err := c.get(ctx, target, nil)
	if err != nil {
		return Array{}, err
	}
	a := Array{Type: h.fields[strings.ToLower(HeaderType)], Data: b}
	if a.Shape, err = ParseShape(h.fields[strings.ToLower(HeaderShape)]); err == nil {
		err = a.Check()
	}
	if err != nil {
		return Array{}, fmt.Errorf("wire: %s: %w", what, err)
	}
	return a, nil
}

// ParseShape parses the lengths of an array, separated by commas.
func ParseShape(text string) ([]int, error) {
	var shape []int
	n := 1
	for s := range strings.SplitSeq(text, ",") {
		d, err := strconv.Atoi(s)
		if err != nil || d < 0 || (d > 0 && n > math.MaxInt32/d) {
			return nil, errorf(CodeRequest, "shape %q, want lengths with commas, at most %d items",
				clip(text), math.MaxInt32)
		}
		shape = append(shape, d)
		n *= max(d, 1)
	}
	return shape, nil
}

// Upload stores an array in the memory of a GPU, under a name. It replaces an array with that name;
// an empty name means the next free one.
func (c *Client) Upload(ctx context.Context, device int, name string,
	a Array,
) (reply.GPUArray, error) {
	if name != "" {
		if err := CheckSession(name); err != nil {
			return reply.GPUArray{}, err
		}
	}
	dims := make([]string, len(a.Shape))
	for i, d := range a.Shape {
		dims[i] = strconv.Itoa(d)
	}
	fields := append(c.head(), HeaderCall, c.NewCall(), HeaderType, a.Type, HeaderShape,
		strings.Join(dims, ","))
	_, raw, err := c.roundTrip(ctx, "PUT", fmt.Sprintf("/v1/gpu/%d/%s", device, name), fields, a.Data)
	if err != nil {
		return reply.GPUArray{}, err
	}
	r, err := Decode("upload", tame(raw))
	if err != nil {
		return reply.GPUArray{}, err
	}
	return r.(*reply.ArrayReply).GPUArray, nil
}
