//go:build cuda && cgo && linux

package cuext

/*
#include <cuda.h>

static CUresult launch(CUfunction f, const unsigned *dim, unsigned shared, CUstream s,
		char *block, const unsigned *offset, int n, int cooperative) {
	void *params[256];
	for (int i = 0; i < n; i++) params[i] = block + offset[i];
	if (cooperative)
		return cuLaunchCooperativeKernel(f, dim[0], dim[1], dim[2], dim[3], dim[4], dim[5],
			shared, s, params);
	return cuLaunchKernel(f, dim[0], dim[1], dim[2], dim[3], dim[4], dim[5], shared, s, params, 0);
}

static CUresult load_logged(CUmodule *m, const void *image, char *log, unsigned size) {
	CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
	void *values[] = {log, (void *)(uintptr_t)size};
	return cuModuleLoadDataEx(m, image, 2, options, values);
}
*/
import "C"

import (
	"strconv"
	"unsafe"

	"gorgonia.org/cu"
)

// Code is a failed call's CUresult; never 0.
type Code int

// Error returns the driver's name of the code.
func (c Code) Error() string {
	name, _ := Name(int(c))
	return name
}

func check(r C.CUresult) error {
	if r == C.CUDA_SUCCESS {
		return nil
	}
	return Code(r)
}

// Name returns the driver's name of a code and its sentence, or a number and "" where
// the driver does not know it or is not there.
func Name(code int) (name, text string) {
	var p *C.char
	if C.cuGetErrorName(C.CUresult(code), &p) != C.CUDA_SUCCESS || p == nil {
		return "CUresult " + strconv.Itoa(code), ""
	}
	name = C.GoString(p)
	if C.cuGetErrorString(C.CUresult(code), &p) == C.CUDA_SUCCESS && p != nil {
		text = C.GoString(p)
	}
	return name, text
}

// cu's handles are structures of one pointer.
func fn(f cu.Function) C.CUfunction      { return *(*C.CUfunction)(unsafe.Pointer(&f)) }
func stream(s cu.Stream) C.CUstream      { return *(*C.CUstream)(unsafe.Pointer(&s)) }
func module(m cu.Module) C.CUmodule      { return *(*C.CUmodule)(unsafe.Pointer(&m)) }
func context(c cu.CUContext) C.CUcontext { return *(*C.CUcontext)(unsafe.Pointer(&c)) }

// HostAlloc returns bytes of pinned memory that every context may copy from and to.
func HostAlloc(bytes int64) (unsafe.Pointer, error) {
	const portable = 1
	var p unsafe.Pointer
	err := check(C.cuMemHostAlloc(&p, C.size_t(bytes), portable))
	return p, err
}

// HostFree frees what HostAlloc returned.
func HostFree(p unsafe.Pointer) error { return check(C.cuMemFreeHost(p)) }

// SetAttribute sets an attribute of a function, by the driver's number.
func SetAttribute(f cu.Function, attr, value int) error {
	return check(C.cuFuncSetAttribute(fn(f), C.CUfunction_attribute(attr), C.int(value)))
}

// Attribute reads an attribute of a function, by the driver's number.
func Attribute(f cu.Function, attr int) (int, error) {
	var v C.int
	err := check(C.cuFuncGetAttribute(&v, C.CUfunction_attribute(attr), fn(f)))
	return int(v), err
}

// ParamSizes returns the sizes in bytes of the parameters that f declares; ok is false
// where the driver is too old to tell (before CUDA 12.4).
func ParamSizes(f cu.Function) (sizes []int, ok bool) {
	for i := 0; ; i++ {
		var offset, size C.size_t
		switch r := C.cuFuncGetParamInfo(fn(f), C.size_t(i), &offset, &size); r {
		case C.CUDA_SUCCESS:
			sizes = append(sizes, int(size))
		case C.CUDA_ERROR_INVALID_VALUE: // past the last
			return sizes, true
		default:
			return nil, false
		}
	}
}

// Functions returns the names of the kernels in m; nil where the driver cannot tell.
func Functions(m cu.Module) []string {
	var n C.uint
	if C.cuModuleGetFunctionCount(&n, module(m)) != C.CUDA_SUCCESS || n == 0 {
		return nil
	}
	fns := make([]C.CUfunction, n)
	if C.cuModuleEnumerateFunctions(&fns[0], n, module(m)) != C.CUDA_SUCCESS {
		return nil
	}
	var names []string
	for _, f := range fns {
		var p *C.char
		if C.cuFuncGetName(&p, f) == C.CUDA_SUCCESS && p != nil {
			names = append(names, C.GoString(p))
		}
	}
	return names
}

// LoadLog loads an image only to learn why it does not load: it returns the compiler's
// log, and unloads the module where it loads after all.
func LoadLog(image []byte) string {
	const size = 8 << 10
	log := C.calloc(1, size)
	defer C.free(log)
	text := C.CString(string(image))
	defer C.free(unsafe.Pointer(text))
	var m C.CUmodule
	if C.load_logged(&m, unsafe.Pointer(text), (*C.char)(log), size-1) == C.CUDA_SUCCESS {
		C.cuModuleUnload(m)
	}
	return C.GoString((*C.char)(log))
}

// MaxParams is the largest number of kernel arguments that Launch takes.
const MaxParams = 256

// Launch launches f over the grid dim[0:3] of blocks dim[3:6]. Argument i lies in block
// at offset[i]; block may be reused when Launch returns.
func Launch(f cu.Function, dim *[6]uint32, shared int, s cu.Stream, block []byte, offset []uint32,
	cooperative bool,
) error {
	var b *C.char
	var o *C.uint
	if len(offset) > 0 {
		b, o = (*C.char)(unsafe.Pointer(unsafe.SliceData(block))),
			(*C.uint)(unsafe.Pointer(unsafe.SliceData(offset)))
	}
	coop := C.int(0)
	if cooperative {
		coop = 1
	}
	return check(C.launch(fn(f), (*C.uint)(unsafe.Pointer(dim)), C.uint(shared), stream(s), b, o,
		C.int(len(offset)), coop))
}

// PotentialBlock returns the block size that fills a multiprocessor best with the given
// dynamic shared memory a block, and the smallest grid that fills the device with it.
func PotentialBlock(f cu.Function, shared, limit int) (grid, block int, err error) {
	var g, b C.int
	err = check(C.cuOccupancyMaxPotentialBlockSize(&g, &b, fn(f), nil, C.size_t(shared), C.int(limit)))
	return int(g), int(b), err
}

// EnablePeer lets the current context's kernels use the memory of peer.
func EnablePeer(peer cu.CUContext) error {
	r := C.cuCtxEnablePeerAccess(context(peer), 0)
	if r == C.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED {
		return nil
	}
	return check(r)
}
