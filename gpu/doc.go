// Package gpu gives access to NVIDIA GPUs: devices, memory, streams, events, kernels and graphs,
// with errors that say what to do. Public: solvers/internal/api/api.txt lists the declarations that
// programs may rely on.
//
//	d, err := gpu.Open(ctx, 0)                         // the first GPU
//	defer d.Close()
//	m, err := d.Module(image)                          // PTX, cubin or fatbin
//	k, err := m.Kernel("saxpy")
//	x, err := gpu.Upload(d, []float32{1, 2, 3})
//	y, err := gpu.Alloc[float32](d, 3)
//	err = k.Launch(gpu.Linear(3, 256), y, x, float32(2), int32(3))
//	out, err := y.Download()
//
// # With and without CUDA
//
// Without build tags the package is pure Go, and every function returns an error that wraps
// [ErrNoCUDA]. With -tags cuda it needs a C compiler, but no part of CUDA: the program looks for
// the driver's library when it starts, and finds 0 devices if there is none. So one program serves
// machines with and without a GPU. From the repository's root:
//
//	go run ./gpu/withcuda run ./repl
//
// is go run -tags cuda ./repl, with the path of our replacement for NVIDIA's header; build, test
// and vet work in the same way. The programs need no environment variables to run. [Doctor] reports
// what a machine lacks. METALAB_LIBCUDA names another driver library; METALAB_LIBCUDA=none hides
// the GPU.
//
// # Threads
//
// Each [Device] has one operating-system thread, which makes all of its calls to the driver. Any
// goroutine may call its methods. Changing to that thread and back costs 20 to 60 microseconds,
// many times as much as a launch. [Device.Do] runs a whole function there, in which every call is
// direct. Run an iteration in one Do, or capture it once as a [Graph] and launch that. A goroutine
// that is locked to its thread and runs one iteration after the other can call [Device.Host], so
// that its calls are direct.
//
// # Several runs on one device
//
// A search opens a Device of its own, and reserves all of its memory by [Device.Admit] before it
// allocates any. If the memory does not suffice, Admit fails at once, and its error names the other
// holders:
//
//	d, err := gpu.Open(ctx, env.Devices[0])
//	err = d.Admit("run a", bytes) // again with another number when more is needed
//
// For each iteration it acquires a turn, [Device.Turns]. Turns are granted in the order of the
// requests, so no search waits for more than one iteration of each other. [Device.SharedModule]
// loads an image without variables once for several runs.
//
// # Several devices
//
// Each open device has a thread of its own, so several work in parallel when goroutines call them.
// [Roomiest] returns the one with the most free memory. Acquire turns on several devices in the
// order of the ordinals, so that no two searches wait for each other. After a sticky error
// ([Failed]) of one device the others may continue. After a fault in a kernel they do not (seen on
// two H100 with the driver of CUDA 13): every context of the process then returns the same error.
//
// # Order
//
// A [Stream] executes its work in order, and does not wait for another Stream unless [Stream.After]
// says so. Every device has a stream of its own, for which nil stands. Uploads and downloads of Go
// slices use that stream and return at their end; copies from and to pinned memory ([Pinned])
// return at once.
//
// # Errors
//
// Every error is an [*Error]. After a sticky one ([IsSticky]), such as a kernel's illegal address,
// all later calls on that device in this process return that first error. A host then saves the
// data in its own memory, restarts itself and loads the data again.
//
// To find a fault inside a kernel, run the program under compute-sanitizer --report-api-errors no
// (asking a kernel for its parameters ends with a call that fails, which the sanitizer would report
// too).
//
// # Lifetime
//
// Objects live until Free, or until their device is closed. The garbage collector frees none of
// them.
//
// # Words
//
// A [Device] is an open GPU with its context. An image is compiled code for devices (PTX, cubin or
// fatbin). A loaded image is a [Module], which holds kernels. A [Buffer] is memory of a device with
// a Go type; an [Array] has a type that is known only at run time. [Pinned] memory belongs to the
// host and is locked, so that copies overlap with kernels. A [Call] is a launch with bound
// arguments. A [Graph] is a captured sequence of work with a single launch.
//
// # Adding a call of the driver
//
// backend.go lists the calls as an interface. backend_cuda.go implements them through
// gorgonia.org/cu, or through internal/cuext if cu lacks them. Add a call that is new to both to
// internal/driver/include/metalab_calls.h, which defines header, table of addresses and loader, and
// to testdata/fakecuda.c, the driver for tests without a GPU.
package gpu
