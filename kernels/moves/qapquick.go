package moves

import (
	"metalab/solvers/moves"
)

// quickArg is struct quick of qapfast.cuh: an assignment whose numbers fit in 32 bits, and the
// walks' data.
type quickArg struct {
	A, AT, B, BT, DA, DB        uint64
	P, Top, Until, D, Own, Mail uint64
	Words, Scans, Team, Staged  int32
}

// most32 is what aspiration, tenure and scans must be below for the kernels that make many scans:
// they keep times as 32 bits.
const most32 = 1 << 29

// bytes8 tells whether the matrices' numbers fit in 8 bits.
func bytes8(f *moves.Exchange) bool {
	for _, m := range [][]int64{f.A, f.B, f.AT, f.BT} {
		for _, x := range m {
			if x < -128 || x > 127 {
				return false
			}
		}
	}
	return true
}

// packWords is how many words a row has: a multiple of four.
func packWords(n int, narrow bool) int {
	if narrow {
		n = (n + 3) / 4
	}
	return (n + 3) / 4 * 4
}

// pack puts a matrix into words of four numbers or of one, as the kernels read it: word w of row i
// is at w n + i.
func pack(m []int64, n int, narrow bool) []uint32 {
	words := packWords(n, narrow)
	out := make([]uint32, words*n)
	for i := range n {
		for c, x := range m[i*n:][:n] {
			if narrow {
				out[c/4*n+i] |= uint32(uint8(x)) << (8 * (c % 4))
			} else {
				out[c*n+i] = uint32(int32(x))
			}
		}
	}
	return out
}

// ints32 converts numbers that fit.
func ints32(m []int64) []int32 {
	var out []int32
	for _, x := range m {
		out = append(out, int32(x))
	}
	return out
}

// walksShared returns the bytes of shared memory of a block that makes a walk's scans; it is
// walks_shared of qapwalks.cuh.
func walksShared(n, words, pairs int, staged bool) int {
	size := (4*pairs*n+3)/4*4 + 4*pairs*words + n*(n-1) + 7*n
	if staged {
		size += 2 * pairs * words * n
	}
	return 4 * size
}
