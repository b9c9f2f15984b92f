package cuda

// WarpSize is the number of threads of a warp.
const WarpSize = 32

// T is the current thread. A kernel receives it as its first parameter.
type T struct {
	b     *block
	w     *warp
	r     *runner
	local int
	asked *int // shared arrays this thread has asked for
}

// Thread returns the thread's number in the grid, 0 to Threads()-1.
func (t T) Thread() int { return t.b.index*t.b.shape.Threads + t.local }

// Threads returns the number of threads in the grid.
func (t T) Threads() int { return t.b.shape.Blocks * t.b.shape.Threads }

// Block returns the number of the thread's block, 0 to Blocks()-1.
func (t T) Block() int { return t.b.index }

// Blocks returns the number of blocks in the grid.
func (t T) Blocks() int { return t.b.shape.Blocks }

// Local returns the thread's number in its block, 0 to Dim()-1.
func (t T) Local() int { return t.local }

// Dim returns the number of threads in a block.
func (t T) Dim() int { return t.b.shape.Threads }

// Lane returns the thread's number in its warp, 0 to 31.
func (t T) Lane() int { return t.local % WarpSize }

// Warp returns the number of the thread's warp in the block.
func (t T) Warp() int { return t.local / WarpSize }

// Sync waits until all threads of the block that have not returned call it.
func (t T) Sync() {
	t.r.handOver()
	t.b.bar.wait()
}
