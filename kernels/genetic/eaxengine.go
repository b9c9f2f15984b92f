package genetic

import (
	"context"
	"errors"
	"fmt"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers/arith"
	"metalab/solvers/genetic"
)

// eaxImage is the compiled image. Tests replace it.
var eaxImage = func() ([]byte, error) { return gpu.Image(compiled, "genetic", "eax") }

// Rounds makes the generations of ga/eax-rounds on a GPU, and keeps the population in its memory.
type Rounds struct {
	launch.Base
	launch.Tuner
	p *genetic.RoundsProblem

	couples, count, settle, clear, tally *gpu.Kernel

	keep  []interface{ Free() error }
	world world
	shape eaxShape
	slots uint64
	size  int // tours of the population; 0: nothing is loaded

	entropy uint64
	roundsBuffers
}

// roundsBuffers are the population and its children on the device, and what is copied back.
type roundsBuffers struct {
	ring    pair[int32]
	bred    pair[genetic.Bred]
	counts  pair[uint64] // behind them: whether the table is full
	hash    pair[uint64]
	length  pair[int64]
	tours   *gpu.Buffer[uint8]
	fresh   pair[uint8]
	table   *gpu.Buffer[uint64]
	scratch *gpu.Buffer[uint8]
}

var _ genetic.RoundsTuned = (*Rounds)(nil)

// NewRounds opens the device of p.Env and loads the kernels. It refuses asymmetric instances.
func NewRounds(p *genetic.RoundsProblem) (genetic.RoundsEngine, error) {
	if p.Space.Asymmetric {
		return nil, errors.New("kernels/genetic: an asymmetric instance: want a symmetric one")
	}
	if p.Space.N > eaxMost {
		return nil, fmt.Errorf("kernels/genetic: %d cities: want at most %d, or backend cpu", p.Space.N,
			eaxMost)
	}
	e := &Rounds{p: p}
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

// open loads the kernels; on the device's thread.
func (e *Rounds) open() error {
	code, err := eaxImage()
	if err != nil {
		return err
	}
	ks, err := e.Base.Load(code)
	if err != nil {
		return err
	}
	n := e.p.Space.N
	ks.Find(&e.couples, "couples_"+plane(e.p.Space)+eaxSuffix(n))
	ks.Find(&e.count, "count"+eaxSuffix(n))
	ks.Find(&e.settle, "settle"+eaxSuffix(n))
	ks.Find(&e.clear, "clear_edges")
	ks.Find(&e.tally, "tally_edges")
	if err := ks.Err(); err != nil {
		return err
	}
	// Before the first population: tours at an optimum of 2-opt have some 5 edges a city.
	return e.admit(e.p.Population, slotsFor(5*int64(n)))
}

// admit reserves the memory for a population, in the shape that it will have.
func (e *Rounds) admit(population int, slots uint64) error {
	sp := e.p.Space
	e.shape = eaxShapeOf(sp.N, population, e.Dev.Info().SMs, e.couples.Info().MaxShared)
	bytes := func(m int) int64 { return eaxBytes(sp, e.p.Near.K, m, e.shape, slots) }
	return e.Admit(bytes(population), func(room int64) []string {
		if m := launch.Fitting(population, room, bytes); m > 1 {
			return []string{launch.Takes(fmt.Sprintf("population=%d", m), bytes(m))}
		}
		return nil
	})
}

// Close frees the device.
func (e *Rounds) Close() { e.Base.Close() }

// Load takes a population.
func (e *Rounds) Load(tours [][]int32, counts []int64) error {
	slots := slotsFor(distinct(tours))
	return e.Dev.Do(context.Background(), func() error {
		if e.size != len(tours) || slots > e.slots {
			if err := e.take(len(tours), slots); err != nil {
				return err
			}
		}
		row := e.p.Space.N * int(eaxWidth(e.p.Space.N))
		for i, t := range tours {
			packInto(e.fresh.near.Slice()[i*row:], t)
			e.hash.near.Slice()[i], e.length.near.Slice()[i] = arith.HashPerm(t), e.p.Space.Length(t)
		}
		err := errors.Join(
			e.fresh.near.Upload(nil, e.tours), e.hash.near.Upload(nil, e.hash.far),
			e.length.near.Upload(nil, e.length.far),
			e.edges(), e.sum(),
		)
		if err != nil {
			return err
		}
		return e.tallied(counts)
	})
}

// take makes room for a population, after what there was is dropped; on the device's thread.
func (e *Rounds) take(population int, slots uint64) (err error) {
	for _, b := range e.keep {
		err = errors.Join(err, b.Free())
	}
	if e.keep, e.size, e.slots = nil, 0, 0; err != nil {
		return err
	}
	if err := e.admit(population, slots); err != nil {
		return fmt.Errorf("kernels/genetic: %w", err)
	}
	sp := e.p.Space
	e.world = world{}
	if sp.Matrix != nil {
		e.world.Matrix, err = kept(e, sp.Matrix, nil)
	} else {
		e.world.Places, err = kept(e, places(sp), nil)
	}
	e.world.Near, err = kept(e, e.p.Near.ID, err)
	e.world.Far, err = kept(e, e.p.Near.Dist, err)
	e.entropy, err = kept(e, e.p.Entropy[:population+2], err)
	all := population * sp.N * int(eaxWidth(sp.N))
	e.tours = room[uint8](e, all, &err)
	e.scratch = room[uint8](e, int(int64(e.shape.blocks)*e.shape.scratch(sp.N)), &err)
	e.table = room[uint64](e, int(slots), &err)
	e.fresh = both[uint8](e, all, &err)
	e.ring = both[int32](e, population, &err)
	e.bred = both[genetic.Bred](e, population, &err)
	e.counts = both[uint64](e, population+2, &err)
	e.hash = both[uint64](e, population, &err)
	e.length = both[int64](e, population, &err)
	if err != nil {
		return err
	}
	e.size, e.slots = population, slots
	return nil
}

// kept uploads v until the next take, unless err is not nil.
func kept[T any](e *Rounds, v []T, err error) (uint64, error) {
	b, err := launch.Upload(e.Dev, v, err)
	if err != nil {
		return 0, err
	}
	e.keep = append(e.keep, b)
	return b.View().Ptr, nil
}

// room allocates memory until the next take, unless err is not nil.
func room[T any](e *Rounds, n int, err *error) *gpu.Buffer[T] {
	if *err != nil {
		return nil
	}
	b, fail := gpu.Alloc[T](e.Dev, n)
	if *err = fail; fail == nil {
		e.keep = append(e.keep, b)
	}
	return b
}

// both is room on the device and on the host.
func both[T any](e *Rounds, n int, err *error) pair[T] {
	p := pair[T]{far: room[T](e, n, err)}
	if *err != nil {
		return p
	}
	if p.near, *err = gpu.NewPinned[T](e.Dev, n); *err == nil {
		e.keep = append(e.keep, p.near)
	}
	return p
}

// full is the address of the note that the table is full.
func (e *Rounds) full() uint64 { return e.counts.far.View().Ptr + 8*uint64(e.size+1) }

// edges queues the count of the population's edges.
func (e *Rounds) edges() error {
	c := gpu.Linear(1<<18, 256)
	return errors.Join(
		e.counts.far.Zero(nil),
		e.clear.Launch(c, e.table.View().Ptr, e.slots),
		e.count.Launch(c, int32(e.p.Space.N), e.tours.View().Ptr, int32(0), int32(e.size),
			e.table.View().Ptr, e.slots, e.full()),
	)
}

// sum queues the tally of the table.
func (e *Rounds) sum() error {
	return errors.Join(
		e.tally.Launch(gpu.Linear(1<<18, 256), e.table.View().Ptr, e.slots, e.counts.far.View().Ptr),
		e.counts.download(),
	)
}

// tallied waits for the tally and reads it.
func (e *Rounds) tallied(counts []int64) error {
	if err := e.Dev.Sync(); err != nil {
		return err
	}
	got := e.counts.near.Slice()
	if got[e.size+1] != 0 {
		return fmt.Errorf("kernels/genetic: %d places are too few for the edges of %d tours", e.slots,
			e.size)
	}
	for f := range counts {
		counts[f] = int64(got[f])
	}
	return nil
}

// Breed makes a generation. It looks at ctx at the start only.
func (e *Rounds) Breed(
	ctx context.Context, j genetic.RoundsJob, bred []genetic.Bred, counts []int64,
	tour func(i int) []int32,
) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return e.Dev.Do(ctx, func() error {
		if err := errors.Join(e.ring.upload(j.Ring), e.First(), e.bred.far.Zero(nil)); err != nil {
			return err
		}
		if err := e.Part("edges", e.edges); err != nil {
			return err
		}
		n := e.p.Space.N
		err := e.Part("couples", func() error {
			for lo := 0; n >= fewest && lo < e.size; lo += j.Round {
				t := turnOf(&j, e.shape, n, lo, min(lo+j.Round, e.size), e.slots)
				if err := e.turn(eaxJob(e.p, j.Iteration), t); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if err := errors.Join(e.sum(), e.bred.download(), e.fresh.download(), e.Last()); err != nil {
			return err
		}
		if err := errors.Join(e.tallied(counts), e.Read()); err != nil {
			return err
		}
		copy(bred, e.bred.near.Slice())
		row := n * int(eaxWidth(n))
		e.p.Env.Pool.Run(len(bred), func(i, _ int) {
			if bred[i].Gain > 0 {
				unpackFrom(e.fresh.near.Slice()[i*row:(i+1)*row], tour(i))
			}
		})
		return nil
	})
}

// fewest is the smallest number of cities that allows children.
const fewest = 5

// turn queues the couples of a turn.
func (e *Rounds) turn(j job, t turn) error {
	n, couples := e.p.Space.N, int(t.Hi-t.Lo)
	err := e.couples.Launch(
		gpu.Config{
			Grid: gpu.Dim{X: min(couples, e.shape.blocks)}, Block: gpu.Dim{X: 32 * e.shape.warps},
			Shared: e.shape.shared(n),
		},
		j, e.world, t, e.ring.far.View().Ptr, e.tours.View().Ptr, e.hash.far.View().Ptr,
		e.length.far.View().Ptr, e.table.View().Ptr, e.entropy, e.fresh.far.View().Ptr,
		e.bred.far.View().Ptr, e.scratch.View().Ptr,
	)
	if err != nil {
		return err
	}
	return e.settle.Launch(
		gpu.Config{Grid: gpu.Dim{X: couples}, Block: gpu.Dim{X: 512}}, int32(n), t,
		e.ring.far.View().Ptr, e.tours.View().Ptr, e.hash.far.View().Ptr, e.length.far.View().Ptr,
		e.fresh.far.View().Ptr, e.bred.far.View().Ptr, e.table.View().Ptr, e.full(),
	)
}
