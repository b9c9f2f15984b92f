package gpu

import "strconv"

// codeOutOfMemory and its like are the driver's results that the package acts on.
const (
	codeOutOfMemory   = 2
	codeNoDevice      = 100
	codeSymbolMissing = 302
	codeNotFound      = 500
	codeNotReady      = 600
)

// meaning is what the package knows about a result of the driver.
type meaning struct {
	name, text, hint string
	sticky           bool // the context is unusable from here on
	lost             bool // the device is
}

const (
	hintLaunch = "run again with CUDA_LAUNCH_BLOCKING=1 to see which launch it was, or under " +
		"compute-sanitizer to see which line; this process cannot use the device any more and must " +
		"be started anew"
	hintUpdate = "update the NVIDIA driver, or compile the kernels for it with an older nvcc: go " +
		"run ./kernels/build"
	hintLost = "see dmesg for Xid messages and nvidia-smi for the device's state; this process " +
		"must be started anew, and the machine perhaps too"
	hintStale = "restart the machine: the driver's library and its kernel module are of different " +
		"versions, as after an update"
)

// codes are the results that deserve a sentence (CUDA Driver API reference manual,
// section "Data types used by CUDA driver", enumeration CUresult).
var codes = map[int]meaning{
	1: {name: "CUDA_ERROR_INVALID_VALUE", text: "invalid value"},
	2: {
		name: "CUDA_ERROR_OUT_OF_MEMORY", text: "out of memory",
		hint: "free buffers or close runs, or ask for less; nvidia-smi names other " +
			"processes on the device",
	},
	3: {name: "CUDA_ERROR_NOT_INITIALIZED", text: "the driver is not initialised"},
	4: {
		name: "CUDA_ERROR_DEINITIALIZED", text: "the driver is shutting down", sticky: true,
		lost: true,
	},
	34: {
		name: "CUDA_ERROR_STUB_LIBRARY",
		text: "the toolkit's stub library was loaded in place of the driver",
		hint: "take the toolkit's folder lib64/stubs out of LD_LIBRARY_PATH",
	},
	46: {
		name: "CUDA_ERROR_DEVICE_UNAVAILABLE",
		text: "the device is unavailable: busy in exclusive mode, or failing", hint: hintLost,
		sticky: true, lost: true,
	},
	100: {
		name: "CUDA_ERROR_NO_DEVICE", text: "there is no device",
		hint: "nvidia-smi must list one; in a container, pass it in (docker run --gpus all); look at " +
			"CUDA_VISIBLE_DEVICES",
	},
	101: {name: "CUDA_ERROR_INVALID_DEVICE", text: "no device of that number"},
	200: {
		name: "CUDA_ERROR_INVALID_IMAGE", text: "the kernel image is damaged or no image",
		hint: "give PTX text, a cubin or a fatbin",
	},
	201: {name: "CUDA_ERROR_INVALID_CONTEXT", text: "invalid context"},
	209: {
		name: "CUDA_ERROR_NO_BINARY_FOR_GPU", text: "the kernel image holds no code for this GPU",
		hint: "compile it for this GPU's compute capability, or add PTX: " +
			"in a clone go run ./kernels/build",
	},
	214: {
		name: "CUDA_ERROR_ECC_UNCORRECTABLE", text: "uncorrectable memory error of the device",
		hint: hintLost, sticky: true, lost: true,
	},
	215: {name: "CUDA_ERROR_UNSUPPORTED_LIMIT", text: "the device does not support this limit"},
	217: {
		name: "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED",
		text: "these two devices cannot reach each other's memory",
	},
	218: {
		name: "CUDA_ERROR_INVALID_PTX", text: "the PTX does not compile",
		hint: "see the compiler's log above",
	},
	220: {
		name: "CUDA_ERROR_NVLINK_UNCORRECTABLE", text: "uncorrectable NVLink error", hint: hintLost,
		sticky: true, lost: true,
	},
	221: {
		name: "CUDA_ERROR_JIT_COMPILER_NOT_FOUND", text: "the driver's PTX compiler is missing",
		hint: "install libnvidia-ptxjitcompiler of the driver's version",
	},
	222: {
		name: "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", text: "the PTX is newer than the driver",
		hint: hintUpdate,
	},
	223: {
		name: "CUDA_ERROR_JIT_COMPILATION_DISABLED", text: "compiling PTX is disabled",
		hint: "unset CUDA_DISABLE_PTX_JIT",
	},
	226: {
		name: "CUDA_ERROR_CONTAINED", text: "an error of the device was contained to this process",
		hint: hintLaunch, sticky: true,
	},
	302: {
		name: "CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND", text: "the driver lacks this call",
		hint: "update the NVIDIA driver",
	},
	304: {
		name: "CUDA_ERROR_OPERATING_SYSTEM", text: "the operating system refused",
		hint: "is /dev/nvidia-uvm there and readable? modprobe nvidia_uvm",
	},
	400: {name: "CUDA_ERROR_INVALID_HANDLE", text: "invalid handle"},
	401: {name: "CUDA_ERROR_ILLEGAL_STATE", text: "not possible in this state"},
	500: {name: "CUDA_ERROR_NOT_FOUND", text: "there is nothing of that name"},
	600: {name: "CUDA_ERROR_NOT_READY", text: "not finished yet"},
	700: {
		name: "CUDA_ERROR_ILLEGAL_ADDRESS", text: "a kernel read or wrote outside its memory",
		hint: hintLaunch, sticky: true,
	},
	701: {
		name: "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
		text: "a block of this size needs more registers or shared memory than there is",
		hint: "use fewer threads a block",
	},
	702: {
		name: "CUDA_ERROR_LAUNCH_TIMEOUT",
		text: "a kernel ran too long for a device that also drives a display",
		hint: "do less in one launch; this process must be started anew", sticky: true,
	},
	704: {name: "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", text: "peer access is enabled already"},
	705: {name: "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED", text: "peer access is not enabled"},
	708: {name: "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE", text: "the device is in use already"},
	709: {name: "CUDA_ERROR_CONTEXT_IS_DESTROYED", text: "the context is gone", sticky: true},
	710: {
		name: "CUDA_ERROR_ASSERT", text: "an assertion failed in a kernel", hint: hintLaunch,
		sticky: true,
	},
	714: {
		name: "CUDA_ERROR_HARDWARE_STACK_ERROR", text: "a kernel overran or damaged its stack",
		hint: hintLaunch, sticky: true,
	},
	715: {
		name: "CUDA_ERROR_ILLEGAL_INSTRUCTION", text: "a kernel met an illegal instruction",
		hint: hintLaunch, sticky: true,
	},
	716: {
		name: "CUDA_ERROR_MISALIGNED_ADDRESS", text: "a kernel used a misaligned address",
		hint: hintLaunch, sticky: true,
	},
	717: {
		name: "CUDA_ERROR_INVALID_ADDRESS_SPACE",
		text: "a kernel used an address of the wrong space", hint: hintLaunch, sticky: true,
	},
	718: {
		name: "CUDA_ERROR_INVALID_PC", text: "a kernel jumped out of its code", hint: hintLaunch,
		sticky: true,
	},
	719: {name: "CUDA_ERROR_LAUNCH_FAILED", text: "a kernel failed", hint: hintLaunch, sticky: true},
	720: {
		name: "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE",
		text: "a cooperative grid must fit on the device at once, and this one does not",
		hint: "launch at most Kernel.MaxCooperativeGrid blocks",
	},
	721: {
		name: "CUDA_ERROR_TENSOR_MEMORY_LEAK",
		text: "a kernel ended without freeing its tensor memory", hint: hintLaunch, sticky: true,
	},
	800: {name: "CUDA_ERROR_NOT_PERMITTED", text: "not permitted"},
	801: {name: "CUDA_ERROR_NOT_SUPPORTED", text: "not supported by this device or driver"},
	802: {
		name: "CUDA_ERROR_SYSTEM_NOT_READY", text: "the system's GPUs are not ready",
		hint: "on NVSwitch machines start the fabric manager (nvidia-fabricmanager)",
	},
	803: {
		name: "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
		text: "the driver's library and kernel module do not match", hint: hintStale,
	},
	804: {
		name: "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE",
		text: "the forward compatibility package does not support this GPU",
		hint: "take cuda-compat out of LD_LIBRARY_PATH",
	},
	900: {
		name: "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
		text: "not allowed while a stream is captured",
		hint: "allocate, free, wait and copy pageable memory outside Device.Capture",
	},
	901: {
		name: "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
		text: "the capture was spoilt by an earlier error",
		hint: "see the first error inside Device.Capture",
	},
	904: {
		name: "CUDA_ERROR_STREAM_CAPTURE_UNJOINED",
		text: "a stream that joined the capture did not come back",
		hint: "let the captured stream wait for an event of the other at the end",
	},
	906: {
		name: "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT",
		text: "the captured work would have to wait for the default stream",
	},
	909: {name: "CUDA_ERROR_TIMEOUT", text: "timed out"},
	999: {
		name: "CUDA_ERROR_UNKNOWN", text: "unknown error of the driver", hint: hintLost,
		sticky: true, lost: true,
	},
}

// nameOf is the driver's name of a code.
func nameOf(code int) string {
	if m, ok := codes[code]; ok {
		return m.name
	}
	if drv != nil {
		name, _ := drv.errorName(code)
		return name
	}
	return "CUresult " + strconv.Itoa(code)
}

// describe is the sentence of a code.
func describe(code int) string {
	if m, ok := codes[code]; ok {
		return m.text
	}
	if drv != nil {
		if _, text := drv.errorName(code); text != "" {
			return text
		}
	}
	return "error " + strconv.Itoa(code) + " of the driver"
}
