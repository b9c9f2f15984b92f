// Command build compiles metalab's CUDA kernels:
//
//	go run ./kernels/build                  # all, where nvcc is
//	go run ./kernels/build -only ants,rounds # these families
//	go run ./kernels/build -keep-going      # an error does not keep the others from being compiled
//	go run ./kernels/build -compress        # images that are smaller when unpacked
//	go run ./kernels/build -check           # only say what is stale; needs no nvcc
//	go run ./kernels/build -lines DIR       # images that know their source lines, to DIR
//
// Every kernels/**/*.cu becomes images/NAME.fatbin.gz beside it, a fatbin with machine code for
// sm_80 and sm_90 and PTX for compute_75, which the driver compiles for all others. It is packed by
// gzip, to about a third and without a time or a name; gpu.Image unpacks it. Beside the images lies
// manifest.json: for each image the SHA-256 of the fatbin, that of its source together with every
// header it includes by quotes, comments left out, and the compiler's options and version. These
// sums reveal a source that is newer than its image; the package's test looks for it.
//
// The command compiles -j sources at a time (default: the number of processors), and the
// architectures of each by -threads of nvcc's own. Messages come in the order of the sources. The
// first error ends all work in progress, and appears with the compiler's output; with -keep-going
// the command fails at the end, with all errors.
//
// If METALAB_KERNELS names a folder kernels, programs use its images in place of their own.
//
// Committed images know nothing of source lines, for with them they would also know the folder they
// were compiled in, and differ from machine to machine; use -lines for compute-sanitizer and
// profilers. Those of -lines are not packed.
//
// Products are not fused with the sums they feed (-fmad=false), for results must be those of the
// CPU twins, bit for bit.
package main
