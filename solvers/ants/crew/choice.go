package crew

import (
	"math"
	"math/bits"

	"metalab/solvers/ants/trail"
	"metalab/solvers/arith"
)

// This file has what a crew on the CPU and one on a device must compute in the same way, and what
// no policy uses.

// keyCities is the greatest number of cities whose numbers are in keys: 13 bits.
const keyCities = 1 << 13

// KeyMask returns which bits of a key, in a race of clocks over n cities, do not belong to the
// clock. If short, they are a city's number, else a slot.
func KeyMask(n int) (mask uint32, short bool) {
	if n > keyCities {
		return trail.Width - 1, false
	}
	return uint32(max(trail.Width, 1<<bits.Len(uint(n-1))) - 1), true
}

// shareBits makes 2^46 shares of the deposit of the iteration's shortest tour. An ant passes an
// edge at most twice (with two cities, else once), so 65536 ants bring a slot 2^63 at most.
const shareBits = 46

// Shares returns how many shares a tour of this length deposits on each of its edges in as/wrs:
// 2^46 least / length, rounded, at least 1, where least is the length of the iteration's shortest
// tour, at least 1. The relative rounding error is less than 2^-47 length / least: under 2^-31 for
// tours up to 65536 times as long as the shortest. With distances that obey the triangle inequality
// no tour of n cities is more than n / 2 times as long as another. Shares are whole numbers, so
// that the order in which they are added does not matter.
func Shares(length, least int64) uint64 {
	part := float64(least) / float64(max(length, 1))
	return max(1, uint64(float64(part*(1<<shareBits))+0.5))
}

// ShareUnit returns the trail that a share stands for: 2^-46 / least.
func ShareUnit(least int64) float64 { return 1 / float64(float64(least)*(1<<shareBits)) }

// Powers returns the powers of 1 - rho, up to the greatest number of visits that an edge can get in
// an iteration of acs/lockstep: two from each ant, for n may be 2.
func Powers(rho float64, ants int) []float32 {
	powers := make([]float32, 0, 2*ants+1)
	power := 1.0
	for range 2*ants + 1 {
		powers = append(powers, float32(power))
		power *= 1 - rho
		if power < 0x1p-140 {
			power = 0
		}
	}
	return powers
}

// Scaled is the weight over the trail of an edge with that visibility, in acs: at least 2^-60.
func Scaled(visibility, inv float32) float32 { return float32(max(visibility, 0x1p-60) * inv) }

// Octaves returns the binary logarithm of x, a normal number above 0.
func Octaves(x float32) float32 {
	b := math.Float32bits(x)
	return float32(int32(b>>23)-126) - arith.Expo32(b<<8|1<<31)
}

// OctavesOf returns the binary logarithm of a distance plus 0.1.
func OctavesOf(d int32) float32 { return Octaves(float32(d) + 0.1) }
