package ants

import (
	"math"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/wave"
)

// wrs is the form of mmas/wrs.
type wrs struct {
	usual
	b         *deviceCrew
	near, few *gpu.Kernel // nil with many cities
	far       *gpu.Kernel
	onNear    *gpu.Kernel // by likely cities: with lists in shared memory, and without
	onFar     *gpu.Kernel
	likely    *gpu.Buffer[uint32]  // by city: the two of the least reciprocals
	recip     *gpu.Buffer[float32] // by slot
	perBlock  int                  // ants of a block
	shared    int                  // the shared memory of a block, without the lists
}

func newWRS(b *deviceCrew) form { return &wrs{b: b} }

func (w *wrs) bytes(int) int64 {
	sum := slotBytes(w.b.n, 4)
	if packed(w.b.n) && !w.b.wide {
		sum += 4 * int64(likelyWords(w.b.n))
	}
	return sum
}

func (w *wrs) open(kernel func(k **gpu.Kernel, name string)) (err error) {
	far := "construct_plain_lists"
	if packed(w.b.n) && !w.b.wide {
		kernel(&w.near, "construct_shared")
		kernel(&w.few, "construct_small")
		kernel(&w.onNear, "likely_shared")
		kernel(&w.onFar, "likely_global")
		far = "construct_large"
		if w.likely, err = launch.Upload(w.b.d, make([]uint32, likelyWords(w.b.n)), nil); err != nil {
			return err
		}
	}
	kernel(&w.far, far)
	w.recip, err = gpu.Alloc[float32](w.b.d, w.b.n*trail.Width)
	return err
}

func (w *wrs) grow() error { return nil }

func (w *wrs) rules(r *crew.Rules, eta bool) error { return w.b.weigh(r, eta) }

func (w *wrs) send() error { return w.b.sendTable() }

func (w *wrs) fetch() error { return w.b.fetchTable() }

func (w *wrs) look() error { return w.b.lookBySlot() }

func (w *wrs) prepare() error {
	return w.b.kernels.prepare.Launch(w.b.perSlot(), w.b.inst.arg, w.b.jobs.buffer, w.b.trails.tau,
		w.b.trails.eta, w.recip, w.likelyCities(), w.b.kept.after, w.b.kept.before)
}

// likelyMost is the number of ants of a multiprocessor, and of a block, up to which steps use
// likely cities, and likelyOften how many of 1024 steps of its last tour must have led there for an
// ant to use windows. likelyShared has lists in shared memory too where they fit there, which was
// not faster on pr1002 (bench ants-gpu-likely). Tests change all.
var (
	likelyMost   = 8
	likelyOften  = int32(870)
	likelyShared = false
)

func (w *wrs) construct() error {
	if k, shared := w.byLikely(w.perBlock); k != nil {
		return w.constructLikely(k, shared)
	}
	k, shared := w.far, w.shared
	if w.near != nil {
		if warpThreads*w.perBlock <= w.few.Info().MaxBlock {
			k = w.few
		}
		near := shared + packedListBytes(w.b.n)
		if info := w.near.Info(); near <= info.MaxShared && warpThreads*w.perBlock <= info.MaxBlock {
			k, shared = w.near, near
		}
	}
	c := gpu.Config{
		Grid:  gpu.Dim{X: (w.b.batch.ants + w.perBlock - 1) / w.perBlock},
		Block: gpu.Dim{X: warpThreads * w.perBlock}, Shared: shared,
	}
	return k.Launch(c, w.b.inst.arg, w.b.jobs.buffer, w.recip, w.b.batch.tours, w.b.batch.results,
		w.b.keys)
}

// byLikely returns the kernel that uses likely cities, and a block's shared memory, or nil: it
// applies if ants are few, their lists are not in shared memory and the paths of a block of so many
// ants are.
func (w *wrs) byLikely(ants int) (k *gpu.Kernel, shared int) {
	if w.near == nil || ants > likelyMost || w.b.batch.ants > likelyMost*w.b.sms {
		return nil, 0
	}
	k, shared = w.onFar, packedBytes(w.b.n, ants)+pathBytes(w.b.n)
	if near := packedBytes(w.b.n, ants) + packedListBytes(w.b.n); near <= w.near.Info().MaxShared {
		if k, shared = w.onNear, near+pathBytes(w.b.n); !likelyShared {
			return nil, 0
		}
	}
	if info := k.Info(); shared > info.MaxShared || warpThreads*ants > info.MaxBlock {
		return nil, 0
	}
	return k, shared
}

// constructLikely is construct by likely cities, with the kernel and the shared memory for that.
func (w *wrs) constructLikely(k *gpu.Kernel, shared int) error {
	c := gpu.Config{
		Grid:  gpu.Dim{X: (w.b.batch.ants + w.perBlock - 1) / w.perBlock},
		Block: gpu.Dim{X: warpThreads * w.perBlock}, Shared: shared,
	}
	return k.Launch(c, w.b.inst.arg, w.b.jobs.buffer, w.recip, w.likely, w.b.batch.tours,
		w.b.batch.results, w.b.keys, likelyOften)
}

// pathBytes returns the shared memory of the likely cities of n, and of the paths along them.
func pathBytes(n int) int { return 4*likelyWords(n) + 16*n }

// likelyCities is the argument likely of prepare, null with many cities.
func (w *wrs) likelyCities() any {
	if w.likely == nil {
		return uint64(0)
	}
	return w.likely
}

// likelyWords returns the words of the likely cities of n: see likely_words in likely.cuh.
func likelyWords(n int) int { return (n + 3) &^ 3 }

// most returns how many ants' visited cities fit into a block's shared memory.
func (w *wrs) most() int {
	if w.near == nil {
		return math.MaxInt
	}
	return max(1, w.far.Info().MaxShared/packedBytes(w.b.n, 1))
}

func (w *wrs) own() wave.Config {
	return launch.Warps(w.b.batch.ants, min(w.b.perBlock(), w.most()))
}

// shapes is form.shapes. If blocks of few ants use likely cities, it omits larger ones: these are
// as fast in the first iterations, while trails change most, and not later.
func (w *wrs) shapes() []wave.Config {
	most := min(w.far.Info().MaxBlock/warpThreads, w.most())
	if k, _ := w.byLikely(min(likelyMost, most)); k != nil {
		most = min(likelyMost, most)
	}
	return launch.WarpShapes(w.b.batch.ants, most)
}

func (w *wrs) adopt(c wave.Config) (err error) {
	ants := c.Block / warpThreads
	if w.near != nil {
		w.shared = packedBytes(w.b.n, ants)
	} else if w.shared, err = w.b.bits(w.far, ants); err != nil {
		return err
	}
	if ants == w.perBlock {
		return nil
	}
	w.perBlock = ants
	return w.b.dropGraph()
}

// packedListBytes returns the shared memory of the lists of n cities if a slot is one word.
func packedListBytes(n int) int { return n * trail.Width * 4 }

// packedBytes returns the shared memory of this many ants then: see packed_lists in lists.cuh.
func packedBytes(n, ants int) int { return (ants*(36*((n+31)/32)+64) + 15) / 16 * 16 }

// packed tells whether lists of n cities have one word for a slot.
func packed(n int) bool {
	_, ok := crew.KeyMask(n)
	return ok
}

// antSystem is the form of as/wrs: ants construct as those of mmas/wrs do, and all of them deposit.
type antSystem struct {
	*wrs
	depositAll, prepareAll *gpu.Kernel
	sum                    *gpu.Buffer[uint64] // by slot: shares deposited; 0 except during prepare
}

func newAS(b *deviceCrew) form { return &antSystem{wrs: &wrs{b: b}} }

func (s *antSystem) bytes(ants int) int64 { return s.wrs.bytes(ants) + slotBytes(s.b.n, 8) }

func (s *antSystem) open(kernel func(k **gpu.Kernel, name string)) (err error) {
	kernel(&s.depositAll, "deposit")
	kernel(&s.prepareAll, "prepare_all")
	s.sum, err = launch.Upload(s.b.d, make([]uint64, s.b.n*trail.Width), s.wrs.open(kernel))
	return err
}

// depositStretch is how many positions of a tour a warp of the kernel deposit takes.
const depositStretch = 128

// depositWarps is how many warps the kernel deposit has.
func depositWarps(n, ants int) int { return ants * ((n + depositStretch - 1) / depositStretch) }

func (s *antSystem) prepare() error {
	if err := s.b.Part("deposit", func() error {
		c := gpu.Linear(warpThreads*depositWarps(s.b.n, s.b.batch.ants), 256)
		return s.depositAll.Launch(c, s.b.inst.arg, s.b.jobs.buffer, s.b.batch.tours, s.b.batch.results,
			s.sum)
	}); err != nil {
		return err
	}
	return s.b.Part("prepare", func() error {
		return s.prepareAll.Launch(s.b.perSlot(), s.b.inst.arg, s.b.jobs.buffer, s.b.trails.tau,
			s.b.trails.eta, s.recip, s.likelyCities(), s.sum)
	})
}
