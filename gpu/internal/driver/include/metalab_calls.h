/* The calls of the CUDA driver API that metalab and gorgonia.org/cu make, written once:
 *
 *	CALL(name in the program, symbol in libcuda.so.1, parameters, arguments)
 *
 * From this list cuda.h makes the prototypes, loader.c the table of addresses and the
 * functions that jump through it, and testdata/abi_check.c the comparison with another
 * cuda.h. The symbols are the 64-bit ones that every driver since CUDA 11.4 exports, also
 * where newer headers map the name to a later version with other parameters (cuCtxCreate,
 * cuMemAdvise, cuMemPrefetchAsync, cuGraphAddDependencies, cuGraphGetEdges,
 * cuGraphAddKernelNode, cuEventElapsedTime): programs built against them run on drivers
 * old and new. */
#ifndef METALAB_CUDA_CALLS_H
#define METALAB_CUDA_CALLS_H

#define METALAB_CALLS(CALL) \
	/* Start, version, errors */ \
	CALL(cuInit, cuInit, (unsigned int flags), (flags)) \
	CALL(cuDriverGetVersion, cuDriverGetVersion, (int *version), (version)) \
	CALL(cuGetErrorName, cuGetErrorName, (CUresult code, const char **text), (code, text)) \
	CALL(cuGetErrorString, cuGetErrorString, (CUresult code, const char **text), (code, text)) \
	/* Devices */ \
	CALL(cuDeviceGet, cuDeviceGet, (CUdevice *dev, int ordinal), (dev, ordinal)) \
	CALL(cuDeviceGetCount, cuDeviceGetCount, (int *count), (count)) \
	CALL(cuDeviceGetName, cuDeviceGetName, (char *name, int len, CUdevice dev), (name, len, dev)) \
	CALL(cuDeviceGetUuid, cuDeviceGetUuid_v2, (CUuuid *uuid, CUdevice dev), (uuid, dev)) \
	CALL(cuDeviceTotalMem, cuDeviceTotalMem_v2, (size_t *bytes, CUdevice dev), (bytes, dev)) \
	CALL(cuDeviceGetAttribute, cuDeviceGetAttribute, \
		(int *value, CUdevice_attribute attr, CUdevice dev), (value, attr, dev)) \
	CALL(cuDeviceCanAccessPeer, cuDeviceCanAccessPeer, \
		(int *can, CUdevice dev, CUdevice peer), (can, dev, peer)) \
	CALL(cuDeviceGetP2PAttribute, cuDeviceGetP2PAttribute, \
		(int *value, CUdevice_P2PAttribute attr, CUdevice src, CUdevice dst), \
		(value, attr, src, dst)) \
	CALL(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, \
		(CUcontext *ctx, CUdevice dev), (ctx, dev)) \
	CALL(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (CUdevice dev), (dev)) \
	CALL(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2, (CUdevice dev), (dev)) \
	CALL(cuDevicePrimaryCtxGetState, cuDevicePrimaryCtxGetState, \
		(CUdevice dev, unsigned int *flags, int *active), (dev, flags, active)) \
	CALL(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2, \
		(CUdevice dev, unsigned int flags), (dev, flags)) \
	/* Contexts */ \
	CALL(cuCtxCreate, cuCtxCreate_v2, \
		(CUcontext *ctx, unsigned int flags, CUdevice dev), (ctx, flags, dev)) \
	CALL(cuCtxDestroy, cuCtxDestroy_v2, (CUcontext ctx), (ctx)) \
	CALL(cuCtxPushCurrent, cuCtxPushCurrent_v2, (CUcontext ctx), (ctx)) \
	CALL(cuCtxPopCurrent, cuCtxPopCurrent_v2, (CUcontext *ctx), (ctx)) \
	CALL(cuCtxSetCurrent, cuCtxSetCurrent, (CUcontext ctx), (ctx)) \
	CALL(cuCtxGetCurrent, cuCtxGetCurrent, (CUcontext *ctx), (ctx)) \
	CALL(cuCtxGetDevice, cuCtxGetDevice, (CUdevice *dev), (dev)) \
	CALL(cuCtxGetFlags, cuCtxGetFlags, (unsigned int *flags), (flags)) \
	CALL(cuCtxGetApiVersion, cuCtxGetApiVersion, \
		(CUcontext ctx, unsigned int *version), (ctx, version)) \
	CALL(cuCtxSynchronize, cuCtxSynchronize, (void), ()) \
	CALL(cuCtxSetLimit, cuCtxSetLimit, (CUlimit limit, size_t value), (limit, value)) \
	CALL(cuCtxGetLimit, cuCtxGetLimit, (size_t *value, CUlimit limit), (value, limit)) \
	CALL(cuCtxGetCacheConfig, cuCtxGetCacheConfig, (CUfunc_cache *config), (config)) \
	CALL(cuCtxSetCacheConfig, cuCtxSetCacheConfig, (CUfunc_cache config), (config)) \
	CALL(cuCtxGetSharedMemConfig, cuCtxGetSharedMemConfig, (CUsharedconfig *config), (config)) \
	CALL(cuCtxSetSharedMemConfig, cuCtxSetSharedMemConfig, (CUsharedconfig config), (config)) \
	CALL(cuCtxGetStreamPriorityRange, cuCtxGetStreamPriorityRange, \
		(int *least, int *greatest), (least, greatest)) \
	CALL(cuCtxResetPersistingL2Cache, cuCtxResetPersistingL2Cache, (void), ()) \
	CALL(cuCtxEnablePeerAccess, cuCtxEnablePeerAccess, \
		(CUcontext peer, unsigned int flags), (peer, flags)) \
	CALL(cuCtxDisablePeerAccess, cuCtxDisablePeerAccess, (CUcontext peer), (peer)) \
	/* Modules, the linker */ \
	CALL(cuModuleLoad, cuModuleLoad, (CUmodule *mod, const char *path), (mod, path)) \
	CALL(cuModuleLoadData, cuModuleLoadData, (CUmodule *mod, const void *image), (mod, image)) \
	CALL(cuModuleLoadDataEx, cuModuleLoadDataEx, \
		(CUmodule *mod, const void *image, unsigned int n, CUjit_option *options, void **values), \
		(mod, image, n, options, values)) \
	CALL(cuModuleLoadFatBinary, cuModuleLoadFatBinary, \
		(CUmodule *mod, const void *image), (mod, image)) \
	CALL(cuModuleUnload, cuModuleUnload, (CUmodule mod), (mod)) \
	CALL(cuModuleGetFunction, cuModuleGetFunction, \
		(CUfunction *fn, CUmodule mod, const char *name), (fn, mod, name)) \
	CALL(cuModuleGetGlobal, cuModuleGetGlobal_v2, \
		(CUdeviceptr *ptr, size_t *bytes, CUmodule mod, const char *name), (ptr, bytes, mod, name)) \
	CALL(cuModuleGetTexRef, cuModuleGetTexRef, \
		(CUtexref *ref, CUmodule mod, const char *name), (ref, mod, name)) \
	CALL(cuModuleGetSurfRef, cuModuleGetSurfRef, \
		(CUsurfref *ref, CUmodule mod, const char *name), (ref, mod, name)) \
	CALL(cuModuleGetFunctionCount, cuModuleGetFunctionCount, \
		(unsigned int *count, CUmodule mod), (count, mod)) \
	CALL(cuModuleEnumerateFunctions, cuModuleEnumerateFunctions, \
		(CUfunction *fns, unsigned int n, CUmodule mod), (fns, n, mod)) \
	CALL(cuLinkCreate, cuLinkCreate_v2, \
		(unsigned int n, CUjit_option *options, void **values, CUlinkState *state), \
		(n, options, values, state)) \
	CALL(cuLinkAddData, cuLinkAddData_v2, \
		(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name, \
		 unsigned int n, CUjit_option *options, void **values), \
		(state, type, data, size, name, n, options, values)) \
	CALL(cuLinkAddFile, cuLinkAddFile_v2, \
		(CUlinkState state, CUjitInputType type, const char *path, unsigned int n, \
		 CUjit_option *options, void **values), \
		(state, type, path, n, options, values)) \
	CALL(cuLinkComplete, cuLinkComplete, \
		(CUlinkState state, void **cubin, size_t *size), (state, cubin, size)) \
	CALL(cuLinkDestroy, cuLinkDestroy, (CUlinkState state), (state)) \
	/* Memory */ \
	CALL(cuMemGetInfo, cuMemGetInfo_v2, (size_t *left, size_t *total), (left, total)) \
	CALL(cuMemAlloc, cuMemAlloc_v2, (CUdeviceptr *ptr, size_t bytes), (ptr, bytes)) \
	CALL(cuMemAllocPitch, cuMemAllocPitch_v2, \
		(CUdeviceptr *ptr, size_t *pitch, size_t width, size_t height, unsigned int element), \
		(ptr, pitch, width, height, element)) \
	CALL(cuMemAllocManaged, cuMemAllocManaged, \
		(CUdeviceptr *ptr, size_t bytes, unsigned int flags), (ptr, bytes, flags)) \
	CALL(cuMemFree, cuMemFree_v2, (CUdeviceptr ptr), (ptr)) \
	CALL(cuMemHostAlloc, cuMemHostAlloc, \
		(void **ptr, size_t bytes, unsigned int flags), (ptr, bytes, flags)) \
	CALL(cuMemFreeHost, cuMemFreeHost, (void *ptr), (ptr)) \
	CALL(cuMemGetAddressRange, cuMemGetAddressRange_v2, \
		(CUdeviceptr *base, size_t *size, CUdeviceptr ptr), (base, size, ptr)) \
	CALL(cuMemAdvise, cuMemAdvise, \
		(CUdeviceptr ptr, size_t bytes, CUmem_advise advice, CUdevice dev), \
		(ptr, bytes, advice, dev)) \
	CALL(cuMemPrefetchAsync, cuMemPrefetchAsync, \
		(CUdeviceptr ptr, size_t bytes, CUdevice dst, CUstream stream), (ptr, bytes, dst, stream)) \
	CALL(cuPointerGetAttribute, cuPointerGetAttribute, \
		(void *value, CUpointer_attribute attr, CUdeviceptr ptr), (value, attr, ptr)) \
	CALL(cuPointerSetAttribute, cuPointerSetAttribute, \
		(const void *value, CUpointer_attribute attr, CUdeviceptr ptr), (value, attr, ptr)) \
	/* Copies */ \
	CALL(cuMemcpy, cuMemcpy, (CUdeviceptr dst, CUdeviceptr src, size_t bytes), (dst, src, bytes)) \
	CALL(cuMemcpyAsync, cuMemcpyAsync, \
		(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream), \
		(dst, src, bytes, stream)) \
	CALL(cuMemcpyPeer, cuMemcpyPeer, \
		(CUdeviceptr dst, CUcontext dstCtx, CUdeviceptr src, CUcontext srcCtx, size_t bytes), \
		(dst, dstCtx, src, srcCtx, bytes)) \
	CALL(cuMemcpyPeerAsync, cuMemcpyPeerAsync, \
		(CUdeviceptr dst, CUcontext dstCtx, CUdeviceptr src, CUcontext srcCtx, size_t bytes, \
		 CUstream stream), \
		(dst, dstCtx, src, srcCtx, bytes, stream)) \
	CALL(cuMemcpyHtoD, cuMemcpyHtoD_v2, \
		(CUdeviceptr dst, const void *src, size_t bytes), (dst, src, bytes)) \
	CALL(cuMemcpyDtoH, cuMemcpyDtoH_v2, \
		(void *dst, CUdeviceptr src, size_t bytes), (dst, src, bytes)) \
	CALL(cuMemcpyDtoD, cuMemcpyDtoD_v2, \
		(CUdeviceptr dst, CUdeviceptr src, size_t bytes), (dst, src, bytes)) \
	CALL(cuMemcpyDtoA, cuMemcpyDtoA_v2, \
		(CUarray dst, size_t offset, CUdeviceptr src, size_t bytes), (dst, offset, src, bytes)) \
	CALL(cuMemcpyAtoD, cuMemcpyAtoD_v2, \
		(CUdeviceptr dst, CUarray src, size_t offset, size_t bytes), (dst, src, offset, bytes)) \
	CALL(cuMemcpyHtoA, cuMemcpyHtoA_v2, \
		(CUarray dst, size_t offset, const void *src, size_t bytes), (dst, offset, src, bytes)) \
	CALL(cuMemcpyAtoH, cuMemcpyAtoH_v2, \
		(void *dst, CUarray src, size_t offset, size_t bytes), (dst, src, offset, bytes)) \
	CALL(cuMemcpyAtoA, cuMemcpyAtoA_v2, \
		(CUarray dst, size_t dstOffset, CUarray src, size_t srcOffset, size_t bytes), \
		(dst, dstOffset, src, srcOffset, bytes)) \
	CALL(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2, \
		(CUdeviceptr dst, const void *src, size_t bytes, CUstream stream), \
		(dst, src, bytes, stream)) \
	CALL(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2, \
		(void *dst, CUdeviceptr src, size_t bytes, CUstream stream), (dst, src, bytes, stream)) \
	CALL(cuMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2, \
		(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream), \
		(dst, src, bytes, stream)) \
	CALL(cuMemcpyHtoAAsync, cuMemcpyHtoAAsync_v2, \
		(CUarray dst, size_t offset, const void *src, size_t bytes, CUstream stream), \
		(dst, offset, src, bytes, stream)) \
	CALL(cuMemcpyAtoHAsync, cuMemcpyAtoHAsync_v2, \
		(void *dst, CUarray src, size_t offset, size_t bytes, CUstream stream), \
		(dst, src, offset, bytes, stream)) \
	CALL(cuMemcpy2D, cuMemcpy2D_v2, (const CUDA_MEMCPY2D *copy), (copy)) \
	CALL(cuMemcpy2DUnaligned, cuMemcpy2DUnaligned_v2, (const CUDA_MEMCPY2D *copy), (copy)) \
	CALL(cuMemcpy2DAsync, cuMemcpy2DAsync_v2, \
		(const CUDA_MEMCPY2D *copy, CUstream stream), (copy, stream)) \
	CALL(cuMemcpy3D, cuMemcpy3D_v2, (const CUDA_MEMCPY3D *copy), (copy)) \
	CALL(cuMemcpy3DAsync, cuMemcpy3DAsync_v2, \
		(const CUDA_MEMCPY3D *copy, CUstream stream), (copy, stream)) \
	CALL(cuMemcpy3DPeer, cuMemcpy3DPeer, (const CUDA_MEMCPY3D_PEER *copy), (copy)) \
	CALL(cuMemcpy3DPeerAsync, cuMemcpy3DPeerAsync, \
		(const CUDA_MEMCPY3D_PEER *copy, CUstream stream), (copy, stream)) \
	CALL(cuMemsetD8, cuMemsetD8_v2, (CUdeviceptr dst, unsigned char v, size_t n), (dst, v, n)) \
	CALL(cuMemsetD16, cuMemsetD16_v2, (CUdeviceptr dst, unsigned short v, size_t n), (dst, v, n)) \
	CALL(cuMemsetD32, cuMemsetD32_v2, (CUdeviceptr dst, unsigned int v, size_t n), (dst, v, n)) \
	CALL(cuMemsetD2D8, cuMemsetD2D8_v2, \
		(CUdeviceptr dst, size_t pitch, unsigned char v, size_t width, size_t height), \
		(dst, pitch, v, width, height)) \
	CALL(cuMemsetD2D16, cuMemsetD2D16_v2, \
		(CUdeviceptr dst, size_t pitch, unsigned short v, size_t width, size_t height), \
		(dst, pitch, v, width, height)) \
	CALL(cuMemsetD2D32, cuMemsetD2D32_v2, \
		(CUdeviceptr dst, size_t pitch, unsigned int v, size_t width, size_t height), \
		(dst, pitch, v, width, height)) \
	CALL(cuMemsetD8Async, cuMemsetD8Async, \
		(CUdeviceptr dst, unsigned char v, size_t n, CUstream stream), (dst, v, n, stream)) \
	CALL(cuMemsetD16Async, cuMemsetD16Async, \
		(CUdeviceptr dst, unsigned short v, size_t n, CUstream stream), (dst, v, n, stream)) \
	CALL(cuMemsetD32Async, cuMemsetD32Async, \
		(CUdeviceptr dst, unsigned int v, size_t n, CUstream stream), (dst, v, n, stream)) \
	CALL(cuMemsetD2D8Async, cuMemsetD2D8Async, \
		(CUdeviceptr dst, size_t pitch, unsigned char v, size_t width, size_t height, \
		 CUstream stream), \
		(dst, pitch, v, width, height, stream)) \
	CALL(cuMemsetD2D16Async, cuMemsetD2D16Async, \
		(CUdeviceptr dst, size_t pitch, unsigned short v, size_t width, size_t height, \
		 CUstream stream), \
		(dst, pitch, v, width, height, stream)) \
	CALL(cuMemsetD2D32Async, cuMemsetD2D32Async, \
		(CUdeviceptr dst, size_t pitch, unsigned int v, size_t width, size_t height, CUstream stream), \
		(dst, pitch, v, width, height, stream)) \
	/* Arrays, texture and surface references (cu names them; metalab does not use them) */ \
	CALL(cuArrayCreate, cuArrayCreate_v2, \
		(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *desc), (array, desc)) \
	CALL(cuArrayGetDescriptor, cuArrayGetDescriptor_v2, \
		(CUDA_ARRAY_DESCRIPTOR *desc, CUarray array), (desc, array)) \
	CALL(cuArrayDestroy, cuArrayDestroy, (CUarray array), (array)) \
	CALL(cuArray3DCreate, cuArray3DCreate_v2, \
		(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc), (array, desc)) \
	CALL(cuArray3DGetDescriptor, cuArray3DGetDescriptor_v2, \
		(CUDA_ARRAY3D_DESCRIPTOR *desc, CUarray array), (desc, array)) \
	CALL(cuTexRefSetArray, cuTexRefSetArray, \
		(CUtexref ref, CUarray array, unsigned int flags), (ref, array, flags)) \
	CALL(cuTexRefSetAddress, cuTexRefSetAddress_v2, \
		(size_t *offset, CUtexref ref, CUdeviceptr ptr, size_t bytes), (offset, ref, ptr, bytes)) \
	CALL(cuTexRefSetAddress2D, cuTexRefSetAddress2D_v3, \
		(CUtexref ref, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr ptr, size_t pitch), \
		(ref, desc, ptr, pitch)) \
	CALL(cuTexRefSetFormat, cuTexRefSetFormat, \
		(CUtexref ref, CUarray_format format, int components), (ref, format, components)) \
	CALL(cuTexRefSetAddressMode, cuTexRefSetAddressMode, \
		(CUtexref ref, int dim, CUaddress_mode mode), (ref, dim, mode)) \
	CALL(cuTexRefSetFilterMode, cuTexRefSetFilterMode, \
		(CUtexref ref, CUfilter_mode mode), (ref, mode)) \
	CALL(cuTexRefSetMipmapFilterMode, cuTexRefSetMipmapFilterMode, \
		(CUtexref ref, CUfilter_mode mode), (ref, mode)) \
	CALL(cuTexRefSetMipmapLevelBias, cuTexRefSetMipmapLevelBias, \
		(CUtexref ref, float bias), (ref, bias)) \
	CALL(cuTexRefSetMipmapLevelClamp, cuTexRefSetMipmapLevelClamp, \
		(CUtexref ref, float low, float high), (ref, low, high)) \
	CALL(cuTexRefSetMaxAnisotropy, cuTexRefSetMaxAnisotropy, \
		(CUtexref ref, unsigned int max), (ref, max)) \
	CALL(cuTexRefSetBorderColor, cuTexRefSetBorderColor, (CUtexref ref, float *color), (ref, color)) \
	CALL(cuTexRefSetFlags, cuTexRefSetFlags, (CUtexref ref, unsigned int flags), (ref, flags)) \
	CALL(cuTexRefGetAddress, cuTexRefGetAddress_v2, (CUdeviceptr *ptr, CUtexref ref), (ptr, ref)) \
	CALL(cuTexRefGetArray, cuTexRefGetArray, (CUarray *array, CUtexref ref), (array, ref)) \
	CALL(cuTexRefGetAddressMode, cuTexRefGetAddressMode, \
		(CUaddress_mode *mode, CUtexref ref, int dim), (mode, ref, dim)) \
	CALL(cuTexRefGetFilterMode, cuTexRefGetFilterMode, \
		(CUfilter_mode *mode, CUtexref ref), (mode, ref)) \
	CALL(cuTexRefGetFormat, cuTexRefGetFormat, \
		(CUarray_format *format, int *channels, CUtexref ref), (format, channels, ref)) \
	CALL(cuTexRefGetMaxAnisotropy, cuTexRefGetMaxAnisotropy, (int *max, CUtexref ref), (max, ref)) \
	CALL(cuTexRefGetBorderColor, cuTexRefGetBorderColor, (float *color, CUtexref ref), (color, ref)) \
	CALL(cuTexRefGetFlags, cuTexRefGetFlags, (unsigned int *flags, CUtexref ref), (flags, ref)) \
	CALL(cuSurfRefSetArray, cuSurfRefSetArray, \
		(CUsurfref ref, CUarray array, unsigned int flags), (ref, array, flags)) \
	CALL(cuSurfRefGetArray, cuSurfRefGetArray, (CUarray *array, CUsurfref ref), (array, ref)) \
	/* Streams and events */ \
	CALL(cuStreamCreate, cuStreamCreate, (CUstream *stream, unsigned int flags), (stream, flags)) \
	CALL(cuStreamCreateWithPriority, cuStreamCreateWithPriority, \
		(CUstream *stream, unsigned int flags, int priority), (stream, flags, priority)) \
	CALL(cuStreamDestroy, cuStreamDestroy_v2, (CUstream stream), (stream)) \
	CALL(cuStreamGetPriority, cuStreamGetPriority, \
		(CUstream stream, int *priority), (stream, priority)) \
	CALL(cuStreamGetFlags, cuStreamGetFlags, (CUstream stream, unsigned int *flags), (stream, flags)) \
	CALL(cuStreamQuery, cuStreamQuery, (CUstream stream), (stream)) \
	CALL(cuStreamSynchronize, cuStreamSynchronize, (CUstream stream), (stream)) \
	CALL(cuStreamWaitEvent, cuStreamWaitEvent, \
		(CUstream stream, CUevent event, unsigned int flags), (stream, event, flags)) \
	CALL(cuStreamAttachMemAsync, cuStreamAttachMemAsync, \
		(CUstream stream, CUdeviceptr ptr, size_t bytes, unsigned int flags), \
		(stream, ptr, bytes, flags)) \
	CALL(cuStreamWaitValue32, cuStreamWaitValue32_v2, \
		(CUstream stream, CUdeviceptr ptr, cuuint32_t value, unsigned int flags), \
		(stream, ptr, value, flags)) \
	CALL(cuStreamWriteValue32, cuStreamWriteValue32_v2, \
		(CUstream stream, CUdeviceptr ptr, cuuint32_t value, unsigned int flags), \
		(stream, ptr, value, flags)) \
	CALL(cuStreamBeginCapture, cuStreamBeginCapture_v2, \
		(CUstream stream, CUstreamCaptureMode mode), (stream, mode)) \
	CALL(cuStreamEndCapture, cuStreamEndCapture, (CUstream stream, CUgraph *graph), (stream, graph)) \
	CALL(cuEventCreate, cuEventCreate, (CUevent *event, unsigned int flags), (event, flags)) \
	CALL(cuEventDestroy, cuEventDestroy_v2, (CUevent event), (event)) \
	CALL(cuEventRecord, cuEventRecord, (CUevent event, CUstream stream), (event, stream)) \
	CALL(cuEventQuery, cuEventQuery, (CUevent event), (event)) \
	CALL(cuEventSynchronize, cuEventSynchronize, (CUevent event), (event)) \
	CALL(cuEventElapsedTime, cuEventElapsedTime, \
		(float *ms, CUevent start, CUevent end), (ms, start, end)) \
	/* Functions and launches */ \
	CALL(cuFuncGetAttribute, cuFuncGetAttribute, \
		(int *value, CUfunction_attribute attr, CUfunction fn), (value, attr, fn)) \
	CALL(cuFuncSetAttribute, cuFuncSetAttribute, \
		(CUfunction fn, CUfunction_attribute attr, int value), (fn, attr, value)) \
	CALL(cuFuncSetCacheConfig, cuFuncSetCacheConfig, \
		(CUfunction fn, CUfunc_cache config), (fn, config)) \
	CALL(cuFuncSetSharedMemConfig, cuFuncSetSharedMemConfig, \
		(CUfunction fn, CUsharedconfig config), (fn, config)) \
	CALL(cuFuncGetName, cuFuncGetName, (const char **name, CUfunction fn), (name, fn)) \
	CALL(cuFuncGetParamInfo, cuFuncGetParamInfo, \
		(CUfunction fn, size_t index, size_t *offset, size_t *size), (fn, index, offset, size)) \
	CALL(cuLaunchKernel, cuLaunchKernel, \
		(CUfunction fn, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, \
		 unsigned int by, unsigned int bz, unsigned int shared, CUstream stream, void **params, \
		 void **extra), \
		(fn, gx, gy, gz, bx, by, bz, shared, stream, params, extra)) \
	CALL(cuLaunchCooperativeKernel, cuLaunchCooperativeKernel, \
		(CUfunction fn, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, \
		 unsigned int by, unsigned int bz, unsigned int shared, CUstream stream, void **params), \
		(fn, gx, gy, gz, bx, by, bz, shared, stream, params)) \
	CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, cuOccupancyMaxActiveBlocksPerMultiprocessor, \
		(int *blocks, CUfunction fn, int block, size_t shared), (blocks, fn, block, shared)) \
	CALL(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, \
		cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, \
		(int *blocks, CUfunction fn, int block, size_t shared, unsigned int flags), \
		(blocks, fn, block, shared, flags)) \
	CALL(cuOccupancyMaxPotentialBlockSize, cuOccupancyMaxPotentialBlockSize, \
		(int *grid, int *block, CUfunction fn, CUoccupancyB2DSize sharedOfBlock, size_t shared, \
		 int limit), \
		(grid, block, fn, sharedOfBlock, shared, limit)) \
	/* Graphs */ \
	CALL(cuGraphCreate, cuGraphCreate, (CUgraph *graph, unsigned int flags), (graph, flags)) \
	CALL(cuGraphDestroy, cuGraphDestroy, (CUgraph graph), (graph)) \
	CALL(cuGraphClone, cuGraphClone, (CUgraph *clone, CUgraph graph), (clone, graph)) \
	CALL(cuGraphDestroyNode, cuGraphDestroyNode, (CUgraphNode node), (node)) \
	CALL(cuGraphGetNodes, cuGraphGetNodes, \
		(CUgraph graph, CUgraphNode *nodes, size_t *n), (graph, nodes, n)) \
	CALL(cuGraphGetEdges, cuGraphGetEdges, \
		(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *n), (graph, from, to, n)) \
	CALL(cuGraphAddDependencies, cuGraphAddDependencies, \
		(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t n), \
		(graph, from, to, n)) \
	CALL(cuGraphAddEmptyNode, cuGraphAddEmptyNode, \
		(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps, size_t n), \
		(node, graph, deps, n)) \
	CALL(cuGraphAddKernelNode, cuGraphAddKernelNode, \
		(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps, size_t n, \
		 const CUDA_KERNEL_NODE_PARAMS *params), \
		(node, graph, deps, n, params)) \
	CALL(cuGraphAddMemcpyNode, cuGraphAddMemcpyNode, \
		(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps, size_t n, \
		 const CUDA_MEMCPY3D *params, CUcontext ctx), \
		(node, graph, deps, n, params, ctx)) \
	CALL(cuGraphAddMemsetNode, cuGraphAddMemsetNode, \
		(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps, size_t n, \
		 const CUDA_MEMSET_NODE_PARAMS *params, CUcontext ctx), \
		(node, graph, deps, n, params, ctx)) \
	CALL(cuGraphAddHostNode, cuGraphAddHostNode, \
		(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps, size_t n, \
		 const CUDA_HOST_NODE_PARAMS *params), \
		(node, graph, deps, n, params)) \
	CALL(cuGraphAddChildGraphNode, cuGraphAddChildGraphNode, \
		(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps, size_t n, CUgraph child), \
		(node, graph, deps, n, child)) \
	CALL(cuGraphInstantiate, cuGraphInstantiateWithFlags, \
		(CUgraphExec *exec, CUgraph graph, unsigned long long flags), (exec, graph, flags)) \
	CALL(cuGraphExecDestroy, cuGraphExecDestroy, (CUgraphExec exec), (exec)) \
	CALL(cuGraphLaunch, cuGraphLaunch, (CUgraphExec exec, CUstream stream), (exec, stream))

#endif
