// Command build compiles metalab's CUDA kernels:
//
//	go run ./kernels/build                  # all, where nvcc is
//	go run ./kernels/build -only ants,tours # these families
//	go run ./kernels/build -check           # only say what is stale; needs no nvcc
//
// Every kernels/**/*.cu becomes images/NAME.fatbin beside it, with machine code for sm_80
// and sm_90 and PTX for compute_75, which the driver compiles for all others. Beside the
// images lies manifest.json: for each image its SHA-256, that of its source together with
// every header it includes by quotes, and the compiler's options and version. A source
// that is newer than its image is found by these sums; the package's test looks for it.
//
// Products are not fused with the sums they feed (-fmad=false), for results must be those
// of the CPU twins, bit for bit.
package main
