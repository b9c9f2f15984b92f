package cpu

import "metalab/solvers/arith"

// Layout is how all variants of the package draw.
const Layout = "Philox4x32-10; key: seed; counter: {iteration low, iteration high XOR purpose << " +
	"24, ant, p / 4}, word p mod 4, " +
	"for position p of the tour: p = 0 the first city, as word * n / 2^32; later the choice."

// LayoutSteps is how acs/seq draws.
const LayoutSteps = Layout + " Below q0 2^32 it takes the best candidate; else the draw of the " +
	"roulette is word 0 of the block with purpose 1 and p in place of p / 4."

// Purposes of draws.
const (
	purposeWalk    = 0
	purposeExplore = 1
	purposeBeyond  = 2
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
	return arith.Philox4x32(seed,
		[4]uint32{uint32(it), uint32(it>>32) ^ purposeExplore<<24, uint32(ant), uint32(p)})[0]
}

// The layouts of other forms.
const (
	// LayoutRace is how mmas/wrs and as/wrs draw.
	LayoutRace = "Philox4x32-10; key: seed; counter: {iteration low, iteration high, 32 ant + slot, " +
		"p / 4}, word p mod 4, " +
		"for position p of the tour: p = 0, slot 0 the first city, as word * n / 2^32; later the clock " +
		"of a slot of the list."

	// LayoutRows is how mmas/rows draws.
	LayoutRows = "Philox4x32-10; key: seed. selection=rwm: counter {iteration low, iteration high, " +
		"ant, p / 4}, word p mod 4, " +
		"for position p of the tour: p = 0 the first city, as word * n / 2^32; later the choice. " +
		"selection=wrs with lists of up to 32: that of mmas/wrs. " +
		"selection=wrs else: the draws of rwm for the first city and for the choice in a group; the " +
		"clock of the group of lane l in segment b is word b mod 4 of the counter " +
		"{iteration low, iteration high XOR 2^31 XOR p, ant, 32 (b / 4) + l}; position i of the list " +
		"or mask has b = i / 256 and l = (i / 4) mod 32."

	// LayoutThin is how mmas/thin draws.
	LayoutThin = "Philox4x32-10; key: seed. First city and near clocks as in mmas/wrs. Batch b of " +
		"32 arrivals: arrival l has words 2 (b mod 2), the time since the one before, and " +
		"2 (b mod 2) + 1, its proposal, of the counter {iteration low, iteration high XOR 2^29, b / 2, " +
		"32 ant + l}. " +
		"Of the list of the last cities place 32 t + l has word t of {iteration low, iteration high " +
		"XOR 3 2^29, p, 32 ant + l}. In scans city i has the high half of its draw from the counter " +
		"{iteration low, iteration high XOR 2^31 XOR p, ant, 32 (i / 256) + i mod 32}, its low half " +
		"from that XOR 2^30: for t = (i / 32) mod 8 the low half of word t, the high half of word t - 4."

	// LayoutLock is how acs/gpu, alt, lockstep, spm-sync and spm draw.
	LayoutLock = Layout + " Below q0 2^32 it takes the best candidate; else the clock of a slot of " +
		"the list is word 0 of the block with " +
		"purpose 1, 32 ant + slot in place of ant and p in place of p / 4. In lockstep with lists " +
		"above 28 that of place i beyond the list has purpose 2 and slot 28 + i."
)
