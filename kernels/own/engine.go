package own

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"
	"unsafe"

	"metalab/gpu/ptx"
	"metalab/kernels/own/walks"
	"metalab/solvers"
	"metalab/solvers/moves"
	"metalab/solvers/own"
	"metalab/solvers/record"
	"metalab/solvers/wave"
)

// Engine makes the scans of a search on a problem of somebody's own, by kernels that are compiled
// of the problem's source.
type Engine struct {
	problem *moves.Problem
	p       *own.Problem
	value   *own.Value // of the type, by which walks get their fields
	src     *source
	on      Machine
	scans   map[int]*compiled // by neighbourhood
	refused map[int]error     // those that cannot be compiled

	walks int
	heads []walks.Head
	arrays
	launches
	lost error
}

// arrays are what an engine has on its machine, of all walks.
type arrays struct {
	head, now, top, until, marks Array
	fields                       []Array // by leaf, of each walk or of all; see compiled
	shared                       []bool  // a field is of all
	lens                         []int   // of a field, in elements, of a walk
	word                         Array   // in which a kernel that fails says why
	remembered                   int     // numbers of a walk's memory
	kept                         []kept
	loose                        []Array // that are not kept
}

// launches is how an engine launches its kernels, and what that took.
type launches struct {
	tuners map[tuned]*wave.Tuner
	trials int
	last   map[tuned]wave.Config
	cooled wave.Config   // by which walks were last annealed; no threads: they were not
	rarity float64       // drawn moves of annealing per applied one
	took   time.Duration // of the last iteration's kernels
	timing bool
}

// compiled is the kernel of a neighbourhood.
type compiled struct {
	*scan
	module *ptx.Module
	kernel Kernel
	team   *team
	anneal *annealing
	mine   Array   // the threads' solutions
	each   []Array // the threads' fields, by leaf
	room   int     // threads that mine and each are for
}

// tuned identifies what a tuner is for.
type tuned struct{ k, walks int }

// Budget is how many iterations of loops a thread may make in a launch: some ten seconds.
const Budget uint64 = 1 << 32

// NewEngine returns what makes engines on a machine, for moves.TabuOn and the like.
func NewEngine(open Opener) func(p *moves.Problem) (moves.Engine, error) {
	return func(p *moves.Problem) (moves.Engine, error) {
		e := &Engine{
			problem: p, scans: map[int]*compiled{}, refused: map[int]error{},
			launches: launches{tuners: map[tuned]*wave.Tuner{}, last: map[tuned]wave.Config{}},
		}
		if err := e.open(open); err != nil {
			e.Close()
			return nil, err
		}
		return e, nil
	}
}

func (e *Engine) open(open Opener) (err error) {
	var ok bool
	if e.p, ok = e.problem.Instance.(*own.Problem); !ok {
		return fmt.Errorf("%s is a %T, want a problem whose code is in this process",
			e.problem.Instance.Name(), e.problem.Instance)
	}
	if e.value, err = e.p.Value(); err != nil {
		return err
	}
	if e.src, err = sourceOf(e.p, e.value); err != nil {
		return notCompiled(e.p, err)
	}
	if err := e.prepare(); err != nil {
		return notCompiled(e.p, err)
	}
	e.on, err = open(e.problem.Env)
	return err
}

// prepare finds out which fields are a walk's own. A neighbourhood that cannot be compiled is an
// error when it is used, unless all are.
func (e *Engine) prepare() error {
	var first error
	some := false
	e.shared = make([]bool, len(e.src.leaves))
	for i := range e.shared {
		e.shared[i] = e.src.leaves[i].slice()
	}
	scans, errs := e.src.scansOf()
	for k, s := range scans {
		err := errs[k]
		if err != nil {
			first = cmp.Or(first, err)
			e.refused[k] = err
			continue
		}
		some = true
		for i, l := range s.leaves {
			e.shared[i] = e.shared[i] && !l.commit
		}
		e.scans[k] = &compiled{scan: s}
	}
	if !some {
		return first
	}
	for _, c := range e.scans {
		for i := range c.leaves {
			c.leaves[i].commit = !e.shared[i]
		}
	}
	return nil
}

// notCompiled is a fault of the problem's code, with the line where it is.
func notCompiled(p *own.Problem, err error) error {
	f := &own.Fault{Text: err.Error() + "; on=cpu takes it as it is"}
	var r *ptx.Refusal
	if errors.As(err, &r) {
		f.Line = r.Pos.Line
	}
	return f
}

// Close frees the machine's memory.
func (e *Engine) Close() {
	if e.on != nil {
		e.on.Close()
		e.on = nil
	}
}

// scan is the kernel of a neighbourhood, compiled when it is first used.
func (e *Engine) scan(k int) (*compiled, error) {
	c := e.scans[k]
	if c == nil {
		return nil, notCompiled(e.p, e.refused[k])
	}
	if c.kernel != nil {
		return c, nil
	}
	var err error
	if c.module, err = c.compile(scanKernel); err != nil {
		return nil, notCompiled(e.p, err)
	}
	c.kernel, err = e.on.Load(c.module, scanKernel)
	return c, err
}

// bytesOf are the bytes of a slice's elements.
func bytesOf[T any](s []T) []byte {
	size := len(s) * int(unsafe.Sizeof(*new(T)))
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), size)
}

// raw are the bytes of a value's field: those of a slice's elements, or of the field itself.
func (l *leaf) raw(v reflect.Value) []byte {
	f := v.FieldByIndex(l.index)
	if l.slice() {
		return unsafe.Slice((*byte)(f.UnsafePointer()), f.Len()*l.size)
	}
	// A copy: C is not given what lies beside pointers of Go.
	return slices.Clone(unsafe.Slice((*byte)(f.Addr().UnsafePointer()), l.size))
}

// structure is the structure of the engine's value, whose fields can be read.
func (e *Engine) structure() reflect.Value {
	v := reflect.ValueOf(e.value.Raw())
	if v.Kind() == reflect.Pointer {
		return v.Elem()
	}
	c := reflect.New(v.Type()) // a copy, which has an address
	c.Elem().Set(v)
	return c.Elem()
}

// load gives the engine's value a solution, so that its fields are those of a walk there.
func (e *Engine) load(s record.Solution) error {
	return e.p.Guard(func() {
		e.value.Refresh()
		switch b, v := e.value.Bits.Load, e.value.Vector.Load; {
		case b != nil:
			b(own.Flags(s.Bits))
		case v != nil:
			v(s.Perm)
		}
	})
}

// Load implements moves.Engine.
func (e *Engine) Load(all []moves.State) error {
	if err := e.load(all[0].Now); err != nil {
		return err
	}
	if err := e.makeRoom(len(all), all[0].Until); err != nil {
		return err
	}
	v := e.structure()
	for i := range e.src.leaves {
		if e.shared[i] { // not by the kernels known so far
			if err := upload(e.fields[i], 0, e.src.leaves[i].raw(v)); err != nil {
				return err
			}
		}
	}
	for a := range all {
		if err := e.Put(a, &all[a]); err != nil {
			return err
		}
	}
	e.lost = nil
	return nil
}

func upload(a Array, at int64, b []byte) error {
	if len(b) == 0 {
		return nil
	}
	return a.Upload(at, b)
}

// entry is the size of an entry of a solution in bytes.
func (e *Engine) entry() int {
	switch e.p.Form().Kind {
	case record.FormBits:
		return 1
	case record.FormReals:
		return 8
	}
	return 4
}

// solution are the bytes of a solution.
func (e *Engine) solution(s record.Solution) []byte {
	switch e.p.Form().Kind {
	case record.FormBits:
		return bytesOf(s.Bits)
	case record.FormReals:
		return bytesOf(s.Real)
	}
	return bytesOf(s.Perm)
}

// Put implements moves.Climber.
func (e *Engine) Put(a int, s *moves.State) error {
	cost, err := e.p.CostOf(s.Now)
	if err != nil {
		return err
	}
	if err := e.load(s.Now); err != nil {
		return err
	}
	h := &e.heads[a]
	*h = walks.Head{
		Clock: s.Clock, From: s.From, Cost: cost, Low: s.Low, Level: int32(s.Level), Hash: h.Hash,
	}
	size := int64(e.p.Size() * e.entry())
	err = errors.Join(
		e.now.Upload(int64(a)*size, e.solution(s.Now)), e.top.Upload(int64(a)*size, e.solution(s.Top)),
		upload(e.until, int64(a)*8*int64(len(s.Until)), bytesOf(s.Until)),
	)
	v := e.structure()
	for i := range e.src.leaves {
		l := &e.src.leaves[i]
		if e.shared[i] {
			continue
		}
		b := l.raw(v)
		if len(b) != e.lens[i]*l.size {
			return fmt.Errorf("field %s of %s has %d elements in one solution and %d in another: make it "+
				"in the constructor", l.path, e.p.Name(), e.lens[i], len(b)/l.size)
		}
		err = errors.Join(err, upload(e.fields[i], int64(a)*int64(len(b)), b))
	}
	return err
}

// State implements moves.Engine.
func (e *Engine) State(a int, to *moves.State) error {
	if e.lost != nil {
		return fmt.Errorf("an iteration was broken off: %w", e.lost)
	}
	h := &e.heads[a]
	to.Clock, to.Low, to.Level, to.From = h.Clock, h.Low, int(h.Level), h.From
	size := int64(e.p.Size() * e.entry())
	err := errors.Join(
		e.now.Download(int64(a)*size, e.solution(to.Now)),
		e.top.Download(int64(a)*size, e.solution(to.Top)),
	)
	if len(to.Until) > 0 {
		err = errors.Join(err, e.until.Download(int64(a)*8*int64(len(to.Until)), bytesOf(to.Until)))
	}
	return err
}

// Iterate implements moves.Engine.
func (e *Engine) Iterate(ctx context.Context, j moves.Job, out []moves.Outcome) error {
	for a := range out {
		out[a] = moves.NewOutcome(j.Scans)
	}
	return e.Climb(ctx, j, out)
}

// Climb implements moves.Climber; it is also Iterate.
func (e *Engine) Climb(ctx context.Context, j moves.Job, out []moves.Outcome) error {
	if err := errors.Join(e.lost, ctx.Err()); err != nil {
		return err
	}
	before := slices.Clone(e.heads)
	if err := e.backup(); err != nil {
		return err
	}
	for a := range out {
		begin(&e.heads[a], &out[a])
	}
	err := e.head.Upload(0, bytesOf(e.heads))
	e.took = 0
	for err == nil && e.left(j) {
		err = e.round(j)
	}
	if err != nil {
		copy(e.heads, before)
		if back := e.restore(); back != nil {
			e.lost = errors.Join(err, back)
		}
		return err
	}
	for a := range out {
		out[a] = outcome(&e.heads[a])
	}
	return nil
}

// left tells whether a walk has scans to make.
func (e *Engine) left(moves.Job) bool {
	return slices.ContainsFunc(e.heads, func(h walks.Head) bool { return h.Left > 0 && h.Ended == 0 })
}

// round makes scans in each neighbourhood of the job in which walks are.
func (e *Engine) round(j moves.Job) error {
	made := false
	for level := range max(1, j.Depth) {
		due := slices.ContainsFunc(e.heads, func(h walks.Head) bool {
			return h.Left > 0 && h.Ended == 0 && int(h.Level) == level
		})
		if !due {
			continue
		}
		made = true
		if err := e.scanAt(j, level); err != nil {
			return err
		}
		if err := e.head.Download(0, bytesOf(e.heads)); err != nil {
			return err
		}
	}
	if !made {
		return fmt.Errorf("the walks are at levels that a descent of %d has not", j.Depth)
	}
	return nil
}

// begin prepares a head for the scans that are left.
func begin(h *walks.Head, o *moves.Outcome) {
	h.Left, h.Ended, h.Least, h.Sum, h.Tally = int32(o.Left), 0, o.Least, o.Sum, o.Tally
	if o.Ended {
		h.Ended = 1
	}
}

func outcome(h *walks.Head) moves.Outcome {
	return moves.Outcome{
		Low: h.Low, Least: h.Least, Sum: h.Sum, Hash: h.Hash, Tally: h.Tally, Left: int(h.Left),
		Level: int(h.Level), From: h.From, Ended: h.Ended != 0,
	}
}

// The kernels' numbers of the parameters of a search.
var (
	tenures = map[string]int32{
		"": walks.Fixed, "cube": walks.Cube, "uniform": walks.Uniform, "fixed": walks.Fixed,
	}
	picks = map[string]int32{
		"": walks.Tabu, "best": walks.Best, "first": walks.First, "random": walks.Random,
	}
)

// scanAt launches the kernel of a level.
func (e *Engine) scanAt(j moves.Job, level int) error {
	k := j.Neighbourhood + level
	c, err := e.scan(k)
	if err != nil {
		return err
	}
	nb, err := moves.NeighbourhoodOf(e.p, k, 0)
	if err != nil {
		return err
	}
	job := e.job(nb)
	if j.Neighbours > 0 && e.p.Form().Kind == record.FormReals {
		job.Size, job.Radius = int64(j.Neighbours), j.Radius
	}
	job.Tenure, job.Tenures, job.Pick = int64(j.Tenure), tenures[j.Tenures], picks[j.Select]
	job.Level, job.Depth, job.Serial = int32(level), int32(max(1, j.Depth)), c.serial()
	config, tuner := e.config(c, j, job.Size)
	var took time.Duration
	if job.Parts = int32(config.Blocks()); job.Parts > 1 {
		took, err = e.together(c, config.Block, job, j.Scans)
	} else {
		took, err = e.launch(c, config.Block, job)
	}
	if err == nil {
		report(tuner, took)
	}
	e.took += took
	return err
}

// job returns the common arguments of all kernels of a neighbourhood; on real numbers with the
// usual radius.
func (e *Engine) job(nb moves.Neighbourhood) walks.Job {
	form := e.p.Form()
	return walks.Job{
		Seed: e.problem.Seed, Size: nb.Size(), N: int64(form.N), K: int64(form.K), Depth: 1,
		Low: form.Low, High: form.High, Half: float64((form.High - form.Low) / 2),
		Radius: 1 / float64(form.N),
	}
}

// serial tells whether a thread keeps in its fields what the next move can use.
func (c *scan) serial() bool {
	return slices.ContainsFunc(c.leaves, func(l leaf) bool { return l.eval })
}

var (
	_ moves.Climber  = (*Engine)(nil)
	_ moves.Annealer = (*Engine)(nil)
	_ moves.Tuned    = (*Engine)(nil)
	_ solvers.Waver  = (*Engine)(nil)
)
