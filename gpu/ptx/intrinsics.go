package ptx

// intrinsic makes what math and math/bits have instructions for; nil for others.
func (c *compiler) intrinsic(name string, args []*val) *val {
	x := func(i int) arg { return args[i].a[0].arg }
	wide := func(a arg) *val { return one(c.op('d', "cvt.u64.u32", a)) }
	switch name {
	case "math.Sqrt":
		return one(c.op('F', "sqrt.rn.f64", x(0)))
	case "math.Abs":
		return one(c.op('F', "abs.f64", x(0)))
	case "math.Floor":
		return one(c.op('F', "cvt.rmi.f64.f64", x(0)))
	case "math.Ceil":
		return one(c.op('F', "cvt.rpi.f64.f64", x(0)))
	case "math.Trunc":
		return one(c.op('F', "cvt.rzi.f64.f64", x(0)))
	case "math.RoundToEven":
		return one(c.op('F', "cvt.rni.f64.f64", x(0)))
	case "math.FMA":
		return one(c.op('F', "fma.rn.f64", x(0), x(1), x(2)))
	case "math.IsNaN":
		return one(c.op('p', "setp.nan.f64", x(0), x(0)))
	case "math.Float64bits":
		return one(c.op('d', "mov.b64", x(0)))
	case "math.Float64frombits":
		return one(c.op('F', "mov.b64", x(0)))
	case "math.Float32bits":
		return one(c.op('r', "mov.b32", x(0)))
	case "math.Float32frombits":
		return one(c.op('f', "mov.b32", x(0)))
	case "math/bits.LeadingZeros32":
		return wide(c.op('r', "clz.b32", x(0)))
	case "math/bits.LeadingZeros64", "math/bits.LeadingZeros":
		return wide(c.op('r', "clz.b64", x(0)))
	case "math/bits.TrailingZeros32":
		return wide(c.op('r', "clz.b32", c.op('r', "brev.b32", x(0))))
	case "math/bits.TrailingZeros64", "math/bits.TrailingZeros":
		return wide(c.op('r', "clz.b64", c.op('d', "brev.b64", x(0))))
	case "math/bits.OnesCount32":
		return wide(c.op('r', "popc.b32", x(0)))
	case "math/bits.OnesCount64", "math/bits.OnesCount":
		return wide(c.op('r', "popc.b64", x(0)))
	case "math/bits.Reverse32":
		return one(c.op('r', "brev.b32", x(0)))
	case "math/bits.Reverse64":
		return one(c.op('d', "brev.b64", x(0)))
	case "math/bits.Len32":
		return wide(c.op('r', "sub.s32", num32(32), c.op('r', "clz.b32", x(0))))
	case "math/bits.Len64", "math/bits.Len":
		return wide(c.op('r', "sub.s32", num32(64), c.op('r', "clz.b64", x(0))))
	case "math/bits.RotateLeft32":
		k := c.op('r', "cvt.u32.u64", x(1))
		return one(c.op('r', "shf.l.wrap.b32", x(0), x(0), k))
	case "math/bits.RotateLeft64":
		k := c.op('r', "and.b32", c.op('r', "cvt.u32.u64", x(1)), num32(63))
		back := c.op('r', "sub.s32", num32(64), k) // 64 leaves nothing
		return one(c.op('d', "or.b64", c.op('d', "shl.b64", x(0), k), c.op('d', "shr.u64", x(0), back)))
	case "math/bits.Mul64":
		hi := c.op('d', "mul.hi.u64", x(0), x(1))
		return &val{a: []leaf{{arg: hi}, {arg: c.op('d', "mul.lo.u64", x(0), x(1))}}}
	}
	return nil
}
