package arith

// PhiloxPair is [Philox4x32] of the counters {c0, c1, c2, c3} and {c0, c1, c2, c3 + 1}, the words
// of the second after those of the first: the two do not wait for one another, which takes little
// longer than one of them.
func PhiloxPair(key uint64, c0, c1, c2, c3 uint32) (a0, a1, a2, a3, b0, b1, b2, b3 uint32) {
	const (
		m0 = 0xD2511F53
		m1 = 0xCD9E8D57
		w0 = 0x9E3779B9
		w1 = 0xBB67AE85
	)
	k0, k1 := uint32(key), uint32(key>>32)
	a0, a1, a2, a3 = c0, c1, c2, c3
	b0, b1, b2, b3 = c0, c1, c2, c3+1
	for range 10 {
		p0, p1 := uint64(m0)*uint64(a0), uint64(m1)*uint64(a2)
		q0, q1 := uint64(m0)*uint64(b0), uint64(m1)*uint64(b2)
		a0, a1, a2, a3 = uint32(p1>>32)^a1^k0, uint32(p1), uint32(p0>>32)^a3^k1, uint32(p0)
		b0, b1, b2, b3 = uint32(q1>>32)^b1^k0, uint32(q1), uint32(q0>>32)^b3^k1, uint32(q0)
		k0 += w0
		k1 += w1
	}
	return a0, a1, a2, a3, b0, b1, b2, b3
}
