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

	// Hooks for the few forms with extra needs. instead lists variants that need less memory; ready
	// makes room for what the next prepare stores; finish queues what comes after the local search,
	// and tell writes its results.
	instead() []instead
	ready() error
	finish() error
	tell(out *crew.Tours)
}

// usual is what most forms do of it.
type usual struct{}

func (usual) instead() []instead { return nil }

func (usual) ready() error { return nil }

func (usual) finish() error { return nil }

func (usual) tell(*crew.Tours) {}

// deviceCrew implements crew.Crew on a GPU: trails and tours are in its memory. Its form says how
// it constructs.
type deviceCrew struct {
	s    *crew.Setup
	g    *instance
	form form
	d    *gpu.Device // Base.Dev
	n    int
	wide bool // city numbers have 32 bits
	sms  int
	keys keysArg

	inst     instanceBuffers
	trails   trailBuffers
	kept     keptTours
	jobs     jobBuffers
	batch    batch
	kernels  kernels
	launches launches
	search   search

	nextJob
	launch.Base
	launch.Tuner
}

// instanceBuffers are the instance on the device, and what tells kernels where it is.
type instanceBuffers struct {
	at      *gpu.Buffer[float64]
	box     *gpu.Buffer[float32]
	id, ext cities
	arg     instanceArg
}

// trailBuffers are the trails on the device, by slot or as the form has them.
type trailBuffers struct {
	tau, eta *gpu.Buffer[float32]
	out      *gpu.Buffer[uint64] // what look adds up
	behind   bool                // those of the setup are older
	sight    bool                // eta has the present visibilities
}

// keptTours are the tours that a policy keeps, and what an update needs of the rewarded one.
type keptTours struct {
	best, restart cities
	after, before cities // the neighbours of each city in the rewarded tour
	mark          *gpu.Buffer[uint32]
	expected      int64 // the length of the tour that the next job makes the best
}

// of returns a kept tour.
func (k *keptTours) of(which crew.Kept) cities {
	if which == crew.Best {
		return k.best
	}
	return k.restart
}

// jobBuffers have the job that kernels read.
type jobBuffers struct {
	buffer  *gpu.Buffer[job]
	staging *gpu.Pinned[job] // from which it is copied
}

// batch is the tours of an iteration: what depends on the number of ants.
type batch struct {
	ants    int
	tours   cities
	results *gpu.Buffer[result]
	back    *gpu.Pinned[result]
	visited *gpu.Buffer[uint32] // the visited bits; nil while they are in shared memory
}

// kernels are those that all forms launch.
type kernels struct{ note, look, prepare *gpu.Kernel }

// launches is how the parts of an iteration are launched.
type launches struct {
	construction, local launch.Stage

	graph launch.Graph
	warps int // asked for
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
	ks.Find(&b.kernels.note, "keep_tours")
	ks.Find(&b.kernels.look, "branching")
	ks.Find(&b.kernels.prepare, "prepare")
	if err = ks.Err(); err != nil {
		return err
	}
	at, box := places(sp)
	b.inst.at, err = launch.Upload(b.d, at, err)
	b.inst.box, err = launch.Upload(b.d, boxTree(box, b.wide), err)
	b.inst.id, err = launch.UploadCities(b.d, b.wide, g.ID, err)
	b.inst.ext, err = launch.UploadCities(b.d, b.wide, g.Ext, err)
	b.trails.tau, err = launch.Upload(b.d, make([]float32, b.n*trail.Width), err)
	b.trails.eta, err = launch.Upload(b.d, make([]float32, b.n*trail.Width), err)
	for _, c := range []*cities{&b.kept.best, &b.kept.restart, &b.kept.after, &b.kept.before} {
		*c, err = launch.UploadCities(b.d, b.wide, make([]int32, b.n), err)
	}
	b.kept.mark, err = launch.Upload(b.d, make([]uint32, b.n), err)
	b.trails.out, err = launch.Upload(b.d, make([]uint64, 2), err)
	b.jobs.buffer, err = launch.Upload(b.d, make([]job, 1), err)
	if err == nil {
		b.jobs.staging, err = gpu.NewPinned[job](b.d, 1)
	}
	if err != nil {
		return err
	}
	b.inst.arg = instanceArg{
		At: b.inst.at.View().Ptr, Box: b.inst.box.View().Ptr, ID: b.inst.id.Pointer(),
		Ext: b.inst.ext.Pointer(),
		N:   int32(b.n), Metric: int32(sp.Metric), K: int32(g.K),
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
	b.launches.construction = launch.Stage{
		Name: "construct", Own: b.form.own, Shapes: b.form.shapes, Adopt: b.form.adopt,
		What: func() string { return fmt.Sprintf("construction by %d ants", b.batch.ants) },
	}
	b.launches.local = launch.Stage{
		Name: "local search", Shapes: b.searchShapes, Adopt: b.adoptSearch,
		After: &b.launches.construction,
		What:  func() string { return "local search" },
	}
	b.Add(&b.launches.construction, &b.launches.local)
}

// Schedule implements crew.Crew.
func (b *deviceCrew) Schedule(warps, trials int) {
	b.launches.warps = warps
	b.Tuner.Schedule(warps == 0, trials)
}

// trying tells whether the next construction is a trial.
func (b *deviceCrew) trying() bool { return b.launches.construction.Trying() }

// begin queues what next asks for. It must be called on the device's thread.
func (b *deviceCrew) begin() error {
	if err := b.jobs.staging.Upload(nil, b.jobs.buffer); err != nil {
		return err
	}
	err := b.kernels.note.Launch(gpu.Config{Block: gpu.Dim{X: 1024}},
		b.inst.arg, b.jobs.buffer, b.batch.tours, b.kept.best, b.kept.restart, b.kept.after,
		b.kept.before, b.kept.mark, b.batch.results)
	if err != nil {
		return err
	}
	return b.form.prepare()
}

// perSlot is a launch with one thread for each slot.
func (b *deviceCrew) perSlot() gpu.Config { return gpu.Linear(b.n*trail.Width, 256) }

// stage copies next to the memory from which begin uploads it.
func (b *deviceCrew) stage() {
	b.next.Serial++
	b.jobs.staging.Slice()[0] = b.next
}

// done clears next after its work is done, and checks the tour that became the best.
func (b *deviceCrew) done(check result) error {
	kept := b.next.KeepBest >= 0
	b.clear()
	if kept && (check.Falls != 0 || check.Length != b.kept.expected) {
		return fmt.Errorf("ants: device %d computes wrongly: a tour of length %d has length %d, and %d "+
			"cities come twice",
			b.d.Info().Ordinal, b.kept.expected, check.Length, check.Falls)
	}
	return nil
}

// flush does what next asks for at once.
func (b *deviceCrew) flush() error {
	if !b.pending {
		return nil
	}
	if err := b.form.ready(); err != nil {
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
	check, err := b.batch.results.Slice(0, 1).Download()
	if err != nil {
		return err
	}
	return b.done(check[0])
}

// size makes room for the tours of this many ants.
func (b *deviceCrew) size(ants int) error {
	if ants == b.batch.ants {
		return nil
	}
	if err := b.flush(); err != nil {
		return err
	}
	if err := b.admit(ants); err != nil {
		return fmt.Errorf("%w: %w", solvers.ErrHalted, err) // nothing changed: set fewer ants
	}
	if b.batch.ants > 0 {
		if err := errors.Join(b.batch.tours.Free(), b.batch.results.Free(), b.batch.back.Free(),
			b.batch.visited.Free()); err != nil {
			return err
		}
	}
	b.batch.ants, b.batch.visited, b.inst.arg.Visited = 0, nil, 0
	var err error
	if b.batch.tours, err = launch.NewCities(b.d, b.wide, ants*b.n); err != nil {
		return err
	}
	b.batch.results, err = launch.Upload(b.d, make([]result, ants+1), nil)
	if err != nil {
		return err
	}
	if b.batch.back, err = gpu.NewPinned[result](b.d, ants+1); err != nil {
		return err
	}
	if b.search.polisher != nil {
		if err := b.search.polisher.Room(ants); err != nil {
			return err
		}
	}
	b.batch.ants = ants
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
	b.inst.arg.Visited = 0
	return shared, nil
}

// globalVisited allocates the visited cities of all ants in global memory.
func (b *deviceCrew) globalVisited() (err error) {
	if b.batch.visited == nil {
		if b.batch.visited, err = gpu.Alloc[uint32](b.d,
			b.batch.ants*int(b.inst.arg.Room)); err != nil {
			return fmt.Errorf("ants: the visited cities of %d ants: %w", b.batch.ants, err)
		}
	}
	b.inst.arg.Visited = b.batch.visited.View().Ptr
	return nil
}

// maskBytes returns the shared memory for the visited cities of this many ants.
func (b *deviceCrew) maskBytes(ants int) int { return (ants*int(b.inst.arg.Room)*4 + 15) / 16 * 16 }

// perBlock returns how many ants a block has if the parameter warps is 0.
func (b *deviceCrew) perBlock() int {
	if b.launches.warps > 0 {
		return b.launches.warps
	}
	return max(1, min(32, (b.batch.ants+b.sms-1)/b.sms))
}

// Construct implements crew.Crew. It ignores the end of its context.
func (b *deviceCrew) Construct(_ context.Context, it int64, improve int, out *crew.Tours) error {
	if err := b.improveFrom(improve); err != nil {
		return err
	}
	if err := b.size(len(out.Lengths)); err != nil {
		return err
	}
	if err := b.Settle(&b.launches.construction); err != nil {
		return err
	}
	if err := b.Settle(&b.launches.local); err != nil {
		return err
	}
	if err := b.form.ready(); err != nil {
		return err
	}
	whole, err := b.launches.graph.Whole(b.d, &b.Tuner, b.iteration)
	if err != nil {
		return err
	}
	b.next.ItLo, b.next.ItHi, b.next.Ants = uint32(it), uint32(it>>32), int32(b.batch.ants)
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
	b.trails.behind = true
	back := b.batch.back.Slice()
	for k, r := range back[1:] {
		out.Lengths[k], out.Falls[k], out.Hashes[k] = r.Length, r.Falls, r.Hash
	}
	b.form.tell(out)
	return b.done(back[0])
}

// iteration queues a whole iteration.
func (b *deviceCrew) iteration() error {
	if err := b.begin(); err != nil {
		return err
	}
	if err := b.Launch(&b.launches.construction, b.form.construct); err != nil {
		return err
	}
	if err := b.queueSearch(); err != nil {
		return err
	}
	if err := b.form.finish(); err != nil {
		return err
	}
	return b.batch.back.Download(nil, b.batch.results)
}

// dropGraph drops the graph after buffers or the launch have changed.
func (b *deviceCrew) dropGraph() error { return b.launches.graph.Drop() }
