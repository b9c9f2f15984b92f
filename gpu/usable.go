package gpu

import (
	"fmt"
	"strings"

	"metalab/gpu/internal/driver"
)

// build is the hint of every ErrNoCUDA.
const build = "of a release take the file for Linux on amd64 whose name has manylinux_2_28; in a " +
	"clone go run ./gpu/withcuda run ./repl builds it with CUDA, which needs a C compiler only"

// needed are the calls without which the package cannot work. Those that it does without
// (names and parameters of kernels, before CUDA 12.4) are not among them.
var needed = []string{
	"cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease_v2", "cuCtxSetCurrent", "cuMemGetInfo_v2",
	"cuMemAlloc_v2", "cuMemFree_v2", "cuMemHostAlloc", "cuMemFreeHost", "cuMemcpyHtoDAsync_v2",
	"cuMemcpyDtoHAsync_v2",
	"cuMemcpyDtoDAsync_v2", "cuMemsetD8Async", "cuStreamCreate", "cuStreamSynchronize",
	"cuEventCreate", "cuEventElapsedTime",
	"cuModuleLoadData", "cuModuleGetFunction", "cuFuncSetAttribute", "cuLaunchKernel",
	"cuLaunchCooperativeKernel",
	"cuStreamBeginCapture_v2", "cuStreamEndCapture", "cuGraphInstantiateWithFlags", "cuGraphLaunch",
}

func noCUDA(op string, device int) error {
	return &Error{Op: op, Device: device, Err: ErrNoCUDA, Hint: build}
}

// noDevice says why there is no device, from what the loader found.
func noDevice(op string, device int) error {
	e := &Error{Op: op, Device: device, Err: ErrNoDevice}
	switch s := driver.Read(); s.State {
	case driver.NotFound:
		e.Hint = "the driver's library libcuda.so.1 was not found (" + s.Detail +
			"): install the NVIDIA driver, or pass the GPU into the container"
	case driver.InitFailed:
		e.Code, e.Hint = s.Init, codes[s.Init].hint
		e.Name = nameOf(s.Init)
	default:
		e.Hint = codes[codeNoDevice].hint
	}
	return e
}

// usable says whether the loaded driver can be worked with.
func usable(op string) error {
	s := driver.Read()
	switch {
	case s.State == driver.NotFound, s.State == driver.InitFailed && s.Init == codeNoDevice:
		return noDevice(op, -1)
	case s.State == driver.InitFailed:
		return wrap(op+": start the driver", -1, result(s.Init))
	}
	lacking := map[string]bool{}
	for _, m := range s.Missing {
		lacking[m] = true
	}
	var names []string
	for _, n := range needed {
		if lacking[n] {
			names = append(names, n)
		}
	}
	if len(names) > 0 {
		return &Error{
			Op: op, Device: -1, Err: ErrDriverTooOld, Code: codeSymbolMissing,
			Name: nameOf(codeSymbolMissing),
			Hint: fmt.Sprintf(
				"it speaks CUDA %v and lacks %s; update it to one that speaks CUDA 11.4 or later",
				Version(s.Version), strings.Join(names, ", "),
			),
		}
	}
	return nil
}
