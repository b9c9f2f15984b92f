// Package cuda is what a kernel written in Go may ask of the GPU: which thread it is, arrays that a
// block shares, barriers, votes and shuffles of a warp, and atomic operations.
//
//	func Sum(t cuda.T, x []int32, total []int64) {
//		s := int64(0)
//		for i := t.Thread(); i < len(x); i += t.Threads() {
//			s += int64(x[i])
//		}
//		cuda.AtomicAdd(&total[0], s)
//	}
//
// Package metalab/gpu/ptx compiles such a function for the GPU. Here the same function runs on the
// CPU: [Run] starts its threads, blocks over all cores. So the twin of a kernel is the kernel. Both
// give the same bits, as long as the kernel has no race: under go test -race every thread is a
// goroutine of its own, and the race detector sees what two threads do to one element.
//
// # Rules
//
//   - Blocks and threads have one dimension. A warp is 32 threads that follow one another in a
//     block; the last warp of a block may have fewer.
//   - All threads of a block call [T.Sync] together, and all threads of a warp its votes and
//     shuffles: not in a branch that some of them do not take. Threads that have returned are not
//     waited for; what a shuffle gets from one of them is not defined (here: its own value). Where
//     threads would wait for one another for ever, [Run] ends and names the line of one.
//   - Shared arrays are asked for before the kernel's first branch or loop. What they hold at first
//     is not defined; here it is a pattern, so that a kernel that counts on zeros is seen.
//   - Atomic operations are those of whole numbers: sums of floating-point numbers would depend on
//     the order of the threads.
//   - A thread that panics ends; the others go on, and [Run] returns the error of the panicking
//     thread of the lowest number. What the kernel wrote is void then.
//
// The package imports nothing of metalab.
package cuda
