// Package driver stands between cgo and NVIDIA's driver, so that metalab builds with a C
// compiler and nothing of CUDA, and one program runs with a GPU and without.
//
// Three things make that work. include/cuda.h declares the driver's interface, in our
// own words, so that gorgonia.org/cu compiles (see package gpu for the one variable that
// points the compiler there). loader.c defines every call it declares and forwards it to
// libcuda.so.1, opened when the program starts; the environment's METALAB_LIBCUDA names
// another library (the tests' fake driver, or "none" to do without). And lib/libcuda.a,
// an archive with nothing in it, satisfies the -lcuda that cu asks the linker for.
//
// cu's package initialisation ends the process when cuInit fails, which without a GPU it
// does. The loader's cuInit always succeeds, there are then no devices, and [Read] says
// why.
//
// Built without the tag cuda the package is empty but for its types.
package driver
