// Package launch is the common Go code of the families of kernels: it queues and times iterations,
// tunes launches, reserves a run's part of a device's memory and acquires its turns. A family is a
// folder of CUDA sources with the Go code that launches them; ants and rounds are families. Package
// emulate runs the kernels on a CPU, and the Go code on a driver that is none, in tests. Package
// gputest has what the families' tests on a GPU share.
//
// # Contents
//
//   - [Base] opens a device for a run, reserves memory (Admit, which says what there would be room
//     for), loads kernels, and waits for the run's turn. Embed it: it implements solvers.Sharer.
//   - [Tuner] times the parts of an iteration by events of the device, and tunes the launches of
//     its stages. Embed it: it implements solvers.Timer and solvers.Waver. A [Stage] says which
//     configurations there are. The tuner tries them in the regular iterations, and skips one that
//     fails. No configuration may change a result.
//   - [Graph] builds one graph of the launches of an iteration, and drops it when they change.
//   - [Warps], [Blocks], [WarpShapes] and [BlockShapes] are the configurations of workers that are
//     a warp or a block each.
//   - [Cities] are city numbers of 16 or 32 bits in the memory of a device.
//
// # How to add a family
//
//  1. In package metalab/solvers/X, of the algorithm, define an interface between the deciding part
//     (the parameters, the record, the state) and the computing part, such as crew.Crew of the
//     ants, or rounds.Engine. Its first implementation is in Go and defines the results. A function
//     such as Variant(backend, engine) returns the variant for another one, and solvers.Offer tells
//     which variants have a form for CUDA.
//  2. In kernels/X write the sources, X.cu, with the arithmetic of kernels/arith.h. Sums in random
//     order must be of whole numbers; ties go to the smaller index. Products and sums are not
//     fused. Test them by package emulate, which runs them on a CPU, before a device.
//  3. The Go type that implements the interface embeds Base and Tuner. It computes the bytes that
//     it will allocate, calls Admit before it allocates them, and uploads once what never changes.
//     An iteration settles the stages, and then on the device's thread (Base.Dev.Do) calls First,
//     queues copies and kernels with Launch and Part, calls Last, waits once (Base.Dev.Sync), and
//     calls Read. Results come back through pinned memory. For iterations below a millisecond build
//     a Graph: a launch takes some microseconds.
//  4. Arguments that are structs get a Go struct each, with the fields in the same order;
//     emulate.Program.Layout compares them.
//  5. go run ./kernels/build compiles the sources where nvcc is; the images are committed. A file
//     with the build constraint cuda registers the variants, and kernel/host imports the package.
//  6. The tests: the kernels on the CPU against the Go code at odd sizes, allocated against
//     reserved memory (emulate.OnFake); on a device the twins, golden runs, conformance, and
//     launches that change at random (gputest.Shapes).
package launch
