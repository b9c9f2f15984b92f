package moves

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"unsafe"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers"
	"metalab/solvers/moves"
	"metalab/solvers/wave"
)

// compiled has the compiled kernels.
//
//go:embed images
var compiled embed.FS

// image is the compiled image of a source. Tests replace it.
var image = func(name string) ([]byte, error) { return gpu.Image(compiled, "moves", name) }

var (
	_ moves.Tuned   = (*Engine)(nil)
	_ moves.Sharing = (*Engine)(nil)
)

// Engine makes scans on a GPU. Solutions, memories and what moves are evaluated by are in its
// memory.
type Engine struct {
	launch.Base
	launch.Tuner
	scan launch.Stage

	problem *moves.Problem
	of      problem
	loaded  map[string]*gpu.Kernel

	walks int
	idle  int // the first of them, which are other engines'; see Share
	heads *gpu.Buffer[walk]
	back  *gpu.Pinned[walk]
	part  part
	stale bool  // after new solutions
	moved bool  // in this iteration
	lost  error // why the walks on the device are not what they should be

	iterated
}

// iterated is what an iteration needs.
type iterated struct {
	jobs    []job // one for each neighbourhood of a descent
	asked   moves.Job
	graph   launch.Graph // of all scans, where no kernel makes them all
	key     graphKey     // of the graph, with
	drawn   []job
	adopted wave.Config
	shares  shares
	parts   *gpu.Buffer[found]
	given   *gpu.Buffer[int32]
	deltas  *gpu.Buffer[int64]
}

// NewEngine opens the device of p.Env, loads the kernels and copies the instance.
func NewEngine(p *moves.Problem) (moves.Engine, error) {
	e := &Engine{problem: p, loaded: map[string]*gpu.Kernel{}}
	if err := e.open(); err != nil {
		e.Close()
		return nil, fmt.Errorf("moves: %w", err)
	}
	return e, nil
}

func (e *Engine) open() (err error) {
	if e.of, err = newProblem(e.problem.Instance); err != nil {
		return err
	}
	if t, ok := e.of.(*tsp); ok {
		t.cyclic = e.problem.Tables > 0
	}
	code, err := image(e.of.image())
	if err != nil {
		return err
	}
	if err = e.Base.Open(e.problem.Env); err != nil {
		return err
	}
	if err := e.Admit(e.bytes(1), nil); err != nil {
		return err
	}
	ks, err := e.Base.Load(code)
	if err != nil {
		return err
	}
	for _, name := range e.of.kernels() {
		if e.loaded[name], err = ks.Get(name); err != nil {
			return err
		}
	}
	e.Clock = launch.Events(e.Dev)
	e.scan = launch.Stage{
		Name: "scans", Own: e.launched, Shapes: e.shapes, Adopt: e.adopt,
		What: func() string {
			if e.part.shared() {
				return fmt.Sprintf("part %d of %d of a scan of %d neighbours", e.part.k+1, e.part.n, e.size())
			}
			if e.busy() == 1 {
				return fmt.Sprintf("scan of %d neighbours", e.size())
			}
			return fmt.Sprintf("scan of %d neighbours of %d walks", e.size(), e.busy())
		},
	}
	e.Add(&e.scan)
	return e.of.upload(e.Dev)
}

// size is the size of the iteration's largest neighbourhood.
func (e *Engine) size() (size int64) {
	for _, o := range e.jobs {
		size = max(size, int64(o.Size))
	}
	return size
}

// bytes returns an upper bound of what this many walks take, without what generate=cpu and
// reduce=host need beside it.
func (e *Engine) bytes(walks int) int64 {
	busy := max(1, walks-e.idle)
	threads := int64(mostThreads/busy + mostBlock)
	if n := int64(e.problem.Instance.Size()); moves.Pairs(n)+n < threads {
		threads = moves.Pairs(n) + n + mostBlock // of a neighbourhood, at most, unless it has triples
	}
	if _, ok := e.of.(shaped); ok {
		threads = int64(mostThreads/busy + mostBlock)
	}
	scratch := int64(walks)*(threads/launch.Warp+1)*int64(unsafe.Sizeof(found{})) +
		e.of.scratch(walks, threads)
	return e.of.fixed() + int64(walks)*(int64(unsafe.Sizeof(walk{}))+e.of.perWalk()) + scratch
}

// Share implements moves.Sharing. The kernels draw by the number of a walk, so the walks of others
// are there too, and their blocks end at once.
func (e *Engine) Share(first int) {
	if e.idle != first {
		e.idle, e.walks = first, 0 // memory is needed
	}
}

// busy is how many walks make scans.
func (e *Engine) busy() int { return e.walks - e.idle }

// Load implements moves.Engine.
func (e *Engine) Load(walks []moves.State) error {
	if e.walks != len(walks) {
		if err := e.room(len(walks)); err != nil {
			return err
		}
	}
	for a := range walks {
		if err := e.Put(a, &walks[a]); err != nil {
			return err
		}
	}
	e.lost = nil
	return nil
}

// Put implements moves.Climber.
func (e *Engine) Put(a int, s *moves.State) error {
	cost, err := solvers.Cost(e.problem.Instance, s.Now)
	if err != nil {
		return fmt.Errorf("moves: %w", err)
	}
	e.stale = true
	real := s.Now.Real != nil
	e.back.Slice()[a] = walk{
		Clock: s.Clock, Cost: number(cost, real), Low: number(s.Low, real), Level: int32(s.Level),
		From: s.From,
	}
	return e.of.put(a, s)
}

// room makes room for this many walks.
func (e *Engine) room(walks int) (err error) {
	if err := e.Admit(e.bytes(walks), func(room int64) []string {
		if few := launch.Fitting(walks, room, e.bytes); few > 0 {
			return []string{launch.Takes(fmt.Sprintf("walks=%d", few), e.bytes(few))}
		}
		return nil
	}); err != nil {
		return fmt.Errorf("moves: %d walks on %s: %w", walks, e.problem.Instance.Name(), err)
	}
	err = errors.Join(e.graph.Drop(), e.of.free(), e.heads.Free(), e.parts.Free(), e.given.Free(),
		e.deltas.Free())
	if e.back != nil {
		err = errors.Join(err, e.back.Free())
	}
	e.heads, e.back, e.parts, e.given, e.deltas, e.walks = nil, nil, nil, nil, nil, 0
	if err == nil {
		e.heads, err = gpu.Alloc[walk](e.Dev, walks)
	}
	if err == nil {
		e.back, err = gpu.NewPinned[walk](e.Dev, walks)
	}
	if err == nil {
		err = e.of.room(e.Dev, walks)
	}
	if err != nil {
		return err
	}
	e.walks = walks
	e.Again()
	return nil
}

// State implements moves.Engine.
func (e *Engine) State(a int, to *moves.State) error {
	if e.lost != nil {
		return fmt.Errorf("moves: an iteration was broken off by %w", e.lost)
	}
	head := &e.back.Slice()[a]
	to.Clock, to.Low = head.Clock, value(head.Low, to.Now.Real != nil)
	to.Level, to.From = int(head.Level), head.From
	return e.of.get(a, to)
}

// Iterate implements moves.Engine.
func (e *Engine) Iterate(ctx context.Context, j moves.Job, out []moves.Outcome) error {
	for a := range out {
		out[a] = moves.NewOutcome(j.Scans)
	}
	return e.Climb(ctx, j, out)
}

// Climb implements moves.Climber. It is also Iterate: tabu search makes all scans that are left.
func (e *Engine) Climb(ctx context.Context, j moves.Job, out []moves.Outcome) error {
	if err := errors.Join(e.lost, ctx.Err()); err != nil {
		return err
	}
	jobs, err := jobsOf(e.of, e.problem.Seed, j)
	if err != nil {
		return fmt.Errorf("moves: %w", err)
	}
	old := e.size()
	e.jobs = jobs
	if old != e.size() || !alike(j, e.asked) {
		e.Again()
	}
	e.asked = j
	e.Schedule(j.Threads == 0 && !e.part.shared(), j.Trials)
	e.Tune(j.Letter)
	if e.part.shared() {
		if err := e.agree(); err != nil {
			return err
		}
	}
	heads, real := e.back.Slice(), jobs[0].Real != 0
	for more := true; more; {
		more = false
		for a := range heads {
			heads[a].begin(&out[a], out[a].Left, real)
		}
		if err := e.Settle(&e.scan); err != nil {
			return err
		}
		if err := e.Dev.Do(ctx, e.queue); err != nil {
			return err
		}
		made := false
		for a := range out {
			left := out[a].Left
			out[a] = heads[a].outcome(real)
			made = made || out[a].Left < left
			more = more || out[a].Left > 0 && !out[a].Ended
		}
		if more = more && jobs[0].Pick != tabu; more && !made {
			return errors.New("moves: the device has made no scan")
		}
		ctx = context.WithoutCancel(ctx) // the walks have moved
	}
	return nil
}

// alike tells whether what was tuned for one job holds for another.
func alike(a, b moves.Job) bool {
	return a.Evaluation == b.Evaluation && a.Scans == b.Scans && a.Cache == b.Cache &&
		a.Generate == b.Generate && a.Reduce == b.Reduce && a.Select == b.Select &&
		a.Depth == b.Depth && a.Neighbourhood == b.Neighbourhood && a.Precision == b.Precision
}

// queue makes an iteration, or a part of a long one of climbs; on the device's thread.
func (e *Engine) queue() error {
	stale := e.stale
	e.moved = false
	steps := []func() error{
		e.First,
		func() error { return e.back.Upload(nil, e.heads) },
		e.flush,
		func() error { return e.of.renew(e, stale) },
		func() error {
			e.stale = false
			return e.Launch(&e.scan, e.scans)
		},
		func() error { return e.of.hash(e) },
		func() error { return e.back.Download(nil, e.heads) },
		e.Last,
		e.Dev.Sync,
		e.Read,
		e.shares.spent,
	}
	for _, f := range steps {
		if err := f(); err != nil {
			if e.moved {
				e.lost = err
			}
			return err
		}
	}
	return nil
}

// flush sends what the host has changed of the walks, which the device then changes.
func (e *Engine) flush() error {
	for _, l := range e.of.copies() {
		if err := l.flush(); err != nil {
			return err
		}
	}
	for _, l := range e.of.copies() {
		l.launched()
	}
	return nil
}

// launch queues a kernel. If the kernel allows fewer threads per block than the parameter block, it
// gets as many as it allows, and each thread then evaluates more neighbours; the tuner gets an
// error instead.
func (e *Engine) launch(kernel string, c gpu.Config, args ...any) error {
	k := e.loaded[kernel]
	if most := k.Info().MaxBlock; c.Block.X > most && !e.scan.Trying() {
		c.Block.X = most / launch.Warp * launch.Warp
	}
	return k.Launch(c, args...)
}

// cached is the name of a kernel by the parameter cache.
func (e *Engine) cached(kernel string) string {
	if e.asked.Cache == readOnly {
		return kernel + "_readonly"
	}
	return kernel
}

// perWalk is a launch of some blocks for each walk.
func (e *Engine) perWalk(each int) gpu.Config {
	return gpu.Config{Grid: gpu.Dim{X: each * e.walks}, Block: gpu.Dim{X: 128}}
}

// Figures for the launches: threads that a device holds at once at most, and those of a block.
const (
	mostThreads = 1 << 18
	mostBlock   = 512
)

// launched is own, or what the engines have agreed upon that share the scans.
func (e *Engine) launched() wave.Config {
	if e.part.shared() {
		return e.part.agreed
	}
	return e.own()
}

// own is the configuration that the parameters wave and block ask for, or the paper's: a thread a
// neighbour, in blocks of 256.
func (e *Engine) own() wave.Config {
	c := wave.Config{Threads: min(int64(e.asked.Threads), e.size()), Block: e.asked.Block}
	if c.Threads == 0 {
		if s, ok := e.of.(shaped); ok {
			if c = s.own(e); c.Threads > 0 {
				return c
			}
		}
		c = wave.Config{Threads: e.size(), Block: 256}
	}
	c.Block = min(max(c.Block/launch.Warp, 1)*launch.Warp, 1024)
	if s, ok := e.of.(spreading); ok {
		c = s.spread(c)
	}
	c.Threads = max(1, min(c.Threads, e.most()))
	return c
}

// most is how many threads of a walk are launched at most: to the letter of the paper as many as
// there are neighbours, and its tuner stops where the device does not take them.
func (e *Engine) most() int64 {
	most := mostThreads / int64(e.busy())
	if e.asked.Letter {
		most = max(most, e.size())
	}
	return most
}

// shapes are those of the paper's Algorithm 3, unless the problem has others.
func (e *Engine) shapes() []wave.Config {
	if e.asked.Letter {
		return e.published()
	}
	if s, ok := e.of.(shaped); ok {
		if all := s.shapes(e); len(all) > 0 {
			return all
		}
	}
	return e.published()
}

// published are the shapes of the paper's Algorithm 3.
func (e *Engine) published() []wave.Config {
	return wave.Plan{
		Solution: e.problem.Instance.Size(), Neighbours: e.size(), MaxBlock: mostBlock,
		MaxThreads: e.most(),
	}.Configs()
}

// adopt makes room for a launch.
func (e *Engine) adopt(c wave.Config) error {
	for i := range e.jobs {
		e.jobs[i].Blocks, e.jobs[i].Span = int32(c.Blocks()), int32(c.Blocks())
	}
	grid := int(c.Blocks()) * e.walks
	if c != e.adopted {
		if err := e.graph.Drop(); err != nil { // buffers that are its arguments may move
			return err
		}
		e.adopted = c
	}
	if err := e.partRoom(grid); err != nil {
		return err
	}
	return e.of.adopt(e.Dev, grid, c.Block)
}
