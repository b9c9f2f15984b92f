package gpu

import "unsafe"

// drv is the way to the driver: set by the file tagged cuda, nil in other builds. Nothing
// but Devices, Open and Doctor looks whether it is nil, for without it nobody holds a
// Device.
var drv backend

// handle is a handle of the driver's: the address of something in C's memory, 0 for none.
type handle = uintptr

// backend is the driver as the package uses it. Errors are of type result where the
// driver returned a code. Methods that take no ordinal act on the calling thread's
// current context.
type backend interface {
	threadID() uintptr
	errorName(code int) (name, text string)

	count() (int, error)
	info(ordinal int) (Info, error)
	retain(ordinal int) (ctx handle, err error)
	release(ordinal int) error
	setCurrent(ctx handle) error
	memInfo() (free, total int64, err error)
	canAccessPeer(ordinal, peer int) (bool, error)
	enablePeer(ctx handle) error

	alloc(bytes int64) (ptr uint64, err error)
	free(ptr uint64) error
	hostAlloc(bytes int64) (unsafe.Pointer, error)
	hostFree(p unsafe.Pointer) error
	toDevice(dst uint64, src unsafe.Pointer, bytes int64, stream handle) error
	toHost(dst unsafe.Pointer, src uint64, bytes int64, stream handle) error
	copy(dst, src uint64, bytes int64, stream handle) error
	copyPeer(dst uint64, dstCtx handle, src uint64, srcCtx handle, bytes int64, stream handle) error
	fill(dst uint64, value uint32, width int, n int64, stream handle) error // width 1, 2 or 4 bytes

	streamNew() (handle, error)
	streamFree(s handle) error
	streamWait(s handle) error
	streamDone(s handle) (bool, error)
	streamAfter(s, event handle) error
	eventNew(timing bool) (handle, error)
	eventFree(e handle) error
	eventRecord(e, s handle) error
	eventWait(e handle) error
	eventDone(e handle) (bool, error)
	eventMs(start, end handle) (float32, error)

	moduleLoad(image []byte) (handle, error)
	moduleLog(image []byte) string
	moduleFree(m handle) error
	moduleFunction(m handle, name string) (handle, error)
	moduleFunctions(m handle) []string
	funcAttr(f handle, attr int) (int, error)
	funcSetAttr(f handle, attr, value int) error
	funcParams(f handle) (sizes []int, ok bool)
	funcBlocks(f handle, block, shared int) (int, error)
	funcBestBlock(f handle, shared, limit int) (grid, block int, err error)
	launch(
		f handle, dim *[6]uint32, shared int, s handle, block []byte, offsets []uint32, wide,
		cooperative bool,
	) error

	captureBegin(s handle) error
	captureEnd(s handle) (graph handle, err error)
	graphNodes(g handle) (int, error)
	graphExec(g handle) (handle, error)
	graphFree(g handle) error
	graphLaunch(exec, s handle) error
	execFree(exec handle) error
}
