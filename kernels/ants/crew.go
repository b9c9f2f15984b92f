package ants

import (
	"context"
	"errors"
	"fmt"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/wave"
)

// A form is the part of a crew that differs between variants; deviceCrew does the rest.
type form interface {
	// bytes returns how much open and grow allocate for this many ants, without what all crews
	// have.
	bytes(ants int) int64
	// open loads kernels and makes buffers.
	open(kernel func(k **gpu.Kernel, name string)) error
	// grow makes room for the present number of ants.
	grow() error

	// rules sets the parameters of constructions; eta says that visibilities have changed.
	rules(r *crew.Rules, eta bool) error
	// send and fetch copy the trails of the setup.
	send() error
	fetch() error

	// prepare queues deposits, evaporation and the computation of what constructions need.
	prepare() error
	// construct queues the construction, with the launch that adopt set.
	construct() error
	// look queues the kernel that adds the branching and the hash of the trails to out.
	look() error

	// own returns the launch that the parameter warps asks for, or the form's own choice; shapes
	// returns those that a tuner may try; adopt sets the launch of the next construction.
	own() wave.Config
	shapes() []wave.Config
	adopt(c wave.Config) error
}

// deviceCrew implements crew.Crew on a GPU: trails and tours are in its memory.
type deviceCrew struct {
	s    *crew.Setup
	g    *instance
	form form
	d    *gpu.Device // Base.Dev
	n    int
	wide bool // city numbers have 32 bits
	sms  int
	arg  instanceArg
	keys keysArg

	at            *gpu.Buffer[float64]
	box           *gpu.Buffer[float32]
	id, ext       cities
	tau, eta      *gpu.Buffer[float32]
	best, restart cities
	after, before cities // the rewarded tour
	mark          *gpu.Buffer[uint32]
	out           *gpu.Buffer[uint64]
	job           *gpu.Buffer[job]
	staging       *gpu.Pinned[job] // from which job is copied

	noteKernel, lookKernel, prepareKernel *gpu.Kernel

	// By the number of ants.
	ants    int
	tours   cities
	results *gpu.Buffer[result]
	back    *gpu.Pinned[result]
	visited *gpu.Buffer[uint32] // the visited bits; nil while they are in shared memory

	construction, local launch.Stage

	graph    launch.Graph
	search   search
	warps    int // asked for
	behind   bool
	sight    bool  // the device has the present visibilities
	expected int64 // the length of the tour that next makes the best

	nextJob
	launch.Base
	launch.Pacer
}

// openCrew opens a crew on the device of a setup.
func openCrew(s *crew.Setup, l *line) (*deviceCrew, error) {
	b := &deviceCrew{s: s, n: s.Space.N}
	b.wide = l.wide && b.n >= wideFrom
	b.g = instanceOf(s, b.wide)
	b.form = l.form(b)
	if err := b.open(l.source); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// open copies the instance to the device, and loads the kernels of the source with this name.
func (b *deviceCrew) open(source string) (err error) {
	if b.wide {
		source += "_wide"
	}
	kernels, err := image(source)
	if err != nil {
		return err
	}
	env, g, sp := b.s.Env, b.g, b.s.Space
	if err = b.Base.Open(env); err != nil {
		return err
	}
	b.d = b.Dev
	b.sms, b.keys = b.d.Info().SMs, roundKeys(env.Seed)
	b.nextJob = newNextJob()
	b.addStages()
	if err = b.admit(g.Ants); err != nil {
		return err
	}
	ks, err := b.Load(kernels)
	if err != nil {
		return err
	}
	ks.Find(&b.noteKernel, "keep_tours")
	ks.Find(&b.lookKernel, "branching")
	ks.Find(&b.prepareKernel, "prepare")
	if err = ks.Err(); err != nil {
		return err
	}
	at, box := places(sp)
	b.at, err = launch.Upload(b.d, at, err)
	b.box, err = launch.Upload(b.d, boxTree(box, b.wide), err)
	b.id, err = launch.UploadCities(b.d, b.wide, g.ID, err)
	b.ext, err = launch.UploadCities(b.d, b.wide, g.Ext, err)
	b.tau, err = launch.Upload(b.d, make([]float32, b.n*trail.Width), err)
	b.eta, err = launch.Upload(b.d, make([]float32, b.n*trail.Width), err)
	for _, c := range []*cities{&b.best, &b.restart, &b.after, &b.before} {
		*c, err = launch.UploadCities(b.d, b.wide, make([]int32, b.n), err)
	}
	b.mark, err = launch.Upload(b.d, make([]uint32, b.n), err)
	b.out, err = launch.Upload(b.d, make([]uint64, 2), err)
	b.job, err = launch.Upload(b.d, make([]job, 1), err)
	if err == nil {
		b.staging, err = gpu.NewPinned[job](b.d, 1)
	}
	if err != nil {
		return err
	}
	b.arg = instanceArg{
		At: b.at.View().Ptr, Box: b.box.View().Ptr, ID: b.id.Pointer(), Ext: b.ext.Pointer(),
		N: int32(b.n), Metric: int32(sp.Metric), K: int32(g.K),
		Words: int32((b.n + 31) / 32), Room: int32(bitWords(b.n, b.wide)),
	}
	if err := b.openSearch(); err != nil {
		return err
	}
	if err := b.form.open(ks.Find); err != nil {
		return err
	}
	return ks.Err()
}

// addStages declares what is tuned: the construction, and after it the local search, as first tours
// are unlike later ones.
func (b *deviceCrew) addStages() {
	b.Clock, b.Whole = launch.Events(b.d), true
	b.construction = launch.Stage{
		Name: "construct", Own: b.form.own, Shapes: b.form.shapes, Adopt: b.form.adopt,
		What: func() string { return fmt.Sprintf("construction by %d ants", b.ants) },
	}
	b.local = launch.Stage{
		Name: "local search", Shapes: b.searchShapes, Adopt: b.adoptSearch, After: &b.construction,
		What: func() string { return "local search" },
	}
	b.Add(&b.construction, &b.local)
}

// Schedule implements crew.Crew.
func (b *deviceCrew) Schedule(warps, trials int) {
	b.warps = warps
	b.Pacer.Schedule(warps == 0, trials)
}

// trying tells whether the next construction is a trial.
func (b *deviceCrew) trying() bool { return b.construction.Trying() }

// begin queues what next asks for. It must be called on the device's thread.
func (b *deviceCrew) begin() error {
	if err := b.staging.Upload(nil, b.job); err != nil {
		return err
	}
	err := b.noteKernel.Launch(gpu.Config{Block: gpu.Dim{X: 1024}},
		b.arg, b.job, b.tours, b.best, b.restart, b.after, b.before, b.mark, b.results)
	if err != nil {
		return err
	}
	return b.form.prepare()
}

// perSlot is a launch with one thread for each slot.
func (b *deviceCrew) perSlot() gpu.Config { return gpu.Linear(b.n*trail.Width, 256) }

// ready makes room for what begin will store, in forms that may need more.
func (b *deviceCrew) ready() error {
	if f, ok := b.form.(interface{ ready() error }); ok {
		return f.ready()
	}
	return nil
}

// stage copies next to the memory from which begin uploads it.
func (b *deviceCrew) stage() {
	b.next.Serial++
	b.staging.Slice()[0] = b.next
}

// done clears next after its work is done, and checks the tour that became the best.
func (b *deviceCrew) done(check result) error {
	kept := b.next.KeepBest >= 0
	b.clear()
	if kept && (check.Falls != 0 || check.Length != b.expected) {
		return fmt.Errorf("ants: device %d computes wrongly: a tour of length %d has length %d, and %d "+
			"cities come twice",
			b.d.Info().Ordinal, b.expected, check.Length, check.Falls)
	}
	return nil
}

// flush does what next asks for at once.
func (b *deviceCrew) flush() error {
	if !b.pending {
		return nil
	}
	if err := b.ready(); err != nil {
		return err
	}
	b.stage()
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

// size makes room for the tours of this many ants.
func (b *deviceCrew) size(ants int) error {
	if ants == b.ants {
		return nil
	}
	if err := b.flush(); err != nil {
		return err
	}
	if err := b.admit(ants); err != nil {
		return fmt.Errorf("%w: %w", solvers.ErrHalted, err) // nothing changed: set fewer ants
	}
	if b.ants > 0 {
		if err := errors.Join(b.tours.Free(), b.results.Free(), b.back.Free(),
			b.visited.Free()); err != nil {
			return err
		}
	}
	b.ants, b.visited, b.arg.Visited = 0, nil, 0
	var err error
	if b.tours, err = launch.NewCities(b.d, b.wide, ants*b.n); err != nil {
		return err
	}
	if b.results, err = gpu.Alloc[result](b.d, ants+1); err != nil {
		return err
	}
	if b.back, err = gpu.NewPinned[result](b.d, ants+1); err != nil {
		return err
	}
	if b.search.polisher != nil {
		if err := b.search.polisher.Room(ants); err != nil {
			return err
		}
	}
	b.ants = ants
	b.Again()
	return errors.Join(b.dropGraph(), b.form.grow())
}

// bits finds room for the visited cities of the ants of a block: in shared memory if the kernel may
// have that much, else, with city numbers of 32 bits, in global memory. It returns the size of a
// block's shared memory.
func (b *deviceCrew) bits(k *gpu.Kernel, ants int) (shared int, err error) {
	shared = b.maskBytes(ants)
	if b.wide && (b.n >= globalVisitedFrom || shared > k.Info().MaxShared) {
		return 0, b.globalVisited()
	}
	b.arg.Visited = 0
	return shared, nil
}

// globalVisited allocates the visited cities of all ants in global memory.
func (b *deviceCrew) globalVisited() (err error) {
	if b.visited == nil {
		if b.visited, err = gpu.Alloc[uint32](b.d, b.ants*int(b.arg.Room)); err != nil {
			return fmt.Errorf("ants: the visited cities of %d ants: %w", b.ants, err)
		}
	}
	b.arg.Visited = b.visited.View().Ptr
	return nil
}

// maskBytes returns the shared memory for the visited cities of this many ants.
func (b *deviceCrew) maskBytes(ants int) int { return (ants*int(b.arg.Room)*4 + 15) / 16 * 16 }

// perBlock returns how many ants a block has if the parameter warps is 0.
func (b *deviceCrew) perBlock() int {
	if b.warps > 0 {
		return b.warps
	}
	return max(1, min(32, (b.ants+b.sms-1)/b.sms))
}

// Construct implements crew.Crew. It ignores the end of its context.
func (b *deviceCrew) Construct(_ context.Context, it int64, improve int, out *crew.Tours) error {
	if err := b.improveFrom(improve); err != nil {
		return err
	}
	if err := b.size(len(out.Lengths)); err != nil {
		return err
	}
	if err := b.Settle(&b.construction); err != nil {
		return err
	}
	if err := b.Settle(&b.local); err != nil {
		return err
	}
	if err := b.ready(); err != nil {
		return err
	}
	whole, err := b.graph.Whole(b.d, &b.Pacer, b.iteration)
	if err != nil {
		return err
	}
	b.next.ItLo, b.next.ItHi, b.next.Ants = uint32(it), uint32(it>>32), int32(b.ants)
	b.stage()
	err = b.d.Do(context.Background(), func() error {
		if err := b.First(); err != nil {
			return err
		}
		if err := whole(); err != nil {
			return err
		}
		if err := b.Last(); err != nil {
			return err
		}
		if err := b.d.Sync(); err != nil {
			return err
		}
		return b.Read()
	})
	if err != nil {
		return err
	}
	b.behind = true
	back := b.back.Slice()
	for k, r := range back[1:] {
		out.Lengths[k], out.Falls[k], out.Hashes[k] = r.Length, r.Falls, r.Hash
	}
	if f, ok := b.form.(interface{ tell(out *crew.Tours) }); ok {
		f.tell(out)
	}
	return b.done(back[0])
}

// iteration queues a whole iteration.
func (b *deviceCrew) iteration() error {
	if err := b.begin(); err != nil {
		return err
	}
	if err := b.Launch(&b.construction, b.form.construct); err != nil {
		return err
	}
	if err := b.queueSearch(); err != nil {
		return err
	}
	if f, ok := b.form.(interface{ finish() error }); ok {
		if err := f.finish(); err != nil {
			return err
		}
	}
	return b.back.Download(nil, b.results)
}

// dropGraph drops the graph after buffers or the launch have changed.
func (b *deviceCrew) dropGraph() error { return b.graph.Drop() }
