package lab

import "metalab/solvers/arith"

// purposeOfSolvers sets the draws of declared solvers apart from those of other parts.
const purposeOfSolvers = 0x47

// Rand draws the random numbers of one iteration of your own solver. They are the same on every
// machine, whatever other iterations draw: those of Philox4x32-10 (Salmon, Moraes, Dror and Shaw:
// Parallel random numbers: as easy as 1, 2, 3; SC11, 2011, doi:10.1145/2063384.2063405) under the
// key seed and the counter (iteration, purpose 0x47, 0, draw / 4), four numbers of 32 bits per
// counter.
type Rand struct {
	s     arith.Stream
	drawn uint64
	last  uint32
}

func newRand(seed uint64, it int64) *Rand {
	return &Rand{s: arith.NewStream(seed, uint64(it), 0, purposeOfSolvers)}
}

// Uint32 returns 32 random bits.
func (r *Rand) Uint32() uint32 {
	r.drawn++
	r.last = r.s.Uint32()
	return r.last
}

// Float64 returns a number strictly between 0 and 1, in steps of 2^-32.
func (r *Rand) Float64() float64 { return arith.Unit64(r.Uint32()) }

// IntN returns an integer in [0, n), n from 1 to 2^31.
func (r *Rand) IntN(n int) int {
	if n < 1 {
		panic("lab: Rand.IntN: n is less than 1")
	}
	return arith.Below(r.Uint32(), n)
}

// Perm returns the numbers of [0, n) in random order.
func (r *Rand) Perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	r.Shuffle(p)
	return p
}

// Shuffle brings p into random order (Fisher and Yates).
func (r *Rand) Shuffle(p []int) {
	for i := len(p) - 1; i > 0; i-- {
		j := r.IntN(i + 1)
		p[i], p[j] = p[j], p[i]
	}
}

// Accept decides by the rule of Metropolis: it accepts a change that is not worse always, and one
// that is worse by delta with probability e^(-delta/temperature). Unlike math.Exp it gives the same
// answer on every machine.
func (r *Rand) Accept(delta, temperature float64) bool {
	if delta <= 0 {
		return true
	}
	u := r.Float64()
	if temperature <= 0 {
		return false
	}
	const log2e = 1.4426950408889634
	return u < arith.Exp2(max(-float64(delta/temperature)*log2e, -1000))
}

// trace hashes the number of draws.
func (r *Rand) trace() uint64 { return arith.Mix64(r.drawn<<32 | uint64(r.last)) }
