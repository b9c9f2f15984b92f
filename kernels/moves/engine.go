package moves

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"math"
	"unsafe"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers"
	"metalab/solvers/moves"
	"metalab/solvers/wave"
)

// compiled has the compiled kernels.
var compiled embed.FS

// image is the compiled image of moves.cu. Tests replace it.
var image = func() ([]byte, error) { return gpu.Image(compiled, "moves", "moves") }

var _ moves.Tuned = (*Engine)(nil)

// Kinds are the problems that the kernels take.
var Kinds = []datasets.Kind{datasets.KindQAP, datasets.KindPPP}

// Engine makes scans on a GPU. Solutions, memories and E are in its memory.
type Engine struct {
	launch.Base
	launch.Pacer
	scan launch.Stage

	problem *moves.Problem
	q       *datasets.QAP
	form    moves.Exchange
	p       *datasets.PPP
	n       int
	kernels map[string]*gpu.Kernel
	qap     qapArg
	ppp     pppArg

	state state // by the number of walks

	// By the iteration.
	job    job
	asked  moves.Job
	parts  *gpu.Buffer[found]
	bins   *gpu.Buffer[int16]
	given  *gpu.Buffer[int32]
	deltas *gpu.Buffer[int64]
}

// state is what walks have on the device.
type state struct {
	walks   int
	heads   *gpu.Buffer[walk]
	back    *gpu.Pinned[walk]
	now     *gpu.Buffer[int32] // of assignments
	top     *gpu.Buffer[int32]
	signs   *gpu.Buffer[int8] // of perceptrons
	topSign *gpu.Buffer[int8]
	y       *gpu.Buffer[int32]
	until   *gpu.Buffer[int64]
	e, uv   *gpu.Buffer[int64]
	stale   bool // E, or the products, are not those of the solutions
}

// NewEngine opens the device of p.Env, loads the kernels and copies the instance.
func NewEngine(p *moves.Problem) (moves.Engine, error) {
	e := &Engine{problem: p, n: p.Instance.Size(), kernels: map[string]*gpu.Kernel{}}
	if err := e.open(); err != nil {
		e.Close()
		return nil, fmt.Errorf("moves: %w", err)
	}
	return e, nil
}

func (e *Engine) open() error {
	code, err := image()
	if err != nil {
		return err
	}
	if err = e.Base.Open(e.problem.Env); err != nil {
		return err
	}
	names := []string{
		"ppp_published", "ppp_published_readonly", "ppp_move", "ppp_load", "bits_hash",
	}
	switch inst := e.problem.Instance.(type) {
	case *datasets.QAP:
		e.q, e.form = inst, moves.ExchangeOf(inst)
		names = []string{
			"qap_published", "qap_published_readonly", "qap_incremental", "qap_incremental_readonly",
			"qap_move", "qap_update", "qap_load", "perm_hash",
		}
	case *datasets.PPP:
		e.p, e.n = inst, inst.N
	default:
		return fmt.Errorf("a GPU searches on assignments and perceptrons, not on %T", inst)
	}
	if err := e.Admit(e.bytes(1), nil); err != nil {
		return err
	}
	ks, err := e.Base.Load(code)
	if err != nil {
		return err
	}
	for _, name := range names {
		if e.kernels[name], err = ks.Get(name); err != nil {
			return err
		}
	}
	e.Clock = launch.Events(e.Dev)
	e.scan = launch.Stage{
		Name: "scans", Own: e.own, Shapes: e.shapes, Adopt: e.adopt,
		What: func() string {
			return fmt.Sprintf("scan of %d neighbours of %d walks", e.job.Size, e.state.walks)
		},
	}
	e.Add(&e.scan)
	return e.upload()
}

// fixed returns the size of the instance on the device.
func (e *Engine) fixed() int64 {
	if e.p != nil {
		return int64(e.p.M)*int64(e.p.N) + 4*int64((e.p.N+1)/2)
	}
	f := &e.form
	longs := len(f.A) + len(f.B) + len(f.AT) + len(f.BT) + len(f.DA) + len(f.DB) + len(f.FA) + len(f.FB)
	return 4*int64(len(e.q.A)+len(e.q.B)) + 8*int64(longs)
}

// perWalk returns the size of a walk's state.
func (e *Engine) perWalk() int64 {
	n := int64(e.n)
	if e.p != nil {
		return int64(unsafe.Sizeof(walk{})) + 2*n + 8*n + 4*int64(e.p.M)
	}
	return int64(unsafe.Sizeof(walk{})) + 8*n + 16*n*n + 32*n
}

// bytes returns an upper bound of what this many walks take, without what generate=cpu and
// reduce=host need beside it.
func (e *Engine) bytes(walks int) int64 {
	size := moves.Pairs(int64(e.n)) + int64(e.n) // of a neighbourhood, at most
	threads := min(mostThreads, int64(walks)*size) + int64(walks)*1024
	scratch := int64(unsafe.Sizeof(found{})) * (threads/launch.Warp + int64(walks))
	if e.p != nil {
		scratch += 2 * int64((e.n+1)/2) * threads
	}
	return e.fixed() + int64(walks)*e.perWalk() + scratch
}

// upload copies the instance to the device.
func (e *Engine) upload() (err error) {
	if e.p != nil {
		cols, want := columns(e.p), wanted(e.p)
		e.ppp.Columns, err = address(e.Dev, cols, err)
		e.ppp.Want, err = address(e.Dev, want, err)
		return err
	}
	a, f := &e.qap, &e.form
	a.A, err = address(e.Dev, e.q.A, err)
	a.B, err = address(e.Dev, e.q.B, err)
	for _, m := range []struct {
		to *uint64
		v  []int64
	}{
		{&a.FA, f.FA},
		{&a.FB, f.FB},
		{&a.EA, f.A},
		{&a.EB, f.B},
		{&a.EAT, f.AT},
		{&a.EBT, f.BT},
		{&a.DA, f.DA},
		{&a.DB, f.DB},
	} {
		*m.to, err = address(e.Dev, m.v, err)
	}
	return err
}

// address uploads v and returns its address, 0 if it is empty.
func address[T any](d *gpu.Device, v []T, err error) (uint64, error) {
	if err != nil || len(v) == 0 {
		return 0, err
	}
	b, err := gpu.Upload(d, v)
	if err != nil {
		return 0, err
	}
	return b.View().Ptr, nil
}

// columns is the matrix of a perceptron by columns.
func columns(p *datasets.PPP) []int8 {
	out := make([]int8, p.M*p.N)
	for j := range p.M {
		for k := range p.N {
			out[k*p.M+j] = p.A[j*p.N+k]
		}
	}
	return out
}

// wanted are how many rows should have each positive product: 1, 3 and so on.
func wanted(p *datasets.PPP) []int32 {
	out := make([]int32, (p.N+1)/2)
	for k := range out {
		out[k] = p.H[2*k+1]
	}
	return out
}

// Load implements moves.Engine.
func (e *Engine) Load(walks []moves.State) error {
	s := &e.state
	if s.walks != len(walks) {
		if err := e.room(len(walks)); err != nil {
			return err
		}
	}
	s.stale = true
	var heads []walk
	var now, top []int32
	var signs, topSigns []int8
	var until []int64
	for _, w := range walks {
		cost, err := solvers.Cost(e.problem.Instance, w.Now)
		if err != nil {
			return fmt.Errorf("moves: %w", err)
		}
		heads = append(heads, walk{Clock: w.Clock, Cost: int64(cost), Low: int64(w.Low)})
		now, top = append(now, w.Now.Perm...), append(top, w.Top.Perm...)
		signs, topSigns = append(signs, w.Now.Bits...), append(topSigns, w.Top.Bits...)
		until = append(until, w.Until...)
	}
	err := errors.Join(s.heads.Upload(heads), s.until.Upload(until))
	copy(s.back.Slice(), heads)
	if e.p != nil {
		return errors.Join(err, s.signs.Upload(signs), s.topSign.Upload(topSigns))
	}
	return errors.Join(err, s.now.Upload(now), s.top.Upload(top))
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
	if err := errors.Join(e.state.free(), e.forget()); err != nil {
		return err
	}
	s, n := state{walks: walks}, e.n
	s.heads, err = alloc[walk](e.Dev, walks, err)
	if err == nil {
		s.back, err = gpu.NewPinned[walk](e.Dev, walks)
	}
	if e.p != nil {
		s.signs, err = alloc[int8](e.Dev, walks*n, err)
		s.topSign, err = alloc[int8](e.Dev, walks*n, err)
		s.until, err = alloc[int64](e.Dev, walks*n, err)
		s.y, err = alloc[int32](e.Dev, walks*e.p.M, err)
	} else {
		s.now, err = alloc[int32](e.Dev, walks*n, err)
		s.top, err = alloc[int32](e.Dev, walks*n, err)
		s.until, err = alloc[int64](e.Dev, walks*n*n, err)
		s.e, err = alloc[int64](e.Dev, walks*n*n, err)
		s.uv, err = alloc[int64](e.Dev, walks*4*n, err)
	}
	if err != nil {
		return err
	}
	e.state = s
	e.Again()
	if e.p != nil {
		e.ppp.V, e.ppp.Top = s.signs.View().Ptr, s.topSign.View().Ptr
		e.ppp.Y, e.ppp.Until = s.y.View().Ptr, s.until.View().Ptr
		return nil
	}
	e.qap.P, e.qap.Top, e.qap.Until = s.now.View().Ptr, s.top.View().Ptr, s.until.View().Ptr
	e.qap.E, e.qap.UV = s.e.View().Ptr, s.uv.View().Ptr
	return nil
}

// alloc allocates, unless err is not nil.
func alloc[T any](d *gpu.Device, n int, err error) (*gpu.Buffer[T], error) {
	if err != nil {
		return nil, err
	}
	return gpu.Alloc[T](d, n)
}

// free frees the walks' state.
func (s *state) free() error {
	if s.walks == 0 {
		return nil
	}
	return errors.Join(s.heads.Free(), s.back.Free(), s.now.Free(), s.top.Free(), s.signs.Free(),
		s.topSign.Free(), s.y.Free(), s.until.Free(), s.e.Free(), s.uv.Free())
}

// forget frees what depends on the iteration.
func (e *Engine) forget() error {
	err := errors.Join(e.parts.Free(), e.bins.Free(), e.given.Free(), e.deltas.Free())
	e.parts, e.bins, e.given, e.deltas = nil, nil, nil, nil
	return err
}

// State implements moves.Engine.
func (e *Engine) State(a int, to *moves.State) error {
	s, n := &e.state, e.n
	head := s.back.Slice()[a]
	to.Clock, to.Low = head.Clock, float64(head.Low)
	m := len(to.Until)
	err := s.until.Slice(a*m, (a+1)*m).DownloadTo(to.Until)
	if e.p != nil {
		return errors.Join(err, s.signs.Slice(a*n, (a+1)*n).DownloadTo(to.Now.Bits),
			s.topSign.Slice(a*n, (a+1)*n).DownloadTo(to.Top.Bits))
	}
	return errors.Join(err, s.now.Slice(a*n, (a+1)*n).DownloadTo(to.Now.Perm),
		s.top.Slice(a*n, (a+1)*n).DownloadTo(to.Top.Perm))
}

// Iterate implements moves.Engine.
func (e *Engine) Iterate(ctx context.Context, j moves.Job, out []moves.Outcome) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	flips := 2
	if e.p != nil {
		flips = j.Neighbourhood + 1
	}
	if flips > 2 || e.q != nil && j.Neighbourhood > 0 {
		return fmt.Errorf("moves: the kernels have no neighbourhood number %d of %s: use backend cpu",
			j.Neighbourhood, e.problem.Instance.Name())
	}
	size := moves.Pairs(int64(e.n))
	if flips == 1 {
		size = int64(e.n)
	}
	o, err := jobOf(e.problem.Seed, uint64(size), e.n, flips, j)
	if err != nil {
		return err
	}
	if e.q != nil {
		o.Pairs, o.Factor = int32(e.form.Pairs), int32(e.form.Factor)
	} else {
		o.M = int32(e.p.M)
	}
	if o.Size != e.job.Size || j.Evaluation != e.asked.Evaluation || j.Scans != e.asked.Scans ||
		j.Cache != e.asked.Cache || j.Generate != e.asked.Generate || j.Reduce != e.asked.Reduce {
		e.Again()
	}
	e.job, e.asked = o, j
	e.Schedule(j.Threads == 0, j.Trials)
	if err := e.Settle(&e.scan); err != nil {
		return err
	}
	heads := e.state.back.Slice()
	for a := range heads {
		heads[a].Least, heads[a].Sum, heads[a].Tally = math.MaxInt64, 0, [5]int64{}
	}
	if err := e.Dev.Do(ctx, e.queue); err != nil {
		return err
	}
	for a := range out {
		out[a] = heads[a].outcome()
	}
	return nil
}

// queue makes an iteration; on the device's thread.
func (e *Engine) queue() error {
	s := &e.state
	steps := []func() error{
		e.First,
		func() error { return s.back.Upload(nil, s.heads) },
		e.renew,
		func() error { return e.Launch(&e.scan, e.scans) },
		e.hash,
		func() error { return s.back.Download(nil, s.heads) },
		e.Last,
		e.Dev.Sync,
		e.Read,
	}
	for _, f := range steps {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// quick tells whether exchanges are evaluated by E.
func (e *Engine) quick() bool { return e.q != nil && e.asked.Evaluation == "incremental" }

// renew queues the computation of products, or of E if it is needed, after new solutions.
func (e *Engine) renew() error {
	s := &e.state
	stale := s.stale
	s.stale = e.q != nil && !e.quick() // the published evaluation does not keep E
	switch {
	case stale && e.p != nil:
		return e.kernels["ppp_load"].Launch(e.perWalkBlocks(1), e.job, e.ppp)
	case stale && e.quick():
		return e.kernels["qap_load"].Launch(e.perWalkBlocks(e.n), e.job, e.qap)
	}
	return nil
}

// perWalkBlocks is a launch of some blocks for each walk.
func (e *Engine) perWalkBlocks(each int) gpu.Config {
	return gpu.Config{Grid: gpu.Dim{X: each * e.state.walks}, Block: gpu.Dim{X: 128}}
}

// hash queues the computation of the solutions' hashes.
func (e *Engine) hash() error {
	if e.p != nil {
		return e.kernels["bits_hash"].Launch(e.perWalkBlocks(1), e.job, e.ppp, e.state.heads)
	}
	return e.kernels["perm_hash"].Launch(e.perWalkBlocks(1), e.job, e.qap, e.state.heads)
}

// Figures for the launches: threads that a device holds at once at most, and those of a block.
const (
	mostThreads = 1 << 18
	mostBlock   = 512
)

// own is the configuration that the parameters wave and block ask for, or the paper's: a thread a
// neighbour, in blocks of 256.
func (e *Engine) own() wave.Config {
	c := wave.Config{Threads: int64(e.asked.Threads), Block: e.asked.Block}
	if c.Threads == 0 {
		c = wave.Config{Threads: int64(e.job.Size), Block: 256}
	}
	c.Threads = max(1, min(c.Threads, mostThreads/int64(e.state.walks)))
	c.Block = min(max(c.Block/launch.Warp, 1)*launch.Warp, 1024)
	return c
}

// shapes are those of the paper's Algorithm 3.
func (e *Engine) shapes() []wave.Config {
	return wave.Plan{
		Solution: e.n, Neighbours: int64(e.job.Size), MaxBlock: mostBlock,
		MaxThreads: mostThreads / int64(e.state.walks),
	}.Configs()
}

// adopt makes room for a launch.
func (e *Engine) adopt(c wave.Config) (err error) {
	e.job.Blocks = int32(c.Blocks())
	grid := int(e.job.Blocks) * e.state.walks
	if e.parts == nil || e.parts.Len() < grid {
		if err = e.parts.Free(); err == nil {
			e.parts, err = gpu.Alloc[found](e.Dev, grid)
		}
	}
	if err == nil && e.p != nil {
		if need := (e.n + 1) / 2 * grid * c.Block; e.bins == nil || e.bins.Len() < need {
			if err = e.bins.Free(); err == nil {
				e.bins, err = gpu.Alloc[int16](e.Dev, need)
			}
		}
		if err == nil {
			e.ppp.Bins = e.bins.View().Ptr
		}
	}
	return err
}
