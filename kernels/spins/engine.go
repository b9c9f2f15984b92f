//go:build cuda

package spins

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"slices"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers"
	"metalab/solvers/spins"
)

//go:embed images
var images embed.FS

// image is the compiled kernels of spins.cu, a fatbin.
var image = func() ([]byte, error) { return gpu.Image(images, "spins", "spins") }

func init() {
	solvers.Register(spins.On("cuda", NewEngine))
	solvers.Register(spins.PopulationOn("cuda", NewEngine))
}

// apart puts the words into the device's memory where they would fit into shared memory, for tests.
var apart bool

// Engine makes the iterations of anneal/spins on a GPU. The words of the walks stay there.
type Engine struct {
	launch.Base
	p *spins.Problem
	n *net

	sweeps, count, choose *gpu.Kernel
	shared                int // bytes of a block

	first    *gpu.Buffer[int32]
	slices   *gpu.Buffer[slice]
	places   *gpu.Buffer[place]
	adjacent *gpu.Buffer[int32]
	table    *gpu.Buffer[uint32]
	state    *gpu.Buffer[uint32]
	out      *gpu.Buffer[spins.Group]
	pinned   *gpu.Pinned[spins.Group]
	known    []uint32 // what table holds

	// Of a population.
	other   *gpu.Buffer[uint32]
	parents *gpu.Buffer[int32]
}

// NewEngine opens the device of p.Env, reserves its memory and loads kernels and instance.
func NewEngine(p *spins.Problem) (spins.Engine, error) {
	n, err := newNet(p.Net)
	if err != nil {
		return nil, err
	}
	e := &Engine{p: p, n: n}
	if err = e.Open(p.Env); err != nil {
		return nil, fmt.Errorf("kernels/spins: %w", err)
	}
	if err := e.Dev.Do(context.Background(), e.open); err != nil {
		e.Close()
		return nil, fmt.Errorf("kernels/spins: %w", err)
	}
	return e, nil
}

// open loads the kernels and allocates; on the device's thread.
func (e *Engine) open() error {
	code, err := image()
	if err != nil {
		return err
	}
	k, err := e.Base.Load(code)
	if err != nil {
		return err
	}
	k.Find(&e.sweeps, "spins_shared")
	k.Find(&e.count, "spins_count")
	k.Find(&e.choose, "spins_choose")
	if err := k.Err(); err != nil {
		return err
	}
	if e.shared = e.n.shared(); apart || e.shared > e.sweeps.Info().MaxShared {
		k.Find(&e.sweeps, "spins_global")
		e.shared = 4 * headWords
	}
	if err := errors.Join(k.Err(), e.Admit(e.bytes(e.p.Walks), e.fit)); err != nil {
		return err
	}
	e.first, err = launch.Upload(e.Dev, e.n.first, nil)
	e.slices, err = launch.Upload(e.Dev, e.n.slices, err)
	e.places, err = launch.Upload(e.Dev, e.n.places, err)
	e.adjacent, err = launch.Upload(e.Dev, e.n.adjacent, err)
	if err != nil {
		return err
	}
	groups := e.p.Groups()
	if e.table, err = gpu.Alloc[uint32](e.Dev, 64+2*e.n.most); err != nil {
		return err
	}
	if e.state, err = gpu.Alloc[uint32](e.Dev, groups*e.n.stride()); err != nil {
		return err
	}
	if e.p.Resampled {
		if e.other, err = gpu.Alloc[uint32](e.Dev, groups*e.n.stride()); err != nil {
			return err
		}
		if e.parents, err = gpu.Alloc[int32](e.Dev, 32*groups); err != nil {
			return err
		}
	}
	if e.out, err = gpu.Alloc[spins.Group](e.Dev, groups); err != nil {
		return err
	}
	e.pinned, err = gpu.NewPinned[spins.Group](e.Dev, groups)
	return err
}

// fit says how many walks there is room for.
func (e *Engine) fit(room int64) []string {
	walks := launch.Fitting(e.p.Walks, room, e.bytes)
	if walks < 1 {
		return nil
	}
	return []string{launch.Takes(fmt.Sprintf("walks=%d", walks), e.bytes(walks))}
}

func (e *Engine) bytes(walks int) int64 { return e.n.bytes(walks, e.p.Resampled) }

// Load uploads the words of all groups.
func (e *Engine) Load(words [][]uint32) error {
	stride := e.n.stride()
	all := make([]uint32, len(words)*stride)
	for g, of := range words {
		e.n.pack(all[g*stride:(g+1)*stride], of)
	}
	return e.Dev.Do(context.Background(), func() error { return e.state.Upload(all) })
}

// Iterate looks at ctx only at the start: an iteration that has begun is completed.
func (e *Engine) Iterate(ctx context.Context, j spins.Job, out []spins.Group) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	table := e.n.table(j.Levels)
	return e.Dev.Do(ctx, func() error {
		if !slices.Equal(table, e.known) {
			if err := e.table.Upload(table); err != nil {
				return err
			}
			e.known = table
		}
		o := e.n.job(e.p, j)
		c := gpu.Config{
			Grid: gpu.Dim{X: e.p.Groups()}, Block: gpu.Dim{X: e.n.block(j)}, Shared: e.shared,
		}
		err := e.sweeps.Launch(c, o, e.first, e.slices, e.places, e.adjacent, e.table, e.state, e.out)
		if err != nil {
			return err
		}
		c.Block.X, c.Shared = 256, 0
		err = e.count.Launch(c, o, e.first, e.slices, e.places, e.adjacent, e.state, e.out)
		if err = errors.Join(err, e.pinned.Download(nil, e.out)); err != nil {
			return err
		}
		if err := e.Dev.Sync(); err != nil {
			return err
		}
		copy(out, e.pinned.Slice())
		return nil
	})
}

// Choose gives each walk the sides of another.
func (e *Engine) Choose(parents []int32) error {
	return e.Dev.Do(context.Background(), func() error {
		if err := e.parents.Upload(padded(parents)); err != nil {
			return err
		}
		c := gpu.Config{Grid: gpu.Dim{X: e.p.Groups()}, Block: gpu.Dim{X: 256}}
		o := e.n.job(e.p, spins.Job{Levels: new(spins.Levels)})
		if err := e.choose.Launch(c, o, e.parents, e.state, e.other); err != nil {
			return err
		}
		e.state, e.other = e.other, e.state
		return e.Dev.Sync()
	})
}

// Words downloads those of a group.
func (e *Engine) Words(group int, dst []uint32) error {
	stride := e.n.stride()
	from, err := e.state.Slice(group*stride, (group+1)*stride).Download()
	if err != nil {
		return err
	}
	e.n.unpack(dst, from)
	return nil
}

// shared is how many bytes of shared memory a block takes that has the words there.
func (n *net) shared() int { return 4 * (headWords + len(n.places) + 1) }

// bytes is how much of a device's memory this many walks and the instance take; those that are
// resampled have their words twice.
func (n *net) bytes(walks int, resampled bool) int64 {
	groups := int64(walks+31) / 32
	fixed := 4*int64(len(n.first)+len(n.adjacent)+64+2*n.most) + 16*int64(len(n.slices)) +
		8*int64(len(n.places))
	each := 4*int64(n.stride()) + 272
	if resampled {
		each += 4*int64(n.stride()) + 4*32
	}
	return fixed + groups*each
}
