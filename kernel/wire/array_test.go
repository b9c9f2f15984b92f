package wire_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metalab/kernel/wire"
)

// Arrays come back as they were, bit for bit.
func TestArrayRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		for _, v := range []any{
			rapid.SliceOf(rapid.Float32()).Draw(t, "f"), rapid.SliceOf(rapid.Float64()).Draw(t, "d"),
			rapid.SliceOf(rapid.Int32()).Draw(t, "i"),
			rapid.SliceOf(rapid.Uint64()).Draw(t, "u"), rapid.SliceOf(rapid.Int8()).Draw(t, "c"),
			rapid.SliceOf(rapid.Int16()).Draw(t, "s"),
		} {
			a, err := wire.NewArray(v)
			if err != nil {
				t.Fatal(err)
			}
			if err := a.Check(); err != nil {
				t.Error(err)
			}
			back, f := reflect.ValueOf(a.Slice()), a.Float64s()
			in := reflect.ValueOf(v)
			if in.Len() != back.Len() || in.Type() != back.Type() || len(f) != in.Len() {
				t.Fatalf("%v came back as %v and %v", v, a.Slice(), f)
			}
			for i := range in.Len() {
				item, want := in.Index(i), in.Index(i).Convert(reflect.TypeFor[float64]()).Float()
				if item.Interface() != back.Index(i).Interface() || f[i] != want {
					t.Errorf("item %d: %v came back as %v and %v", i, in.Index(i), back.Index(i), f[i])
				}
			}
		}
	})
	for _, v := range []any{nil, 1, []int{1}, []uint{1}, []string{"a"}, [2]float32{}, []bool{true}} {
		if _, err := wire.NewArray(v); wire.CodeOf(err) != wire.CodeRequest {
			t.Errorf("%T: %v", v, err)
		}
	}
	if a, _ := wire.NewArray([]float32{float32(math.NaN())}); a.Float64s()[0] == a.Float64s()[0] {
		t.Error("not a number came back as one")
	}
}

func TestShape(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]int{"0": {0}, "7": {7}, "2,3": {2, 3}, "0,5": {0, 5}} {
		if got, err := wire.ParseShape(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "a", "-1", "2,", "9999999999", "65536,65536", "0,65536,65536"} {
		if got, err := wire.ParseShape(text); err == nil {
			t.Errorf("%q: %v, want an error", text, got)
		}
	}
	for _, a := range []wire.Array{
		{},
		{Type: "float32", Shape: []int{2}, Data: make([]byte, 7)},
		{Type: "text", Shape: []int{0}},
	} {
		if a.Check() == nil {
			t.Errorf("%+v: want an error", a)
		}
	}
	if err := (wire.Array{
		Type: "float32", Shape: []int{2, 3},
		Data: make([]byte, 7),
	}).Check(); err == nil || !strings.Contains(err.Error(), "shape 2, 3 and") {
		t.Errorf("an array whose bytes do not fit: %v", err)
	}
}
