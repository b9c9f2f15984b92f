package ants

import "metalab/solvers/arith"

// Layout is how all variants of the package draw.
const layout = "Philox4x32-10; key: seed; counter: {iteration low, iteration high XOR purpose << 24, ant, p / 4}, word p mod 4, " +
	"for position p of the tour: p = 0 the first city, as word * n / 2^32; later the choice."

// sequenceLayout is how acs/seq and acs/alt draw.
const sequenceLayout = layout + " Below q0 2^32 it takes the best candidate; else the draw of the roulette is word 0 of the block with purpose 1 and p in place of p / 4."

// Purposes of draws.
const (
	purposeWalk    = 0
	purposeExplore = 1
)

// draws gives an ant its words, position by position in increasing order.
type draws struct {
	seed uint64
	ctr  [4]uint32
	buf  [4]uint32
}

func newDraws(seed uint64, it int64, ant int) draws {
	return draws{seed: seed, ctr: [4]uint32{uint32(it), uint32(it >> 32), uint32(ant), 0}}
}

// word is the draw of position p.
func (d *draws) word(p int) uint32 {
	if p&3 == 0 {
		d.ctr[3] = uint32(p >> 2)
		d.buf = arith.Philox4x32(d.seed, d.ctr)
	}
	return d.buf[p&3]
}

// explore is the second draw of position p, which is seldom needed.
func explore(seed uint64, it int64, ant, p int) uint32 {
	return arith.Philox4x32(seed, [4]uint32{uint32(it), uint32(it>>32) ^ purposeExplore<<24, uint32(ant), uint32(p)})[0]
}
