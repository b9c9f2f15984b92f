//go:build cuda

package rounds

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers"
	"metalab/solvers/ils"
	"metalab/solvers/rounds"
)

var _ rounds.Tuned = (*Engine)(nil)

func init() { solvers.Register(ils.RoundsOn("cuda", NewEngine)) }

// Engine makes the iterations of rounds on a GPU. The chains' tours stay in its memory.
type Engine struct {
	tuner
	launch.Base
	q       *problem
	image   *launch.Kernels
	kernels map[string]*gpu.Kernel

	places any // a buffer of the plane's
	near   *gpu.Buffer[uint32]
	chains *gpu.Buffer[uint16]
	out    *gpu.Buffer[rounds.Outcome]
	pinned *gpu.Pinned[rounds.Outcome]
	count  int
}

// NewEngine opens the device of p.Env and loads the kernels. It refuses more cities than fit
// into the device's shared memory, see MaxCities.
func NewEngine(p *rounds.Problem) (rounds.Engine, error) {
	q, err := prepare(p)
	if err != nil {
		return nil, err
	}
	e := &Engine{q: q, kernels: map[string]*gpu.Kernel{}}
	ctx := context.Background()
	if err = e.Open(p.Env); err != nil {
		return nil, fmt.Errorf("kernels/rounds: %w", err)
	}
	e.begin(launch.Events(e.Dev))
	if err := e.Dev.Do(ctx, e.open); err != nil {
		e.Close()
		return nil, fmt.Errorf("kernels/rounds: %w", err)
	}
	return e, nil
}

// open loads the kernels and the instance; on the device's thread.
func (e *Engine) open() (err error) {
	code, err := image()
	if err != nil {
		return err
	}
	if e.image, err = e.Base.Load(code); err != nil {
		return err
	}
	kernels := e.q.names(e.q.plane)
	names := kernels[:]
	if e.q.whole != nil {
		shared := e.q.names("whole_shared")
		names = append(names, shared[:]...)
	}
	for _, name := range names {
		k, err := e.image.Get(name)
		if err != nil {
			return err
		}
		n := int(e.q.job.N)
		if most := MaxCities(k.Info().MaxShared, e.q.or); n > most {
			return fmt.Errorf("%d cities do not fit into the %d bytes of shared memory that a block has "+
				"on this GPU (%s): want at most %d, or run on cpu",
				n, k.Info().MaxShared, e.Dev.Info().Name, most)
		}
		e.kernels[name] = k
	}
	switch {
	case e.q.whole != nil:
		e.places, err = gpu.Upload(e.Dev, e.q.whole)
	case e.q.real != nil:
		e.places, err = gpu.Upload(e.Dev, e.q.real)
	default:
		e.places, err = gpu.Upload(e.Dev, e.q.matrix)
	}
	if err != nil {
		return err
	}
	e.near, err = gpu.Upload(e.Dev, e.q.near)
	return err
}

func (e *Engine) Load(chains [][]int32) error {
	return e.Dev.Do(context.Background(), func() (err error) {
		stride := int(e.q.job.Stride)
		all := make([]uint16, stride*len(chains))
		for a, t := range chains {
			for i, c := range t {
				all[a*stride+i] = uint16(c)
			}
		}
		if e.count != len(chains) {
			e.release()
			if err := e.Admit(e.q.bytes(len(chains)), nil); err != nil {
				return err
			}
			e.count = len(chains)
			if e.chains, err = gpu.Alloc[uint16](e.Dev, len(all)); err != nil {
				return err
			}
			if e.out, err = gpu.Alloc[rounds.Outcome](e.Dev, e.count); err != nil {
				return err
			}
			if e.pinned, err = gpu.NewPinned[rounds.Outcome](e.Dev, e.count); err != nil {
				return err
			}
		}
		return e.chains.Upload(all)
	})
}

// bytes returns how much of a device's memory this many chains and the instance take.
func (q *problem) bytes(chains int) int64 {
	sum := 4*int64(len(q.near)+len(q.whole)+len(q.matrix)) + 16*int64(len(q.real))
	return sum + int64(chains)*(2*int64(q.job.Stride)+int64(unsafe.Sizeof(rounds.Outcome{})))
}

// release frees what depends on the number of chains.
func (e *Engine) release() {
	if e.chains != nil {
		_ = e.chains.Free()
	}
	if e.out != nil {
		_ = e.out.Free()
	}
	if e.pinned != nil {
		_ = e.pinned.Free()
	}
	e.chains, e.out, e.pinned, e.count = nil, nil, nil, 0
}

// Iterate looks at ctx only at the start: an iteration that has begun is completed.
func (e *Engine) Iterate(ctx context.Context, j rounds.Job, out []rounds.Outcome) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return e.Dev.Do(ctx, func() error {
		own := e.q.shape(j, e.count, e.Dev.Info().SMs).warps
		if err := errors.Join(e.next(j, e.count, own), e.First()); err != nil {
			return err
		}
		if err := errors.Join(e.queue(j, e.launch), e.Last()); err != nil {
			return err
		}
		if err := e.pinned.Download(nil, e.out); err != nil {
			return err
		}
		if err := e.Dev.Sync(); err != nil {
			return err
		}
		if err := e.Read(); err != nil {
			return err
		}
		copy(out, e.pinned.Slice())
		return nil
	})
}

func (e *Engine) launch(j rounds.Job) error {
	l := e.q.shape(j, e.count, e.Dev.Info().SMs)
	k := e.kernels[l.kernel]
	if l.shared > k.Info().MaxShared { // on a GPU with less shared memory: only the tour
		l.kernel = strings.Replace(l.kernel, "shared", "plane", 1)
		l.shared, k = boardBytes(e.q.or)+moreCities(int(e.q.job.N)), e.kernels[l.kernel]
	}
	c := gpu.Config{Grid: gpu.Dim{X: e.count}, Block: gpu.Dim{X: 32 * l.warps}, Shared: l.shared}
	return k.Launch(c, e.q.of(j), e.places, e.near, e.chains, e.out)
}

func (e *Engine) Tour(chain int, dst []int32) error {
	n, stride := int(e.q.job.N), int(e.q.job.Stride)
	tour, err := e.chains.Slice(chain*stride, chain*stride+n).Download()
	if err != nil {
		return err
	}
	for i, c := range tour {
		dst[i] = int32(c)
	}
	return nil
}
