// Package launch runs kernels that metalab/gpu/ptx has compiled from Go: it flattens slices and
// structures of arguments, launches, and turns the error word into a Go error.
//
//	m, err := ptx.Compile("scan.go", text, ptx.Options{})
//	p, err := launch.Load(device, m)
//	k, err := p.Kernel("Scan")
//	err = k.Launch(cuda.Shape{Blocks: 132, Threads: 256}, cities, tour, best)
//
// # Arguments
//
// They are the function's, without its cuda.T: numbers, bools, slices, and structures of these. A
// slice is uploaded; if the kernel may write it, it is downloaded when all threads have ended. A
// *gpu.Buffer in the place of a slice stays on the device. [Kernel.Bind] uploads once for many
// launches.
//
// An argument that the kernel writes must not overlap another one, which is refused: the compiler
// reads the others as what does not change.
//
// # Errors
//
// Where a thread failed, Launch returns a *ptx.Failure, "scan.go:12:7: index out of range (thread
// 77)", of the thread of the lowest number; what the launch wrote is void, and slices stay as they
// were. A module that was compiled with ptx.Options.Bounded gives up threads that pass
// [Kernel.Budget] iterations of loops.
package launch
