package ptx_test

import (
	"math/bits"
	"testing"

	"metalab/gpu/cuda"
	"metalab/gpu/ptx"
)

// TestBits compiles the functions of math/bits beside those that are instructions.
func TestBits(t *testing.T) {
	t.Parallel()
	const text = `package k

import (
	"math/bits"

	"metalab/gpu/cuda"
)

func Bits(t cuda.T, x, y []uint64) {
	i := t.Thread()
	a, b, k := x[i], x[(i+1)%len(x)], int(int8(x[i]>>3))
	o := y[36*i : 36*i+36]
	o[0], o[1] = uint64(bits.LeadingZeros8(uint8(a))), uint64(bits.LeadingZeros16(uint16(a)))
	o[2], o[3] = uint64(bits.TrailingZeros8(uint8(a))), uint64(bits.TrailingZeros16(uint16(a)))
	o[4], o[5] = uint64(bits.OnesCount8(uint8(a))), uint64(bits.OnesCount16(uint16(a)))
	o[6], o[7] = uint64(bits.Reverse(uint(a))), uint64(bits.Reverse8(uint8(a)))
	o[8], o[9] = uint64(bits.Reverse16(uint16(a))), uint64(bits.ReverseBytes(uint(a)))
	o[10], o[11] = uint64(bits.ReverseBytes16(uint16(a))), uint64(bits.ReverseBytes32(uint32(a)))
	o[12], o[13] = bits.ReverseBytes64(a), uint64(bits.Len8(uint8(a)))
	o[14], o[15] = uint64(bits.Len16(uint16(a))), uint64(bits.RotateLeft(uint(a), k))
	o[16] = uint64(bits.RotateLeft8(uint8(a), k))
	o[17] = uint64(bits.RotateLeft16(uint16(a), k))
	c, d := bits.Add(uint(a), uint(b), uint(i&1))
	o[18], o[19] = uint64(c), uint64(d)
	e, f := bits.Add32(uint32(a), uint32(b), uint32(i&1))
	o[20], o[21] = uint64(e), uint64(f)
	c, d = bits.Sub(uint(a), uint(b), uint(i&1))
	o[22], o[23] = uint64(c), uint64(d)
	e, f = bits.Sub32(uint32(a), uint32(b), uint32(i&1))
	o[24], o[25] = uint64(e), uint64(f)
	c, d = bits.Mul(uint(a), uint(b))
	o[26], o[27] = uint64(c), uint64(d)
	e, f = bits.Mul32(uint32(a), uint32(b))
	o[28], o[29] = uint64(e), uint64(f)
	o[30], o[31] = bits.RotateLeft64(a, k), uint64(bits.RotateLeft32(uint32(a), k))
	o[32], o[33] = bits.Sub64(a, b, uint64(i&1))
	o[34], o[35] = bits.Add64(a, b, uint64(i&1))
}
`
	fn := func(t cuda.T, x, y []uint64) {
		i := t.Thread()
		a, b, k := x[i], x[(i+1)%len(x)], int(int8(x[i]>>3))
		o := y[36*i : 36*i+36]
		o[0], o[1] = uint64(bits.LeadingZeros8(uint8(a))), uint64(bits.LeadingZeros16(uint16(a)))
		o[2], o[3] = uint64(bits.TrailingZeros8(uint8(a))), uint64(bits.TrailingZeros16(uint16(a)))
		o[4], o[5] = uint64(bits.OnesCount8(uint8(a))), uint64(bits.OnesCount16(uint16(a)))
		o[6], o[7] = uint64(bits.Reverse(uint(a))), uint64(bits.Reverse8(uint8(a)))
		o[8], o[9] = uint64(bits.Reverse16(uint16(a))), uint64(bits.ReverseBytes(uint(a)))
		o[10], o[11] = uint64(bits.ReverseBytes16(uint16(a))), uint64(bits.ReverseBytes32(uint32(a)))
		o[12], o[13] = bits.ReverseBytes64(a), uint64(bits.Len8(uint8(a)))
		o[14], o[15] = uint64(bits.Len16(uint16(a))), uint64(bits.RotateLeft(uint(a), k))
		o[16] = uint64(bits.RotateLeft8(uint8(a), k))
		o[17] = uint64(bits.RotateLeft16(uint16(a), k))
		c, d := bits.Add(uint(a), uint(b), uint(i&1))
		o[18], o[19] = uint64(c), uint64(d)
		e, f := bits.Add32(uint32(a), uint32(b), uint32(i&1))
		o[20], o[21] = uint64(e), uint64(f)
		c, d = bits.Sub(uint(a), uint(b), uint(i&1))
		o[22], o[23] = uint64(c), uint64(d)
		e, f = bits.Sub32(uint32(a), uint32(b), uint32(i&1))
		o[24], o[25] = uint64(e), uint64(f)
		c, d = bits.Mul(uint(a), uint(b))
		o[26], o[27] = uint64(c), uint64(d)
		e, f = bits.Mul32(uint32(a), uint32(b))
		o[28], o[29] = uint64(e), uint64(f)
		o[30], o[31] = bits.RotateLeft64(a, k), uint64(bits.RotateLeft32(uint32(a), k))
		o[32], o[33] = bits.Sub64(a, b, uint64(i&1))
		o[34], o[35] = bits.Add64(a, b, uint64(i&1))
	}
	x := []uint64{
		0, 1, 1 << 63, 1<<64 - 1, 0x0123456789abcdef, 0xfedcba9876543210, 1 << 31, 1 << 16, 255, 0x8080,
		0xfffffffe, 0xaaaaaaaaaaaaaaaa, 77, 1 << 7, 1 << 15, 3,
	}
	c := trial{
		"Bits", text, fn,
		cuda.Shape{Blocks: 1, Threads: len(x)},
		[]any{x, make([]uint64, 36*len(x))},
	}
	want := c.twin(t)
	for _, plain := range []bool{false, true} {
		m := c.compile(t, ptx.Options{Source: sources, Plain: plain})
		args := clone(c.args)
		if err := emulate(t, m, "Bits", c.shape, 0, args...); err != nil {
			t.Fatal(err)
		}
		same(t, "bits", args, want)
	}
}
