package arith

import "math/bits"

// Philox4x32 is the counter-based generator Philox4x32-10 of Salmon, Moraes, Dror
// and Shaw (Parallel random numbers: as easy as 1, 2, 3; SC11, 2011,
// doi:10.1145/2063384.2063405): a bijection of 128-bit counters under a 64-bit key,
// so that any draw of any agent at any iteration can be made without the draws
// before it.
//
// The low half of the key is its first word. Variants state their own layout of the
// counter; the usual one is {iteration low, iteration high ^ purpose, agent,
// position}.
func Philox4x32(key uint64, ctr [4]uint32) [4]uint32 {
	const (
		m0 = 0xD2511F53
		m1 = 0xCD9E8D57
		w0 = 0x9E3779B9
		w1 = 0xBB67AE85
	)
	k0, k1 := uint32(key), uint32(key>>32)
	c0, c1, c2, c3 := ctr[0], ctr[1], ctr[2], ctr[3]
	for range 10 {
		p0 := uint64(m0) * uint64(c0)
		p1 := uint64(m1) * uint64(c2)
		c0, c1, c2, c3 = uint32(p1>>32)^c1^k0, uint32(p1), uint32(p0>>32)^c3^k1, uint32(p0)
		k0 += w0
		k1 += w1
	}
	return [4]uint32{c0, c1, c2, c3}
}

// Unit32 maps 32 random bits to a float32 in [0, 1): the high 24 bits, so that
// every value is exact.
func Unit32(u uint32) float32 { return float32(u>>8) * (1.0 / (1 << 24)) }

// Unit64 maps 32 random bits to a float64 strictly between 0 and 1: (u + 1/2) / 2^32.
func Unit64(u uint32) float64 { return (float64(u) + 0.5) * (1.0 / (1 << 32)) }

// Below maps 32 random bits to an integer in [0, n), n >= 1, by multiplication; the
// bias is below n / 2^32.
func Below(u uint32, n int) int { return int(uint64(u) * uint64(uint32(n)) >> 32) }

// Stream is a sequence of draws of one agent in one iteration, for code that does
// not know beforehand how many it needs. Draw number d is word d mod 4 of the block
// with the counter {iteration low, iteration high ^ purpose << 24, agent, d / 4}.
// The zero Stream is not useful: make one with NewStream.
type Stream struct {
	key  uint64
	ctr  [4]uint32
	buf  [4]uint32
	next int
}

// NewStream returns the stream of agent in iteration for a purpose in [0, 256):
// streams of different purposes share no draw.
func NewStream(key uint64, iteration uint64, agent uint32, purpose uint8) Stream {
	return Stream{
		key:  key,
		ctr:  [4]uint32{uint32(iteration), uint32(iteration>>32) ^ uint32(purpose)<<24, agent, 0},
		next: 4,
	}
}

// Uint32 returns the next 32 bits.
func (s *Stream) Uint32() uint32 {
	if s.next == 4 {
		s.buf = Philox4x32(s.key, s.ctr)
		s.ctr[3]++
		s.next = 0
	}
	u := s.buf[s.next]
	s.next++
	return u
}

// Float64 returns a number strictly between 0 and 1.
func (s *Stream) Float64() float64 { return Unit64(s.Uint32()) }

// IntN returns an integer in [0, n), n in [1, 2^32).
func (s *Stream) IntN(n int) int { return Below(s.Uint32(), n) }

// Shuffle puts p in random order (Fisher and Yates).
func (s *Stream) Shuffle(p []int32) {
	for i := len(p) - 1; i > 0; i-- {
		j := s.IntN(i + 1)
		p[i], p[j] = p[j], p[i]
	}
}

// Mix64 is a bijection of 64-bit words that spreads every bit of x over all bits:
// the finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom
// number generators, OOPSLA 2014, doi:10.1145/2660193.2660195).
func Mix64(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xBF58476D1CE4E5B9
	x ^= x >> 27
	x *= 0x94D049BB133111EB
	return x ^ x>>31
}

// HashPerm is a hash of p that is a sum over positions, so that it may be
// accumulated in any order: sum over i of Mix64(i<<32 | p[i] + 1), modulo 2^64.
func HashPerm(p []int32) uint64 {
	var h uint64
	for i, c := range p {
		h += Mix64(uint64(i)<<32 | uint64(uint32(c)+1))
	}
	return h
}

// Chain adds the hash h to a running digest: the result depends on the order of the
// calls and on every bit of both.
func Chain(digest, h uint64) uint64 {
	return Mix64(bits.RotateLeft64(digest, 23) + h + 0x9E3779B97F4A7C15)
}
