/* cuda.h: a stand-in for NVIDIA's header of the same name, written for metalab.
 *
 * It declares the part of the CUDA driver API that metalab and gorgonia.org/cu use, as
 * that API is laid out in memory on 64-bit Linux, so that both compile with a C compiler
 * and nothing of CUDA. The functions are defined in ../loader.c, which finds the real
 * ones in libcuda.so.1 when the program starts. Names and numbers are NVIDIA's interface
 * (CUDA Driver API reference manual); testdata/abi_check.c compares this file with
 * another cuda.h, constant by constant, structure by structure and call by call.
 *
 * Put this directory first: CGO_CFLAGS=-I<repository>/gpu/internal/driver/include. */
#ifndef METALAB_CUDA_H
#define METALAB_CUDA_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "metalab_calls.h"
#include "metalab_numbers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the interface that is described here, as CUDA numbers it. */
#define CUDA_VERSION 11040

/* Handles. */
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUarray_st *CUarray;
typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;
typedef struct CUevent_st *CUevent;
typedef struct CUstream_st *CUstream;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUlinkState_st *CUlinkState;
typedef struct CUuuid_st {
	char bytes[16];
} CUuuid;

/* Enumerations, from the lists of metalab_numbers.h. */
#define METALAB_ENUM(name, value) name = value,
typedef enum CUresult_enum { METALAB_RESULTS(METALAB_ENUM) } CUresult;
typedef enum CUdevice_attribute_enum { METALAB_DEVICE_ATTRIBUTES(METALAB_ENUM) } CUdevice_attribute;
typedef enum CUdevice_P2PAttribute_enum {
	METALAB_P2P_ATTRIBUTES(METALAB_ENUM)
} CUdevice_P2PAttribute;
typedef enum CUctx_flags_enum { METALAB_CTX_FLAGS(METALAB_ENUM) } CUctx_flags;
typedef enum CUevent_flags_enum { METALAB_EVENT_FLAGS(METALAB_ENUM) } CUevent_flags;
typedef enum CUstream_flags_enum { METALAB_STREAM_FLAGS(METALAB_ENUM) } CUstream_flags;
typedef enum CUfunction_attribute_enum {
	METALAB_FUNCTION_ATTRIBUTES(METALAB_ENUM)
} CUfunction_attribute;
typedef enum CUfunc_cache_enum { METALAB_FUNC_CACHE(METALAB_ENUM) } CUfunc_cache;
typedef enum CUsharedconfig_enum { METALAB_SHARED_CONFIG(METALAB_ENUM) } CUsharedconfig;
typedef enum CUjit_option_enum { METALAB_JIT_OPTIONS(METALAB_ENUM) } CUjit_option;
typedef enum CUjit_cacheMode_enum { METALAB_JIT_CACHE(METALAB_ENUM) } CUjit_cacheMode;
typedef enum CUjitInputType_enum { METALAB_JIT_INPUT(METALAB_ENUM) } CUjitInputType;
typedef enum CUjit_fallback_enum { METALAB_JIT_FALLBACK(METALAB_ENUM) } CUjit_fallback;
typedef enum CUlimit_enum { METALAB_LIMITS(METALAB_ENUM) } CUlimit;
typedef enum CUmemorytype_enum { METALAB_MEMORY_TYPES(METALAB_ENUM) } CUmemorytype;
typedef enum CUmem_advise_enum { METALAB_MEM_ADVICE(METALAB_ENUM) } CUmem_advise;
typedef enum CUmemAttach_flags_enum { METALAB_MEM_ATTACH(METALAB_ENUM) } CUmemAttach_flags;
typedef enum CUoccupancy_flags_enum { METALAB_OCCUPANCY(METALAB_ENUM) } CUoccupancy_flags;
typedef enum CUpointer_attribute_enum {
	METALAB_POINTER_ATTRIBUTES(METALAB_ENUM)
} CUpointer_attribute;
typedef enum CUaddress_mode_enum { METALAB_ADDRESS_MODES(METALAB_ENUM) } CUaddress_mode;
typedef enum CUfilter_mode_enum { METALAB_FILTER_MODES(METALAB_ENUM) } CUfilter_mode;
typedef enum CUarray_format_enum { METALAB_ARRAY_FORMATS(METALAB_ENUM) } CUarray_format;
typedef enum CUstreamCaptureMode_enum { METALAB_CAPTURE_MODES(METALAB_ENUM) } CUstreamCaptureMode;
typedef enum CUjit_target_enum { METALAB_JIT_TARGETS(METALAB_ENUM) } CUjit_target;
#undef METALAB_ENUM

#define CU_CTX_FLAGS_MASK 0x1f
#define CU_TRSF_READ_AS_INTEGER 0x01
#define CU_TRSF_NORMALIZED_COORDINATES 0x02
#define CU_LAUNCH_PARAM_END ((void *)0x00)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)

/* Functions that the driver calls. */
typedef void (*CUhostFn)(void *data);
typedef size_t (*CUoccupancyB2DSize)(int block);

/* Structures. */
typedef struct CUDA_ARRAY_DESCRIPTOR_st {
	size_t Width, Height;
	CUarray_format Format;
	unsigned int NumChannels;
} CUDA_ARRAY_DESCRIPTOR;

typedef struct CUDA_ARRAY3D_DESCRIPTOR_st {
	size_t Width, Height, Depth;
	CUarray_format Format;
	unsigned int NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;

typedef struct CUDA_MEMCPY2D_st {
	size_t srcXInBytes, srcY;
	CUmemorytype srcMemoryType;
	const void *srcHost;
	CUdeviceptr srcDevice;
	CUarray srcArray;
	size_t srcPitch;
	size_t dstXInBytes, dstY;
	CUmemorytype dstMemoryType;
	void *dstHost;
	CUdeviceptr dstDevice;
	CUarray dstArray;
	size_t dstPitch;
	size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;

typedef struct CUDA_MEMCPY3D_st {
	size_t srcXInBytes, srcY, srcZ, srcLOD;
	CUmemorytype srcMemoryType;
	const void *srcHost;
	CUdeviceptr srcDevice;
	CUarray srcArray;
	void *reserved0;
	size_t srcPitch, srcHeight;
	size_t dstXInBytes, dstY, dstZ, dstLOD;
	CUmemorytype dstMemoryType;
	void *dstHost;
	CUdeviceptr dstDevice;
	CUarray dstArray;
	void *reserved1;
	size_t dstPitch, dstHeight;
	size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;

typedef struct CUDA_MEMCPY3D_PEER_st {
	size_t srcXInBytes, srcY, srcZ, srcLOD;
	CUmemorytype srcMemoryType;
	const void *srcHost;
	CUdeviceptr srcDevice;
	CUarray srcArray;
	CUcontext srcContext;
	size_t srcPitch, srcHeight;
	size_t dstXInBytes, dstY, dstZ, dstLOD;
	CUmemorytype dstMemoryType;
	void *dstHost;
	CUdeviceptr dstDevice;
	CUarray dstArray;
	CUcontext dstContext;
	size_t dstPitch, dstHeight;
	size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D_PEER;

typedef struct CUDA_KERNEL_NODE_PARAMS_st {
	CUfunction func;
	unsigned int gridDimX, gridDimY, gridDimZ;
	unsigned int blockDimX, blockDimY, blockDimZ;
	unsigned int sharedMemBytes;
	void **kernelParams;
	void **extra;
} CUDA_KERNEL_NODE_PARAMS;

typedef struct CUDA_MEMSET_NODE_PARAMS_st {
	CUdeviceptr dst;
	size_t pitch;
	unsigned int value, elementSize;
	size_t width, height;
} CUDA_MEMSET_NODE_PARAMS;

typedef struct CUDA_HOST_NODE_PARAMS_st {
	CUhostFn fn;
	void *userData;
} CUDA_HOST_NODE_PARAMS;

/* The calls. */
#define METALAB_PROTOTYPE(name, symbol, params, args) CUresult name params;
METALAB_CALLS(METALAB_PROTOTYPE)
#undef METALAB_PROTOTYPE

#ifdef __cplusplus
}
#endif
#endif
