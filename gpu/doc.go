// Package gpu gives access to NVIDIA GPUs: devices, memory, streams, events, kernels and graphs,
// with errors that say what to do.
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
// Built as it is, the package is pure Go and every entry returns an error that wraps
// [ErrNoCUDA]. Built with -tags cuda it needs a C compiler and nothing of CUDA: the
// driver's library is looked for when the program starts, and where there is none there
// are 0 devices, so one program serves machines with a GPU and without. From the
// repository's root:
//
//	go run ./gpu/withcuda run ./repl
//
// is go run -tags cuda ./repl, with cgo told where our stand-in for NVIDIA's header is;
// build, test and vet are run in the same way. Programs so built need nothing in the
// environment to run. [Doctor] says what a machine lacks. METALAB_LIBCUDA names another
// driver library; METALAB_LIBCUDA=none hides the GPU.
//
// # Threads
//
// Each [Device] has one operating-system thread on which all its calls to the driver are made; the
// methods may be called from any goroutine. Crossing to that thread and back costs 20 to 60
// microseconds, many times a launch: [Device.Do] runs a whole function there, inside which every
// call is direct. Run an iteration in one Do, or capture it once as a [Graph] and launch that. A
// goroutine that is locked to its thread and makes one iteration after the other asks with
// [Device.Host] that its calls be made where it is.
//
// # Several runs on one device
//
// Whoever searches on a device opens it for itself, says with [Device.Admit] how many bytes
// it is going to allocate before it allocates any, and is refused at once, with who holds
// what, where they do not fit:
//
//	d, err := gpu.Open(ctx, env.Devices[0])
//	err = d.Admit("run a", bytes) // again with another number when more is needed
//
// For each iteration it takes a turn, [Device.Turns]: turns are given in the order in which
// they are asked for, so none waits for more than one iteration of each other.
// An image that several runs have, and that has no variables, is loaded once by
// [Device.SharedModule].
//
// # Several devices
//
// Each open device has a thread of its own, so several work side by side when goroutines call them.
// [Roomiest] is the one with the most free memory. Who takes turns on several takes them in the
// order of the ordinals, so that no two wait for each other. After a sticky error ([Failed]) of one
// the others may work on; after a fault in a kernel they do not (seen on two H100 with the driver
// of CUDA 13): every context of the process then gives the same error.
//
// # Order
//
// Work is put into a [Stream] and done in its order; a Stream does not wait for another
// unless told to ([Stream.After]). Every device has a stream of its own, which is meant
// where nil is given. Uploads and downloads of Go slices go through that stream and return
// when they are done; copies from and to pinned memory ([Pinned]) only start.
//
// # Errors
//
// Every error is an [*Error]. After a sticky one ([IsSticky]), such as a kernel's illegal
// address, nothing works any more on that device in this process, and all later calls
// return that first error: a host saves what it has in its own memory, starts itself anew
// and loads it again.
//
// To find what went wrong inside a kernel, run the program under
// compute-sanitizer --report-api-errors no (asking a kernel for its parameters ends with a
// call that fails, which the sanitizer would report too).
//
// # Lifetime
//
// What is allocated lives until it is freed or its device is closed, which frees all that
// is left. Nothing is freed by the garbage collector.
//
// # Words
//
// A [Device] is an open GPU with its context. An image is compiled code for devices (PTX, cubin or
// fatbin); loaded, it is a [Module], which holds kernels. A [Buffer] is memory of a device of a Go
// type; an [Array] is one whose type is known at run time only. [Pinned] memory is the host's,
// locked so that copies run beside kernels. A [Call] is a launch whose arguments are set once. A
// [Graph] is a captured sequence of work that is launched as one.
//
// # Adding a call of the driver
//
// backend.go lists the calls as an interface, backend_cuda.go makes them through gorgonia.org/cu or
// through internal/cuext where cu lacks them. A call that is new to both goes into
// internal/driver/include/metalab_calls.h, from which header, table of addresses and loader are
// made, and into testdata/fakecuda.c, the driver that tests run against where there is no GPU.
package gpu
