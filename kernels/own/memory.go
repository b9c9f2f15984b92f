package own

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unsafe"

	"metalab/kernels/own/walks"
	"metalab/solvers"
	"metalab/solvers/moves"
	"metalab/solvers/record"
	"metalab/solvers/wave"
)

// A kept array holds what a kernel changes, and a copy of it from before the iteration.
type kept struct {
	now, before Array
	bytes       int64
}

// makeRoom makes arrays for so many walks, whose fields are as long as those that the engine's
// value has now.
func (e *Engine) makeRoom(n int, until []int64) error {
	v := e.structure()
	lens := make([]int, len(e.src.leaves))
	same := n == e.walks
	for i := range e.src.leaves {
		lens[i] = len(e.src.leaves[i].raw(v)) / max(e.src.leaves[i].size, 1)
		same = same && lens[i] == e.lens[i]
	}
	if same {
		return nil
	}
	if err := e.free(); err != nil {
		return err
	}
	e.lens, e.walks, e.remembered = lens, n, len(until)
	w, size := int64(n), int64(e.p.Size()*e.entry())
	plan := []room{
		{&e.head, w * int64(unsafe.Sizeof(walks.Head{})), true},
		{&e.now, w * size, true},
		{&e.top, w * size, true},
		{&e.until, 8 * w * int64(len(until)), true},
		{&e.word, 8, false},
	}
	if e.p.Moves() > 0 && e.p.Form().Kind == record.FormPermutation {
		plan = append(plan, room{&e.marks, 4 * w * int64(e.p.Size()), false})
	}
	e.fields = make([]Array, len(lens))
	for i := range lens {
		r := room{&e.fields[i], int64(lens[i] * e.src.leaves[i].size), false}
		if !e.shared[i] {
			r.bytes, r.kept = r.bytes*w, true
		}
		plan = append(plan, r)
	}
	sum := int64(0)
	for _, r := range plan {
		if sum += r.bytes; r.kept {
			sum += r.bytes
		}
	}
	if err := e.on.Room(sum); err != nil {
		e.walks = 0
		return fmt.Errorf("%d walks on %s: %w", n, e.p.Name(), err)
	}
	e.heads = make([]walks.Head, n)
	for _, r := range plan {
		if err := e.array(r); err != nil {
			return errors.Join(err, e.free())
		}
	}
	return nil
}

// A room is an array to allocate.
type room struct {
	to    *Array
	bytes int64
	kept  bool
}

func (e *Engine) array(r room) (err error) {
	if *r.to, err = e.on.Array(r.bytes); err != nil || !r.kept {
		if err == nil {
			e.loose = append(e.loose, *r.to)
		}
		return err
	}
	k := kept{now: *r.to, bytes: r.bytes}
	k.before, err = e.on.Array(r.bytes)
	e.kept = append(e.kept, k)
	return err
}

// free frees all arrays of the walks.
func (e *Engine) free() (err error) {
	for _, k := range e.kept {
		err = errors.Join(err, k.now.Free())
		if k.before != nil {
			err = errors.Join(err, k.before.Free())
		}
	}
	for _, a := range e.loose {
		err = errors.Join(err, a.Free())
	}
	for _, c := range e.scans {
		err = errors.Join(err, c.free())
	}
	e.kept, e.loose, e.marks, e.walks = nil, nil, nil, 0
	return err
}

// backup keeps what the walks have, and restore brings it back.
func (e *Engine) backup() (err error) {
	for _, k := range e.kept {
		if k.bytes > 0 {
			err = errors.Join(err, k.before.Copy(k.now))
		}
	}
	return err
}

func (e *Engine) restore() (err error) {
	for _, k := range e.kept {
		if k.bytes > 0 {
			err = errors.Join(err, k.now.Copy(k.before))
		}
	}
	return err
}

// memory is how many numbers the memory of a walk has.
func (e *Engine) memory() int64 { return int64(e.remembered) }

// privateMost is how many bytes the threads' own arrays take at most, where a block is left with
// 32 threads at least.
const privateMost = 2 << 30

// private is how many bytes a thread has of its own.
func (c *compiled) private(e *Engine) int64 {
	sum := int64(0)
	if c.scan.mine {
		sum += int64(e.p.Size() * e.entry())
	}
	for i, l := range c.leaves {
		if l.eval {
			sum += int64(e.lens[i] * l.size)
		}
	}
	return sum
}

// threads makes the arrays that so many threads have each.
func (e *Engine) threads(c *compiled, n int) error {
	if c.room >= n {
		return nil
	}
	if err := c.free(); err != nil {
		return err
	}
	c.each = make([]Array, len(c.leaves))
	var err error
	if c.scan.mine {
		if c.mine, err = e.on.Array(int64(n * e.p.Size() * e.entry())); err != nil {
			return err
		}
	}
	for i, l := range c.leaves {
		if l.eval {
			if c.each[i], err = e.on.Array(int64(n * e.lens[i] * l.size)); err != nil {
				return err
			}
		}
	}
	c.room = n
	return nil
}

// free frees what the threads have.
func (c *compiled) free() (err error) {
	for _, a := range append(c.each, c.mine) {
		if a != nil {
			err = errors.Join(err, a.Free())
		}
	}
	c.mine, c.each, c.room = nil, nil, 0
	return errors.Join(err, c.team.free())
}

// mostThreads is how many threads a block has at most.
const mostThreads = 1024

// config is how many threads a walk has, in blocks of how many, and the tuner that is asked for it,
// if one is. Several blocks have a walk only where all scans look at the whole neighbourhood.
func (e *Engine) config(c *compiled, j moves.Job, size int64) (wave.Config, *wave.Tuner) {
	most := min(int64(c.kernel.MaxBlock()), mostThreads, max(size, 1)+warp-1)
	all := mostWalking / int64(e.walks) // threads of a walk
	if own := c.private(e); own > 0 {
		all = min(all, privateMost/own/int64(e.walks))
	}
	most = max(min(most, all)/warp, 1) * warp
	several := (j.Select == "" || j.Select == "best") && j.Depth <= 1
	of := func(threads, block int64) wave.Config {
		block = min(max((block+warp-1)/warp, 1)*warp, most)
		parts := int64(1)
		if several {
			parts = max(min(threads, all, size+block-1)/block, 1)
		}
		return wave.Config{Threads: parts * block, Block: int(block)}
	}
	key := tuned{c.k, e.walks}
	if j.Threads > 0 || j.Trials == 0 {
		if j.Threads > 0 {
			e.last[key] = of(int64(j.Threads), min(int64(j.Block), int64(j.Threads)))
		} else {
			e.last[key] = of(256, 256)
		}
		return e.last[key], nil
	}
	t := e.tuners[key]
	if t == nil || e.trials != j.Trials {
		var list []wave.Config
		add := func(c wave.Config) {
			if !slices.Contains(list, c) {
				list = append(list, c)
			}
		}
		for _, block := range []int64{256, 128, 64, 512, 1024, warp} {
			if several && block <= 256 {
				add(of(size, block))
				add(of(2*block, block))
			}
			add(of(block, block))
		}
		t = wave.New(list, j.Trials)
		t.Race(1.2)
		t.Budget(0.1)
		e.tuners[key], e.trials = t, j.Trials
	}
	e.last[key] = t.Next()
	return e.last[key], t
}

// mostWalking is how many threads all walks have at most.
const mostWalking = 1 << 19

const warp = 32

// Time implements solvers.Timer.
func (e *Engine) Time(on bool) bool {
	e.timing = on
	return true
}

// Spans implements solvers.Timer.
func (e *Engine) Spans() []solvers.Span {
	if !e.timing || e.took == 0 {
		return nil
	}
	name := "scans"
	if e.cooled.Threads > 0 {
		name = "moves"
	}
	return []solvers.Span{{Name: name, Time: e.took}}
}

// Waves implements solvers.Waver.
func (e *Engine) Waves() (out []solvers.Wave) {
	if e.cooled.Threads > 0 {
		what := fmt.Sprintf("annealing of %d walks", e.walks)
		out = append(out, solvers.Wave{What: what, Config: e.cooled})
	}
	for k := range e.src.count() {
		key := tuned{k, e.walks}
		config, ok := e.last[key]
		if !ok {
			continue
		}
		w := solvers.Wave{Config: config}
		size := int64(0)
		if nb, err := moves.NeighbourhoodOf(e.p, k, 0); err == nil {
			size = nb.Size()
		}
		w.What = fmt.Sprintf("scan of %d neighbours of %d walks", size, e.walks)
		if t := e.tuners[key]; t != nil {
			w.Trials, w.Tuned = t.Trials(), t.Done()
		}
		out = append(out, w)
	}
	return out
}

// Turn implements solvers.Sharer: the process has the GPU's context for itself.
func (e *Engine) Turn(context.Context) (give func(), waited bool, err error) {
	return func() {}, false, nil
}

// report tells the tuner how long a launch took.
func report(t *wave.Tuner, took time.Duration) {
	switch {
	case t == nil || t.Done():
	case t.Resting():
		t.Rest()
	default:
		t.Report(took, nil)
	}
}
