package ants

import (
	"errors"
	"fmt"
	"slices"

	"metalab/gpu"
	"metalab/solvers"
	walkers "metalab/solvers/ants"
	"metalab/solvers/wave"
)

// edge is the kernels' edge.
type edge struct {
	Gap, Eta     float32
	Link, Number uint32
}

// courseArg is the kernels' course.
type courseArg struct {
	Edges, Count, Powers, Tops, Tours, Results, Bar, Words uint64
	Room, Walkers, Numbers, Spread                         int32
}

// lockstep is the crew of acs/lockstep.
type lockstep struct {
	base
	drawn
	near    *gpu.Kernel   // the walk where counts lie in shared memory
	smaller []*gpu.Kernel // the same for smaller blocks, the smallest first
	distant *gpu.Kernel   // that where they do not
	pair    *gpu.Kernel
	rules   *gpu.Buffer[ruleArg]
	outs    *gpu.Buffer[uint16] // by place of the edges beyond lists: where they lead
	edges   *gpu.Buffer[edge]
	numbers *gpu.Buffer[uint32] // by slot of a list: its edge's number
	listed  int                 // such numbers
	count   *gpu.Buffer[uint32] // two banks
	powers  *gpu.Buffer[float32]
	tops    *gpu.Buffer[float32]
	bar     *gpu.Buffer[uint32]
	words   *gpu.Buffer[uint32] // four banks
	warps   int                 // asked for
	march   *gpu.Kernel         // the walk
	config  gpu.Config          // of it
	walkers int                 // the ants of a block
	fitted  int                 // the ants of a block that config was asked for; 0: none
	close   bool                // counts lie in shared memory
	period  int                 // local_period
	plain   bool                // iterations are no graphs
}

// linkOf is the link of slot i, where an edge to city to stands.
func linkOf(g *walkers.Ground, i int, to int32) uint32 {
	link := uint32(to)
	if back := g.Reverse[i]; back >= 0 {
		link |= 1<<21 | uint32(back%walkers.Width)<<16
	}
	return link
}

// hireLockstep opens a crew of acs/lockstep on the device of env.
func hireLockstep(env *solvers.Env, g *walkers.Ground) (walkers.LockstepCrew, error) {
	l := &lockstep{}
	if err := l.start(env, g); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

func (l *lockstep) start(env *solvers.Env, g *walkers.Ground) (err error) {
	l.more = func(ants int) int64 { // edges, count, numbers, outs, words
		return slotBytes(g.Space.N, 16+2*4+4) + 2*walkers.Outs*int64(g.Space.N) + 16*int64(roomOf(ants))
	}
	if err = l.open(env, g, "lockstep"); err != nil {
		return err
	}
	if !l.d.Info().Cooperative {
		return fmt.Errorf("ants: device %d cannot launch cooperative grids, which lockstep needs: use backend cpu", env.Device)
	}
	if l.near, err = l.m.Kernel("walk"); err != nil {
		return err
	}
	for _, name := range []string{"walk_few", "walk_some"} {
		k, err := l.m.Kernel(name)
		if err != nil {
			return err
		}
		l.smaller = append(l.smaller, k)
	}
	if l.distant, err = l.m.Kernel("walk_far"); err != nil {
		return err
	}
	l.pair, err = l.m.Kernel("pair")
	slots := l.n * walkers.Width
	numbers, listed := numbersOf(g)
	l.listed = listed
	l.numbers, err = up(l.d, numbers, err)
	l.rules, err = up(l.d, make([]ruleArg, 1), err)
	l.tops, err = up(l.d, g.Tops(), err)
	l.outs, err = up(l.d, nowhere(l.n), err)
	l.edges, err = up(l.d, links(g), err)
	l.count, err = up(l.d, make([]uint32, 2*slots), err)
	l.bar, err = up(l.d, make([]uint32, 1), err)
	l.base.prepare, l.base.grow = l.prepare, l.makeRoom
	l.own = func() wave.Config { return antsOf(l.ants, l.warpsFor(l.warps, l.ants)) }
	l.shapes = func() []wave.Config { return blocksOf(l.ants, l.near.Info().MaxBlock/warpThreads) }
	l.adopt = func(c wave.Config) error { return l.fit(c.Block / warpThreads) }
	return err
}

// links are the edges as the device has them before the first walk.
func links(g *walkers.Ground) []edge {
	out := make([]edge, len(g.ID))
	for i, to := range g.ID {
		out[i].Link = linkOf(g, i, to)
	}
	return out
}

// numbersOf numbers the edges that are on lists, by slot: one that is on both cities' lists has one number.
func numbersOf(g *walkers.Ground) (numbers []uint32, count int) {
	numbers = make([]uint32, len(g.ID))
	for i := range numbers {
		if i%walkers.Width >= g.K {
			continue
		}
		if back := int(g.Reverse[i]); back >= 0 && back < i {
			numbers[i] = numbers[back]
			continue
		}
		numbers[i] = uint32(count)
		count++
	}
	return numbers, count
}

// Eight words of ants stand together, such groups 1 << lineBits words apart: in lines of their own.
const lineBits = 5

// countedBy is how many ants' words a warp counts where there is room for as many warps.
const countedBy = 512

// roomOf is the words of a bank for so many ants.
func roomOf(ants int) int { return (ants + 7) / 8 << lineBits }

// makeRoom has room for the words of all ants.
func (l *lockstep) makeRoom() (err error) {
	l.fitted = 0
	if l.words != nil {
		err = l.words.Free()
		l.words = nil
	}
	l.words, err = up(l.d, make([]uint32, 4*roomOf(l.ants)), err)
	return errors.Join(err, l.choose(), l.forget())
}

// Warps implements LockstepCrew.
func (l *lockstep) Warps(n int) {
	l.warps = n
	l.ask(n)
}

// nowhere are the edges beyond the lists of n cities before there are any.
func nowhere(n int) []uint16 {
	out := make([]uint16, n*walkers.Outs)
	for p := range out {
		out[p] = uint16(p / walkers.Outs)
	}
	return out
}

// SetOuts implements LockstepCrew.
func (l *lockstep) SetOuts(city []int32) error {
	err := errors.Join(l.flush(), l.outs.Upload(narrowed[uint16](city)))
	l.next.Fill = 1
	return err
}

// Outs implements LockstepCrew.
func (l *lockstep) Outs(city []int32) error {
	if err := l.flush(); err != nil {
		return err
	}
	v, err := l.outs.Download()
	if err == nil {
		widened(v, city)
	}
	return err
}

// Rules implements LockstepCrew.
func (l *lockstep) Rules(r walkers.AltRules, powers []float32) error {
	// A reward that waits is made by the rules under which the ants walked.
	err := l.flush()
	if l.powers != nil {
		err = errors.Join(err, l.powers.Free())
		l.powers = nil
	}
	l.powers, err = up(l.d, powers, err)
	if err == nil {
		err = l.rules.Upload([]ruleArg{ruleArgOf(r)})
	}
	if err == nil && r.Eta != nil {
		err, l.next.Fill = l.eta.Upload(r.Eta), 1
	}
	l.period = r.Period
	return errors.Join(err, l.forget())
}

// Reward implements LockstepCrew.
func (l *lockstep) Reward(keep, gain float32) {
	l.reward(-1, walkers.KeptBest)
	l.next.Keep, l.next.Gain = keep, gain
}

func (l *lockstep) prepare() error {
	count := l.count
	if !l.close { // where a walk of distant leaves its counts
		meetings := (l.n + l.period - 2) / l.period
		at := meetings & 1 * l.n * walkers.Width
		count = count.Slice(at, count.Len())
	}
	err := l.pre.Launch(l.perSlot(), l.arg, l.job, l.rules, l.tau, l.eta, l.edges, count, l.powers, l.outs, l.after, l.before)
	if err != nil {
		return err
	}
	first, words := -1, 0
	if l.close {
		first, words = l.listed, l.words.Len()
	}
	return l.pair.Launch(l.perSlot(), l.arg, l.outs, l.edges, l.numbers, int32(first), l.count, l.bar, l.words, int32(words))
}

// shape is a walk of so many ants a block, and how many blocks of it the device holds.
func (l *lockstep) shape(ants int) (kernel *gpu.Kernel, c gpu.Config, held int, err error) {
	kernel, warps := l.distant, ants
	shared := maskBytes(l.n, ants) + 4*((2*l.ants+4)/4*4)
	if l.close {
		kernel, warps = l.near, ants+counters(l.ants, ants)
		if i := slices.IndexFunc(l.smaller, func(k *gpu.Kernel) bool { return warpThreads*warps <= k.Info().MaxBlock }); i >= 0 {
			kernel = l.smaller[i]
		}
		shared += (l.sum() + 1) / 2 * 4
	}
	c = gpu.Config{Grid: gpu.Dim{X: (l.ants + ants - 1) / ants}, Block: gpu.Dim{X: warpThreads * warps}, Shared: shared, Cooperative: true}
	if info := kernel.Info(); c.Block.X > info.MaxBlock || shared > info.MaxShared {
		return kernel, c, 0, nil
	}
	held, err = kernel.MaxCooperativeGrid(c.Block.X, shared)
	return kernel, c, held, err
}

// counters is how many warps of a block count the visits of all ants, where so many of its warps are ants.
func counters(all, ants int) int { return max(1, min((all+countedBy-1)/countedBy, 32-ants)) }

// sum is how many numbers of edges there are.
func (l *lockstep) sum() int { return l.listed + l.n*walkers.Outs }

// choose tells whether the counts of so many ants fit in shared memory, in blocks of any shape.
func (l *lockstep) choose() error {
	l.close = 2*l.ants < 1<<16
	for ants := 1; l.close && ants < 32; ants++ {
		_, c, held, err := l.shape(ants)
		if err != nil || c.Grid.X <= held {
			return err
		}
	}
	l.close = false
	return nil
}

// fit chooses the launch: all ants are resident, in blocks of as many as wanted or,
// where the device does not hold those, of another number, which changes no result.
func (l *lockstep) fit(want int) error {
	if l.fitted == want {
		return nil
	}
	most := 0
	for i := range 33 {
		ants := want
		if i > 0 {
			if l.trying() {
				break // another shape is a trial of its own
			}
			ants = i
		}
		kernel, c, held, err := l.shape(ants)
		if err != nil {
			return err
		}
		if c.Grid.X <= held {
			l.march, l.config, l.fitted, l.walkers = kernel, c, want, ants
			return l.become(ants)
		}
		most = max(most, held*ants)
	}
	return fmt.Errorf("ants: ants is %d: lockstep keeps all on the device at once, and device %d holds %d: use fewer, or backend cpu",
		l.ants, l.d.Info().Ordinal, most)
}

// launchWalk queues the walk.
func (l *lockstep) launchWalk() error {
	w := courseArg{
		Edges: l.edges.View().Ptr, Count: l.count.View().Ptr, Powers: l.powers.View().Ptr, Tops: l.tops.View().Ptr, Tours: l.tours.pointer(), Results: l.results.View().Ptr,
		Bar: l.bar.View().Ptr, Words: l.words.View().Ptr,
		Room: int32(roomOf(l.ants)), Walkers: int32(l.walkers), Numbers: int32(l.sum()), Spread: lineBits,
	}
	return l.march.Launch(l.config, l.arg, l.job, l.rules, w, l.keys)
}

// Walk implements Crew.
func (l *lockstep) Walk(it int64, lengths []int64, falls []int32, hashes []uint64) error {
	if err := l.size(len(lengths)); err != nil {
		return err
	}
	if err := l.settle(); err != nil {
		return err
	}
	launch := l.record
	if !l.plain {
		graph, err := l.whole(&l.graph, l.record)
		switch {
		case err == nil:
			launch = graph
		case gpu.IsSticky(err):
			return err
		default:
			l.plain = true // a driver that captures no cooperative launches
		}
	}
	return l.walk(it, lengths, falls, hashes, launch)
}

// record queues a whole iteration.
func (l *lockstep) record() error { return l.iteration(l.launchWalk) }
