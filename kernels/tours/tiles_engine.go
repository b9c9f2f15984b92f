package tours

import (
	"context"
	"errors"
	"fmt"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers/tiles"
)

var (
	_ tiles.Tuned   = (*tilesEngine)(nil)
	_ tiles.Parting = (*tilesEngine)(nil)
)

// tilesEngine makes the rounds of ils/tiles on a GPU. The tours stay in its memory.
type tilesEngine struct {
	launch.Tuner
	launch.Base
	q      *tileProblem
	image  *launch.Kernels
	points any // a buffer of the plane's
	near   *gpu.Buffer[int32]
	pi     *gpu.Buffer[int32]

	chains int
	room   tileRoom
	tour   *gpu.Buffer[int32] // what room.Tour is
	next   *gpu.Buffer[int32]
	kept   *gpu.Buffer[int32]
	scale  *gpu.Buffer[float64]
	out    *gpu.Buffer[tiles.Outcome]
	pinned *gpu.Pinned[tiles.Outcome]
	free   []func() error // of what depends on the chains

	cuts map[*tiles.Cut]tileCut

	telling
}

// tileCut is a cut in the device's memory.
type tileCut struct{ start, city *gpu.Buffer[int32] }

func NewTiles(p *tiles.Problem) (tiles.Engine, error) {
	q, err := prepareTiles(p)
	if err != nil {
		return nil, err
	}
	e := &tilesEngine{q: q, cuts: map[*tiles.Cut]tileCut{}, telling: telling{part: tilePart{0, 1}}}
	if err := e.Open(p.Env); err != nil {
		return nil, fmt.Errorf("kernels/tours: %w", err)
	}
	e.Clock = launch.Events(e.Dev)
	err = e.Dev.Do(context.Background(), func() error {
		code, err := image("tiles")
		if err != nil {
			return err
		}
		if e.image, err = e.Base.Load(code); err != nil {
			return err
		}
		k, err := e.image.Get("tiles_search_" + q.plane)
		if err != nil {
			return err
		}
		q.busy, q.room = tileBusy*e.Dev.Info().SMs, k.Info().MaxShared
		return nil
	})
	if err != nil {
		e.Close()
		return nil, fmt.Errorf("kernels/tours: %w", err)
	}
	return e, nil
}

func (e *tilesEngine) Load(chains [][]int32) error {
	return e.Dev.Do(context.Background(), func() error {
		if e.chains != len(chains) {
			if err := e.take(len(chains)); err != nil {
				return err
			}
		}
		n := int(e.q.job.N)
		for a, c := range chains {
			if err := e.tour.Slice(a*n, a*n+n).Upload(c); err != nil {
				return err
			}
		}
		return nil
	})
}

// take makes room for so many chains, and uploads the instance if that was not done.
func (e *tilesEngine) take(chains int) error {
	for _, free := range e.free {
		_ = free()
	}
	e.free, e.chains = nil, 0
	bytes := func(n int) int64 { return e.q.bytes(n) + e.cutBytes() }
	err := e.Admit(bytes(chains), func(room int64) []string {
		if n := launch.Fitting(chains, room, bytes); n > 0 {
			return []string{launch.Takes(fmt.Sprintf("%d chains", n), bytes(n))}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("kernels/tours: %w", err)
	}
	if e.near == nil {
		if e.q.whole != nil {
			e.points, err = gpu.Upload(e.Dev, e.q.whole)
		} else {
			e.points, err = gpu.Upload(e.Dev, e.q.real)
		}
		if err != nil {
			return err
		}
		if e.near, err = gpu.Upload(e.Dev, e.q.near); err != nil {
			return err
		}
		if e.pi, err = gpu.Upload(e.Dev, append(e.q.pi, 0)); err != nil {
			return err
		}
	}
	n := int(e.q.job.N) * chains
	buffers := make([]*gpu.Buffer[int32], tileArrays+1)
	for i := range buffers {
		size := n
		if i == tileArrays {
			size = e.q.chunks() * chains
		}
		if buffers[i], err = gpu.Alloc[int32](e.Dev, size); err != nil {
			return err
		}
		e.free = append(e.free, buffers[i].Free)
	}
	at := func(i int) uint64 { return buffers[i].View().Ptr }
	e.tour, e.next = buffers[0], buffers[1]
	e.room = tileRoom{at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8)}
	if e.scale, err = gpu.Alloc[float64](e.Dev, chains); err != nil {
		return err
	}
	e.free = append(e.free, e.scale.Free)
	if e.out, err = gpu.Alloc[tiles.Outcome](e.Dev, chains); err != nil {
		return err
	}
	e.free = append(e.free, e.out.Free)
	if e.pinned, err = gpu.NewPinned[tiles.Outcome](e.Dev, chains); err != nil {
		return err
	}
	e.free = append(e.free, e.pinned.Free)
	if e.kept, err = gpu.Alloc[int32](e.Dev, int(e.q.job.N)); err != nil {
		return err
	}
	e.free = append(e.free, e.kept.Free)
	e.chains = chains
	return nil
}

// cutBytes is what the cuts take.
func (e *tilesEngine) cutBytes() int64 {
	sum := int64(0)
	for c := range e.cuts {
		sum += 4 * int64(len(c.Start)+len(c.City))
	}
	return sum
}

// cut is the cut in the device's memory. Cuts of another size are dropped.
func (e *tilesEngine) cut(c *tiles.Cut) (tileCut, error) {
	if d, ok := e.cuts[c]; ok {
		return d, nil
	}
	for old, d := range e.cuts {
		if old.Size != c.Size || old.Number == c.Number {
			if err := errors.Join(d.start.Free(), d.city.Free()); err != nil {
				return tileCut{}, err
			}
			delete(e.cuts, old)
		}
	}
	more := 4 * int64(len(c.Start)+len(c.City))
	if err := e.Admit(e.q.bytes(e.chains)+e.cutBytes()+more, nil); err != nil {
		return tileCut{}, fmt.Errorf("kernels/tours: cut %d; fewer cuts take less: %w", c.Number, err)
	}
	start, err := gpu.Upload(e.Dev, c.Start)
	if err != nil {
		return tileCut{}, err
	}
	city, err := gpu.Upload(e.Dev, c.City)
	if err != nil {
		return tileCut{}, errors.Join(err, start.Free())
	}
	e.cuts[c] = tileCut{start, city}
	return e.cuts[c], nil
}

// Iterate looks at ctx only at the start: a round that has begun is completed.
func (e *tilesEngine) Iterate(ctx context.Context, j tiles.Job, out []tiles.Outcome) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return e.Dev.Do(ctx, func() error {
		cut, err := e.cut(j.Cut)
		if err != nil {
			return err
		}
		if j.Scale != nil {
			if err := e.scale.Upload(j.Scale); err != nil {
				return err
			}
		}
		if err := errors.Join(e.out.Zero(nil), e.First()); err != nil {
			return err
		}
		if e.part.n > 1 {
			if err := e.roomToTell(j.Cut); err != nil {
				return err
			}
		}
		list := e.q.search(j, e.chains, e.part)
		if e.part.n > 1 {
			if err := e.launches(j, list, cut); err != nil {
				return err
			}
			if err := e.tell(j, cut); err != nil {
				return err
			}
			list = nil
		}
		if err := e.launches(j, append(list, e.q.write(e.chains)...), cut); err != nil {
			return err
		}
		err = errors.Join(e.Last(), e.pinned.Download(nil, e.out), e.Dev.Sync(), e.Read())
		if err != nil {
			return err
		}
		e.tour, e.next = e.next, e.tour
		e.room.Tour, e.room.Next = e.room.Next, e.room.Tour
		copy(out, e.pinned.Slice())
		return nil
	})
}

func (e *tilesEngine) launches(j tiles.Job, list []tileLaunch, cut tileCut) error {
	for _, l := range list {
		err := e.Tuner.Part(l.span(), func() error { return e.launch(j, l, cut) })
		if err != nil {
			return err
		}
	}
	return nil
}

func (e *tilesEngine) launch(j tiles.Job, l tileLaunch, cut tileCut) error {
	k, err := e.image.Get(l.name)
	if err != nil {
		return err
	}
	if l.shared > k.Info().MaxShared {
		return fmt.Errorf("kernels/tours: pieces of %d cities take %d bytes of shared memory, and a "+
			"block has %d on this GPU (%s): set a smaller piece, or run on cpu", e.q.of(j).Cap, l.shared,
			k.Info().MaxShared, e.Dev.Info().Name)
	}
	job, chains := e.q.partOf(j, e.part), int32(e.chains)
	var args []any
	switch l.args {
	case tileCounts:
		args = []any{job.N, chains, e.room}
	case tileSearch:
		args = []any{job, cut.start, cut.city, e.near, e.points, e.pi, e.scale, e.room, e.out}
	case tileMeasure:
		args = []any{job, chains, e.points, e.room, e.out}
	case tileSaid:
		begin, end := e.part.cities(l.part, j.Cut)
		args = []any{job, chains, cut.city, int32(begin), int32(end), e.room, e.said}
	}
	c := gpu.Config{
		Grid: gpu.Dim{X: l.blocks}, Block: gpu.Dim{X: 32 * l.warps}, Shared: l.shared,
	}
	return k.Launch(c, args...)
}

func (e *tilesEngine) Tour(chain int, dst []int32) error {
	n := int(e.q.job.N)
	return e.tour.Slice(chain*n, chain*n+n).DownloadTo(dst)
}

func (e *tilesEngine) Copy(from, to int) error {
	n := int(e.q.job.N)
	return e.Dev.Do(context.Background(), func() error {
		return errors.Join(
			e.tour.Slice(to*n, to*n+n).CopyFrom(nil, e.tour.Slice(from*n, from*n+n)), e.Dev.Sync(),
		)
	})
}

func (e *tilesEngine) Keep(chain int) error {
	n := int(e.q.job.N)
	return e.Dev.Do(context.Background(), func() error {
		return e.kept.CopyFrom(nil, e.tour.Slice(chain*n, chain*n+n))
	})
}

func (e *tilesEngine) Kept(dst []int32) error { return e.kept.DownloadTo(dst) }
