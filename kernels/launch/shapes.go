package launch

import "metalab/solvers/wave"

// Warp is the number of threads of a warp.
const Warp = 32

// Warps returns the configuration of workers, as ants or walks, that are a warp each, with block of
// them in a block.
func Warps(workers, block int) wave.Config {
	return wave.Config{Threads: Warp * int64(workers), Block: Warp * block}
}

// Blocks returns the configuration of workers that are a block each, of this many warps.
func Blocks(workers, warps int) wave.Config {
	return wave.Config{Threads: Warp * int64(workers) * int64(warps), Block: Warp * warps}
}

// WarpShapes returns configurations of workers that are a warp each, for several numbers of them in
// a block, up to most: powers of two and numbers between them.
func WarpShapes(workers, most int) []wave.Config {
	var out []wave.Config
	for _, w := range []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32} {
		if w <= most && w <= max(workers, 1) {
			out = append(out, Warps(workers, w))
		}
	}
	return out
}

// BlockShapes returns configurations of workers that are a block each, of these numbers of warps.
func BlockShapes(workers int, warps ...int) []wave.Config {
	var out []wave.Config
	for _, w := range warps {
		out = append(out, Blocks(workers, w))
	}
	return out
}
