package gpu_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"metalab/gpu"
)

func TestBufferRoundTrip(t *testing.T) {
	d := device(t)
	rapid.Check(t, func(r *rapid.T) {
		src := rapid.SliceOfN(rapid.Int32(), 0, 300).Draw(r, "src")
		lo := rapid.IntRange(0, len(src)).Draw(r, "lo")
		hi := rapid.IntRange(lo, len(src)).Draw(r, "hi")
		b, err := gpu.Upload(d, src)
		if err != nil {
			r.Fatal(err)
		}
		defer b.Free()
		got, err := b.Slice(lo, hi).Download()
		if err != nil || !slices.Equal(got, src[lo:hi]) {
			r.Fatalf("part [%d:%d]: %v, want %v (%v)", lo, hi, got, src[lo:hi], err)
		}
		c, err := gpu.Alloc[int32](d, len(src))
		if err != nil {
			r.Fatal(err)
		}
		defer c.Free()
		if err := c.CopyFrom(nil, b); err != nil {
			r.Fatal(err)
		}
		if err := c.Slice(lo, hi).Fill(nil, -5); err != nil {
			r.Fatal(err)
		}
		want := slices.Clone(src)
		for i := lo; i < hi; i++ {
			want[i] = -5
		}
		if got, err := c.Download(); err != nil || !slices.Equal(got, want) {
			r.Fatalf("filled [%d:%d]: %v, want %v (%v)", lo, hi, got, want, err)
		}
	})
}

type pair struct {
	A float64
	B int32
	C [2]uint16
}

func TestBufferOfStructs(t *testing.T) {
	d := device(t)
	src := []pair{{1, 2, [2]uint16{3, 4}}, {5, 6, [2]uint16{7, 8}}}
	b := must(gpu.Upload(d, src))(t)
	if b.Bytes() != 32 || b.Device() != d {
		t.Errorf("%d bytes", b.Bytes())
	}
	if got := must(b.Download())(t); !slices.Equal(got, src) {
		t.Errorf("got %v", got)
	}
	if err := b.Zero(nil); err != nil {
		t.Fatal(err)
	}
	if got := must(b.Download())(t); got[1] != (pair{}) {
		t.Errorf("cleared: %v", got)
	}
}

func TestLayoutsRefused(t *testing.T) {
	d := device(t)
	_, err := gpu.Alloc[int](d, 1)
	wantError(t, err, gpu.ErrArgument, "int32 or int64")
	_, err = gpu.Alloc[string](d, 1)
	wantError(t, err, gpu.ErrArgument, "Go string")
	_, err = gpu.NewPinned[struct{ P []*int }](d, 1)
	wantError(t, err, gpu.ErrArgument, ".P is a Go slice")
	_, err = gpu.Alloc[int64](d, math.MaxInt/4)
	wantError(t, err, gpu.ErrArgument)
	_, err = gpu.Alloc[int64](d, -1)
	wantError(t, err, gpu.ErrArgument, "-1")
}

func TestFillSizes(t *testing.T) {
	d := device(t)
	b8 := must(gpu.Alloc[uint8](d, 5))(t)
	b16 := must(gpu.Alloc[int16](d, 5))(t)
	b64 := must(gpu.Alloc[float64](d, 5))(t)
	for _, err := range []error{b8.Fill(nil, 200), b16.Fill(nil, -300), b64.Fill(nil, 0)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	got := fmt.Sprint(must(b8.Download())(t), must(b16.Download())(t), must(b64.Download())(t))
	if got != "[200 200 200 200 200] [-300 -300 -300 -300 -300] [0 0 0 0 0]" {
		t.Error(got)
	}
	wantError(t, b64.Fill(nil, 1.5), gpu.ErrArgument, "8 bytes")
	i64 := must(gpu.Alloc[int64](d, 2))(t)
	if err := i64.Fill(nil, -1); err != nil {
		t.Fatal(err)
	}
	if got := must(i64.Download())(t); got[1] != -1 {
		t.Errorf("got %v", got)
	}
	b3 := must(gpu.Alloc[[3]uint8](d, 2))(t)
	wantError(t, b3.Fill(nil, [3]uint8{1, 1, 1}), gpu.ErrArgument, "3 bytes")
}

func TestLengthsMustAgree(t *testing.T) {
	d := device(t)
	b := must(gpu.Alloc[int32](d, 4))(t)
	wantError(t, b.Upload(make([]int32, 3)), gpu.ErrArgument, "3 elements for a buffer of 4")
	wantError(t, b.DownloadTo(make([]int32, 5)), gpu.ErrArgument)
	wantError(t, b.CopyFrom(nil, b.Slice(0, 2)), gpu.ErrArgument)
	p := must(gpu.NewPinned[int32](d, 5))(t)
	wantError(t, p.Upload(nil, b), gpu.ErrArgument)
	defer func() {
		if recover() == nil {
			t.Error("slicing past the end did not panic")
		}
	}()
	b.Slice(2, 5)
}

func TestNeverAllocated(t *testing.T) {
	d := device(t)
	x := must(gpu.Alloc[int32](d, 0))(t)
	var b gpu.Buffer[int32]
	var a gpu.Array
	for what, err := range map[string]error{
		"upload": b.Upload(nil), "download": b.DownloadTo(nil), "clear": b.Zero(nil),
		"fill": b.Fill(nil, 1), "to": b.CopyFrom(nil, x), "from": x.CopyFrom(nil, &b),
		"array": second(a.Download()), "typed": second(a.Int32s()),
	} {
		t.Run(what, func(t *testing.T) { wantError(t, err, gpu.ErrArgument, "never allocated") })
	}
	if err := errors.Join(b.Free(), a.Free()); err != nil || b.Device() != nil || a.Device() != nil {
		t.Errorf("free: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestFreed(t *testing.T) {
	d := device(t)
	b := must(gpu.Upload(d, []int32{1, 2}))(t)
	part := b.Slice(0, 1)
	if err := part.Free(); err != nil {
		t.Fatal(err)
	}
	if got := must(b.Download())(t); got[1] != 2 {
		t.Errorf("freeing a part: %v", got)
	}
	if err := b.Free(); err != nil {
		t.Fatal(err)
	}
	_, err := part.Download()
	wantError(t, err, gpu.ErrFreed)
	wantError(t, b.Zero(nil), gpu.ErrFreed)
	k := kernel(t, d, "saxpy")
	wantError(t, k.Launch(gpu.Linear(1, 1), b, b, float32(1), int32(1)), gpu.ErrArgument, "freed")
	s := must(d.NewStream())(t)
	if err := s.Free(); err != nil {
		t.Fatal(err)
	}
	wantError(t, s.Sync(), gpu.ErrFreed)
	var none *gpu.Buffer[int32]
	if err := none.Free(); err != nil {
		t.Error(err)
	}
}

func TestPinned(t *testing.T) {
	d := device(t)
	s := must(d.NewStream())(t)
	up := must(gpu.NewPinned[float32](d, 4))(t)
	down := must(gpu.NewPinned[float32](d, 4))(t)
	b := must(gpu.Alloc[float32](d, 4))(t)
	if !slices.Equal(up.Slice(), make([]float32, 4)) || up.Len() != 4 {
		t.Errorf("pinned memory is not clear: %v", up.Slice())
	}
	copy(up.Slice(), []float32{1, 2, 3, 4})
	for _, err := range []error{up.Upload(s, b), down.Download(s, b), s.Sync()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(down.Slice(), []float32{1, 2, 3, 4}) {
		t.Errorf("got %v", down.Slice())
	}
	if err := up.Free(); err != nil {
		t.Fatal(err)
	}
	wantError(t, up.Upload(s, b), gpu.ErrFreed)
	empty := must(gpu.NewPinned[float32](d, 0))(t)
	if err := empty.Upload(nil, must(gpu.Alloc[float32](d, 0))(t)); err != nil {
		t.Error(err)
	}
}

func TestArray(t *testing.T) {
	d := device(t)
	for _, v := range []any{
		[]int8{-1},
		[]int16{-2, 3},
		[]int32{4},
		[]int64{5},
		[]uint8{6},
		[]uint16{7},
		[]uint32{8},
		[]uint64{9},
		[]float32{1.5},
		[]float64{2.5},
		[]float32{},
	} {
		a := must(d.Upload(v))(t)
		if got := must(a.Download())(t); fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", v) {
			t.Errorf("%#v came back as %#v", v, got)
		}
		if string("[]"+a.DType()) != fmt.Sprintf("%T", v) ||
			a.Bytes() != int64(a.Len()*a.DType().Size()) {
			t.Errorf("%T is %s", v, a.DType())
		}
	}
	a := must(d.Upload([]float32{1, 2}))(t)
	if got := must(a.Float32s())(t); !slices.Equal(got, []float32{1, 2}) {
		t.Errorf("%v", got)
	}
	_, err := a.Int32s()
	wantError(t, err, gpu.ErrArgument, "holds float32, not int32")
	z := must(d.NewArray("int64", 3))(t)
	if got := must(z.Int64s())(t); !slices.Equal(got, make([]int64, 3)) {
		t.Errorf("new array: %v", got)
	}
	_, err = d.Upload([]int{1})
	wantError(t, err, gpu.ErrArgument, "[]int32")
	_, err = d.Upload(3)
	wantError(t, err, gpu.ErrArgument, "no slice")
	_, err = d.Upload([]string{"a"})
	wantError(t, err, gpu.ErrArgument)
	_, err = d.NewArray("complex64", 1)
	wantError(t, err, gpu.ErrArgument, "complex64")
	k := kernel(t, d, "saxpy")
	if err := k.Launch(gpu.Linear(2, 32), a, a, float32(2), int32(2)); err != nil {
		t.Fatal(err)
	}
	if got := must(a.Float32s())(t); !slices.Equal(got, []float32{3, 6}) {
		t.Errorf("after saxpy: %v", got)
	}
	if err := a.Free(); err != nil {
		t.Fatal(err)
	}
	_, err = a.Download()
	wantError(t, err, gpu.ErrFreed)
}

func TestBytesString(t *testing.T) {
	t.Parallel()
	for b, want := range map[gpu.Bytes]string{
		0: "0 bytes", 1023: "1023 bytes", 1536: "1.5 KiB", 140 << 30: "140.0 GiB", -2048: "-2.0 KiB",
	} {
		if got := b.String(); got != want {
			t.Errorf("%d: %q, want %q", int64(b), got, want)
		}
	}
}
