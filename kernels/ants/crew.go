package ants

import (
	"context"
	"errors"
	"fmt"
	"math"

	"metalab/gpu"
	"metalab/solvers"
	walkers "metalab/solvers/ants"
	"metalab/solvers/tours"
)

// groundArg is the kernels' ground.
type groundArg struct {
	At, Box, ID, Ext, Masks uint64
	N, Metric, K, Words     int32
	Room, Pad               int32
}

// keysArg are the round keys of Philox.
type keysArg struct{ K [20]uint32 }

func roundKeys(seed uint64) (a keysArg) {
	lo, hi := uint32(seed), uint32(seed>>32)
	for i := range 10 {
		a.K[2*i], a.K[2*i+1] = lo, hi
		lo += 0x9E3779B9
		hi += 0xBB67AE85
	}
	return a
}

// job is the kernels' job.
type job struct {
	Alpha                   float64
	Greedy                  uint64
	ItLo, ItHi, Serial      uint32
	Ants                    int32
	KeepBest, KeepRestart   int32
	TeacherAnt, TeacherRest int32
	Reward, Fill            int32
	Rate, Add, Lo, Hi, Inv  float32
	Tau0, Keep, Gain        float32
	Level                   float32
	Period                  int32
	Unit                    float64
	Least                   int64
}

// result is the kernels' result.
type result struct {
	Length int64
	Hash   uint64
	Falls  int32
	Pad    int32
}

// base is what both crews have.
type base struct {
	d    *gpu.Device
	m    *gpu.Module
	n    int
	wide bool // city numbers have 32 bits
	sms  int
	arg  groundArg
	keys keysArg

	at                          *gpu.Buffer[float64]
	box                         *gpu.Buffer[float32]
	id, ext                     cities
	tau, eta                    *gpu.Buffer[float32]
	best, restart               cities
	after, before               cities
	mark                        *gpu.Buffer[uint32]
	out                         *gpu.Buffer[uint64]
	job                         *gpu.Buffer[job]
	paper                       *gpu.Pinned[job]
	noteKernel, lookKernel, pre *gpu.Kernel

	// By the number of ants.
	ants    int
	tours   cities
	results *gpu.Buffer[result]
	back    *gpu.Pinned[result]
	masks   *gpu.Buffer[uint32] // the visited bits; nil as long as they lie in shared memory

	local local

	orders
	pacer
	claim
	expected int64 // the length of the tour that next makes the best

	// What the two differ in.
	prepare func() error // queues the kernel prepare
	grow    func() error // the number of ants changed
}

// open brings an instance to the device, for the kernels of the source of that name. Those that have an image for
// city numbers of 32 bits set wide before.
func (b *base) open(env *solvers.Env, g *walkers.Ground, source string) (err error) {
	if b.wide {
		source += "_wide"
	}
	kernels, err := image(source)
	if err != nil {
		return err
	}
	if b.d, err = gpu.Open(context.Background(), env.Device); err != nil {
		return err
	}
	sp := g.Space
	b.n, b.sms, b.keys = sp.N, b.d.Info().SMs, roundKeys(env.Seed)
	b.orders = newOrders()
	b.sought = func() int {
		if b.local.search == nil {
			return 0
		}
		return min(b.local.tours, b.ants)
	}
	b.clock, b.what = &events{d: b.d}, func() string { return fmt.Sprintf("walk of %d ants", b.ants) }
	words := (b.n + 31) / 32
	if b.introduce(env, g.Far); b.wide {
		b.far = wideFar
	}
	if err = b.admit(g.Ants); err != nil {
		return err
	}
	if b.m, err = b.d.Module(kernels); err != nil {
		return err
	}
	kernel := func(k **gpu.Kernel, name string) {
		if err == nil {
			*k, err = b.m.Kernel(name)
		}
	}
	kernel(&b.noteKernel, "note")
	kernel(&b.lookKernel, "look")
	kernel(&b.pre, "prepare")
	if err != nil {
		return err
	}
	at, box := places(sp)
	b.at, err = up(b.d, at, err)
	b.box, err = up(b.d, stacked(box, b.wide), err)
	b.id, err = upCities(b.d, b.wide, g.ID, err)
	b.ext, err = upCities(b.d, b.wide, extended(g, b.wide), err)
	b.tau, err = up(b.d, make([]float32, b.n*walkers.Width), err)
	b.eta, err = up(b.d, make([]float32, b.n*walkers.Width), err)
	b.best, err = upCities(b.d, b.wide, make([]int32, b.n), err)
	b.restart, err = upCities(b.d, b.wide, make([]int32, b.n), err)
	b.after, err = upCities(b.d, b.wide, make([]int32, b.n), err)
	b.before, err = upCities(b.d, b.wide, make([]int32, b.n), err)
	b.mark, err = up(b.d, make([]uint32, b.n), err)
	b.out, err = up(b.d, make([]uint64, 2), err)
	b.job, err = up(b.d, make([]job, 1), err)
	if err == nil {
		b.paper, err = gpu.NewPinned[job](b.d, 1)
	}
	if err != nil {
		return err
	}
	b.arg = groundArg{
		At: b.at.View().Ptr, Box: b.box.View().Ptr, ID: b.id.pointer(), Ext: b.ext.pointer(),
		N: int32(b.n), Metric: int32(sp.Metric), K: int32(g.K), Words: int32(words), Room: int32(bitWords(b.n, b.wide)),
	}
	return b.startLocal(g)
}

// places are the cities' coordinates, and rectangles that hold 32 cities each.
func places(sp *tours.Space) (at []float64, box []float32) {
	at, box = make([]float64, 2*sp.N), make([]float32, (sp.N+31)/32*4)
	for i := range sp.N {
		x, y := sp.X[i], sp.Y[i]
		at[2*i], at[2*i+1] = x, y
		r := box[i/32*4 : i/32*4+4]
		if i%32 == 0 {
			r[0], r[1], r[2], r[3] = below(x), below(y), above(x), above(y)
		}
		r[0], r[1], r[2], r[3] = min(r[0], below(x)), min(r[1], below(y)), max(r[2], above(x)), max(r[3], above(y))
	}
	return at, box
}

// below is a float32 not above x.
func below(x float64) float32 {
	f := float32(x)
	if float64(f) > x {
		f = math.Nextafter32(f, float32(math.Inf(-1)))
	}
	return f
}

// above is a float32 not below x.
func above(x float64) float32 { return -below(-x) }

// up uploads unless something failed before.
func up[T any](d *gpu.Device, v []T, err error) (*gpu.Buffer[T], error) {
	if err != nil {
		return nil, err
	}
	return gpu.Upload(d, v)
}

// Close implements Crew.
func (b *base) Close() {
	if b.d != nil {
		b.d.Close()
	}
}

// SetTrails implements Crew.
func (b *base) SetTrails(tau []float32) error {
	return errors.Join(b.flush(), b.tau.Upload(tau))
}

// Trails implements Crew.
func (b *base) Trails(tau []float32) error {
	if err := b.flush(); err != nil {
		return err
	}
	return b.tau.DownloadTo(tau)
}

func (b *base) kept(which walkers.Kept) cities {
	if which == walkers.KeptBest {
		return b.best
	}
	return b.restart
}

// SetKept implements Crew.
func (b *base) SetKept(which walkers.Kept, tour []int32) error {
	return errors.Join(b.flush(), b.kept(which).put(tour))
}

// Kept implements Crew.
func (b *base) Kept(which walkers.Kept, tour []int32) error {
	if err := b.flush(); err != nil {
		return err
	}
	return b.kept(which).get(tour)
}

// Keep implements Crew.
func (b *base) Keep(which walkers.Kept, ant int) {
	b.keep(which, ant)
	if which == walkers.KeptBest {
		b.expected = b.back.Slice()[1+ant].Length
	}
}

// begin queues what next asks for: to be called on the device's thread.
func (b *base) begin() error {
	if err := b.paper.Upload(nil, b.job); err != nil {
		return err
	}
	err := b.noteKernel.Launch(gpu.Config{Block: gpu.Dim{X: 1024}}, b.arg, b.job, b.tours, b.best, b.restart, b.after, b.before, b.mark, b.results)
	if err != nil {
		return err
	}
	return b.prepare()
}

// perSlot is a launch with one thread for each slot.
func (b *base) perSlot() gpu.Config { return gpu.Linear(b.n*walkers.Width, 256) }

// sign writes next where begin takes it from.
func (b *base) sign() {
	b.next.Serial++
	b.paper.Slice()[0] = b.next
}

// done clears what was asked for, and checks the tour that became the best.
func (b *base) done(check result) error {
	kept := b.next.KeepBest >= 0
	b.fulfil()
	if kept && (check.Falls != 0 || check.Length != b.expected) {
		return fmt.Errorf("ants: device %d computes wrongly: a tour of length %d has length %d, and %d cities come twice",
			b.d.Info().Ordinal, b.expected, check.Length, check.Falls)
	}
	return nil
}

// flush does what next asks for at once.
func (b *base) flush() error {
	if !b.pending {
		return nil
	}
	b.sign()
	err := b.d.Do(context.Background(), func() error {
		if err := b.begin(); err != nil {
			return err
		}
		return b.d.Sync()
	})
	if err != nil {
		return err
	}
	check, err := b.results.Slice(0, 1).Download()
	if err != nil {
		return err
	}
	return b.done(check[0])
}

// size makes room for the tours of so many ants.
func (b *base) size(ants int) error {
	if ants == b.ants {
		return nil
	}
	if err := b.flush(); err != nil {
		return err
	}
	if err := b.admit(ants); err != nil {
		return fmt.Errorf("%w: %w", solvers.ErrHalted, err) // nothing was done: fewer may be asked for
	}
	if b.ants > 0 {
		if err := errors.Join(b.tours.Free(), b.results.Free(), b.back.Free(), b.masks.Free()); err != nil {
			return err
		}
	}
	b.ants, b.masks, b.arg.Masks = 0, nil, 0
	var err error
	if b.tours, err = newCities(b.d, b.wide, ants*b.n); err != nil {
		return err
	}
	if b.results, err = gpu.Alloc[result](b.d, ants+1); err != nil {
		return err
	}
	if b.back, err = gpu.NewPinned[result](b.d, ants+1); err != nil {
		return err
	}
	if b.local.search != nil {
		if err := b.local.search.Room(ants); err != nil {
			return err
		}
	}
	b.ants = ants
	b.again()
	return b.grow()
}

// bits finds room for the visited cities of the ants of a block: in its shared memory where the kernel may have as
// much, else, for city numbers of 32 bits, in global memory. It returns the shared memory of a block.
func (b *base) bits(k *gpu.Kernel, ants int) (shared int, err error) {
	shared = b.maskBytes(ants)
	if b.wide && (b.n >= crampedFrom || shared > k.Info().MaxShared) {
		return 0, b.afar()
	}
	b.arg.Masks = 0
	return shared, nil
}

// afar has the visited cities of all ants in global memory.
func (b *base) afar() (err error) {
	if b.masks == nil {
		if b.masks, err = gpu.Alloc[uint32](b.d, b.ants*int(b.arg.Room)); err != nil {
			return fmt.Errorf("ants: the visited cities of %d ants: %w", b.ants, err)
		}
	}
	b.arg.Masks = b.masks.View().Ptr
	return nil
}

// maskBytes is the shared memory that the visited cities of so many ants take.
func (b *base) maskBytes(ants int) int { return (ants*int(b.arg.Room)*4 + 15) / 16 * 16 }

// warpsFor is how many ants a block has.
func (b *base) warpsFor(want, ants int) int {
	if want > 0 {
		return want
	}
	return max(1, min(32, (ants+b.sms-1)/b.sms))
}

// walk runs an iteration: launch queues everything and the copy to back.
func (b *base) walk(it int64, lengths []int64, falls []int32, hashes []uint64, launch func() error) error {
	if b.local.fault != nil {
		return b.local.fault
	}
	b.next.ItLo, b.next.ItHi, b.next.Ants = uint32(it), uint32(it>>32), int32(len(lengths))
	b.sign()
	err := b.d.Do(context.Background(), func() error {
		if err := b.first(); err != nil {
			return err
		}
		if err := launch(); err != nil {
			return err
		}
		if err := b.last(); err != nil {
			return err
		}
		if err := b.d.Sync(); err != nil {
			return err
		}
		return b.read()
	})
	if err != nil {
		return err
	}
	back := b.back.Slice()
	for k, r := range back[1:] {
		lengths[k], falls[k], hashes[k] = r.Length, r.Falls, r.Hash
	}
	return b.done(back[0])
}

// Tours implements Crew.
func (b *base) Tours(tours []int32) error { return b.tours.get(tours) }

// Look implements Crew.
func (b *base) Look() (branches int64, hash uint64, err error) {
	return b.lookBy(func() error { return b.lookKernel.Launch(b.perSlot(), b.tau, b.out, int32(b.n), b.arg.K) })
}

// lookAll is Look of a crew whose trails are a matrix, by its kernel.
func (b *base) lookAll(eyes *gpu.Kernel) (branches int64, hash uint64, err error) {
	return b.lookBy(func() error { return eyes.Launch(b.perSlot(), b.arg, b.tau, b.out) })
}

// lookBy is Look by a launch that adds to out.
func (b *base) lookBy(launch func() error) (branches int64, hash uint64, err error) {
	if err := b.flush(); err != nil {
		return 0, 0, err
	}
	var v []uint64
	err = b.d.Do(context.Background(), func() error {
		if err := b.out.Zero(nil); err != nil {
			return err
		}
		if err := launch(); err != nil {
			return err
		}
		v, err = b.out.Download()
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	return int64(v[0]), v[1], nil
}

// iteration queues a whole iteration, given how its walk is launched.
func (b *base) iteration(walk func() error) error {
	if err := b.begin(); err != nil {
		return err
	}
	if err := b.pace(walk); err != nil {
		return err
	}
	if err := b.polish(); err != nil {
		return err
	}
	return b.back.Download(nil, b.results)
}

// tableBytes is what a block's shared memory takes for the lists of n cities, of mmas/rows, selection=rwm.
func tableBytes(n int) int { return n * walkers.Width * (4 + 2) }

// maskBytes is what it takes for the visited cities of so many ants.
func maskBytes(n, warps int) int { return (warps*((n+31)/32) + 3) / 4 * 16 }

// wordBytes is what it takes for the lists of n cities where a slot is one word.
func wordBytes(n int) int { return n * walkers.Width * 4 }

// lookBytes is what it takes then for what so many ants know: see short_look in lists.cuh.
func lookBytes(n, ants int) int { return (ants*(36*((n+31)/32)+64) + 15) / 16 * 16 }

// short tells whether the walk of lists of n cities has one word for a slot.
func short(n int) bool {
	_, ok := walkers.KeyMask(n)
	return ok
}
