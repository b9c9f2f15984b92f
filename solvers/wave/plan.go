package wave

import (
	"fmt"
	"math/bits"
)

// A Config is a launch configuration: Threads threads in all, in blocks of Block.
type Config struct {
	Threads int64 // in all, at least 1; a thread takes one neighbour or more
	Block   int   // threads of a block
}

// String returns the configuration as "4096 threads in blocks of 128".
func (c Config) String() string {
	return fmt.Sprintf("%d threads in blocks of %d", c.Threads, c.Block)
}

// Blocks is the number of blocks, the last of which may be short.
func (c Config) Blocks() int64 {
	b := int64(max(c.Block, 1))
	return max((c.Threads+b-1)/b, 1)
}

// Share is how many of n neighbours a block takes when they are dealt out evenly: on a
// processor, the chunk that a worker takes at a time.
func (c Config) Share(n int64) int64 {
	b := c.Blocks()
	return max((n+b-1)/b, 1)
}

// The sizes of blocks that the paper tries: from MinBlock to MaxBlock by MinBlock, the
// threads of a warp.
const (
	MinBlock = 32
	MaxBlock = 512
)

// A Plan is what there is to tune for.
type Plan struct {
	Solution   int   // length of a solution, at least 1
	Neighbours int64 // size of the neighbourhood, at least 1

	// MaxThreads is the most threads of a launch; 0 means as many as there are neighbours.
	MaxThreads int64

	// MaxBlock is the most threads of a block; 0 means MaxBlock, the constant.
	MaxBlock int
}

// Configs lists the configurations in the order in which the paper tries them. There is at
// least one, also where the neighbourhood is smaller than a solution.
func (p Plan) Configs() []Config {
	most := max(p.Neighbours, 1)
	if p.MaxThreads > 0 {
		most = min(most, p.MaxThreads)
	}
	block := MaxBlock
	if p.MaxBlock > 0 {
		block = max(p.MaxBlock, MinBlock)
	}
	var out []Config
	for threads := min(NearestPower(p.Solution), most); ; threads *= 2 {
		for b := MinBlock; b <= block; b += MinBlock {
			out = append(out, Config{Threads: threads, Block: b})
		}
		if threads > most/2 {
			return out
		}
	}
}

// Distinct lists the configurations of Configs that differ by key, the first of each.
func (p Plan) Distinct(key func(Config) int64) []Config {
	var out []Config
	seen := map[int64]bool{}
	for _, c := range p.Configs() {
		if k := key(c); !seen[k] {
			seen[k] = true
			out = append(out, c)
		}
	}
	return out
}

// NearestPower is the power of two nearest to n, the larger of two that are as near; 1 for
// n below 1.
func NearestPower(n int) int64 {
	if n < 2 {
		return 1
	}
	low := int64(1) << (bits.Len(uint(n)) - 1)
	if int64(n)-low < 2*low-int64(n) {
		return low
	}
	return 2 * low
}
