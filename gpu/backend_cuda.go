//go:build cuda && cgo && linux

package gpu

import (
	"errors"
	"reflect"
	"unsafe"

	"gorgonia.org/cu"

	"metalab/gpu/internal/cuext"
	"metalab/gpu/internal/driver"
)

func init() {
	driver.Read() // links the loader, without which cu would have no driver calls
	drv = cuda{}
}

// cuda is the backend over gorgonia.org/cu and, for what that lacks, cuext.
type cuda struct{}

// code turns an error of cu or cuext into a result. cu's type is not exported, but it is
// an integer.
func code(err error) error {
	if err == nil {
		return nil
	}
	var c cuext.Code
	if errors.As(err, &c) {
		return result(c)
	}
	if v := reflect.ValueOf(err); v.CanInt() {
		return result(v.Int())
	}
	return err
}

// cu's handles are structures of one C pointer; these reinterpret, they do not convert.
func toStream(h handle) cu.Stream     { return *(*cu.Stream)(unsafe.Pointer(&h)) }
func toEvent(h handle) cu.Event       { return *(*cu.Event)(unsafe.Pointer(&h)) }
func toModule(h handle) cu.Module     { return *(*cu.Module)(unsafe.Pointer(&h)) }
func toFunction(h handle) cu.Function { return *(*cu.Function)(unsafe.Pointer(&h)) }
func toContext(h handle) cu.CUContext { return *(*cu.CUContext)(unsafe.Pointer(&h)) }

func fromCU[T cu.Stream | cu.Event | cu.Module | cu.Function | cu.CUContext](v T) handle {
	return *(*handle)(unsafe.Pointer(&v))
}

// A handle has the size of each of cu's.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(handle(0))-unsafe.Sizeof(cu.Stream{})]
	_ = [1]struct{}{}[unsafe.Sizeof(handle(0))-unsafe.Sizeof(cu.Event{})]
	_ = [1]struct{}{}[unsafe.Sizeof(handle(0))-unsafe.Sizeof(cu.Module{})]
	_ = [1]struct{}{}[unsafe.Sizeof(handle(0))-unsafe.Sizeof(cu.Function{})]
	_ = [1]struct{}{}[unsafe.Sizeof(handle(0))-unsafe.Sizeof(cu.CUContext{})]
)

func (cuda) threadID() uintptr                   { return driver.Thread() }
func (cuda) errorName(c int) (name, text string) { return cuext.Name(c) }

func (cuda) count() (int, error) {
	n, err := cu.NumDevices()
	return n, code(err)
}

func (cuda) info(ordinal int) (Info, error) {
	in := Info{Ordinal: ordinal, Driver: Version(cu.Version())}
	d, err := cu.GetDevice(ordinal)
	if err != nil {
		return in, code(err)
	}
	if in.Name, err = d.Name(); err != nil {
		return in, code(err)
	}
	if in.Memory, err = d.TotalMem(); err != nil {
		return in, code(err)
	}
	if id, err := d.UUID(); err == nil { // refused by some virtual GPUs
		in.UUID = "GPU-" + id.String()
	}
	const maxSharedOptIn, cooperative cu.DeviceAttribute = 97, 95
	for _, a := range []struct {
		attr cu.DeviceAttribute
		to   *int
	}{
		{cu.ComputeCapabilityMajor, &in.Major},
		{cu.ComputeCapabilityMinor, &in.Minor},
		{cu.MultiprocessorCount, &in.SMs},
		{cu.WarpSize, &in.Warp},
		{cu.MaxThreadsPerBlock, &in.MaxBlock},
		{cu.MaxThreadsPerMultiprocessor, &in.MaxThreadsSM},
		{cu.MaxSharedMemoryPerBlock, &in.SharedBlock},
		{cu.L2CacheSize, &in.L2},
		{cu.ClockRate, &in.ClockKHz},
		{cu.PciBusID, &in.PCIBus},
	} {
		if *a.to, err = d.Attribute(a.attr); err != nil {
			return in, code(err)
		}
	}
	in.SharedBlockMax = in.SharedBlock
	if v, err := d.Attribute(maxSharedOptIn); err == nil {
		in.SharedBlockMax = v
	}
	if v, err := d.Attribute(cooperative); err == nil {
		in.Cooperative = v != 0
	}
	return in, nil
}

func (cuda) retain(ordinal int) (handle, error) {
	c, err := cu.Device(ordinal).RetainPrimaryCtx()
	return fromCU(c), code(err)
}

func (cuda) release(ordinal int) error   { return code(cu.Device(ordinal).ReleasePrimaryCtx()) }
func (cuda) setCurrent(ctx handle) error { return code(cu.SetCurrentContext(toContext(ctx))) }

func (cuda) memInfo() (free, total int64, err error) {
	free, total, err = cu.MemInfo()
	return free, total, code(err)
}

func (cuda) canAccessPeer(ordinal, peer int) (bool, error) {
	n, err := cu.Device(ordinal).CanAccessPeer(cu.Device(peer))
	return n != 0, code(err)
}

func (cuda) enablePeer(ctx handle) error { return code(cuext.EnablePeer(toContext(ctx))) }

func (cuda) moduleLoad(image []byte) (handle, error) {
	m, err := cu.LoadData(string(image))
	return fromCU(m), code(err)
}

func (cuda) moduleLog(image []byte) string { return cuext.LoadLog(image) }
func (cuda) moduleFree(m handle) error     { return code(toModule(m).Unload()) }

func (cuda) moduleFunction(m handle, name string) (handle, error) {
	f, err := toModule(m).Function(name)
	return fromCU(f), code(err)
}

func (cuda) moduleFunctions(m handle) []string { return cuext.Functions(toModule(m)) }

func (cuda) funcAttr(f handle, attr int) (int, error) {
	v, err := cuext.Attribute(toFunction(f), attr)
	return v, code(err)
}

func (cuda) funcSetAttr(f handle, attr, value int) error {
	return code(cuext.SetAttribute(toFunction(f), attr, value))
}

func (cuda) funcParams(f handle) ([]int, bool) { return cuext.ParamSizes(toFunction(f)) }

func (cuda) funcBlocks(f handle, block, shared int) (int, error) {
	n, err := toFunction(f).MaxActiveBlocksPerMultiProcessor(block, int64(shared))
	return n, code(err)
}

func (cuda) funcBestBlock(f handle, shared, limit int) (grid, block int, err error) {
	grid, block, err = cuext.PotentialBlock(toFunction(f), shared, limit)
	return grid, block, code(err)
}

// launch goes through cu where cu can: it copies 8 bytes an argument and knows no
// cooperative grids.
func (cuda) launch(
	f handle, dim *[6]uint32, shared int, s handle, block []byte, offsets []uint32, wide,
	cooperative bool,
) error {
	if wide || cooperative {
		return code(cuext.Launch(toFunction(f), dim, shared, toStream(s), block, offsets, cooperative))
	}
	var store [16]unsafe.Pointer
	params := store[:0]
	for _, o := range offsets {
		params = append(params, unsafe.Pointer(&block[o]))
	}
	return code(
		toFunction(f).Launch(
			int(dim[0]), int(dim[1]), int(dim[2]), int(dim[3]), int(dim[4]), int(dim[5]), shared,
			toStream(s), params,
		),
	)
}
