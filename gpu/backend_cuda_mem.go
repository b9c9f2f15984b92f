//go:build cuda && cgo && linux

package gpu

import (
	"unsafe"

	"gorgonia.org/cu"

	"metalab/gpu/internal/cuext"
)

func (cuda) alloc(bytes int64) (uint64, error) {
	p, err := cu.MemAlloc(bytes)
	return uint64(p), code(err)
}

func (cuda) free(ptr uint64) error { return code(cu.MemFree(cu.DevicePtr(ptr))) }

func (cuda) hostAlloc(bytes int64) (unsafe.Pointer, error) {
	p, err := cuext.HostAlloc(bytes)
	return p, code(err)
}

func (cuda) hostFree(p unsafe.Pointer) error { return code(cuext.HostFree(p)) }

func (cuda) toDevice(dst uint64, src unsafe.Pointer, bytes int64, s handle) error {
	return code(cu.MemcpyHtoDAsync(cu.DevicePtr(dst), src, bytes, toStream(s)))
}

func (cuda) toHost(dst unsafe.Pointer, src uint64, bytes int64, s handle) error {
	return code(cu.MemcpyDtoHAsync(dst, cu.DevicePtr(src), bytes, toStream(s)))
}

func (cuda) copy(dst, src uint64, bytes int64, s handle) error {
	return code(cu.MemcpyDtoDAsync(cu.DevicePtr(dst), cu.DevicePtr(src), bytes, toStream(s)))
}

func (cuda) copyPeer(
	dst uint64, dstCtx handle, src uint64, srcCtx handle, bytes int64, s handle,
) error {
	return code(
		cu.MemcpyPeerAsync(
			cu.DevicePtr(dst), toContext(dstCtx), cu.DevicePtr(src), toContext(srcCtx), bytes, toStream(s),
		),
	)
}

func (cuda) fill(dst uint64, value uint32, width int, n int64, s handle) error {
	switch p := cu.DevicePtr(dst); width {
	case 1:
		return code(cu.MemsetD8Async(p, byte(value), n, toStream(s)))
	case 2:
		return code(cu.MemsetD16Async(p, uint16(value), n, toStream(s)))
	default:
		return code(cu.MemsetD32Async(p, uint(value), n, toStream(s)))
	}
}

func (cuda) streamNew() (handle, error) {
	s, err := cu.MakeStream(cu.NonBlocking)
	return fromCU(s), code(err)
}

func (cuda) streamFree(h handle) error {
	s := toStream(h)
	return code(s.Destroy())
}

func (cuda) streamWait(s handle) error         { return code(toStream(s).Synchronize()) }
func (cuda) streamDone(s handle) (bool, error) { return done(code(toStream(s).Query())) }
func (cuda) streamAfter(s, e handle) error     { return code(toStream(s).Wait(toEvent(e), 0)) }

// done reads the result of a query: not ready is an answer, no error.
func done(err error) (bool, error) {
	if err == result(codeNotReady) {
		return false, nil
	}
	return err == nil, err
}

func (cuda) eventNew(timing bool) (handle, error) {
	flags := cu.DefaultEvent
	if !timing {
		flags = cu.DisableTiming
	}
	e, err := cu.MakeEvent(flags)
	return fromCU(e), code(err)
}

func (cuda) eventFree(h handle) error {
	e := toEvent(h)
	return code(cu.DestroyEvent(&e))
}

func (cuda) eventRecord(e, s handle) error    { return code(toEvent(e).Record(toStream(s))) }
func (cuda) eventWait(e handle) error         { return code(toEvent(e).Synchronize()) }
func (cuda) eventDone(e handle) (bool, error) { return done(code(toEvent(e).Query())) }

func (cuda) eventMs(start, end handle) (float32, error) {
	ms, err := toEvent(start).Elapsed(toEvent(end))
	return float32(ms), code(err)
}

func (cuda) captureBegin(s handle) error { return code(cuext.BeginCapture(toStream(s))) }

func (cuda) captureEnd(s handle) (handle, error) {
	g, err := cuext.EndCapture(toStream(s))
	return handle(g), code(err)
}

func (cuda) graphNodes(g handle) (int, error) {
	n, err := cuext.Nodes(cuext.Graph(g))
	return n, code(err)
}

func (cuda) graphExec(g handle) (handle, error) {
	e, err := cuext.Instantiate(cuext.Graph(g))
	return handle(e), code(err)
}

func (cuda) graphFree(g handle) error { return code(cuext.Destroy(cuext.Graph(g))) }
func (cuda) graphLaunch(e, s handle) error {
	return code(cuext.LaunchGraph(cuext.Exec(e), toStream(s)))
}
func (cuda) execFree(e handle) error { return code(cuext.DestroyExec(cuext.Exec(e))) }
