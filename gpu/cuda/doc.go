// Package cuda holds what kernels in Go can use of the GPU: the number of the thread, arrays that a
// block shares, barriers, votes and shuffles of a warp, and atomic operations. May change: api.txt
// does not promise its declarations.
//
//	func Sum(t cuda.T, x []int32, total []int64) {
//		s := int64(0)
//		for i := t.Thread(); i < len(x); i += t.Threads() {
//			s += int64(x[i])
//		}
//		cuda.AtomicAdd(&total[0], s)
//	}
//
// Package metalab/gpu/ptx compiles such a function for the GPU. [Run] runs the same function on the
// CPU, with its blocks on all cores. So the twin of a kernel is the kernel. Both give the same
// bits, as long as the kernel has no race: under go test -race every thread is a goroutine of its
// own, and the race detector sees conflicting accesses of two threads.
//
// # Rules
//
//   - Blocks and threads have one dimension. A warp is 32 threads that follow one another in a
//     block; the last warp of a block may have fewer.
//   - All threads of a block call [T.Sync] together, and all threads of a warp its votes and
//     shuffles: not in a branch that some of them do not take. Nobody waits for threads that have
//     returned; the result of a shuffle from one of them is undefined (here: the thread's own
//     value). If threads would wait for one another for ever, [Run] ends and names the line of one.
//   - Declare shared arrays before the kernel's first branch or loop. Their initial contents are
//     undefined; here they are a pattern, which exposes a kernel that relies on zeros.
//   - Atomic operations work on whole numbers: sums of floating-point numbers would depend on the
//     order of the threads.
//   - A thread that panics ends, and the others continue. [Run] returns the error of the panicking
//     thread with the lowest number. The results of the kernel are then void.
//
// The package imports nothing of metalab.
package cuda
