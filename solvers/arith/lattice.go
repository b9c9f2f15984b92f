package arith

// LatticeSum returns the sum of w over the fixed lattice: w is cut into tiles of 32
// (the last one filled up with zeros), a tile is summed by a butterfly (lane l adds
// lane l XOR 16, then 8, 4, 2, 1), and the tiles' sums by a balanced tree in which
// tile t takes tile t+d, d = 1, 2, 4, ..., for t a multiple of 2d. A warp computes
// the same number with five shuffles, whatever the number of warps.
func LatticeSum(w []float32) float32 {
	n := (len(w) + 31) / 32
	if n == 0 {
		return 0
	}
	if n == 1 {
		return tileSum(w)
	}
	// The tree, depth first: a stack with one partial sum a level.
	var stack [32]float32
	var level [32]int
	top := 0
	for t := range n {
		hi := min(len(w), 32*t+32)
		s, l := tileSum(w[32*t:hi]), 0
		for top > 0 && level[top-1] == l {
			top--
			s = stack[top] + s
			l++
		}
		stack[top], level[top] = s, l
		top++
	}
	s := stack[top-1]
	for top--; top > 0; top-- {
		s = stack[top-1] + s
	}
	return s
}

// tileSum sums at most 32 numbers by the butterfly.
func tileSum(w []float32) float32 {
	var x [32]float32
	copy(x[:], w)
	for d := 16; d > 0; d >>= 1 {
		for i := range d {
			x[i] += x[i+d]
		}
	}
	return x[0]
}
