package ptx

// convert makes a number of type to; where Go leaves the result open (a float out of range), as
// Go on amd64 does.
func (c *compiler) convert(a arg, from, to prim) arg {
	switch {
	case from == to:
		return a
	case from.float() && to.float():
		if to.cls == 'f' {
			return c.op('f', "cvt.rn.f32.f64", a)
		}
		return c.op('F', "cvt.f64.f32", a)
	case to.float():
		return c.op(to.cls, "cvt.rn."+to.t()+"."+from.t(), a)
	case from.float():
		return c.truncate(a, from, to)
	case from.cls == 'r' && to.cls == 'd':
		return c.widen(a, from)
	case from.cls == 'd' && to.cls == 'r':
		return c.narrow(c.op('r', "cvt.u32.u64", a), to)
	default:
		return c.narrow(a, to)
	}
}

// truncate makes an integer of a floating-point number, towards zero.
func (c *compiler) truncate(a arg, from, to prim) arg {
	f := "." + from.t()
	if to.cls == 'r' && (to.signed || to.bits < 32) {
		i := c.op('r', "cvt.rzi.s32"+f, a)
		if !c.opt.Unchecked { // out of range: the smallest int32, as the processor gives
			// Use the rounded number: on an H100, 1e10 became the greatest int32 if the unrounded number was
			// compared, contrary to the manual. The cause is unknown.
			whole := c.op(from.cls, "cvt.rzi"+f+f, a)
			ok := c.op('p', "setp.lt"+f, c.op(from.cls, "abs"+f, whole), real(from.cls, 1<<31))
			i = c.op('r', "selp.b32", i, num32(-1<<31), ok)
		}
		return c.narrow(i, to)
	}
	signed := func(a arg) arg {
		i := c.op('d', "cvt.rzi.s64"+f, a)
		if c.opt.Unchecked {
			return i
		}
		ok := c.op('p', "setp.lt"+f, c.op(from.cls, "abs"+f, a), real(from.cls, 1<<63))
		return c.op('d', "selp.b64", i, num64(-1<<63), ok)
	}
	i := signed(a)
	if to.cls == 'd' && !to.signed {
		j := signed(c.op(from.cls, "sub.rn"+f, a, real(from.cls, 1<<63)))
		j = c.op('d', "or.b64", j, num64(-1<<63))
		i = c.op('d', "selp.b64", i, j, c.op('p', "setp.lt"+f, a, real(from.cls, 1<<63)))
	}
	if to.cls == 'r' {
		i = c.op('r', "cvt.u32.u64", i)
	}
	return i
}
