// The loader: defines every driver call that cuda.h declares and finds the real ones in
// libcuda.so.1 when cuInit is called, so that one program runs with a GPU and without.
//
// gorgonia.org/cu calls cuInit from a package init() and ends the process when that
// fails. Here cuInit always succeeds; without a driver there are then 0 devices, and
// metalab_driver_* tell what went wrong.

//go:build cuda && cgo && linux

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "loader.h"

#define INDEX(name, symbol, params, args) i_##name,
enum { METALAB_CALLS(INDEX) n_calls };

#define SYMBOL(name, symbol, params, args) #symbol,
static const char *const symbols[] = {METALAB_CALLS(SYMBOL)};

static void *table[n_calls];
static struct metalab_driver status = {.state = METALAB_DRIVER_UNTRIED};
static pthread_once_t once = PTHREAD_ONCE_INIT;

// absent is what a call answers that has nowhere to go.
static CUresult absent(void) {
	switch (status.state) {
	case METALAB_DRIVER_UNTRIED: return CUDA_ERROR_NOT_INITIALIZED;
	case METALAB_DRIVER_LOADED: return CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND;
	default: return CUDA_ERROR_NO_DEVICE;
	}
}

// Where libcuda.so.1 may be when the dynamic linker's own search does not find it:
// containers with the driver mounted, WSL, NixOS.
static const char *const places[] = {
	"libcuda.so.1",
	"/usr/local/nvidia/lib64/libcuda.so.1",
	"/usr/local/nvidia/lib/libcuda.so.1",
	"/usr/lib/wsl/lib/libcuda.so.1",
	"/run/opengl-driver/lib/libcuda.so.1",
};

static void load(void) {
	void *lib = NULL;
	const char *named = getenv("METALAB_LIBCUDA");
	if (named && *named) {
		lib = dlopen(named, RTLD_NOW | RTLD_LOCAL);
		if (!lib) snprintf(status.detail, sizeof status.detail, "METALAB_LIBCUDA=%s: %s", named, dlerror());
		else snprintf(status.path, sizeof status.path, "%s", named);
	} else {
		for (size_t i = 0; !lib && i < sizeof places / sizeof *places; i++) {
			lib = dlopen(places[i], RTLD_NOW | RTLD_LOCAL);
			if (lib) snprintf(status.path, sizeof status.path, "%s", places[i]);
			else if (i == 0) snprintf(status.detail, sizeof status.detail, "%s", dlerror());
		}
	}
	if (!lib) {
		status.state = METALAB_DRIVER_NOT_FOUND;
		return;
	}
	status.detail[0] = 0;
	for (int i = 0; i < n_calls; i++) table[i] = dlsym(lib, symbols[i]);
	// Drivers before 11.4 know the identifier of a whole device only.
	if (!table[i_cuDeviceGetUuid]) table[i_cuDeviceGetUuid] = dlsym(lib, "cuDeviceGetUuid");
	int (*version)(int *) = (int (*)(int *))table[i_cuDriverGetVersion];
	if (version) version(&status.version);
	int (*init)(unsigned) = (int (*)(unsigned))table[i_cuInit];
	status.init = init ? init(0) : CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND;
	if (status.init != CUDA_SUCCESS) {
		// The names of errors stay callable: they explain the failure.
		void *name = table[i_cuGetErrorName], *text = table[i_cuGetErrorString];
		memset(table, 0, sizeof table);
		table[i_cuGetErrorName] = name;
		table[i_cuGetErrorString] = text;
		status.state = METALAB_DRIVER_INIT_FAILED;
		return;
	}
	status.state = METALAB_DRIVER_LOADED;
}

const struct metalab_driver *metalab_driver_status(void) {
	pthread_once(&once, load);
	return &status;
}

const char *metalab_driver_missing(int i) {
	if (status.state != METALAB_DRIVER_LOADED) return NULL;
	for (int k = 0; k < n_calls; k++)
		if (!table[k] && i-- == 0) return symbols[k];
	return NULL;
}

uintptr_t metalab_thread(void) {
	static __thread char own;
	return (uintptr_t)&own;
}

// The calls that answer without a driver.

static CUresult real_cuInit(unsigned int flags) {
	(void)flags;
	pthread_once(&once, load);
	return CUDA_SUCCESS;
}

static CUresult no_count(int *n) {
	*n = 0;
	return CUDA_SUCCESS;
}

static CUresult no_version(int *v) {
	*v = status.version;
	return CUDA_SUCCESS;
}

static void *target(int i) {
	if (i == i_cuInit) return (void *)real_cuInit;
	void *f = table[i];
	if (f) return f;
	if (status.state == METALAB_DRIVER_LOADED) return NULL;
	if (i == i_cuDeviceGetCount) return (void *)no_count;
	if (i == i_cuDriverGetVersion) return (void *)no_version;
	return NULL;
}

#define FORWARD(name, symbol, params, args) \
	__attribute__((visibility("hidden"))) CUresult name params { \
		CUresult(*f) params = (CUresult(*) params)target(i_##name); \
		return f ? f args : absent(); \
	}
METALAB_CALLS(FORWARD)

// The shape of the interface on 64-bit Linux, as the driver reads it.
#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), "size of " #type)
#define AT(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type "." #field)
SIZE(void *, 8);
SIZE(size_t, 8);
SIZE(CUdevice, 4);
SIZE(CUdeviceptr, 8);
SIZE(CUresult, 4);
SIZE(CUuuid, 16);
SIZE(CUDA_ARRAY_DESCRIPTOR, 24);
SIZE(CUDA_ARRAY3D_DESCRIPTOR, 40);
SIZE(CUDA_MEMCPY2D, 128);
AT(CUDA_MEMCPY2D, srcHost, 24);
AT(CUDA_MEMCPY2D, dstMemoryType, 72);
AT(CUDA_MEMCPY2D, Height, 120);
SIZE(CUDA_MEMCPY3D, 200);
AT(CUDA_MEMCPY3D, reserved0, 64);
AT(CUDA_MEMCPY3D, dstArray, 144);
AT(CUDA_MEMCPY3D, Depth, 192);
SIZE(CUDA_MEMCPY3D_PEER, 200);
AT(CUDA_MEMCPY3D_PEER, srcContext, 64);
AT(CUDA_MEMCPY3D_PEER, Depth, 192);
SIZE(CUDA_KERNEL_NODE_PARAMS, 56);
AT(CUDA_KERNEL_NODE_PARAMS, sharedMemBytes, 32);
AT(CUDA_KERNEL_NODE_PARAMS, kernelParams, 40);
SIZE(CUDA_MEMSET_NODE_PARAMS, 40);
SIZE(CUDA_HOST_NODE_PARAMS, 16);
