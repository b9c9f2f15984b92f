package rounds

import "metalab/gpu"

// A Ranker finds the shortest of tours that other kernels left on a device, for searches on a share
// of them.
type Ranker struct {
	d      *gpu.Device
	kernel *gpu.Kernel
	which  *gpu.Buffer[uint32] // the tours that are searched, where that is not all
}

// NewRanker loads the kernel.
func NewRanker(d *gpu.Device) (*Ranker, error) {
	code, err := image()
	if err != nil {
		return nil, err
	}
	m, err := d.Module(code)
	if err != nil {
		return nil, err
	}
	return newRanker(d, m)
}

func newRanker(d *gpu.Device, m *gpu.Module) (*Ranker, error) {
	k, err := m.Kernel("rank")
	return &Ranker{d: d, kernel: k}, err
}

// Room makes room for batches of this many tours, if not all of a batch are searched. It waits for
// the device.
func (r *Ranker) Room(tours int) (err error) {
	if r.which != nil {
		if r.which.Len() >= tours {
			return nil
		}
		if err := r.which.Free(); err != nil {
			return err
		}
	}
	r.which, err = gpu.Alloc[uint32](r.d, tours)
	return err
}

// Queue queues the ranking of a batch's tours in a stream, nil being the device's own; on the
// device's thread. It returns, as an argument of a kernel, the numbers of the b.Best tours with the
// least length (ties by number), or null if those are all. If Best is below Count, call Room for
// Count tours first.
func (r *Ranker) Queue(s *gpu.Stream, b Batch) (which any, err error) {
	if b.Best >= b.Count {
		return uint64(0), nil
	}
	c := gpu.Linear(b.Count, 256)
	c.Stream, c.Shared = s, 8*256
	err = r.kernel.Launch(c, b.Heads, int32(b.Step), int32(b.Count), int32(b.Best), r.which)
	return r.which, err
}
