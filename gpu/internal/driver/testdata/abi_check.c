/* Compares our stand-in with another cuda.h, at compile time: every number, the layout of
 * every structure and the parameters of every call that we declare.
 *
 *	gcc -std=c11 -Werror -fsyntax-only -I/usr/local/cuda/include -I../include abi_check.c
 *
 * compares it with NVIDIA's own where a toolkit is installed. The test of package driver
 * compiles it against our header, which at least proves that the lists agree with it. */
#define __CUDA_API_VERSION_INTERNAL /* NVIDIA's header then declares the calls by their symbols */
#include <stddef.h>
#include <stdint.h>

#include <cuda.h>

#include "metalab_calls.h"
#include "metalab_numbers.h"

#define SAME(name, value) _Static_assert((long long)(name) == (value), #name);
METALAB_NUMBERS(SAME)

/* Ours declares the plain names, NVIDIA's the symbols; and there these plain names of
 * structures mean later versions than the calls of ours take. */
#ifndef METALAB_CUDA_H
#define CUDA_KERNEL_NODE_PARAMS CUDA_KERNEL_NODE_PARAMS_v1
#define CUDA_MEMSET_NODE_PARAMS CUDA_MEMSET_NODE_PARAMS_v1
#define CUDA_HOST_NODE_PARAMS CUDA_HOST_NODE_PARAMS_v1
#endif
#ifdef METALAB_CUDA_H
#define CALL(name, symbol, params, args) CUresult(*check_##name) params = name;
#else
#define CALL(name, symbol, params, args) CUresult(*check_##name) params = symbol;
#endif
METALAB_CALLS(CALL)

#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), "size of " #type);
#define AT(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type "." #field);
SIZE(CUdevice, 4)
SIZE(CUdeviceptr, 8)
SIZE(CUresult, 4)
SIZE(CUdevice_attribute, 4)
SIZE(CUfunction_attribute, 4)
SIZE(CUuuid, 16)
SIZE(CUDA_ARRAY_DESCRIPTOR, 24)
AT(CUDA_ARRAY_DESCRIPTOR, Format, 16)
AT(CUDA_ARRAY_DESCRIPTOR, NumChannels, 20)
SIZE(CUDA_ARRAY3D_DESCRIPTOR, 40)
AT(CUDA_ARRAY3D_DESCRIPTOR, Format, 24)
AT(CUDA_ARRAY3D_DESCRIPTOR, Flags, 32)
SIZE(CUDA_MEMCPY2D, 128)
AT(CUDA_MEMCPY2D, srcMemoryType, 16)
AT(CUDA_MEMCPY2D, srcHost, 24)
AT(CUDA_MEMCPY2D, srcPitch, 48)
AT(CUDA_MEMCPY2D, dstMemoryType, 72)
AT(CUDA_MEMCPY2D, dstPitch, 104)
AT(CUDA_MEMCPY2D, Height, 120)
SIZE(CUDA_MEMCPY3D, 200)
AT(CUDA_MEMCPY3D, srcMemoryType, 32)
AT(CUDA_MEMCPY3D, reserved0, 64)
AT(CUDA_MEMCPY3D, srcHeight, 80)
AT(CUDA_MEMCPY3D, dstMemoryType, 120)
AT(CUDA_MEMCPY3D, dstArray, 144)
AT(CUDA_MEMCPY3D, Depth, 192)
SIZE(CUDA_MEMCPY3D_PEER, 200)
AT(CUDA_MEMCPY3D_PEER, srcContext, 64)
AT(CUDA_MEMCPY3D_PEER, dstContext, 152)
AT(CUDA_MEMCPY3D_PEER, Depth, 192)

SIZE(CUDA_KERNEL_NODE_PARAMS, 56)
AT(CUDA_KERNEL_NODE_PARAMS, gridDimX, 8)
AT(CUDA_KERNEL_NODE_PARAMS, sharedMemBytes, 32)
AT(CUDA_KERNEL_NODE_PARAMS, kernelParams, 40)
SIZE(CUDA_MEMSET_NODE_PARAMS, 40)
AT(CUDA_MEMSET_NODE_PARAMS, width, 24)
SIZE(CUDA_HOST_NODE_PARAMS, 16)
