package ants

import (
	"errors"
	"fmt"
	"slices"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/wave"
)

// lockstep is the form of acs/lockstep.
type lockstep struct {
	usual
	b *deviceCrew
	lockstepKernels
	lockstepBuffers

	pitch  int
	listed int  // numbers of edges on lists
	period int  // local_period
	close  bool // counts are in shared memory

	kernel   *gpu.Kernel // the construction
	config   gpu.Config  // of it
	perBlock int         // the ants of a block
	fitted   int         // the ants per block of config; 0: none
}

// lockstepKernels are the kernels beside those that all forms have.
type lockstepKernels struct {
	near    *gpu.Kernel   // the construction with counts in shared memory
	smaller []*gpu.Kernel // the same for smaller blocks, the smallest first
	apart   *gpu.Kernel   // the construction with counts in global memory
	pair    *gpu.Kernel
	survey  *gpu.Kernel
}

// lockstepBuffers are the buffers beside those that all forms have.
type lockstepBuffers struct {
	ruleArgs       *gpu.Buffer[rulesArg]
	outs           *gpu.Buffer[uint16] // by place of the edges beyond lists: where they lead
	edges          *gpu.Buffer[edge]   // by entry of rows of pitch
	numbers        *gpu.Buffer[uint32] // by slot of a list: its edge's number
	count          *gpu.Buffer[uint32] // two banks
	powers         *gpu.Buffer[float32]
	nearestOctaves *gpu.Buffer[float32]
	bar            *gpu.Buffer[uint32]
	words          *gpu.Buffer[uint32] // four banks
}

func newLockstep(b *deviceCrew) form {
	b.launches.graph.Use = launch.IfTaken
	return &lockstep{b: b}
}

// rowOf returns the number of entries of a row with lists of this length, and the suffix of the
// kernels for it: with few candidates the places for edges beyond the list are the last of 32.
func rowOf(k int) (pitch int, suffix string) {
	if k <= trail.MostListed {
		return trail.Width, ""
	}
	return trail.Width + trail.OutsPerCity, "_36"
}

// bytes implements form: edges, count and what a trail's row has beyond 32, numbers, outs, words.
func (l *lockstep) bytes(ants int) int64 {
	pitch, _ := rowOf(l.b.g.K)
	return int64(l.b.n)*int64(pitch*(16+2*4)+4*(pitch-trail.Width)) + slotBytes(l.b.n, 4) +
		2*trail.OutsPerCity*int64(l.b.n) + 16*int64(wordsOf(ants))
}

func (l *lockstep) open(kernel func(k **gpu.Kernel, name string)) (err error) {
	if !l.b.d.Info().Cooperative {
		return fmt.Errorf("ants: device %d cannot launch cooperative grids, which lockstep needs: use "+
			"backend cpu", l.b.d.Info().Ordinal)
	}
	var suffix string
	l.pitch, suffix = rowOf(l.b.g.K)
	kernel(&l.survey, "branching_rows")
	kernel(&l.near, "construct"+suffix)
	l.smaller = make([]*gpu.Kernel, 2)
	kernel(&l.smaller[0], "construct_512"+suffix)
	kernel(&l.smaller[1], "construct_768"+suffix)
	kernel(&l.apart, "construct_global"+suffix)
	kernel(&l.b.kernels.prepare, "prepare"+suffix)
	kernel(&l.pair, "link_entries"+suffix)
	entries := l.b.n * l.pitch
	if l.pitch > trail.Width {
		if err = l.b.trails.tau.Free(); err != nil {
			return err
		}
		l.b.trails.tau, err = launch.Upload(l.b.d, make([]float32, entries), err)
	}
	numbers, listed := numbersOf(l.b.g)
	l.listed = listed
	l.numbers, err = launch.Upload(l.b.d, numbers, err)
	l.ruleArgs, err = launch.Upload(l.b.d, make([]rulesArg, 1), err)
	l.nearestOctaves, err = launch.Upload(l.b.d, l.b.g.nearestOctaves(), err)
	l.outs, err = launch.Upload(l.b.d, noOuts(l.b.n), err)
	l.edges, err = launch.Upload(l.b.d, links(l.b.g, l.pitch), err)
	l.count, err = launch.Upload(l.b.d, make([]uint32, 2*entries), err)
	l.bar, err = launch.Upload(l.b.d, make([]uint32, 1), err)
	return err
}

// linkOf returns the link of slot i, which has an edge to city to.
func linkOf(g *instance, i int, to int32) uint32 {
	link := uint32(to)
	if back := g.Reverse[i]; back >= 0 {
		link |= 1<<22 | uint32(back%trail.Width)<<16
	}
	return link
}

// links returns the edges that the device has before the first iteration, in rows of pitch entries.
func links(g *instance, pitch int) []edge {
	out := make([]edge, g.Space.N*pitch)
	for i, to := range g.ID {
		out[i/trail.Width*pitch+i%trail.Width].Link = linkOf(g, i, to)
	}
	return out
}

// numbersOf numbers the edges that are on lists, by slot: one that is on both cities' lists has one
// number.
func numbersOf(g *instance) (numbers []uint32, count int) {
	numbers = make([]uint32, len(g.ID))
	for i := range numbers {
		if i%trail.Width >= g.K {
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

// The words of eight ants are together, and such groups are 1 << lineBits words apart, each in its
// own cache line.
const lineBits = 5

// countedBy is how many ants' words a warp counts, if there is room for enough warps.
const countedBy = 512

// wordsOf returns the size of a bank for this many ants, in words.
func wordsOf(ants int) int { return (ants + 7) / 8 << lineBits }

// grow makes room for the words of all ants.
func (l *lockstep) grow() (err error) {
	l.fitted = 0
	if l.words != nil {
		err = l.words.Free()
		l.words = nil
	}
	l.words, err = launch.Upload(l.b.d, make([]uint32, 4*wordsOf(l.b.batch.ants)), err)
	return errors.Join(err, l.choose())
}

// noOuts returns empty places for the edges beyond the lists of n cities.
func noOuts(n int) []uint16 {
	out := make([]uint16, n*trail.OutsPerCity)
	for p := range out {
		out[p] = uint16(p / trail.OutsPerCity)
	}
	return out
}

func (l *lockstep) send() error {
	l.b.next.Fill = 1
	return errors.Join(l.b.trails.tau.Upload(entriesOf(l.b.s, l.pitch)),
		l.outs.Upload(launch.Narrowed[uint16](l.b.s.Outs.City)))
}

func (l *lockstep) fetch() error {
	rows, err := l.b.trails.tau.Download()
	city, err2 := l.outs.Download()
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	launch.Widened(city, l.b.s.Outs.City)
	fromEntries(l.b.s, l.pitch, rows)
	return nil
}

// entriesOf returns the trails of a setup in rows of pitch entries, the places of edges beyond the
// lists at their ends.
func entriesOf(s *crew.Setup, pitch int) []float32 {
	rows := rowed(widen(s.Table.Lists, s.Table.Tau, 1), pitch)
	for p, v := range s.Outs.Tau {
		rows[outEntry(p, pitch)] = v
	}
	return rows
}

// fromEntries is the reverse of entriesOf.
func fromEntries(s *crew.Setup, pitch int, rows []float32) {
	narrow(s.Table.Lists, unrowed(rows, pitch), s.Table.Tau)
	for p := range s.Outs.Tau {
		s.Outs.Tau[p] = rows[outEntry(p, pitch)]
	}
}

// outEntry returns the entry of a place of the edges beyond lists.
func outEntry(place, pitch int) int {
	return (place/trail.OutsPerCity+1)*pitch - trail.OutsPerCity + place%trail.OutsPerCity
}

func (l *lockstep) rules(r *crew.Rules, eta bool) error {
	// Execute a pending update under the rules with which the ants constructed their tours.
	err := l.b.flush()
	if l.powers != nil {
		err = errors.Join(err, l.powers.Free())
		l.powers = nil
	}
	l.powers, err = launch.Upload(l.b.d, crew.Powers(r.Rho, r.Ants), err)
	if err == nil {
		err = l.ruleArgs.Upload([]rulesArg{rulesOf(r)})
	}
	if err == nil && eta {
		err, l.b.next.Fill = l.b.trails.eta.Upload(scaled(l.b.s.Table, r.Inv)), 1
	}
	l.period = r.Steps.Period
	return errors.Join(err, l.b.dropGraph())
}

func (l *lockstep) look() error {
	rows := memoryArg{Tau: l.b.trails.tau.View().Ptr, Pitch: int32(l.pitch)}
	return l.survey.Launch(l.b.perSlot(), l.b.inst.arg, rows, l.b.trails.out)
}

func (l *lockstep) prepare() error {
	count := l.count
	if !l.close { // the construction with counts in global memory leaves them there
		syncs := (l.b.n + l.period - 2) / l.period // synchronization points
		at := syncs & 1 * l.b.n * l.pitch
		count = count.Slice(at, count.Len())
	}
	err := l.b.kernels.prepare.Launch(l.b.perSlot(),
		l.b.inst.arg, l.b.jobs.buffer, l.ruleArgs, l.b.trails.tau, l.b.trails.eta, l.edges, count,
		l.powers, l.outs, l.b.kept.after, l.b.kept.before)
	if err != nil {
		return err
	}
	first, words := -1, 0
	if l.close {
		first, words = l.listed, l.words.Len()
	}
	return l.pair.Launch(l.b.perSlot(), l.b.inst.arg, l.outs, l.edges, l.numbers, int32(first),
		l.count, l.bar, l.words, int32(words))
}

func (l *lockstep) own() wave.Config { return launch.Warps(l.b.batch.ants, l.b.perBlock()) }

func (l *lockstep) shapes() []wave.Config {
	return launch.WarpShapes(l.b.batch.ants, l.near.Info().MaxBlock/warpThreads)
}

// launchOf returns a construction with this many ants in a block, and how many of its blocks the
// device holds at once.
func (l *lockstep) launchOf(ants int) (kernel *gpu.Kernel, c gpu.Config, held int, err error) {
	kernel, warps := l.apart, ants
	shared := maskBytes(l.b.n, ants) + 4*((2*l.b.batch.ants+4)/4*4)
	if l.close {
		kernel, warps = l.near, ants+counters(l.b.batch.ants, ants)
		if i := slices.IndexFunc(l.smaller,
			func(k *gpu.Kernel) bool { return warpThreads*warps <= k.Info().MaxBlock }); i >= 0 {
			kernel = l.smaller[i]
		}
		shared += (l.sum() + 1) / 2 * 4
	}
	c = gpu.Config{
		Grid:  gpu.Dim{X: (l.b.batch.ants + ants - 1) / ants},
		Block: gpu.Dim{X: warpThreads * warps}, Shared: shared, Cooperative: true,
	}
	if info := kernel.Info(); c.Block.X > info.MaxBlock || shared > info.MaxShared {
		return kernel, c, 0, nil
	}
	held, err = kernel.MaxCooperativeGrid(c.Block.X, shared)
	return kernel, c, held, err
}

// counters returns how many warps of a block count the visits of all ants, if the argument ants
// says how many of its warps are ants. Each has words to read, which the kernel takes for granted.
func counters(all, ants int) int { return max(1, min((all+countedBy-1)/countedBy, 32-ants)) }

// sum returns how many numbers of edges there are.
func (l *lockstep) sum() int { return l.listed + l.b.n*trail.OutsPerCity }

// choose decides whether the counts of this many ants are in shared memory: if they fit there, in
// blocks of any shape.
func (l *lockstep) choose() error {
	l.close = 2*l.b.batch.ants < 1<<16
	for ants := 1; l.close && ants < 32; ants++ {
		_, c, held, err := l.launchOf(ants)
		if err != nil || c.Grid.X <= held {
			return err
		}
	}
	l.close = false
	return nil
}

// adopt chooses the launch: all ants are resident, in blocks of as many as wanted or, where the
// device does not hold those, of another number, which changes no result.
func (l *lockstep) adopt(c wave.Config) error {
	want := c.Block / warpThreads
	if l.fitted == want {
		return nil
	}
	most := 0
	for i := range 33 {
		ants := want
		if i > 0 {
			if l.b.trying() {
				break // the tuner tries other shapes itself
			}
			ants = i
		}
		kernel, c, held, err := l.launchOf(ants)
		if err != nil {
			return err
		}
		if c.Grid.X <= held {
			l.kernel, l.config, l.fitted = kernel, c, want
			if ants == l.perBlock {
				return nil
			}
			l.perBlock = ants
			return l.b.dropGraph()
		}
		most = max(most, held*ants)
	}
	return fmt.Errorf("ants: ants is %d: lockstep keeps all on the device at once, and device %d "+
		"holds %d: use fewer, or backend cpu",
		l.b.batch.ants, l.b.d.Info().Ordinal, most)
}

func (l *lockstep) construct() error {
	w := lockstepArg{
		Edges: l.edges.View().Ptr, Count: l.count.View().Ptr, Powers: l.powers.View().Ptr,
		NearestOctaves: l.nearestOctaves.View().Ptr,
		Tours:          l.b.batch.tours.Pointer(), Results: l.b.batch.results.View().Ptr,
		Bar:   l.bar.View().Ptr,
		Words: l.words.View().Ptr,
		Room:  int32(wordsOf(l.b.batch.ants)), Walkers: int32(l.perBlock), Numbers: int32(l.sum()),
		Spread: lineBits,
	}
	return l.kernel.Launch(l.config, l.b.inst.arg, l.b.jobs.buffer, l.ruleArgs, w, l.b.keys)
}
