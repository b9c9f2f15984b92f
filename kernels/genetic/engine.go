package genetic

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"slices"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers/genetic"
)

//go:embed images
var compiled embed.FS

// image is the compiled image. Tests replace it.
var image = func() ([]byte, error) { return gpu.Image(compiled, "genetic", "genetic") }

// Engine makes the tours of ga/tournament on a GPU, and keeps them in its memory.
type Engine struct {
	launch.Base
	launch.Tuner
	p *genetic.Problem

	engineKernels

	keep   []interface{ Free() error } // what lives as long as the engine
	world  world
	shorts uint64 // address of places of 16 bits
	tables int64  // bytes of the grounds' tables
	lists  int    // neighbours in the lists on the device
	boxes  int    // of the tree of cities there

	near, far form // see grounds

	engineRows

	scratch *gpu.Buffer[uint8] // of workers
	engineBirths
	beside *gpu.Buffer[uint8]
	which  pair[int32]
	edges  pair[uint64]
}

// engineRows is where the tours are on the device.
type engineRows struct {
	chunks []*gpu.Buffer[uint8] // of rows
	rows   []uint64             // their addresses
	table  *gpu.Buffer[uint64]  // rows on the device
}

// engineBirths is what a generation makes.
type engineBirths struct {
	births  pair[genetic.Birth]
	made    pair[genetic.Made]
	turns   *gpu.Buffer[uint32] // births of either sort that have started
	ordered ordered
	bred    []genetic.Made // of ordered
}

type engineKernels struct {
	random, nearest *gpu.Kernel // first tours
	around, differ  *gpu.Kernel
}

var _ genetic.Tuned = (*Engine)(nil)

// pair is memory on the device and on the host, between which copies need not be waited for.
type pair[T any] struct {
	far  *gpu.Buffer[T]
	near *gpu.Pinned[T]
}

func pairOf[T any](d *gpu.Device, n int) (p pair[T], err error) {
	if p.far, err = gpu.Alloc[T](d, n); err != nil {
		return p, err
	}
	p.near, err = gpu.NewPinned[T](d, n)
	return p, err
}

func (p pair[T]) free() error { return errors.Join(p.far.Free(), p.near.Free()) }

// upload starts to copy v; what is behind it is of no use.
func (p pair[T]) upload(v []T) error {
	copy(p.near.Slice(), v)
	return p.near.Upload(nil, p.far)
}

func (p pair[T]) download() error { return p.near.Download(nil, p.far) }

// NewEngine opens the device of p.Env and loads kernels and instance. It refuses asymmetric
// instances.
func NewEngine(p *genetic.Problem) (genetic.Engine, error) {
	if p.Space.Asymmetric {
		return nil, fmt.Errorf("kernels/genetic: an asymmetric instance: use backend cpu")
	}
	if p.Space.N > most {
		return nil, fmt.Errorf("kernels/genetic: %d cities: want at most %d, or backend cpu", p.Space.N,
			most)
	}
	e := &Engine{p: p}
	if err := e.Open(p.Env); err != nil {
		return nil, fmt.Errorf("kernels/genetic: %w", err)
	}
	e.Clock = launch.Events(e.Dev)
	if err := e.Dev.Do(context.Background(), e.open); err != nil {
		e.Close()
		return nil, fmt.Errorf("kernels/genetic: %w", err)
	}
	return e, nil
}

// held uploads what lives as long as the engine, unless err is not nil.
func held[T any](e *Engine, v []T, err error) (uint64, error) {
	b, err := launch.Upload(e.Dev, v, err)
	if err != nil {
		return 0, err
	}
	e.keep = append(e.keep, b)
	return b.View().Ptr, nil
}

// open loads the kernels and the instance; on the device's thread.
func (e *Engine) open() error {
	code, err := image()
	if err != nil {
		return err
	}
	ks, err := e.Load(code)
	if err != nil {
		return err
	}
	sp := e.p.Space
	e.near.ground, e.far.ground = grounds(sp)
	if e.near.ground != nil {
		ks.Find(&e.near.kernel, e.near.ground.kernel(sp.N, true))
	}
	ks.Find(&e.far.kernel, e.far.ground.kernel(sp.N, false))
	ks.Find(&e.random, "random_"+plane(sp)+wideness(sp.N))
	ks.Find(&e.nearest, "nearest_"+plane(sp)+wideness(sp.N))
	ks.Find(&e.around, "around"+wideness(sp.N))
	ks.Find(&e.differ, "differ"+wideness(sp.N))
	if err := ks.Err(); err != nil {
		return err
	}
	e.tables = tableBytes(e.near.ground, sp.N)
	if err := e.Admit(e.size(0, 0), nil); err != nil {
		return err
	}
	if sp.Matrix != nil {
		e.world.Matrix, err = held(e, sp.Matrix, nil)
	} else {
		e.world.Places, err = held(e, places(sp), nil)
	}
	if e.near.ground == onWhole {
		e.world.Whole, err = held(e, whole(sp), err)
	}
	if e.near.ground == onShort {
		e.shorts, err = held(e, shorts(sp), err)
	}
	e.world.Internal, err = held(e, sp.Internal, err)
	if err != nil {
		return err
	}
	if e.beside, err = gpu.Alloc[uint8](e.Dev, int(2*int64(sp.N)*width(sp.N))); err != nil {
		return err
	}
	if e.which, err = pairOf[int32](e.Dev, sampled); err != nil {
		return err
	}
	if e.edges, err = pairOf[uint64](e.Dev, 1); err != nil {
		return err
	}
	if e.turns, err = gpu.Alloc[uint32](e.Dev, 2); err != nil {
		return err
	}
	// These grow.
	if e.scratch, err = gpu.Alloc[uint8](e.Dev, 1); err != nil {
		return err
	}
	return e.expect(1)
}

// expect makes room for so many births; on the device's thread.
func (e *Engine) expect(births int) (err error) {
	if e.births, err = pairOf[genetic.Birth](e.Dev, births); err != nil {
		return err
	}
	e.made, err = pairOf[genetic.Made](e.Dev, births)
	return err
}

// Close frees the device.
func (e *Engine) Close() {
	for _, b := range e.keep {
		_ = b.Free()
	}
	e.keep = nil
	e.Base.Close()
}

// Room makes room for so many tours and births; rows that there are stay where they are.
func (e *Engine) Room(tours, births int) error {
	if tours+births <= len(e.rows) {
		return nil
	}
	return e.Dev.Do(context.Background(), func() error { return e.grow(tours, births) })
}

// size is what so many rows and so much scratch take, with all else.
func (e *Engine) size(rows int, scratch int64) int64 {
	return bytes(e.p.Space, rows, scratch+e.tables, e.lists, e.boxes)
}

// claim reserves memory for so many tours and births, and so many bytes of scratch at least.
func (e *Engine) claim(tours, births int, scratch int64) error {
	size := func(m int) int64 {
		b := births * m / max(1, tours)
		return e.size(m+b, max(scratch, e.most(b)))
	}
	return e.Admit(size(tours), fit(size))
}

// most is the scratch that so many births may take, whatever their crossovers.
func (e *Engine) most(births int) (bytes int64) {
	if births == 0 {
		return 0
	}
	for _, linked := range []int{0, births / 2, births} {
		if w, err := e.wayOf(linked, births-linked); err == nil {
			bytes = max(bytes, w.bytes(e.p.Space.N))
		}
	}
	return bytes
}

// grow adds rows; on the device's thread.
func (e *Engine) grow(tours, births int) (err error) {
	if err := e.claim(tours, births, e.scratch.Bytes()); err != nil {
		return err
	}
	rows := tours + births
	more := rows - len(e.rows)
	size := rowBytes(e.p.Space.N)
	chunk, err := gpu.Alloc[uint8](e.Dev, int(int64(more)*size))
	if err != nil {
		return err
	}
	e.chunks = append(e.chunks, chunk)
	for i := range more {
		e.rows = append(e.rows, chunk.View().Ptr+uint64(int64(i)*size))
	}
	if err := e.table.Free(); err != nil {
		return err
	}
	e.table, err = gpu.Upload(e.Dev, e.rows)
	return err
}

// row is the buffer of a row.
func (e *Engine) row(row int32) *gpu.Buffer[uint8] {
	at, size := int(row), rowBytes(e.p.Space.N)
	for _, c := range e.chunks {
		if n := c.Len() / int(size); at < n {
			lo := at * int(size)
			return c.Slice(lo, lo+e.p.Space.N*int(width(e.p.Space.N)))
		} else {
			at -= n
		}
	}
	panic(fmt.Sprintf("kernels/genetic: row %d of %d", row, len(e.rows)))
}

// Put writes a tour into a row.
func (e *Engine) Put(row int32, tour []int32) error { return e.row(row).Upload(packed(tour)) }

// Tour reads one.
func (e *Engine) Tour(row int32, tour []int32) error {
	b, err := e.row(row).Download()
	if err != nil {
		return err
	}
	unpacked(b, tour)
	return nil
}

// settle makes room for births and for the workers' scratch; on the device's thread.
func (e *Engine) settle(births int, scratch int64, near bool) (err error) {
	if near && e.lists == 0 {
		lists := e.p.Near()
		e.lists = lists.K
		e.world.Near, err = held(e, lists.ID, nil)
		e.world.Far, err = held(e, lists.Dist, err)
		if err != nil {
			return err
		}
	}
	if scratch > e.scratch.Bytes() {
		if err := e.claim(len(e.rows), 0, scratch); err != nil {
			return err
		}
		if err := e.scratch.Free(); err != nil {
			return err
		}
		if e.scratch, err = gpu.Alloc[uint8](e.Dev, int(scratch)); err != nil {
			e.scratch = nil
			return err
		}
	}
	if births <= e.births.far.Len() {
		return nil
	}
	if err := errors.Join(e.births.free(), e.made.free()); err != nil {
		return err
	}
	return e.expect(births)
}

// read waits for the device and reads what it made.
func (e *Engine) read(out []genetic.Made) error {
	if err := e.made.download(); err != nil {
		return err
	}
	if err := e.Dev.Sync(); err != nil {
		return err
	}
	copy(out, e.made.near.Slice())
	return e.Read()
}

// Reproduce makes tours. It looks at ctx at the start only.
func (e *Engine) Reproduce(
	ctx context.Context, j genetic.Job, births []genetic.Birth, out []genetic.Made,
) error {
	if err := ctx.Err(); err != nil || len(births) == 0 {
		return err
	}
	return e.Dev.Do(ctx, func() error {
		e.ordered.order(births)
		linked := e.ordered.linked
		w, err := e.wayOf(linked, len(births)-linked)
		if err != nil {
			return err
		}
		err = e.settle(len(births), w.bytes(e.p.Space.N), j.Gaining && j.Mutation > 0)
		if err != nil {
			return err
		}
		if err := e.turns.Zero(nil); err != nil {
			return err
		}
		m := plan{e.shorts, e.turns.View().Ptr, int32(linked), int32(w.strong)}
		e.bred = slices.Grow(e.bred[:0], len(births))[:len(births)]
		err = e.launch("children", e.ordered.births, e.bred, func() error {
			return w.kernel.Launch(w.config(), jobOf(e.p, j, len(births), e.lists), e.world, m,
				e.table.View().Ptr, e.births.far.View().Ptr, e.made.far.View().Ptr,
				e.scratch.View().Ptr)
		})
		for k, i := range e.ordered.at {
			out[i] = e.bred[k]
		}
		return err
	})
}

// Start makes first tours.
func (e *Engine) Start(
	ctx context.Context, j genetic.Job, births []genetic.Birth, out []genetic.Made,
) error {
	if err := ctx.Err(); err != nil || len(births) == 0 {
		return err
	}
	return e.Dev.Do(ctx, func() error {
		s := shapeOf(len(births), e.Dev.Info().SMs)
		size, start := rowBytes(e.p.Space.N), e.random
		if j.Nearest {
			if err := e.plant(); err != nil {
				return err
			}
			size, start = size+treeBytes(e.p.Space.N), e.nearest
		}
		if err := e.settle(len(births), int64(s.workers)*size, false); err != nil {
			return err
		}
		return e.launch("start", births, out, func() error {
			return start.Launch(s.config(), jobOf(e.p, j, len(births), 0), e.world,
				e.table.View().Ptr, e.births.far.View().Ptr, e.made.far.View().Ptr,
				e.scratch.View().Ptr)
		})
	})
}

// plant uploads the boxes round leaves and nodes of the tree of cities; on the device's thread.
func (e *Engine) plant() (err error) {
	if e.boxes > 0 || e.p.Space.Matrix != nil {
		return nil
	}
	list := boxes(e.p.Space.X, e.p.Space.Y)
	e.boxes = len(list)
	if err := e.claim(len(e.rows), 0, e.scratch.Bytes()); err != nil {
		e.boxes = 0
		return err
	}
	e.world.Boxes, err = held(e, list, nil)
	return err
}

// launch uploads births, executes them and reads the results; on the device's thread.
func (e *Engine) launch(
	part string, births []genetic.Birth, out []genetic.Made, run func() error,
) error {
	if err := e.births.upload(births); err != nil {
		return err
	}
	if err := e.First(); err != nil {
		return err
	}
	if err := e.Part(part, run); err != nil {
		return err
	}
	if err := e.Last(); err != nil {
		return err
	}
	return e.read(out)
}

// Differ counts the edges of tours that another has not.
func (e *Engine) Differ(row int32, rows []int32) (edges int64, err error) {
	if len(rows) > sampled {
		return 0, fmt.Errorf("kernels/genetic: %d tours to compare, want at most %d", len(rows), sampled)
	}
	err = e.Dev.Do(context.Background(), func() error {
		if err := errors.Join(e.which.upload(rows), e.edges.far.Zero(nil)); err != nil {
			return err
		}
		n := e.p.Space.N
		c := gpu.Linear(min(n, 1<<16), 256)
		if err := e.around.Launch(c, int32(n), e.rows[row], e.beside.View().Ptr); err != nil {
			return err
		}
		if err := e.differ.Launch(c, int32(n), e.table.View().Ptr, e.which.far.View().Ptr,
			int32(len(rows)), e.beside.View().Ptr, e.edges.far.View().Ptr); err != nil {
			return err
		}
		if err := errors.Join(e.edges.download(), e.Dev.Sync()); err != nil {
			return err
		}
		edges = int64(e.edges.near.Slice()[0])
		return nil
	})
	return edges, err
}

// sampled is the largest number of tours that Differ compares.
const sampled = 16

// packed are a tour's cities as a row has them.
func packed(tour []int32) []uint8 {
	w := int(width(len(tour)))
	out := make([]uint8, 0, len(tour)*w)
	for _, c := range tour {
		for b := range w {
			out = append(out, uint8(c>>(8*b)))
		}
	}
	return out
}

// unpacked is the reverse of packed.
func unpacked(b []uint8, tour []int32) {
	w := int(width(len(tour)))
	for i := range tour {
		c := int32(0)
		for k := range w {
			c |= int32(b[i*w+k]) << (8 * k)
		}
		tour[i] = c
	}
}
